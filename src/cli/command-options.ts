import type { Argv } from 'yargs';
import type { AnyKind } from '../model/kind.ts';
import type { Operation } from '../model/operation.ts';
import type { DocumentType } from '../report/document.ts';
import { canShow, type FormatName, formatNames } from '../report/formats.ts';

export const commandNames = [
  'init',
  'pull',
  'validate',
  'plan',
  'apply',
  'drift',
  'show',
  'explain',
  'completion',
  'serve',
  'demo',
] as const;

export type CommandName = (typeof commandNames)[number];

export const commandSummaries: Readonly<Record<CommandName, string>> = {
  init: 'Prepare a repository: header, editor settings, workflows',
  validate: 'Check the files offline',
  plan: 'Print what apply would do, without changing anything',
  apply: 'Print the plan, ask for confirmation, and perform it',
  drift: 'Print how the tenant differs from the files',
  show: 'Render saved plans and outcomes, offline',
  explain: 'Print what a code means and what to do',
  pull: 'Write the tenant into the files, or what changed on it',
  completion: 'Print the completion script of a shell: bash, zsh or fish',
  serve: 'Run the embedded tenant on loopback',
  demo: 'Take a tour on the embedded tenant',
};

/** What a command takes besides its options. */
export interface Operand {
  readonly shown: string;
  readonly isRequired: boolean;
  /** For messages: the command takes …; null if it takes more than one. */
  readonly limit: string | null;
}

const folder: Operand = { shown: '[folder]', isRequired: false, limit: 'only one folder' };

/** Null for a command that takes options alone. */
export function operandOf(command: CommandName): Operand | null {
  return command in otherOperands ? (otherOperands[command] ?? null) : folder;
}

/** Commands that do not take a folder. */
const otherOperands: Readonly<Partial<Record<CommandName, Operand | null>>> = {
  show: { shown: '<file...>', isRequired: true, limit: null },
  explain: { shown: '<code>', isRequired: true, limit: 'only one code' },
  // A script passes the words of a command line behind it.
  completion: { shown: '<shell>', isRequired: true, limit: null },
  serve: null,
  demo: null,
};

/** The results of each command that has formats. */
const documents: Readonly<Partial<Record<CommandName, readonly DocumentType[]>>> = {
  validate: ['diagnostics'],
  plan: ['plan'],
  apply: ['outcomes'],
  drift: ['drift'],
  pull: ['pull'],
  show: ['plan', 'outcomes'],
};

/** The formats of --format and --report. */
export function formatsOfCommand(command: CommandName): readonly FormatName[] {
  const types = documents[command] ?? [];
  return formatNames.filter((name) => types.some((type) => canShow(name, type)));
}

type Kinds = readonly Pick<AnyKind, 'name' | 'operations' | 'rotation'>[];

const quota = {
  type: 'string',
  requiresArg: true,
  describe: 'Quota of the tenant, for the forecast: 2/s,10 or 150/min,10',
} as const;
const maxDuration = {
  type: 'string',
  requiresArg: true,
  describe: 'Refuse a plan that would take longer to apply: 90s, 10m, 1h',
} as const;

const approve = {
  type: 'string',
  requiresArg: true,
  describe: 'Approve a refused plan with the code that it printed',
} as const;

const base = {
  type: 'string',
  requiresArg: true,
  describe: 'Show what the changes since this branch or commit do, and what they would revert',
} as const;

const changed = {
  type: 'boolean',
  default: false,
  describe: 'With --base: read and plan only what the changes touch',
} as const;

const assumeUnlimited = {
  type: 'boolean',
  default: false,
  describe: 'With --max-duration: a tenant that advertises no quota has none',
} as const;

/** The options of each command. */
export const commandOptions: Readonly<Record<CommandName, (parser: Argv, kinds: Kinds) => Argv>> = {
  init: (parser) =>
    parser
      .option('name', {
        type: 'string',
        requiresArg: true,
        describe: 'Name of the tenant (default: that of the folder)',
      })
      .option('base-url', {
        type: 'string',
        requiresArg: true,
        describe: 'The API of the tenant (default: TENANT_SYNC_BASE_URL)',
      })
      .option('no-workflows', { type: 'boolean', default: false, describe: 'Write no GitHub Actions workflows' })
      .option('no-settings', {
        type: 'boolean',
        default: false,
        describe: 'Write no editor settings and no .gitignore',
      })
      .option('yes', { type: 'boolean', default: false, describe: 'Use the defaults without asking' }),
  validate: (parser) => variables(report(parser, 'validate')),
  plan: (parser, kinds) =>
    selection(detail(variables(report(parser, 'plan'))))
      .option('base', base)
      .option('changed', changed)
      .option('rotate', rotate(kinds))
      .option('print-scopes', {
        type: 'boolean',
        default: false,
        describe: 'Also print the scopes that plan and apply need',
      })
      .option('out', { type: 'string', requiresArg: true, describe: 'Also save the plan to this file' })
      .option('approve', approve)
      .option('exit-code', {
        type: 'boolean',
        default: false,
        describe: 'Exit with 2 if the plan has actions or a declared item differs',
      })
      .option('quota', quota)
      .option('max-duration', maxDuration)
      .option('assume-unlimited', assumeUnlimited),
  apply: (parser, kinds) =>
    selection(detail(variables(report(parser, 'apply'))))
      .option('base', base)
      .option('changed', changed)
      .option('rotate', rotate(kinds))
      .option('plan', {
        type: 'string',
        requiresArg: true,
        describe: 'Apply this saved plan; items that changed since are left alone',
      })
      .option('max-age', {
        type: 'string',
        requiresArg: true,
        describe: 'With --plan: refuse a saved plan that is older (default: 24h)',
      })
      .option('expect', {
        type: 'string',
        requiresArg: true,
        describe: 'Refuse any plan but the reviewed one, which has this digest',
      })
      .option('yes', { type: 'boolean', default: false, describe: 'Apply without asking for confirmation' })
      .option('approve', approve)
      .option('quota', quota)
      .option('max-duration', maxDuration)
      .option('assume-unlimited', assumeUnlimited)
      .option('max-staleness', {
        type: 'string',
        requiresArg: true,
        describe: 'Read an item again before it is overwritten or deleted if its last reading is older (default: 10s)',
      })
      .option('visible-within', {
        type: 'string',
        requiresArg: true,
        describe: 'Wait so long for the tenant to show what it has accepted (default: 30s)',
      })
      .option('no-verify', {
        ...repeatable('[=KIND]: do not read at the end what was written, of this kind or at all'),
        requiresArg: false,
        choices: ['all', ...kinds.map(({ name }) => name)],
      })
      .option('state-dir', { type: 'string', requiresArg: true, describe: 'Folder for the lock and the journal' })
      .option('break-lock', {
        type: 'string',
        requiresArg: true,
        describe: 'Replace the lock of this holder, as a refused apply printed it',
      }),
  drift: (parser) => selection(detail(variables(report(parser, 'drift')))),
  show: (parser) =>
    detail(report(parser, 'show')).option('folder', {
      type: 'string',
      requiresArg: true,
      default: '.',
      describe: "Folder of the tenant's files, for places in them",
    }),
  completion: (parser) => parser,
  explain: (parser) =>
    parser.option('format', {
      choices: ['text', 'json'],
      default: 'text',
      requiresArg: true,
      describe: 'Output format',
    }),
  pull: (parser) =>
    selection(variables(report(parser, 'pull')))
      .option('add', repeatable('KIND[/KEY]: also write these undeclared items; * is a wildcard'))
      .option('check', {
        type: 'boolean',
        default: false,
        describe: 'Only show the differences; exit with 2 if there are any',
      })
      .option('yes', { type: 'boolean', default: false, describe: 'Write without asking for confirmation' }),
  serve: (parser, kinds) =>
    parser
      .option('seed', { type: 'string', requiresArg: true, describe: 'JSON file with the initial state' })
      .option('state', { type: 'string', requiresArg: true, describe: 'JSON file that stores the state' })
      .option('port', {
        type: 'number',
        requiresArg: true,
        default: 4010,
        describe: 'Port to listen on; 0 for any free port',
      })
      .option('latency', {
        type: 'number',
        requiresArg: true,
        default: 0,
        describe: 'Delay of every response, in milliseconds',
      })
      .option('rate', {
        type: 'string',
        requiresArg: true,
        describe: 'Rate limit: requests per second and burst, such as 2/s,10',
      })
      .option('api', {
        choices: ['documented', 'full'],
        default: 'full',
        requiresArg: true,
        describe: 'Operations that the tenant has',
      })
      .option(
        'fault',
        repeatable(`Inject a fault, such as ${exampleFault(kinds.flatMap(({ operations }) => operations))}`),
      ),
  demo: (parser) => parser,
};

/** Kinds whose items have secrets. */
function rotate(kinds: Kinds) {
  const selectors = kinds.filter(({ rotation }) => rotation !== undefined).map(({ name }) => `${name}/NAME`);
  return repeatable(`${selectors.join(', ')}: resend its secret, which cannot be compared; * is a wildcard`);
}

/** An example for `--fault` with an operation that exists. */
export function exampleFault(operations: readonly Pick<Operation, 'id' | 'paging'>[]): string {
  const listing = operations.find(({ paging }) => paging !== undefined);
  return `${listing?.id}:status=503:times=2`;
}

function report(parser: Argv, command: CommandName): Argv {
  return parser
    .option('format', {
      choices: formatsOfCommand(command),
      default: 'text',
      requiresArg: true,
      describe: 'Output format',
    })
    .option('report', repeatable('FORMAT=FILE: also write the result to this file, in one of the formats'))
    .option('debug', { type: 'boolean', default: false, describe: 'Print each request and its time on stderr' });
}

/** What people read about a plan. */
function detail(parser: Argv): Argv {
  return parser.option('detail', {
    choices: ['compact', 'full'],
    default: 'compact',
    requiresArg: true,
    describe: 'One line per change, or also operations, paths, ids, reasons and complete values',
  });
}

function selection(parser: Argv): Argv {
  return parser
    .option('events', {
      type: 'string',
      requiresArg: true,
      describe: 'Write events to this file, one JSON object per line',
    })
    .option('quota-share', {
      type: 'string',
      requiresArg: true,
      describe: "Share of the tenant's quota to use, 0.05 to 1 (default: 0.9, for drift 0.5)",
    })
    .option('only', repeatable('KIND[/KEY]: include only these items; * is a wildcard'))
    .option('except', repeatable('KIND[/KEY]: exclude these items; * is a wildcard'));
}

function variables(parser: Argv): Argv {
  return parser
    .option('var', repeatable('NAME=value: set a variable for the files'))
    .option('var-file', repeatable('YAML file with variables'))
    .option('allow-env', repeatable('PATTERN: environment variables that files may read beside TENANT_VAR_*'));
}

function repeatable(describe: string) {
  return { type: 'string', array: true, requiresArg: true, default: [] as string[], describe } as const;
}
