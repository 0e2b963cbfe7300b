import type { Plan } from '../model/plan.generated.ts';
import type { ReportCommands } from '../report/view/refusals.ts';
import { shellWord } from '../values/shell-word.ts';
import type { Io } from './io.ts';
import { optionsOf } from './options.ts';
import type { Arguments, GivenOption } from './parse-arguments.ts';

/** Options that change what is printed and not what is done, or that one run alone has. */
const notRepeated: ReadonlySet<string> = new Set(['approve', 'break-lock', 'debug', 'format', 'no-color', 'report']);

/** A longer command would be cut in a hint. */
const longestCommand = 3500;

interface Given extends Pick<Arguments, 'folder' | 'given'> {
  /** How the program was started. */
  readonly program: string;
}

/**
 * The command that applies what a run has shown, with the approval of a guard: the same folder and every option that
 * decides what is planned and sent. Null if it is too long to print.
 */
function applyCommand(run: Given, approve: string): string | null {
  return commandLine('apply', run, [...givenTo('apply', run), { name: 'approve', value: approve }]);
}

/** The command that plans what an apply has planned. A saved plan has its own selection, and is saved again. */
function planCommand(run: Given, { selection, base }: Pick<Plan, 'selection' | 'base'>): string | null {
  const given = givenTo('plan', run);
  const saved = savedPlan(run);
  if (saved === null) return commandLine('plan', run, given);
  const { only, except, rotate, changed } = selection;
  const options = (name: string, values: readonly string[]) => values.map((value) => ({ name, value }));
  return commandLine('plan', run, [
    ...given,
    ...options('base', base === null ? [] : [base.ref]),
    ...(changed === true ? [{ name: 'changed', value: true as const }] : options('only', only)),
    ...options('except', except),
    ...options('rotate', rotate),
    { name: 'out', value: saved },
  ]);
}

/** The options of a run that another command has as well. */
function givenTo(command: 'apply' | 'plan', { given }: Pick<Given, 'given'>): readonly GivenOption[] {
  const known = optionsOf(command);
  return given.filter(({ name }) => known.some((option) => option.name === name));
}

function savedPlan({ given }: Pick<Given, 'given'>): string | null {
  const value = given.find(({ name }) => name === 'plan')?.value;
  return typeof value === 'string' ? value : null;
}

function commandLine(
  name: 'apply' | 'plan',
  { program, folder }: Pick<Given, 'program' | 'folder'>,
  options: readonly GivenOption[],
): string | null {
  const place = folder === '.' ? [] : [shellWord(folder.startsWith('-') ? `./${folder}` : folder)];
  const command = [program, name, ...place, ...options.map(optionText)].join(' ');
  return command.length > longestCommand ? null : command;
}

/** The commands that reports of a run print. */
export function commandsOf(
  { program }: Pick<Io, 'program'>,
  { folder, given }: Pick<Given, 'folder' | 'given'>,
): ReportCommands {
  const run = { program, folder, given: given.filter(({ name }) => !notRepeated.has(name)) };
  return {
    approve: (code) => applyCommand(run, code),
    plan: (again) => planCommand(run, again),
    savesPlan: savedPlan(run) !== null,
  };
}

/** The end of a hint: how to approve a plan that this command has shown. */
export function approveWith(...run: Parameters<typeof commandsOf>): (code: string) => string {
  const { approve } = commandsOf(...run);
  return (code) => {
    const command = approve(code);
    return command === null ? `repeat this command as apply with --approve ${code}` : `run: ${command}`;
  };
}

function optionText({ name, value }: GivenOption): string {
  if (value === true) return `--${name}`;
  // A value that may be left out is in the same word, like one that looks like an option.
  const isJoined = value.startsWith('-') || name === 'no-verify';
  return isJoined ? `--${name}=${shellWord(value)}` : `--${name} ${shellWord(value)}`;
}
