// explain prints the table of codes, src/diagnostics/codes.yaml.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { explain, explanations } from '../../src/sync/explain.ts';
import { runCommand } from '../support/run-command.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const codes = (await explanations()).map(({ code }) => code);

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

test('without a code, all codes below their groups, or as JSON', async () => {
  const { code: exit, stdout } = await runCommand(['explain']);
  expect(exit).toBe(0);
  const listed = stdout.split('\n').filter((line) => line.startsWith('  '));
  expect(listed.map((line) => line.trim()).sort()).toEqual([...codes].sort());
  const entries = JSON.parse((await runCommand(['explain', '--format', 'json'])).stdout);
  expect(entries).toEqual(await explanations());
});

test('every entry matches its schema, and states what it does to the exit code', async () => {
  const ajv = new Ajv2020({ schemas: [JSON.parse(read('schemas/explanation.schema.json'))], strict: false });
  for (const code of codes) {
    const { stdout } = await runCommand(['explain', code, '--format', 'json']);
    const found = JSON.parse(stdout);
    expect(ajv.validate('explanation.schema.json', found), ajv.errorsText()).toBe(true);
    expect(found.exit_code, code).toMatch(/exits? (code|with)/i);
    for (const text of [found.cause, found.fix]) expect(text, code).toMatch(/^[A-Z`"][\s\S]{9,}[.`]$/);
    expect(found.fix, code).not.toMatch(/\bexit code\b/i);
  }
});

test('a short entry, as it is printed', async () => {
  const { stdout } = await runCommand(['explain', 'CONFIG_WRONG_TYPE'], { columns: 60 });
  expect(stdout).toBe(`CONFIG_WRONG_TYPE  error  Values that break a rule

Cause
  A value has the wrong type, such as \`limit: "7"\` or \`name:
  7\`. Values are never converted.

Fix
  Add or remove quotes; write lists with dashes.

  limit: 7
  name: "7"

Exit code
  3
`);
});

describe('what people type', () => {
  test.each([
    ['config_null_value', 'CONFIG_NULL_VALUE'],
    ['Config-Null-Value', 'CONFIG_NULL_VALUE'],
    ['CONFIG_NULL_VALUE:', 'CONFIG_NULL_VALUE'],
    ['not attempted', 'not_attempted'],
  ])('%s is understood', async (text, code) => {
    expect((await runCommand(['explain', text])).stdout).toMatch(new RegExp(`^${code} `));
  });

  test.each([
    ['CONFIG_NUL_VALUE', 'run: tenant-sync explain CONFIG_NULL_VALUE'],
    ['LIVE_MISING', 'run: tenant-sync explain LIVE_MISSING'],
    ['conflicts', 'run: tenant-sync explain conflict'],
    ['XYZ', 'run: tenant-sync explain\n'],
    ['XYZ/default', 'run: tenant-sync explain\n'],
    ['policies/default', 'run: tenant-sync plan --only policies/default'],
    ['role/A b', "run: tenant-sync plan --only 'role/A b'"],
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

  test('two codes', async () => {
    expect((await runCommand(['explain', 'A', 'B'])).stderr).toContain('explain takes only one code');
  });
});

test('the library returns the same', async () => {
  const result = await explain('LIVE_MISSING');
  expect(result.status === 'explained' && result.explanation.group).toBe('Findings of a plan');
  expect(await explain('LIVE_MISSIN')).toEqual({ status: 'unknown', nearest: 'LIVE_MISSING' });
});
