import type { Argv } from 'yargs';

export const commandNames = ['validate', 'plan', 'apply', 'drift', 'serve', 'demo'] as const;

export type CommandName = (typeof commandNames)[number];

export const commandSummaries: Readonly<Record<CommandName, string>> = {
  validate: 'check the files; nothing is sent',
  plan: 'print what apply would do; nothing is changed',
  apply: 'print the plan, ask, and perform exactly that',
  drift: 'tell how the tenant differs from the files',
  serve: 'run the embedded tenant on loopback',
  demo: 'a tour on the embedded tenant',
};

const rotate = repeatable('event_streams/NAME: send its secret again, although it cannot be compared; * is a wildcard');

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

/** What each command understands beside a folder. */
export const commandOptions: Readonly<Record<CommandName, (parser: Argv) => Argv>> = {
  validate: (parser) => variables(report(parser)),
  plan: (parser) =>
    selection(variables(report(parser)))
      .option('rotate', rotate)
      .option('print-scopes', {
        type: 'boolean',
        default: false,
        describe: 'also print the scopes that plan and apply need',
      })
      .option('out', { type: 'string', requiresArg: true, describe: 'also save the plan in this file' })
      .option('exit-code', { type: 'boolean', default: false, describe: 'answer 2 when there is an action' })
      .option('quota', quota)
      .option('max-duration', maxDuration),
  apply: (parser) =>
    selection(variables(report(parser)))
      .option('rotate', rotate)
      .option('plan', { type: 'string', requiresArg: true, describe: 'perform this saved plan, if it still holds' })
      .option('yes', { type: 'boolean', default: false, describe: 'do not ask' })
      .option('approve', { type: 'string', requiresArg: true, describe: 'the code that a guard printed' })
      .option('quota', quota)
      .option('max-duration', maxDuration)
      .option('state-dir', { type: 'string', requiresArg: true, describe: 'folder for the lock and the journal' }),
  drift: (parser) => selection(variables(report(parser))),
  serve: (parser) =>
    parser
      .option('seed', { type: 'string', requiresArg: true, describe: 'JSON file that it starts with' })
      .option('state', { type: 'string', requiresArg: true, describe: 'JSON file that keeps every change' })
      .option('port', { type: 'number', requiresArg: true, default: 4010, describe: '0 for any free one' })
      .option('latency', {
        type: 'number',
        requiresArg: true,
        default: 0,
        describe: 'milliseconds before every answer',
      })
      .option('rate', { type: 'string', requiresArg: true, describe: 'requests per second and burst: 2/s,10' })
      .option('api', {
        choices: ['documented', 'full'],
        default: 'full',
        requiresArg: true,
        describe: 'the operations that it answers',
      })
      .option('fault', repeatable('a fault to rehearse: list_event_streams:status=503:times=2')),
  demo: (parser) => parser,
};

function report(parser: Argv): Argv {
  return parser
    .option('format', {
      choices: ['text', 'json', 'markdown', 'github'],
      default: 'text',
      requiresArg: true,
      describe: 'form of the result',
    })
    .option('debug', { type: 'boolean', default: false, describe: 'say more on standard error' });
}

function selection(parser: Argv): Argv {
  return parser
    .option('events', {
      type: 'string',
      requiresArg: true,
      describe: 'write what happens to this file, one JSON object a line',
    })
    .option('quota-share', {
      type: 'string',
      requiresArg: true,
      describe: "the part of the tenant's quota to use: 0.9, for drift 0.5",
    })
    .option('only', repeatable('KIND[/KEY]: leave out the rest; * is a wildcard'))
    .option('except', repeatable('KIND[/KEY]: leave this out; * is a wildcard'));
}

function variables(parser: Argv): Argv {
  return parser
    .option('var', repeatable('NAME=value: a variable that the files refer to'))
    .option('var-file', repeatable('YAML file of variables: names and values'));
}

function repeatable(describe: string) {
  return { type: 'string', array: true, requiresArg: true, default: [] as string[], describe } as const;
}
