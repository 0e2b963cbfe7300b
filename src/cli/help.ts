// What `--help` prints. Loaded only for it, with the package that lays it out.
import yargs, { type Argv } from 'yargs';
import { kinds } from '../kinds/index.ts';
import { type CommandName, type CommandRow, commandNames, commandTable, usualExits } from './command-table.ts';
import { tenantVariables } from './environment.ts';
import { optionsOf } from './options.ts';

/** Two columns, each of which is wrapped to the width of the terminal. */
type Rows = Readonly<Record<string, string>>;

const credentials: Rows = {
  ...Object.fromEntries(Object.values(tenantVariables).map(([name, meaning]) => [`TENANT_SYNC_${name}`, meaning])),
  'HTTPS_PROXY, NO_PROXY': 'a proxy, and the hosts that need none',
};
const colours: Rows = { 'NO_COLOR, FORCE_COLOR': 'no colors, or colors without a terminal' };

/** The help of a command, or of the program, as wide as the terminal. */
export function helpPage(command: CommandName | null, width: number): Promise<string> {
  return (command === null ? overview() : pageOf(command)).wrap(width).getHelp();
}

function pageOf(command: CommandName): Argv {
  const { summary, operand, reads, exits, examples } = commandTable[command];
  const usual = reads === 'tenant' ? usualExits : { 3: usualExits[3] };
  return withOptions(command)
    .usage(`tenant-sync ${command}${operand === null ? '' : ` ${operand.shown}`} [options]\n\n${summary}`)
    .epilogue(texts(environmentOf(command), { ...usual, ...exits }, examples));
}

function environmentOf(command: CommandName): Rows {
  const { reads } = commandTable[command];
  return {
    ...(command === 'init' && { TENANT_SYNC_BASE_URL: 'default of --base-url' }),
    ...(reads === 'tenant' && credentials),
    ...(reads !== null && { 'TENANT_VAR_*': 'values of ${env:NAME} in the files' }),
    ...(command === 'apply' && {
      TENANT_SYNC_STATE_DIR: 'default of --state-dir',
      TENANT_SYNC_STATE_URL: 'PostgreSQL database for locks and journals',
    }),
    ...(['worker', 'show'].includes(command) && { TENANT_SYNC_STATE_URL: 'PostgreSQL database of the workers' }),
    ...colours,
  };
}

function overview(): Argv {
  const exits = {
    ...usualExits,
    0: 'done, or in sync',
    2: 'there is a difference',
    4: 'refused: a guard, a stale plan, a changed item, or incomplete live state',
  };
  const end = texts({ ...credentials, ...colours }, exits, [['tenant-sync plan tenants/acme', '']]);
  return commandNames
    .reduce((parser, name) => parser.command(name, commandTable[name].summary), withOptions(null))
    .usage('$0 <command> [folder] [options]\n\nKeeps an identity tenant in sync with YAML files.')
    .epilogue(`${end}\n\nRun tenant-sync <command> --help for the options of a command.`);
}

function withOptions(command: CommandName | null): Argv {
  const parser = yargs([]).scriptName('tenant-sync').detectLocale(false).exitProcess(false).help(false).version(false);
  return optionsOf(command).reduce(
    (before, { name, type, values, describe, default: usual }) =>
      before.option(name, {
        describe,
        default: usual,
        ...(values.length > 0 && { choices: values }),
        ...((values.length === 0 || type === 'array') && { type }),
      }),
    parser,
  );
}

/** What follows the options. */
function texts(environment: Rows, exits: Rows, examples: CommandRow['examples']): string {
  const table = (rows: Rows) => Object.entries(rows).map(([name, meaning]) => `  ${name}\t  ${meaning}`);
  const lines = [
    'Environment:',
    ...table(environment),
    '',
    'Exit codes:',
    ...table(exits),
    '',
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.flatMap(([command, comment]) => [...(comment === '' ? [] : [`  # ${comment}`]), `  ${command}`]),
  ];
  return lines.join('\n').replaceAll('KIND', kinds[0]?.name ?? 'KIND');
}
