import { readFile } from 'node:fs/promises';
import { didYouMean, nearestWord } from '../../diagnostics/near-names.ts';
import { packageFile } from '../../files/package-file.ts';
import { explanations } from '../../sync/explain.ts';
import { commandNames } from '../command-table.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';
import { optionsOf } from '../options.ts';

/** Shells with a script in `completions/`. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/**
 * Prints the completion script of a shell. With words behind it, which only such a script passes: what the last of them
 * can become, one word in each line. Then nothing is an error, because a person is typing.
 */
export async function command({ arguments: options, output }: CommandContext): Promise<number> {
  const [name = '', ...words] = options.operands;
  const shell = shells.find((candidate) => candidate === name);
  if (shell === undefined) {
    const message = `"${name}" has no completion script; the shells are ${shells.join(', ')}.`;
    throw invalidOption(message, didYouMean(nearestWord(name, shells)) ?? 'use one of them');
  }
  if (words.length === 0) output.result(await readFile(packageFile(`completions/tenant-sync.${shell}`), 'utf8'));
  else output.result((await complete(words)).join('\n'));
  return exitCode.done;
}

/** None where the last word can only be a file or a text: shells then offer files. */
async function complete(words: readonly string[]): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  return (await candidates(words, current)).filter((word) => word.startsWith(current));
}

async function candidates([name, ...words]: readonly string[], current: string): Promise<readonly string[]> {
  if (words.length === 0) return commandNames;
  const command = commandNames.find((candidate) => candidate === name);
  if (command === undefined) return [];
  const known = optionsOf(command);
  const [start = ''] = /^--[a-z-]+=/.exec(current) ?? [];
  const open = known.find(
    (option) => start === `--${option.name}=` || (option.takesNext && words.at(-2) === `--${option.name}`),
  );
  if (open !== undefined) return (open.words ?? open.values).map((word) => start + word);
  if (current.startsWith('-')) return known.map((option) => `--${option.name}`);
  if (command === 'explain') return (await explanations()).map(({ code }) => code);
  return command === 'completion' ? shells : [];
}
