import type { ReportCommands } from '../report/report-commands.ts';
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

/** Options of apply that plan does not have. */
const onlyOfApply: ReadonlySet<string> = new Set([
  'expect',
  'max-age',
  'max-staleness',
  'no-verify',
  'plan',
  'state-dir',
  'yes',
]);

/** A longer command would be cut in a hint. */
const longestCommand = 3500;

type Given = Pick<Arguments, 'folder' | 'given'>;

/**
 * The command that applies what a run has shown, with the approval of a guard: the same folder and every option that
 * decides what is planned and sent. Null if it is too long to print.
 */
export function applyCommand({ folder, given }: Given, approve: string): string | null {
  return commandLine('apply', folder, [...repeated(given), `--approve ${shellWord(approve)}`]);
}

/** The command that plans what an apply has planned. */
export function planCommand({ folder, given }: Given): string | null {
  return commandLine('plan', folder, repeated(given.filter(({ name }) => !onlyOfApply.has(name))));
}

function repeated(given: readonly GivenOption[]): string[] {
  return given.filter(({ name }) => !notRepeated.has(name)).map(optionText);
}

function commandLine(name: 'apply' | 'plan', folder: string, options: readonly string[]): string | null {
  const place = folder === '.' ? [] : [shellWord(folder.startsWith('-') ? `./${folder}` : folder)];
  const command = [`tenant-sync ${name}`, ...place, ...options].join(' ');
  return command.length > longestCommand ? null : command;
}

/** The commands that reports of a run print. */
export function commandsOf(options: Given): ReportCommands {
  return { approve: (code) => applyCommand(options, code), plan: () => planCommand(options) };
}

/** The end of a hint: how to approve a plan that this command has shown. */
export function approveWith(options: Given): (code: string) => string {
  return (code) => {
    const command = applyCommand(options, code);
    return command === null ? `repeat this command as apply with --approve ${code}` : `run: ${command}`;
  };
}

function optionText({ name, value }: GivenOption): string {
  if (value === true) return `--${name}`;
  return value.startsWith('-') ? `--${name}=${shellWord(value)}` : `--${name} ${shellWord(value)}`;
}
