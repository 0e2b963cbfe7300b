import type { Argv } from 'yargs';
import type { AnyKind } from '../model/kind.ts';
import type { Operation } from '../model/operation.ts';

export const commandNames = ['validate', 'plan', 'apply', 'drift', 'serve', 'demo'] as const;

export type CommandName = (typeof commandNames)[number];

export const commandSummaries: Readonly<Record<CommandName, string>> = {
  validate: 'check the files; nothing is sent',
  plan: 'print what apply would do; nothing is changed',
  apply: 'print the plan, ask for confirmation, and perform it',
  drift: 'print how the tenant differs from the files',
  serve: 'run the embedded tenant on loopback',
  demo: 'a tour on the embedded tenant',
};

type Kinds = readonly Pick<AnyKind, 'name' | 'operations' | 'rotation'>[];

const quota = {
  type: 'string',
  requiresArg: true,
  describe: "the tenant's quota for the forecast: 2/s,10 or 150/min,10",
} as const;
const maxDuration = {
  type: 'string',
  requiresArg: true,
  describe: 'refuse a plan whose apply takes longer: 90s, 10m, 1h',
} as const;

/** The options of each command. */
export const commandOptions: Readonly<Record<CommandName, (parser: Argv, kinds: Kinds) => Argv>> = {
  validate: (parser) => variables(report(parser)),
  plan: (parser, kinds) =>
    selection(variables(report(parser)))
      .option('rotate', rotate(kinds))
      .option('print-scopes', {
        type: 'boolean',
        default: false,
        describe: 'also print the scopes that plan and apply need',
      })
      .option('out', { type: 'string', requiresArg: true, describe: 'also save the plan in this file' })
      .option('exit-code', { type: 'boolean', default: false, describe: 'exit with 2 if the plan has actions' })
      .option('quota', quota)
      .option('max-duration', maxDuration),
  apply: (parser, kinds) =>
    selection(variables(report(parser)))
      .option('rotate', rotate(kinds))
      .option('plan', {
        type: 'string',
        requiresArg: true,
        describe: 'apply this saved plan, unless it is out of date',
      })
      .option('yes', { type: 'boolean', default: false, describe: 'do not ask for confirmation' })
      .option('approve', { type: 'string', requiresArg: true, describe: 'the code printed by a guard' })
      .option('quota', quota)
      .option('max-duration', maxDuration)
      .option('state-dir', { type: 'string', requiresArg: true, describe: 'folder for the lock and the journal' }),
  drift: (parser) => selection(variables(report(parser))),
  serve: (parser, kinds) =>
    parser
      .option('seed', { type: 'string', requiresArg: true, describe: 'JSON file with the initial state' })
      .option('state', { type: 'string', requiresArg: true, describe: 'JSON file that keeps the state' })
      .option('port', { type: 'number', requiresArg: true, default: 4010, describe: '0 for any free port' })
      .option('latency', {
        type: 'number',
        requiresArg: true,
        default: 0,
        describe: 'milliseconds before every response',
      })
      .option('rate', { type: 'string', requiresArg: true, describe: 'requests per second and burst: 2/s,10' })
      .option('api', {
        choices: ['documented', 'full'],
        default: 'full',
        requiresArg: true,
        describe: 'the operations that it has',
      })
      .option('fault', repeatable(`a fault to inject: ${exampleFault(kinds.flatMap(({ operations }) => operations))}`)),
  demo: (parser) => parser,
};

/** Kinds whose items hold secrets. */
function rotate(kinds: Kinds) {
  const selectors = kinds.filter(({ rotation }) => rotation !== undefined).map(({ name }) => `${name}/NAME`);
  return repeatable(`${selectors.join(', ')}: send its secret again, although it cannot be compared; * is a wildcard`);
}

/** An example for `--fault` with an operation that exists. */
export function exampleFault(operations: readonly Pick<Operation, 'id' | 'paging'>[]): string {
  const listing = operations.find(({ paging }) => paging !== undefined);
  return `${listing?.id}:status=503:times=2`;
}

function report(parser: Argv): Argv {
  return parser
    .option('format', {
      choices: ['text', 'json', 'markdown', 'github'],
      default: 'text',
      requiresArg: true,
      describe: 'format of the result',
    })
    .option('debug', { type: 'boolean', default: false, describe: 'verbose output on stderr' });
}

function selection(parser: Argv): Argv {
  return parser
    .option('events', {
      type: 'string',
      requiresArg: true,
      describe: 'write events to this file, one JSON object per line',
    })
    .option('quota-share', {
      type: 'string',
      requiresArg: true,
      describe: "the part of the tenant's quota to use: by default 0.9, for drift 0.5",
    })
    .option('only', repeatable('KIND[/KEY]: only this; * is a wildcard'))
    .option('except', repeatable('KIND[/KEY]: everything except this; * is a wildcard'));
}

function variables(parser: Argv): Argv {
  return parser
    .option('var', repeatable('NAME=value: a variable that the files use'))
    .option('var-file', repeatable('YAML file with variables'));
}

function repeatable(describe: string) {
  return { type: 'string', array: true, requiresArg: true, default: [] as string[], describe } as const;
}
