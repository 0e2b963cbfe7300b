// The help of every command, as wide as the terminal. UPDATE_GOLDEN=1 rewrites the expectations; review decides.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandNames } from '../../src/cli/command-table.ts';
import { runCommand } from '../support/run-command.ts';

const helpOf = async (argv: readonly string[], columns?: number) =>
  (await runCommand([...argv, '--help'], columns === undefined ? {} : { isTTY: true, columns })).stdout;

test.each([80, 120])('at %d columns', async (columns) => {
  const pages: string[] = [];
  for (const argv of [[], ...commandNames.map((name) => [name])]) pages.push(await helpOf(argv, columns));
  const found = pages.join(`${'='.repeat(columns)}\n`);
  const golden = join(import.meta.dirname, `help-${columns}.txt`);
  if (process.env['UPDATE_GOLDEN']) await writeFile(golden, found);
  expect(found).toBe(await readFile(golden, 'utf8'));
  expect(found.split('\n').filter((line) => line.length > columns)).toEqual([]);
});

describe.each(commandNames)('%s', (name) => {
  test('shows variables, exit codes and an example', async () => {
    const help = await helpOf([name]);
    for (const part of ['Environment:', 'NO_COLOR', 'Exit codes:', '  0 ', 'Example', `  tenant-sync ${name}`])
      expect(help).toContain(part);
  });
});

test('a pipe gets 80 columns, and a very narrow terminal still words', async () => {
  expect(await helpOf(['plan'])).toBe(await helpOf(['plan'], 80));
  expect(await helpOf(['plan'], 10)).toBe(await helpOf(['plan'], 40));
});
