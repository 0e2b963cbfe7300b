// Commands of the documents that read what another command wrote. None of them makes something of an empty input that would be
// used: a check that passes, or a section without items.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadJq } from 'jq-wasm';
import { expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';
import { folder } from './support/temp-folder.ts';

const root = join(import.meta.dirname, '..');
const jq = await loadJq();
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const [, policies = ''] = /```jq\n([\s\S]*?)```/.exec(read('docs/policies.md')) ?? [];

/** Flags and filter of each `jq` in a line with code. */
const below = (path: string) =>
  readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((file) => join(path, file));
const recipes = ['README.md', ...below('docs'), ...below('examples')]
  .filter((file) => /\.(?:md|ya?ml)$/.test(file) && !file.startsWith('docs/internals'))
  .flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line) => [...line.matchAll(/(?<![`\w./])jq ((?:-\w+ )*)(?!\d)(?:'([^']*)'|(\S+))/g)])
      .map(([, flags = '', quoted, word = '']) => ({ file, flags: flags.trim(), filter: quoted ?? word })),
  );

/** What each one does with an empty input, by its filter. */
const outcomes: Readonly<Record<string, number>> = {
  'policies.jq': 5,
  'map_values(.value)': 0,
  '.digest': 0,
  '[.waves[] | select(.actions > 0) | .wave] | join(" ")': 0,
};

test('every recipe is known', () => {
  expect([...new Set(recipes.map(({ filter }) => filter))].sort()).toEqual(Object.keys(outcomes).sort());
});

test.each(recipes)('$file: jq $flags $filter', ({ flags, filter }) => {
  const own = flags.split(' ').filter((flag) => flag !== '' && flag !== '-f');
  for (const input of ['', '\n']) {
    const { exitCode, stdout } = jq.raw(input, filter === 'policies.jq' ? policies : filter, own);
    expect({ exitCode, stdout: stdout.trim() }).toEqual({ exitCode: outcomes[filter], stdout: '' });
  }
});

test('an empty file of variables is an error', async () => {
  const cwd = await folder({ 'tenant/a.yaml': 'roles: []\n', 'ids.json': '' });
  const { code, stdout } = await runCommand(['validate', 'tenant', '--var-file', 'ids.json'], { cwd });
  expect({ code, isNamed: stdout.includes('CONFIG_EMPTY_FILE') }).toEqual({ code: 3, isNamed: true });
});
