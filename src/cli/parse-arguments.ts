import { parseArgs } from 'node:util';
import { didYouMean, nearestWord } from '../diagnostics/near-names.ts';
import { version } from '../files/package-file.ts';
import { listed } from '../values/list-of.ts';
import { type CommandName, commandNames, commandTable } from './command-table.ts';
import { type CommandError, invalidOption } from './exit-codes.ts';
import { type CommandOption, type OptionValues, optionDefaults, optionsOf } from './options.ts';

/** Every option of every command; a command reads only those it declares. */
export interface Arguments extends Omit<OptionValues, 'folder' | 'help' | 'version'> {
  readonly command: CommandName;
  readonly folder: string;
  /** What the command line has besides options; the folder is the first. */
  readonly operands: readonly string[];
}

/** An option as it is written: with its dashes and without, and with its value in the same word or in the next one. */
interface GivenWord {
  readonly rawName: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/**
 * Arguments, or the text of a page that was asked for. Throws a CommandError for the first word that the command does
 * not understand.
 */
export async function parseArguments(
  argv: readonly string[],
  width: number,
): Promise<Arguments | { readonly page: string }> {
  const [first = '', ...rest] = argv;
  const command = commandNames.find((candidate) => candidate === first) ?? null;
  if (command === null && first !== '' && !first.startsWith('-')) throw unknownCommand(first);
  const known = optionsOf(command);
  const { given, operands } = readWords(command === null ? argv : rest, known);
  if (argv.length === 0 || given.some(({ name }) => name === 'help'))
    return { page: await (await import('./help.ts')).helpPage(command, width) };
  if (given.some(({ name }) => name === 'version')) return { page: version() };
  if (command === null) throw wrong('A command is required.', null);
  for (const one of given) check(one, known, command);
  checkOperands(operands.length, command);
  const texts = (option: CommandOption) => given.filter(({ name }) => name === option.name).map(({ value }) => value);
  const values = known.map((option) => [option.key, readValue(option, texts(option), command)]);
  const parsed: OptionValues = { ...optionDefaults, ...Object.fromEntries(values) };
  return { ...parsed, command, operands, folder: command === 'show' ? '.' : (operands[0] ?? '.') };
}

/** The words after the name of a command. Where the last one is an option, it may lack its value. */
function readWords(words: readonly string[], known: readonly CommandOption[]) {
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      known.map((option) => [option.name, { type: option.takesNext ? 'string' : 'boolean' }]),
    ),
  });
  return {
    given: tokens.filter((token) => token.kind === 'option'),
    operands: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])),
  };
}

function check(one: GivenWord, known: readonly CommandOption[], command: CommandName): void {
  const { rawName, name, value, inlineValue } = one;
  const option = known.find((candidate) => candidate.name === name);
  if (option === undefined) throw unknownOption(one, known, command);
  if (option.type === 'boolean' && value !== undefined) throw wrong(`${rawName} takes no value.`, command);
  if (option.takesNext && (value === undefined || (inlineValue === false && /^-./s.test(value))))
    throw wrong(`${rawName} needs a value.`, command);
  if (value !== undefined && option.values.length > 0 && !option.values.includes(value))
    throw invalidChoice(option, value, command);
}

function checkOperands(count: number, command: CommandName): void {
  const { operand } = commandTable[command];
  if (operand?.isRequired && count === 0) throw wrong(`${command} needs ${operand.shown}.`, command);
  const most = operand === null ? 0 : operand.limit === null ? count : 1;
  if (count > most) throw wrong(`${command} takes ${operand?.limit ?? 'no folder'}.`, command);
}

function readValue(option: CommandOption, texts: readonly (string | undefined)[], command: CommandName): unknown {
  const { type, form, name, alone } = option;
  const [text] = texts;
  if (texts.length === 0) return option.default;
  if (type === 'boolean') return true;
  if (type === 'array') return texts.map((one) => one ?? alone);
  if (texts.length > 1) throw wrong(`--${name} is given more than once.`, command);
  if (form === undefined || text === undefined) return text;
  const value = form.parse(text);
  if (value === null) throw invalidOption(`--${name} ${text} is not ${form.is}.`, form.hint);
  return value;
}

function unknownCommand(name: string): CommandError {
  const message = `"${name}" is not a command; the commands are ${commandNames.join(', ')}.`;
  return wrong(message, null, nearestWord(name, commandNames));
}

function unknownOption(
  { rawName, name }: GivenWord,
  known: readonly CommandOption[],
  command: CommandName,
): CommandError {
  const names = known.map((option) => option.name);
  const near = nearestWord(name, names);
  return wrong(`${rawName} is not an option of ${command}.`, command, near && `--${near}`);
}

function invalidChoice(
  { name, values, alone, noun = 'choice' }: CommandOption,
  given: string,
  command: CommandName,
): CommandError {
  const list = listed(values);
  const near = nearestWord(given, values);
  const message = `--${name} ${given} is not a ${noun}; the ${noun}s are ${list}.`;
  return wrong(message, command, near && `--${name}${alone === undefined ? ' ' : '='}${near}`);
}

/** `near` is what was probably meant; without it, the hint is the help of the command, or of the program. */
function wrong(message: string, command: CommandName | null, near?: string): CommandError {
  const help = `see tenant-sync ${command === null ? '' : `${command} `}--help`;
  return invalidOption(message, didYouMean(near) ?? help);
}
