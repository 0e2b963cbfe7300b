// The import arrows of ARCHITECTURE.md, read from the import lines themselves.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groupBy } from '../src/values/group-by.ts';
import { kinds } from './support/all-kinds.ts';

const src = join(import.meta.dirname, '..', 'src');

/** Every other package may import these, and they may not import each other. */
const shared = ['model', 'values', 'secrets'];

/** The packages that each package imports, besides itself and the shared ones: the table of ARCHITECTURE.md. */
const arrows = new Map(
  [...readFileSync(join(src, '../ARCHITECTURE.md'), 'utf8').matchAll(/^\| `([\w-]+)[^|]*\|[^|]*\|([^|]*)\|$/gm)].map(
    ([, name = '', imports = '']) => [name, [...imports.matchAll(/`([\w-]+)`/g)].map(([, one]) => one)] as const,
  ),
);

/** Packages without a clock, an environment, a network or a disk. */
const pure = ['model', 'values', 'secrets', 'diagnostics', 'differ', 'items', 'plan', 'report', 'apply', 'edit'];

interface Line {
  readonly file: string;
  readonly package: string;
  readonly target: string;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));
const textOf = (file: string) => readFileSync(join(src, file), 'utf8');
const lines: readonly Line[] = files.flatMap((file) =>
  [...textOf(file).matchAll(/\b(?:from|import\(?)\s*'([^']+)'/g)].map(([, target = '']) => ({
    file,
    package: packageOf(file),
    target: resolveTarget(file, target),
  })),
);

function packageOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function resolveTarget(file: string, target: string): string {
  return target.startsWith('.') ? relative(src, resolve(src, dirname(file), target)).replaceAll('\\', '/') : target;
}

const inside = lines.filter(({ target }) => target.endsWith('.ts'));

describe('arrows', () => {
  test.each([...arrows].filter(([name]) => name !== 'cli'))(
    '%s imports exactly what the table has',
    (name, allowed) => {
      // Generated types of files and seeds are put together from those of the resources.
      const written = inside.filter((line) => line.package === name && !line.file.endsWith('.generated.ts'));
      const imported = new Set(written.map(({ target }) => packageOf(target)));
      const always = shared.includes(name) ? [name] : [name, ...shared];
      expect([...imported].filter((one) => !always.includes(one)).sort()).toEqual(allowed.toSorted());
    },
  );

  test('every package has a row', () => {
    expect([...arrows.keys()].sort()).toEqual([...new Set(files.map(packageOf))].sort());
  });

  test.each(['cli', 'pipeline'])('no package imports %s', (name) => {
    expect(inside.filter((line) => line.package !== name && packageOf(line.target) === name)).toEqual([]);
  });

  test('no kind imports another', () => {
    const kindOf = (file: string) =>
      file.startsWith('kinds/') && file.split('/').length > 2 ? file.split('/')[1] : undefined;
    expect(
      inside.filter(
        ({ file, target }) =>
          kindOf(file) !== undefined && kindOf(target) !== undefined && kindOf(file) !== kindOf(target),
      ),
    ).toEqual([]);
  });

  test('edit imports from config how YAML is read, and nothing that reads files', () => {
    const imported = inside.filter((line) => line.package === 'edit' && packageOf(line.target) === 'config');
    const allowed = /^config\/(yaml\/(read-plain-scalar|yaml-problems)|variables\/references)\.ts$/;
    expect(imported.filter(({ target }) => !allowed.test(target))).toEqual([]);
  });

  test('pipeline imports from client how requests are sent, and nothing that knows a tenant', () => {
    const imported = inside.filter((line) => line.package === 'pipeline' && packageOf(line.target) === 'client');
    const allowed = /^client\/transport\/(exchange|http-client|page|parse-json)\.ts$/;
    expect(imported.filter(({ target }) => !allowed.test(target))).toEqual([]);
  });

  test('only the command line and the lists of kinds name a kind', () => {
    const wrong = inside.filter((line) => /^kinds\/[^/]+\//.test(line.target) && line.package !== 'kinds');
    expect(wrong).toEqual([]);
  });
});

test('every kind that files may have is registered', () => {
  const { enum: names } = JSON.parse(readFileSync(join(src, '../schemas/kinds.schema.json'), 'utf8'));
  expect(kinds.map(({ name }) => name).sort()).toEqual(names.toSorted());
});

test('no files import each other in a circle, also of types', () => {
  const imports = groupBy(inside, ({ file }) => file);
  const ended = new Set<string>();
  /** The files from one that is open to itself; null without a circle. */
  const circleFrom = (file: string, open: readonly string[]): readonly string[] | null => {
    if (open.includes(file)) return [...open.slice(open.indexOf(file)), file];
    if (ended.has(file)) return null;
    for (const { target } of imports.get(file) ?? []) {
      const found = circleFrom(target, [...open, file]);
      if (found !== null) return found;
    }
    ended.add(file);
    return null;
  };
  for (const file of imports.keys()) expect(circleFrom(file, [])).toBe(null);
});

test('the files that a reader begins with have less than 150 lines', () => {
  const text = readFileSync(join(src, '..', 'ARCHITECTURE.md'), 'utf8');
  const [, list = ''] = /These ten files explain[^\n]*\n\n((?:\d+\..*\n(?: {3}.*\n)*)+)/.exec(text) ?? [];
  const files = Array.from(list.matchAll(/^\d+\. `src\/([^`]+)`/gm), ([, file = '']) => file);
  expect(files).toHaveLength(10);
  expect(files.filter((file) => textOf(file).split('\n').length > 150)).toEqual([]);
});

describe('what keeps promises', () => {
  test('promise 1: only apply can open a connection that writes', () => {
    const importers = inside.filter(({ target }) => target === 'client/write-connection.ts').map(({ file }) => file);
    expect(importers).toEqual(['sync/apply.ts']);
  });

  test('git and the pipeline start processes, and the engine does without them', () => {
    const starting = lines.filter(({ target }) => /^(node:)?child_process$/.test(target)).map(({ file }) => file);
    expect(starting.sort()).toEqual(['git/run-git.ts', 'pipeline/main.ts']);
    const opening = inside.filter(({ file, target }) => packageOf(target) === 'git' && packageOf(file) !== 'git');
    expect(opening.map(({ file }) => file).sort()).toEqual([
      'cli/commands/init.ts',
      'cli/run-options.ts',
      'pipeline/checkout.ts',
      'sync/index.ts',
    ]);
  });

  test('pure packages reach nothing outside', () => {
    const allowed = ['node:crypto', 'node:util', 'fast-deep-equal', 'diff', 'yaml'];
    const reaching = lines.filter(
      (line) => pure.includes(line.package) && !line.target.endsWith('.ts') && !allowed.includes(line.target),
    );
    expect(reaching).toEqual([]);
    const clocks = files.filter(
      (file) =>
        pure.includes(packageOf(file)) &&
        /Date\.now|new Date\(\)|process\.(?!getBuiltinModule\('node:crypto'\))|Math\.random|performance\./.test(
          textOf(file),
        ),
    );
    expect(clocks).toEqual([]);
  });

  test('what starts a command loads neither the network nor the server', () => {
    const reached = reach(['cli/start.ts', 'cli/run.ts', 'cli/commands/validate.ts']);
    expect(
      [...reached].filter(
        (target) =>
          ['undici', 'hono', 'jose', 'ajv', 'ora', 'diff'].includes(target) ||
          /^(client|embedded-tenant)\//.test(target),
      ),
    ).toEqual([]);
  });

  test('nothing prints but the command line and the pipeline', () => {
    const printing = ['cli', 'pipeline'];
    expect(
      files.filter(
        (file) => !printing.includes(packageOf(file)) && /console\.|process\.std(out|err)/.test(textOf(file)),
      ),
    ).toEqual([]);
  });
});

/** Files that static imports reach. */
function reach(start: readonly string[]): Set<string> {
  const seen = new Set<string>(start);
  for (const file of seen) {
    if (!file.endsWith('.ts')) continue;
    for (const [, target = ''] of textOf(file).matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)'/gm))
      seen.add(resolveTarget(file, target));
  }
  return seen;
}
