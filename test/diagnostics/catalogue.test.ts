import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const documented = [
  ...readFileSync(new URL('docs/diagnostics.md', root), 'utf8').matchAll(/^### ([A-Z_]+)\n([^#]*)/gm),
];
const codes = [...readFileSync(new URL('src/model/diagnostic-codes.ts', root), 'utf8').matchAll(/'([A-Z_]+)'/g)].map(
  ([, code]) => code,
);

test('every code has an entry, and every entry outside the findings a code', () => {
  const headings = documented.map(([, code]) => code ?? '');
  expect(headings.filter((code) => !code.startsWith('LIVE_'))).toEqual(codes);
});

test('every code and every finding is raised in a test', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.ts') && !file.endsWith('catalogue.test.ts'),
  );
  const tests = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  expect(documented.map(([, code]) => code ?? '').filter((code) => !tests.includes(code))).toEqual([]);
});

test('every entry tells cause, cure and exit code', () => {
  for (const [, code, text] of documented) {
    expect(text, code).toContain('- Cause: ');
    expect(text, code).toContain('- Cure: ');
    if (!code?.startsWith('LIVE_')) expect(text, code).toMatch(/[Ee]xit\s+code/);
  }
});
