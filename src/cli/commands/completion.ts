import { readFile } from 'node:fs/promises';
import { didYouMean, nearestWord } from '../../diagnostics/near-names.ts';
import { packageFile } from '../../files/package-file.ts';
import { gitIn, lineOf } from '../../git/run-git.ts';
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
export async function command({ arguments: options, io, output }: CommandContext): Promise<number> {
  const [name = '', ...words] = options.operands;
  const shell = shells.find((candidate) => candidate === name);
  if (shell === undefined) {
    const message = `"${name}" has no completion script; the shells are ${shells.join(', ')}.`;
    throw invalidOption(message, didYouMean(nearestWord(name, shells)) ?? 'use one of them');
  }
  if (words.length === 0) output.result(await readFile(packageFile(`completions/tenant-sync.${shell}`), 'utf8'));
  else output.result((await complete(words, io)).join('\n'));
  return exitCode.done;
}

type Place = Pick<CommandContext['io'], 'cwd' | 'env'>;

/** The branches of the repository, those of remotes included; none outside of one. */
async function branches({ cwd, env }: Place): Promise<readonly string[]> {
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/remotes'];
  const run = await gitIn(cwd, env).run(args);
  return run.ok ? lineOf(run).split('\n') : [];
}

/** None where the last word can only be a file or a text: shells then offer files. */
async function complete(words: readonly string[], place: Place): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  return (await candidates(words, current, place)).filter((word) => word.startsWith(current));
}

async function candidates(
  [name, ...words]: readonly string[],
  current: string,
  place: Place,
): Promise<readonly string[]> {
  if (words.length === 0) return commandNames;
  const command = commandNames.find((candidate) => candidate === name);
  if (command === undefined) return [];
  const known = optionsOf(command);
  const [start = ''] = /^--[a-z-]+=/.exec(current) ?? [];
  const open = known.find(
    (option) => start === `--${option.name}=` || (option.takesNext && words.at(-2) === `--${option.name}`),
  );
  if (open !== undefined) {
    const words = open.name === 'base' ? await branches(place) : (open.words ?? open.values);
    return words.map((word) => start + word);
  }
  if (current.startsWith('-')) return known.map((option) => `--${option.name}`);
  if (command === 'explain') return (await explanations()).map(({ code }) => code);
  return command === 'completion' ? shells : [];
}
