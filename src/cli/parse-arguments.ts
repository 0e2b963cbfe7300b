import yargs, { type Argv } from 'yargs';
import { nearestWord } from '../diagnostics/near-names.ts';
import type { ApiLevel } from '../model/operation.ts';
import type { FormatName } from '../report/formats.ts';
import type { Detail } from '../report/view/plan-view.ts';
import { version } from '../sync/version.ts';
import type { GivenOption } from './apply-command.ts';
import { type CommandError, invalidOption } from './command-error.ts';
import { type CommandName, commandNames, commandOptions, commandSummaries, operandOf } from './command-options.ts';
import type { Option } from './completion/complete.ts';
import { type OptionValues, optionValues } from './option-values.ts';
import { usageError } from './usage-error.ts';

/** Every option of every command; a command reads only those it declares. */
export interface Arguments extends OptionValues {
  readonly command: CommandName;
  readonly folder: string;
  /** What the command line has besides options; the folder is the first. */
  readonly operands: readonly string[];
  /** The options as they were given, for messages that repeat them. */
  readonly given: readonly GivenOption[];
  readonly format: FormatName;
  readonly detail?: Detail;
  readonly report?: readonly string[];
  readonly only: readonly string[];
  readonly except: readonly string[];
  readonly rotate?: readonly string[];
  readonly add?: readonly string[];
  readonly check: boolean;
  readonly api: ApiLevel;
  readonly debug: boolean;
  readonly out?: string;
  readonly exitCode: boolean;
  readonly printScopes: boolean;
  /** Names of kinds, or `all`. */
  readonly noVerify: readonly string[];
  readonly events?: string;
  readonly plan?: string;
  readonly base?: string;
  readonly changed: boolean;
  readonly yes: boolean;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly noWorkflows: boolean;
  readonly noSettings: boolean;
  readonly assumeUnlimited: boolean;
  readonly approve?: string;
  readonly stateDir?: string;
  readonly breakLock?: string;
  readonly seed?: string;
  readonly state?: string;
  readonly port: number;
  readonly latency: number;
  readonly fault: readonly string[];
  readonly var: readonly string[];
  readonly varFile: readonly string[];
  readonly allowEnv: readonly string[];
}

/** Options that may be given more than once, by every name under which they are parsed. */
const repeatable = [
  'add',
  'report',
  'only',
  'except',
  'rotate',
  'fault',
  'var',
  'var-file',
  'varFile',
  'allow-env',
  'allowEnv',
  'no-verify',
  'noVerify',
];

/** The option whose value is optional: written alone, it does not take the next word. */
const withoutValue = '--no-verify';

interface Parsed {
  readonly values: Readonly<Record<string, unknown>> & { readonly _: readonly (string | number)[] };
  readonly help: string;
  readonly given: readonly GivenOption[];
}

/**
 * Arguments, or the text of a help page that was asked for. Throws a CommandError for anything that no command
 * understands. A known command is parsed by its own options alone; the list of all commands is built only for help and
 * for unknown names.
 */
export async function parseArguments(
  argv: readonly string[],
  width: number,
): Promise<Arguments | { readonly help: string }> {
  const [name = '', ...rest] = argv;
  const command = commandNames.find((candidate) => candidate === name);
  if (command === undefined && name !== '' && !name.startsWith('-')) throw unknownCommand(name);
  if (command === undefined) return { help: (await parse(await overview(argv, width), argv, '')).help };
  const { values, help, given } = await parse(await optionsOf(command, rest, width), rest, command);
  if (help !== '') return { help };
  const { _: positional, ...options } = values;
  const operands = positional.map(String);
  const repeated = Object.entries(options).find(
    ([option, value]) => Array.isArray(value) && !repeatable.includes(option),
  );
  if (repeated !== undefined) throw usageError(`--${repeated[0]} is given more than once`, command, []);
  return {
    ...(options as unknown as Omit<Arguments, 'command' | 'folder' | 'operands' | 'given' | keyof OptionValues>),
    ...optionValues(options),
    command,
    given,
    operands,
    // An option where the operands are something else.
    folder: String(options['folder'] ?? operands[0] ?? '.'),
  };
}

async function parse(parser: Argv, argv: readonly string[], command: string): Promise<Parsed> {
  let help = '';
  let wrong: string | null = null;
  const { key, default: defaults } = parserOptions(parser);
  const options = Object.keys(key);
  const values = await parser
    // The first message is the clearest.
    .fail((message, error) => {
      wrong ??= message ?? error?.message ?? 'the arguments are invalid';
    })
    .parseAsync(
      argv.map((word) => (word === withoutValue ? `${word}=all` : word)),
      {},
      (_error, _values, output) => {
        help = output;
      },
    );
  if (wrong !== null) throw usageError(wrong, command, options);
  return { values, help, given: givenOptions(values, options, defaults) };
}

/** Every option with a value other than its default, by its long name. */
function givenOptions(
  values: Parsed['values'],
  names: readonly string[],
  defaults: Readonly<Record<string, unknown>>,
): GivenOption[] {
  // Each name in camel case is parsed a second time.
  const long = names.filter((name) => name === name.toLowerCase() && Object.hasOwn(values, name));
  return long.flatMap((name): GivenOption[] => {
    const value = values[name];
    if (Array.isArray(value)) return value.map((text) => ({ name, value: String(text) }));
    if (value === undefined || value === false || value === defaults[name]) return [];
    return [{ name, value: value === true ? true : String(value) }];
  });
}

/** The options of a command, for completion. */
export async function knownOptions(command: CommandName): Promise<readonly Option[]> {
  const parser = await optionsOf(command, [], 80);
  const { key, boolean, array, choices } = parserOptions(parser);
  const meanings = parserMeanings(parser);
  return Object.keys(key)
    .filter((name) => name === name.toLowerCase())
    .map((name) => ({
      name,
      // Texts of the parser itself are marked for translation.
      meaning: (meanings[name] ?? '').replace(/^__yargsString__:/, ''),
      takesValue: !boolean.includes(name) && `--${name}` !== withoutValue,
      isRepeatable: array.includes(name),
      choices: choices[name] ?? [],
    }));
}

/** The published types lack these methods. */
function parserMeanings(parser: Argv): Readonly<Record<string, string>> {
  type Internal = { getUsageInstance(): { getDescriptions(): Readonly<Record<string, string>> } };
  const meanings = (parser as unknown as { getInternalMethods(): Internal }).getInternalMethods();
  return meanings.getUsageInstance().getDescriptions();
}

interface ParserOptions {
  readonly key: object;
  readonly boolean: readonly string[];
  readonly array: readonly string[];
  readonly choices: Readonly<Record<string, readonly string[]>>;
  readonly default: Readonly<Record<string, unknown>>;
}

/** The published types lack getOptions. */
function parserOptions(parser: Argv): ParserOptions {
  return (parser as unknown as { readonly getOptions: () => ParserOptions }).getOptions();
}

function unknownCommand(name: string): CommandError {
  const near = nearestWord(name, commandNames);
  const message = `"${name}" is not a command; the commands are ${commandNames.join(', ')}.`;
  return invalidOption(message, near === undefined ? 'see tenant-sync --help' : `did you mean "${near}"?`);
}

async function optionsOf(command: CommandName, argv: readonly string[], width: number): Promise<Argv> {
  const { kinds } = await import('../kinds/index.ts');
  const operand = operandOf(command);
  const parser = common(yargs([...argv]), width)
    .scriptName(`tenant-sync ${command}`)
    .usage(`$0${operand === null ? '' : ` ${operand.shown}`} [options]\n\n${commandSummaries[command]}`)
    .strictOptions()
    .demandCommand(
      operand?.isRequired ? 1 : 0,
      operand === null ? 0 : operand.limit === null ? Number.POSITIVE_INFINITY : 1,
      `${command} needs ${operand?.shown}`,
      `${command} takes ${operand?.limit ?? 'no folder'}`,
    );
  if (asksForHelp(argv)) {
    const { helpOf } = await import('./help.ts');
    parser.epilogue(
      helpOf(
        command,
        kinds.map(({ name }) => name),
      ),
    );
  }
  return commandOptions[command](parser, kinds);
}

function asksForHelp(argv: readonly string[]): boolean {
  return argv.includes('--help');
}

async function overview(argv: readonly string[], width: number): Promise<Argv> {
  const parser = common(yargs([...argv]), width)
    .scriptName('tenant-sync')
    .usage('$0 <command> [folder] [options]\n\nKeeps an identity tenant in sync with YAML files.');
  if (asksForHelp(argv)) parser.epilogue((await import('./help.ts')).overviewHelp());
  return commandNames
    .reduce((before, name) => before.command(name, commandSummaries[name]), parser)
    .demandCommand(1, 1, 'A command is required')
    .strict();
}

function common(parser: Argv, width: number): Argv {
  return parser
    .detectLocale(false)
    .version(version())
    .help()
    .option('no-color', { type: 'boolean', default: false, describe: 'No colors in the output' })
    .wrap(width)
    .exitProcess(false)
    .showHelpOnFail(false)
    .parserConfiguration({
      'greedy-arrays': false,
      'dot-notation': false,
      'boolean-negation': false,
      'parse-positional-numbers': false,
    });
}
