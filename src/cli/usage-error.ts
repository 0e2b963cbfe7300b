import { nearestWord } from '../diagnostics/near-names.ts';
import { formatNames } from '../report/formats.ts';
import { listed } from '../report/wording.ts';
import { type CommandError, invalidOption } from './command-error.ts';

/** What the choices of an option are called. */
const nouns: Readonly<Record<string, string>> = { format: 'format', api: 'level' };

/** A message of the argument parser in the words of this program. `options` are the names that the command knows. */
export function usageError(message: string, command: string, options: readonly string[]): CommandError {
  const help = `see tenant-sync ${command === '' ? '' : `${command} `}--help`;
  const [, unknown] = /^Unknown arguments?: (.*)$/s.exec(message) ?? [];
  if (unknown !== undefined) return unknownOption(unknown.split(', ')[0] ?? '', command, options, help);
  const [, incomplete] = /^Not enough arguments following: (.*)$/s.exec(message) ?? [];
  if (incomplete !== undefined) return invalidOption(`--${incomplete} needs a value.`, help);
  const [, option, given, choices] = /^\s*Argument: (\S+), Given: "(.*)", Choices: (.*)$/m.exec(message) ?? [];
  if (option !== undefined && given !== undefined && choices !== undefined)
    return invalidChoice(option, given, choices.replaceAll('"', '').split(', '), { command, help });
  return invalidOption(`${message.replaceAll(/\s*\n\s*/g, ' ').trim()}.`, help);
}

function unknownOption(name: string, command: string, options: readonly string[], help: string): CommandError {
  const near = nearestWord(name, options);
  const message = `${name.length === 1 ? '-' : '--'}${name} is not an option of ${command === '' ? 'tenant-sync' : command}.`;
  return invalidOption(message, near === undefined ? help : `did you mean "--${near}"?`);
}

function invalidChoice(
  option: string,
  given: string,
  choices: readonly string[],
  { command, help }: { readonly command: string; readonly help: string },
): CommandError {
  const noun = nouns[option] ?? 'choice';
  const list = listed(choices);
  if (option === 'format' && formatNames.some((name) => name === given))
    return invalidOption(`The result of ${command} has no ${given} form; its formats are ${list}.`, 'use one of them');
  const near = nearestWord(given, choices);
  return invalidOption(
    `--${option} ${given} is not a ${noun}; the ${noun}s are ${list}.`,
    near === undefined ? help : `did you mean "--${option} ${near}"?`,
  );
}
