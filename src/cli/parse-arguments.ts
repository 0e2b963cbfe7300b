import yargs, { type Argv } from 'yargs';
import { exitCode } from './exit-codes.ts';
import { fault } from './fault.ts';
import type { Io } from './io.ts';
import { version } from './version.ts';

export type CommandName = 'validate' | 'plan' | 'apply' | 'drift' | 'serve' | 'demo';

/** Every option of every command; a command looks only at those it declares. */
export interface Arguments {
  readonly command: CommandName;
  readonly folder: string;
  readonly format: 'text' | 'json' | 'markdown' | 'github';
  readonly only: readonly string[];
  readonly except: readonly string[];
  readonly debug: boolean;
  readonly out?: string;
  readonly exitCode: boolean;
  readonly plan?: string;
  readonly yes: boolean;
  readonly approve?: string;
  readonly seed?: string;
  readonly state?: string;
  readonly port: number;
  readonly latency: number;
  readonly rate?: string;
  readonly fault: readonly string[];
}

/** Arguments, or the text of a help page that was asked for. Throws a Fault for anything that no command understands. */
export async function parseArguments(io: Io): Promise<Arguments | { readonly help: string }> {
  let help = '';
  let wrong: string | null = null;
  const parsed = await build([...io.argv])
    // Once: an option whose value is missing is reported twice, first in the better words.
    .fail((message, error) => {
      wrong ??= message ?? error?.message ?? 'the arguments cannot be understood';
    })
    .parseAsync([...io.argv], {}, (_error, _arguments, output) => {
      help = output;
    });
  if (wrong !== null) throw wrongArguments(wrong, String(parsed._[0] ?? ''));
  if (help !== '') return { help };
  const repeated = Object.entries(parsed).find(([name, value]) => Array.isArray(value) && !['_', 'only', 'except', 'fault'].includes(name));
  if (repeated !== undefined) throw wrongArguments(`--${repeated[0]} is given more than once`, String(parsed._[0]));
  return { ...(parsed as unknown as Omit<Arguments, 'command'>), command: String(parsed._[0]) as CommandName };
}

function wrongArguments(message: string, command: string) {
  const page = /^[a-z]+$/.test(command) ? `${command} --help` : '--help';
  return fault(exitCode.invalid, 'OPTION_INVALID', `${message.replaceAll(/\s*\n\s*/g, ' ').trim()}.`, `tenant-sync ${page} lists what there is`);
}

function build(argv: string[]): Argv {
  return yargs(argv)
    .scriptName('tenant-sync')
    .usage('$0 <command> [folder]\n\nKeeps an identity tenant equal to YAML files.')
    .command('validate [folder]', 'check the files; nothing is sent', (command) => common(folder(command)))
    .command('plan [folder]', 'print what apply would do; nothing is changed', (command) =>
      selection(common(folder(command)))
        .option('out', { type: 'string', requiresArg: true, describe: 'also save the plan in this file' })
        .option('exit-code', { type: 'boolean', default: false, describe: 'answer 2 when there is an action' }),
    )
    .command('apply [folder]', 'print the plan, ask, and perform exactly that', (command) =>
      selection(common(folder(command)))
        .option('plan', { type: 'string', requiresArg: true, describe: 'perform this saved plan, if it still holds' })
        .option('yes', { type: 'boolean', default: false, describe: 'do not ask' })
        .option('approve', { type: 'string', requiresArg: true, describe: 'the code that a guard printed' }),
    )
    .command('drift [folder]', 'tell how the tenant differs from the files', (command) => selection(common(folder(command))))
    .command('serve', 'run the embedded tenant on loopback', (command) =>
      command
        .option('seed', { type: 'string', requiresArg: true, describe: 'JSON file that it starts with' })
        .option('state', { type: 'string', requiresArg: true, describe: 'JSON file that keeps every change' })
        .option('port', { type: 'number', requiresArg: true, default: 4010, describe: '0 for any free one' })
        .option('latency', { type: 'number', requiresArg: true, default: 0, describe: 'milliseconds before every answer' })
        .option('rate', { type: 'string', requiresArg: true, describe: 'requests per second and burst, as in 2/s,10' })
        .option('fault', {
          type: 'string',
          array: true,
          requiresArg: true,
          default: [],
          describe: 'a fault to rehearse, as in list_event_streams:status=503:times=2',
        }),
    )
    .command('demo', 'a tour on the embedded tenant')
    .demandCommand(1, 1, 'a command is needed', 'one command is enough')
    .recommendCommands()
    .strict()
    .version(version())
    .help()
    .wrap(100)
    .exitProcess(false)
    .showHelpOnFail(false)
    .parserConfiguration({ 'greedy-arrays': false, 'dot-notation': false, 'boolean-negation': false, 'parse-positional-numbers': false });
}

function folder(command: Argv): Argv {
  return command.positional('folder', { type: 'string', default: '.', describe: 'folder of the tenant' });
}

function common(command: Argv): Argv {
  return command
    .option('format', { choices: ['text', 'json', 'markdown', 'github'] as const, default: 'text' as const, describe: 'form of the result' })
    .option('debug', { type: 'boolean', default: false, describe: 'say more on standard error' });
}

function selection(command: Argv): Argv {
  const option = (describe: string) => ({ type: 'string', array: true, requiresArg: true, default: [] as string[], describe }) as const;
  return command
    .option('only', option('KIND[/KEY]: leave out everything else; * as wildcard, repeatable'))
    .option('except', option('KIND[/KEY]: leave this out; * as wildcard, repeatable'));
}
