import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const documented = [...readFileSync(new URL('docs/diagnostics.md', root), 'utf8').matchAll(/^### ([A-Z_]+)\n([^#]*)/gm)];
const codes = [...readFileSync(new URL('src/model/diagnostic-codes.ts', root), 'utf8').matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code);

test('every code has an entry, and every entry outside the findings a code', () => {
  const headings = documented.map(([, code]) => code ?? '');
  expect(headings.filter((code) => !code.startsWith('LIVE_'))).toEqual(codes);
});

test('every entry tells cause, cure and exit code', () => {
  for (const [, code, text] of documented) {
    expect(text, code).toContain('- Cause: ');
    expect(text, code).toContain('- Cure: ');
    if (!code?.startsWith('LIVE_')) expect(text, code).toMatch(/[Ee]xit\s+code/);
  }
});
