import { shellWord } from '../values/shell-word.ts';
import type { Arguments } from './parse-arguments.ts';

/** An option of the command line by its long name; `true` for one without a value. */
export interface GivenOption {
  readonly name: string;
  readonly value: string | true;
}

/** Options of other commands, and options that change what is printed and not what is done. */
const notRepeated: ReadonlySet<string> = new Set([
  'approve',
  'break-lock',
  'color',
  'debug',
  'events',
  'exit-code',
  'format',
  'no-color',
  'out',
  'print-scopes',
  'report',
]);

/** A longer command would be cut in a hint. */
const longestCommand = 3500;

/**
 * The command that applies what a run has shown, with the approval of a guard: the same folder and every option that
 * decides what is planned and sent. Null if it is too long to print.
 */
export function applyCommand({ folder, given }: Pick<Arguments, 'folder' | 'given'>, approve: string): string | null {
  const options = given.filter(({ name }) => !notRepeated.has(name)).map(optionText);
  const place = folder === '.' ? [] : [shellWord(folder.startsWith('-') ? `./${folder}` : folder)];
  const command = ['tenant-sync apply', ...place, ...options, `--approve ${shellWord(approve)}`].join(' ');
  return command.length > longestCommand ? null : command;
}

/** The end of a hint: how to approve a plan that this command has shown. */
export function approveWith(options: Pick<Arguments, 'folder' | 'given'>): (code: string) => string {
  return (code) => {
    const command = applyCommand(options, code);
    return command === null ? `repeat this command as apply with --approve ${code}` : `run: ${command}`;
  };
}

function optionText({ name, value }: GivenOption): string {
  if (value === true) return `--${name}`;
  return value.startsWith('-') ? `--${name}=${shellWord(value)}` : `--${name} ${shellWord(value)}`;
}
