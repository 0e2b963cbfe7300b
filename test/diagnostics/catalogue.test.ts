import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const root = new URL('../../', import.meta.url);
const documented = [
  ...readFileSync(new URL('docs/diagnostics.md', root), 'utf8').matchAll(
    /^### ([A-Z_]+)\n([\s\S]*?)(?=^#|$(?![\s\S]))/gm,
  ),
];
const codesIn = (file: string) =>
  [...readFileSync(new URL(file, root), 'utf8').matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code ?? '');
const isFinding = (code: string) => /^(?:(?:LIVE|RULE|ACCESS|ROLE|POLICY|STREAM|PARTIAL)_|SCOPE_REMOVED$)/.test(code);
const codes = codesIn('src/model/diagnostic-codes.ts');
const codesOfKinds = codesIn('src/model/kind-codes.generated.ts');

test('every code has an entry, in the order of the codes, and every entry outside the findings has a code', () => {
  const headings = documented.map(([, code]) => code ?? '').filter((code) => !isFinding(code));
  expect(headings.filter((code) => !codesOfKinds.includes(code))).toEqual(codes);
  expect(headings.filter((code) => codesOfKinds.includes(code)).sort()).toEqual(codesOfKinds);
});

test('every code and every finding is raised in a test', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.ts') && !file.endsWith('catalogue.test.ts'),
  );
  const tests = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  expect(documented.map(([, code]) => code ?? '').filter((code) => !tests.includes(code))).toEqual([]);
});

test('every entry has a cause, a fix and an exit code', () => {
  for (const [, code, text] of documented) {
    expect(text, code).toContain('- Cause: ');
    expect(text, code).toContain('- Fix: ');
    if (!isFinding(code ?? '')) expect(text, code).toMatch(/[Ee]xit\s+code/);
  }
});

test('the example is what validate prints', async () => {
  const [, example = ''] = /```\n([\s\S]*?)```/.exec(readFileSync(new URL('docs/diagnostics.md', root), 'utf8')) ?? [];
  const policy = 'resource: oauth_authentication_api\n    consumer: client\n    consumer_selector: default';
  const configuration = 'configuration:\n      action: block\n      limit: 7\n      limitt: 3';
  const path = await folder({ 'policies.yaml': `rate_limit_policies:\n  - ${policy}\n    ${configuration}\n` });
  const { stdout } = await runCommand(['validate', path]);
  expect(stdout).toBe(`${example}\n1 error in 1 file\n`);
});
