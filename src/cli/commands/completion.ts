import { readFile } from 'node:fs/promises';
import { nearestWord } from '../../diagnostics/near-names.ts';
import { packageFile } from '../../files/package-file.ts';
import { complete, shells } from '../complete.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';

/**
 * Prints the completion script of a shell. With words behind it, which only such a script passes: what can follow them,
 * as the script expects it. Then nothing is an error, because a person is typing.
 */
export async function command({ arguments: options, io, output }: CommandContext): Promise<number> {
  const [name = '', ...words] = options.operands;
  const shell = shells.find((candidate) => candidate === name);
  if (shell === undefined) throw unknownShell(name);
  if (words.length === 0) {
    output.result(await readFile(packageFile(`completions/tenant-sync.${shell}`), 'utf8'));
    return exitCode.done;
  }
  const { kind, words: found } = await complete(words, io.cwd);
  const lines = found.map(({ text, meaning }) => (meaning === undefined ? text : `${text}\t${meaning}`));
  output.result([kind, ...lines].join('\n'));
  return exitCode.done;
}

function unknownShell(name: string) {
  const near = nearestWord(name, shells);
  const message = `"${name}" has no completion script; the shells are ${shells.join(', ')}.`;
  return invalidOption(message, near === undefined ? 'use one of them' : `did you mean "${near}"?`);
}
