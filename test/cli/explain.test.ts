// explain and docs/diagnostics.md: one source, and an entry for every code that any output contains.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { explain } from '../../src/sync/explain.ts';
import { runCommand } from '../support/run-command.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const headings = [...read('docs/diagnostics.md').matchAll(/^### (\S+)$/gm)].map(([, code = '']) => code);
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const literals = sources.flatMap((file) => [
  ...read(`src/${file}`).matchAll(/'((?:GUARD|LIVE|RULE|ACCESS|ROLE|SCOPE|POLICY|STREAM|PARTIAL)_[A-Z_]+)'/g),
]);
const reported = [...new Set(literals.map(([, code = '']) => code))];
const outcomes = (JSON.parse(read('schemas/outcomes.schema.json')).$defs.outcome.properties.outcome.enum ??
  []) as string[];
const codes = [...new Set([...headings, ...reported, ...outcomes])];

test('the codes of diagnostics, findings, refusals and outcomes are known', () => {
  expect(codes).toEqual(
    expect.arrayContaining(['CONFIG_NULL_VALUE', 'LIVE_MISSING', 'GUARD_EMPTIES_ITEM', 'ACCESS_LOST', 'conflict']),
  );
  expect(codes.length).toBeGreaterThan(100);
});

test.each(codes)('explain %s', async (code) => {
  const { code: exit, stdout, stderr } = await runCommand(['explain', code]);
  expect(stderr).toBe('');
  expect(exit).toBe(0);
  expect(stdout.startsWith(`${code}  `)).toBe(true);
  const lines = stdout.split('\n');
  for (const title of ['Cause', 'Fix', 'Exit code']) expect(lines[lines.indexOf(title) + 1], title).toMatch(/^ {2}\S/);
  expect(stdout).not.toMatch(/\]\(|```/);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('every entry matches its schema, and states what it does to the exit code', async () => {
  const ajv = new Ajv2020({ schemas: [JSON.parse(read('schemas/explanation.schema.json'))], strict: false });
  for (const code of codes) {
    const { stdout } = await runCommand(['explain', code, '--format', 'json']);
    const found = JSON.parse(stdout);
    expect(ajv.validate('explanation.schema.json', found), ajv.errorsText()).toBe(true);
    expect(found.exit_code, code).toMatch(/exits? (code|with)/i);
    expect([found.cause, found.fix].filter((text) => text.length < 10)).toEqual([]);
    expect(found.fix, code).not.toMatch(/^exit code|\sexit code \d/i);
  }
});

test('a short entry, as it is printed', async () => {
  const { stdout } = await runCommand(['explain', 'CONFIG_WRONG_TYPE'], { columns: 60 });
  expect(stdout).toBe(`CONFIG_WRONG_TYPE  Values that break a rule

Cause
  A value has the wrong type, such as \`limit: "7"\` or \`name:
  7\`. Values are never converted.

Fix
  Add or remove quotes; write lists with dashes.

  limit: 7
  name: "7"

Exit code
  Exit code 3.
`);
});

describe('what people type', () => {
  test.each(['config_null_value', 'Config-Null-Value'])('%s is understood', async (code) => {
    expect((await runCommand(['explain', code])).stdout).toContain('CONFIG_NULL_VALUE');
  });

  test.each([
    ['CONFIG_NUL_VALUE', 'run: tenant-sync explain CONFIG_NULL_VALUE'],
    ['LIVE_MISING', 'run: tenant-sync explain LIVE_MISSING'],
    ['conflicts', 'run: tenant-sync explain conflict'],
    ['XYZ', 'docs/diagnostics.md lists every code'],
  ])('%s gets a hint', async (code, hint) => {
    const { code: exit, stdout, stderr } = await runCommand(['explain', code]);
    expect(exit).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain(`"${code}" is not a code of tenant-sync.`);
    expect(stderr).toContain(`hint: ${hint}`);
  });

  test('a hostile code is escaped', async () => {
    const { code, stderr } = await runCommand(['explain', '\u001b[31mx']);
    expect(code).toBe(3);
    expect(stderr).not.toContain('\u001b[31m');
  });

  test('no code, and two codes', async () => {
    expect((await runCommand(['explain'])).stderr).toContain('explain needs <code>');
    expect((await runCommand(['explain', 'A', 'B'])).stderr).toContain('explain takes only one code');
  });
});

test('the library returns the same', async () => {
  const result = await explain('LIVE_MISSING');
  expect(result.status === 'explained' && result.explanation.group).toBe('Findings of a plan');
  expect(await explain('LIVE_MISSIN')).toEqual({ status: 'unknown', nearest: 'LIVE_MISSING' });
});
