// What completion offers for a command line, without a shell. The scripts of the shells have tests of their own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandNames, commandTable } from '../../src/cli/command-table.ts';
import { shells } from '../../src/cli/commands/completion.ts';
import { kinds } from '../support/all-kinds.ts';
import { runCommand } from '../support/run-command.ts';

const root = join(import.meta.dirname, '../..');

async function complete(words: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runCommand(['completion', 'bash', '--', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout === '' ? [] : stdout.trimEnd().split('\n');
}

describe('words', () => {
  test('commands', async () => {
    expect(await complete([''])).toEqual([...commandNames]);
    expect(await complete(['dr'])).toEqual(['drift']);
    expect(await complete(['unknown', ''])).toEqual([]);
  });

  test('options of the command', async () => {
    const words = await complete(['plan', '--only', 'roles', '--out', 'x', '--debug', '--']);
    expect(words).toContain('--only');
    expect(words).toContain('--format');
    expect(words).not.toContain('--yes');
    expect(await complete(['validate', '--o'])).toEqual([]);
  });

  test('values of an enumeration, in both forms', async () => {
    expect(await complete(['plan', '--format', ''])).toEqual(commandTable.plan.formats);
    expect(await complete(['plan', '--format=js'])).toEqual(['--format=json']);
    expect(await complete(['apply', '--no-verify=ro'])).toEqual(['--no-verify=roles']);
  });

  test('codes of explain, and shells of completion', async () => {
    expect(await complete(['explain', 'CONFIG_NULL'])).toEqual(['CONFIG_NULL_VALUE']);
    expect(await complete(['explain', 'conf'])).toEqual(['conflict']);
    expect(await complete(['completion', ''])).toEqual([...shells]);
  });

  test.each(['--only', '--except'])('kinds for %s', async (option) => {
    expect(await complete(['drift', option, ''])).toEqual(kinds.map(({ name }) => name));
  });

  test('kinds with secrets for --rotate', async () => {
    const expected = kinds.filter(({ hasSecrets }) => hasSecrets).map(({ name }) => name);
    expect(await complete(['apply', '--rotate', ''])).toEqual(expected);
  });

  test.each([
    ['plan', ''],
    ['plan', 'tenant', ''],
    ['apply', '--plan', ''],
    ['plan', '--report', 'json=o'],
    ['serve', ''],
  ])('none where a shell offers files: %s %s', async (...words) => {
    expect(await complete(words)).toEqual([]);
  });
});

describe('the script', () => {
  test.each(shells)('of %s is a file of the package', async (shell) => {
    const { code, stdout } = await runCommand(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(join(root, `completions/tenant-sync.${shell}`), 'utf8'));
    expect(stdout).not.toMatch(/\beval [^"]|compgen -W/);
  });

  test.each([
    ['powershell', 'use one of them'],
    ['bsh', 'did you mean "bash"?'],
  ])('of %s does not exist', async (shell, hint) => {
    const { code, stderr } = await runCommand(['completion', shell]);
    expect(code).toBe(3);
    expect(stderr).toContain(`"${shell}" has no completion script; the shells are bash, zsh, fish.`);
    expect(stderr).toContain(hint);
  });

  test('needs a shell', async () => {
    expect((await runCommand(['completion'])).stderr).toContain('completion needs <shell>');
  });
});
