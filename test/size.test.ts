// What counts as written by hand, which the limits of the project's size are about.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWrittenByHand, sizes } from '../scripts/size.mjs';

const root = join(import.meta.dirname, '..');

const filesIn = (folder: string): [string, string][] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry): [string, string][] => {
    const path = `${entry.parentPath.slice(root.length + 1)}/${entry.name}`;
    return entry.isFile() ? [[path, readFileSync(join(root, path), 'utf8')]] : [];
  });

test('no file that a command writes counts, and every other one does', () => {
  const files = filesIn('src');
  const isGenerated = ([path, text]: readonly [string, string]) =>
    /^\/\/ (?:Generated|Compiled|@ts-nocheck)/.test(text) || path.endsWith('facts.json');
  const generated = files.filter(isGenerated);
  expect(generated.length).toBeGreaterThan(50);
  expect(generated.filter(([path]) => isWrittenByHand(path))).toEqual([]);
  const others = files.filter((file) => !isGenerated(file) && !isWrittenByHand(file[0])).map(([path]) => path);
  expect(others).toEqual([]);
});

test('lines and tokens by package', () => {
  const files = [
    ['src/items/a.ts', '// a comment\nconst a = 1;\n'],
    ['src/items/b.ts', 'a;'],
    ['src/items/c.generated.ts', 'a;\n'],
    ['src/kinds/roles/kind.yaml', 'title: Roles\n'],
    ['scripts/x.mjs', 'f();\n'],
    ['docs/x.md', 'text\n'],
  ] as const;
  expect(Object.fromEntries(sizes(files))).toEqual({
    'src/items': { files: 2, lines: 3, tokens: 7 },
    'kind.yaml': { files: 1, lines: 1, tokens: 0 },
    scripts: { files: 1, lines: 1, tokens: 4 },
  });
});
