// What completion offers for a command line, without a shell. The scripts of the shells have tests of their own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandNames, commandTable } from '../../src/cli/command-table.ts';
import { shells } from '../../src/cli/commands/completion.ts';
import { optionsOf } from '../../src/cli/options.ts';
import { kinds } from '../../src/kinds/index.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');

/** The kind of the completions, and the words without their meanings. */
async function complete(words: readonly string[], cwd?: string) {
  const { code, stdout, stderr } = await runCommand(['completion', 'bash', '--', ...words], cwd ? { cwd } : {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [kind = '', ...lines] = stdout.trimEnd().split('\n');
  return { kind, words: lines.map((line) => line.split('\t')[0] ?? '') };
}

const files = {
  'tenant/roles.yaml': 'roles:\n  - { name: Support EU, permissions: [] }\n  - { name: "$(id)", permissions: [] }\n',
  'tenant/more/roles.yaml': 'roles:\n  - { name: Admin, permissions: [] }\n  - { name: Admin, permissions: [] }\n',
};

describe('words', () => {
  test('commands', async () => {
    expect((await complete([''])).words).toEqual([...commandNames]);
    expect((await complete(['dr'])).words).toEqual(['drift']);
    expect((await complete(['unknown', ''])).words).toEqual([]);
  });

  test('options of the command, without those that are given and cannot be repeated', async () => {
    const { words } = await complete(['plan', '--only', 'roles', '--out', 'x', '--debug', '--']);
    expect(words).toContain('--only');
    expect(words).toContain('--format');
    expect(words).not.toContain('--out');
    expect(words).not.toContain('--debug');
    expect(words).not.toContain('--yes');
    expect((await complete(['validate', '--o'])).words).toEqual([]);
  });

  test('values of an enumeration, in both forms', async () => {
    expect((await complete(['plan', '--format', ''])).words).toEqual(commandTable.plan.formats);
    expect((await complete(['plan', '--format=js'])).words).toEqual(['--format=json']);
  });

  test('formats for --report, then files', async () => {
    expect((await complete(['plan', '--report', 'mark'])).words).toEqual(['markdown=']);
    expect((await complete(['plan', '--report', 'json=o'])).kind).toBe('files');
  });

  test('codes of explain, and shells of completion', async () => {
    expect((await complete(['explain', 'CONFIG_NULL'])).words).toEqual(['CONFIG_NULL_VALUE']);
    expect((await complete(['explain', 'conf'])).words).toEqual(['conflict']);
    expect((await complete(['completion', ''])).words).toEqual([...shells]);
  });

  test.each(['--only', '--except'])('kinds for %s', async (option) => {
    const expected = kinds.flatMap(({ name }) => [name, `${name}/`]);
    expect((await complete(['drift', option, ''])).words).toEqual(expected);
  });

  test('kinds with secrets for --rotate', async () => {
    const expected = kinds.filter(({ rotation }) => rotation !== undefined).map(({ name }) => name);
    const { words } = await complete(['apply', '--rotate', '']);
    expect(words.filter((word) => !word.endsWith('/'))).toEqual(expected);
  });
});

describe('names from the files', () => {
  test('of the folder on the command line, once each and sorted', async () => {
    const cwd = await folder(files);
    expect((await complete(['plan', 'tenant', '--only', 'roles/'], cwd)).words).toEqual([
      'roles/$(id)',
      'roles/Admin',
      'roles/Support EU',
    ]);
    expect((await complete(['plan', '--debug', '--only', 'roles/'], join(cwd, 'tenant'))).words).toHaveLength(3);
    expect((await complete(['plan', 'other', '--only', 'roles/'], cwd)).words).toEqual([]);
  });

  test('with the name of the kind as it is typed', async () => {
    const cwd = await folder(files);
    expect((await complete(['plan', 'tenant', '--only=role/A'], cwd)).words).toEqual(['--only=role/Admin']);
  });

  test('for words with quotes and backslashes', async () => {
    const cwd = await folder(files);
    for (const word of ['"roles/Support E', "'roles/Support E", 'roles/Support\\ E'])
      expect((await complete(['plan', 'tenant', '--only', word], cwd)).words).toEqual(['roles/Support EU']);
  });

  test('from files with errors, as far as they can be read', async () => {
    const cwd = await folder({
      'a.yaml': 'roles:\n  - { name: Good }\n  - 7\n  - { nam: x }\n  - { name: Other, permissions: 3 }\n',
      'b.yaml': '{',
      'c.yaml': 'roles: 3\n',
    });
    expect((await complete(['plan', '--only', 'roles/'], cwd)).words).toEqual(
      expect.arrayContaining(['roles/Good', 'roles/Other']),
    );
  });

  test('never with control characters or references', async () => {
    const cwd = await folder({
      'a.yaml': 'roles:\n  - { name: "a\\nb" }\n  - { name: "c\\e[31m" }\n  - { name: "${var:x}" }\n  - { name: ok }\n',
    });
    expect((await complete(['plan', '--only', 'roles/'], cwd)).words).toEqual(['roles/ok']);
  });
});

describe('folders and files', () => {
  test.each(['init', 'validate', 'plan', 'apply', 'drift'])('%s takes a folder, once', async (command) => {
    expect(await complete([command, ''])).toEqual({ kind: 'folders', words: [] });
    expect(await complete([command, 'tenant', ''])).toEqual({ kind: 'words', words: [] });
  });

  test('options that name a file or a folder', async () => {
    expect((await complete(['apply', '--plan', ''])).kind).toBe('files');
    expect((await complete(['apply', '--state-dir', ''])).kind).toBe('folders');
    expect((await complete(['serve', ''])).kind).toBe('words');
  });
});

test('it is known what the value of every option is', () => {
  const text = new Set([
    'name',
    'base-url',
    'base',
    'var',
    'allow-env',
    'approve',
    'expect',
    'quota-share',
    'break-lock',
  ]);
  for (const name of ['max-staleness', 'visible-within', 'max-age', 'port', 'latency', 'rate', 'fault']) text.add(name);
  const options = commandNames.flatMap(optionsOf);
  expect(options.length).toBeGreaterThan(40);
  const unknown = options.filter(
    ({ name, type, values, completes }) =>
      type !== 'boolean' && values.length === 0 && completes === undefined && !text.has(name),
  );
  expect(unknown.map(({ name }) => name)).toEqual([]);
  expect(options.filter(({ describe }) => describe.length < 5 || describe.includes('undefined'))).toEqual([]);
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
