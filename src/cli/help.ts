// What `--help` prints. Loaded only for it, with the package that lays it out.
import yargs, { type Argv } from 'yargs';
import { kinds } from '../kinds/index.ts';
import { type CommandName, commandNames, commandTable } from './command-table.ts';
import { optionsOf } from './options.ts';

/** Two columns, each of which the parser wraps to the width of the terminal. */
type Row = readonly [name: string, meaning: string];

interface Help {
  readonly environment: readonly Row[];
  readonly exits: readonly Row[];
  /** With the comment above each; '' for none. */
  readonly examples: readonly Row[];
}

const credentials: readonly Row[] = [
  ['TENANT_SYNC_BASE_URL', 'the API of the tenant; ends in /api/v2'],
  ['TENANT_SYNC_CLIENT_ID', 'a client for the client credentials flow'],
  ['TENANT_SYNC_CLIENT_SECRET', 'its secret'],
  ['TENANT_SYNC_TOKEN', 'an access token, instead of the client'],
  ['TENANT_SYNC_AUTH_URL', 'default: the origin of the base URL'],
  ['TENANT_SYNC_AUDIENCE', 'default: the base URL and a slash, or /api/v2/'],
];
const variables: readonly Row[] = [['TENANT_VAR_*', 'values of ${env:NAME} in the files']];
const colours: readonly Row[] = [['NO_COLOR, FORCE_COLOR', 'no colors, or colors without a terminal']];
const stateFolder: readonly Row[] = [['TENANT_SYNC_STATE_DIR', 'default of --state-dir']];

/** For examples. */
const kind = kinds.at(-1)?.name;

const done = (meaning: string): Row => ['0', meaning];
const failed: Row = ['1', 'failed: the network, the service or an action'];
const invalid: Row = ['3', 'invalid files, options or environment'];
const stopped: Row = ['128+n', 'stopped by signal n'];

const helps: Readonly<Record<CommandName, Help>> = {
  init: {
    environment: [['TENANT_SYNC_BASE_URL', 'default of --base-url'], ...colours],
    exits: [done('every file is there: new, or left as it was'), invalid],
    examples: [
      ['tenant-sync init tenant', 'asks for the name and the base URL'],
      ['tenant-sync init tenant --name acme --base-url https://login.acme.example/api/v2', 'without a terminal'],
    ],
  },
  validate: {
    environment: [...variables, ...colours],
    exits: [done('the files are valid'), invalid],
    examples: [
      ['tenant-sync validate tenants/acme', ''],
      ['tenant-sync validate --format github', 'errors as annotations of a workflow'],
    ],
  },
  plan: {
    environment: [...credentials, ...variables, ...colours],
    exits: [
      done('the plan was made'),
      failed,
      ['2', 'with --exit-code: the plan has actions, or a declared item differs'],
      invalid,
      ['4', 'apply would refuse the plan: a guard, or incomplete live state'],
      stopped,
    ],
    examples: [
      ['tenant-sync plan tenants/acme', ''],
      [`tenant-sync plan --only ${kind}`, 'one kind'],
      ['tenant-sync plan --out plan.json', 'for apply --plan plan.json'],
      ['tenant-sync plan --base origin/main', 'what the branch changes, and what it would revert'],
    ],
  },
  apply: {
    environment: [...credentials, ...variables, ...stateFolder, ...colours],
    exits: [
      done('done, or nothing to do'),
      failed,
      invalid,
      ['4', 'refused: a guard, a stale plan, a changed item, incomplete live state, or declined'],
      stopped,
    ],
    examples: [
      ['tenant-sync apply tenants/acme', 'asks before it sends anything'],
      ['tenant-sync apply --plan plan.json --yes', 'in CI: exactly the plan that was reviewed'],
    ],
  },
  drift: {
    environment: [...credentials, ...variables, ...colours],
    exits: [done('in sync'), failed, ['2', 'the tenant differs from the files'], invalid, stopped],
    examples: [
      ['tenant-sync drift tenants/acme', ''],
      [`tenant-sync drift --except ${kind} --format markdown`, 'all other kinds, as text for an issue'],
    ],
  },
  show: {
    environment: colours,
    exits: [
      done('the documents are rendered'),
      ['3', 'a file is no plan or outcome, or was changed after it was saved'],
    ],
    examples: [
      ['tenant-sync show plan.json', 'the plan of plan --out plan.json'],
      ['tenant-sync show plans --format markdown', 'every .json file of a folder, for one comment'],
    ],
  },
  explain: {
    environment: colours,
    exits: [done('the code is explained'), ['3', 'there is no such code']],
    examples: [
      ['tenant-sync explain CONFIG_NULL_VALUE', ''],
      ['tenant-sync explain conflict --format json', 'an outcome, for a program'],
    ],
  },
  pull: {
    environment: [...credentials, ...variables, ...colours],
    exits: [
      done('the files are written, or equal to the tenant'),
      failed,
      ['2', 'with --check: the files differ from the tenant'],
      invalid,
      ['4', 'the tenant could not be read completely, a file changed meanwhile, or declined'],
      stopped,
    ],
    examples: [
      ['tenant-sync pull tenants/acme', 'a new folder, or what changed on the tenant'],
      ['tenant-sync pull --check --format github', 'in CI: annotations where files differ from the tenant'],
      [`tenant-sync pull --add ${kind}`, 'undeclared items that no plan would delete'],
    ],
  },
  completion: {
    environment: colours,
    exits: [done('the script is printed'), ['3', 'there is no script for the shell']],
    examples: [
      ['eval "$(tenant-sync completion bash)"', 'in ~/.bashrc; in ~/.zshrc with zsh'],
      ['tenant-sync completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
  },
  serve: {
    environment: colours,
    exits: [done('stopped by a signal'), failed, invalid],
    examples: [
      ['tenant-sync serve', 'an empty tenant; prints the variables to use it with'],
      ['tenant-sync serve --seed live.json --rate 2/s,10', 'with items and a rate limit'],
    ],
  },
  demo: {
    environment: colours,
    exits: [done('the tour ended'), failed],
    examples: [['tenant-sync demo', '']],
  },
};

/** The help of a command, or of the program, as wide as the terminal. */
export function helpPage(command: CommandName | null, width: number): Promise<string> {
  return (command === null ? overview() : pageOf(command)).wrap(width).getHelp();
}

function pageOf(command: CommandName): Argv {
  const { summary, operand } = commandTable[command];
  const { environment, exits, examples } = helps[command];
  const shown = operand === null ? '' : ` ${operand.shown}`;
  return withOptions(command)
    .usage(`tenant-sync ${command}${shown} [options]\n\n${summary}`)
    .epilogue([...tables(environment, exits), ...exampleLines(examples)].join('\n'));
}

function overview(): Argv {
  const exits: readonly Row[] = [
    done('done, or in sync'),
    failed,
    ['2', 'there is a difference'],
    invalid,
    ['4', 'refused: a guard, a stale plan, a changed item, or incomplete live state'],
    stopped,
  ];
  const end = [
    ...tables([...credentials, ...colours], exits),
    ...exampleLines([['tenant-sync plan tenants/acme', '']]),
    '',
    'Run tenant-sync <command> --help for the options of a command.',
  ];
  return commandNames
    .reduce((parser, name) => parser.command(name, commandTable[name].summary), withOptions(null))
    .usage('$0 <command> [folder] [options]\n\nKeeps an identity tenant in sync with YAML files.')
    .epilogue(end.join('\n'));
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

function tables(environment: readonly Row[], exits: readonly Row[]): readonly string[] {
  return [...section('Environment:', environment), '', ...section('Exit codes:', exits), ''];
}

function section(title: string, rows: readonly Row[]): readonly string[] {
  return [title, ...rows.map(([name, meaning]) => `  ${name}\t  ${meaning}`)];
}

function exampleLines(examples: readonly Row[]): readonly string[] {
  return [
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.flatMap(([command, comment]) => [...(comment === '' ? [] : [`  # ${comment}`]), `  ${command}`]),
  ];
}
