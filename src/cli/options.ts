import type { Rate } from '../embedded-tenant/http/token-bucket.ts';
import { kinds } from '../kinds/index.ts';
import type { ApiLevel } from '../model/operation.ts';
import type { FormatName } from '../report/formats.ts';
import type { Detail } from '../report/view/plan-view.ts';
import { type CommandName, commandNames, commandTable } from './command-table.ts';

/** One option. Parsing, help, completion and the types of parsed options derive from these rows. */
export interface Option<Value = unknown> {
  readonly commands: readonly CommandName[];
  readonly describe: string;
  /** An array may be given more than once. */
  readonly type: 'boolean' | 'string' | 'number' | 'array';
  /** The value of an option that is not given. */
  readonly default: Value;
  /** What shells offer for a value that may be something else as well. */
  readonly words?: readonly string[];
  /** `formats` are those of the command. */
  readonly choices?: readonly string[] | 'formats';
  /** What a choice is called; `choice` by default. */
  readonly noun?: string;
  readonly form?: Form<Value>;
  /** The text of an option without a value; another one is in the same word. */
  readonly alone?: string;
}

/** The form of an option whose text means more than itself. */
export interface Form<Value> {
  /** For messages: this text is not …. */
  readonly is: string;
  readonly hint: string;
  /** Null for a text of another form. */
  parse(text: string): Value | null;
}

export const rate: Form<Rate> = {
  is: 'a rate',
  hint: 'use a rate and a burst, such as 2/s,10 or 150/min,10',
  /** `2/s,10`, `2/s`, `150/min,10` or `2`. The default burst is one second of the rate. */
  parse(text) {
    const match = /^(\d{1,9}(?:\.\d{1,9})?)(?:\/(s|min))?(?:,(\d{1,9}))?$/.exec(text);
    if (match === null) return null;
    const perSecond = Number(match[1]) / (match[2] === 'min' ? 60 : 1);
    const burst = match[3] === undefined ? Math.max(1, Math.floor(perSecond)) : Number(match[3]);
    return perSecond > 0 && burst > 0 ? { perSecond, burst } : null;
  },
};

const units = { s: 1, m: 60, h: 3600 } as const;

/** In seconds. */
export const duration: Form<number> = {
  is: 'a duration',
  hint: 'use seconds, minutes or hours, such as 90s, 10m or 1h',
  parse(text) {
    const match = /^(\d{1,9})([smh])?$/.exec(text);
    return match === null ? null : Number(match[1]) * units[(match[2] ?? 's') as keyof typeof units];
  },
};

export const digest: Form<string> = {
  is: 'the digest of a plan',
  hint: 'copy the digest that plan prints: sha256: and 64 hexadecimal digits',
  parse: (text) => (/^sha256:[0-9a-f]{64}$/.test(text) ? text : null),
};

/** An apply to several tenants. */
const runName: Form<string> = {
  is: 'a run',
  hint: 'use the 8 digits 0-9 and a-f that apply printed',
  parse: (text) => (/^[0-9a-f]{8}$/.test(text) ? text : null),
};

export const share: Form<number> = {
  is: 'a share of a quota',
  hint: 'use a number from 0.05 to 1, such as 0.5',
  parse(text) {
    const share = /^\d(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
    return share >= 0.05 && share <= 1 ? share : null;
  },
};

function wholeNumber(is: string, hint: string, least: number, most: number): Form<number> {
  const parse = (text: string) =>
    /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null;
  return { is, hint, parse };
}

export const port = wholeNumber('a port', 'give a number up to 65535, or 0 for any free port', 0, 65_535);
export const wave = wholeNumber('a wave', 'use 1 to 1000', 1, 1000);

/** One of so many parts of the tenants; they count from 1. */
export interface Shard {
  readonly part: number;
  readonly of: number;
}

export const shard: Form<Shard> = {
  is: 'a shard',
  hint: 'use I/N with I from 1 to N, such as 2/8; N is at most 1000',
  parse(text) {
    const [, part = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
    return part >= 1 && part <= of && of <= 1000 ? { part, of } : null;
  },
};

export const failures = wholeNumber('a number of failures', 'use 1 or more', 1, 999_999);
/** How much is done at once. */
export const parallel = wholeNumber('a number of tenants', 'use 1 to 1000', 1, 1000);
export const milliseconds = wholeNumber('a number of milliseconds', 'use 0 or more, such as 250', 0, 999_999_999);

type Commands = readonly CommandName[];

function flag(commands: Commands, describe: string): Option<boolean> {
  return { commands, describe, type: 'boolean', default: false };
}

/** An option that prints a page instead of running the command. */
function page(describe: string): Option<undefined> {
  return { commands: commandNames, describe, type: 'boolean', default: undefined };
}

function text(commands: Commands, describe: string): Option<string | undefined> {
  return { commands, describe, type: 'string', default: undefined };
}

function texts(commands: Commands, describe: string, words?: readonly string[]): Option<readonly string[]> {
  return { commands, describe, type: 'array', default: [], ...(words && { words }) };
}

function formed<Value>(commands: Commands, form: Form<Value>, describe: string): Option<Value | undefined> {
  return { commands, describe, type: 'string', default: undefined, form };
}

function numbered(form: Form<number>, usual: number, describe: string, commands: Commands = ['serve']): Option<number> {
  return { commands, describe, type: 'number', default: usual, form };
}

function choice<Value extends string>(
  commands: Commands,
  choices: readonly Value[] | 'formats',
  usual: Value,
  describe: string,
): Option<Value> {
  return { commands, describe, type: 'string', default: usual, choices };
}

const loading = commandNames.filter((name) => commandTable[name].reads !== null);
const connecting = commandNames.filter((name) => commandTable[name].reads === 'tenant');
/** Those that take a part: a worker has all tenants, and all of their items. */
const selecting = connecting.filter((name) => name !== 'worker');
const ofProjects: Commands = ['validate', ...selecting];
const planning: Commands = ['plan', 'apply'];
const formatted = commandNames.filter((name) => commandTable[name].formats.length > 0);
const reporting = formatted.filter((name) => name !== 'explain');

const kindNames = kinds.map(({ name }) => name);
const secrets = kinds.filter(({ hasSecrets }) => hasSecrets).map(({ name }) => name);

/** An example for `--fault` with an operation that exists. */
export const exampleFault = `list_${kinds[0]?.name}:status=503:times=2`;

/** Every option by its name in code, in the order of the help. */
export const options = {
  version: page('Show version number'),
  help: page('Show help'),
  noColor: flag(commandNames, 'No colors in the output'),
  name: text(['init'], 'Name of the tenant (default: the name of the folder)'),
  baseUrl: text(['init'], 'The API of the tenant (default: TENANT_SYNC_BASE_URL)'),
  noWorkflows: flag(['init'], 'Write no GitHub Actions workflows'),
  noSettings: flag(['init'], 'Write no editor settings and no .gitignore'),
  format: { ...choice<FormatName>(formatted, 'formats', 'text', 'Output format'), noun: 'format' },
  report: texts(reporting, 'FORMAT=FILE: also write the result to this file, in one of the formats'),
  debug: flag(reporting, 'Print each request and its time on stderr'),
  tenant: texts(ofProjects, 'NAME of a tenant of the project; * is a wildcard'),
  all: flag(ofProjects, 'All tenants of the project'),
  wave: formed(ofProjects, wave, 'Only tenants of this wave of the project'),
  shard: formed(ofProjects, shard, 'I/N: only the tenants of part I of N; each tenant is in one, by its name'),
  maxFailures: formed(
    ['apply'],
    failures,
    'Begin no other tenant after as many failures (default: the wave is finished)',
  ),
  resume: formed(['apply'], runName, 'Skip the tenants that this run finished; apply prints its name'),
  parallel: numbered(parallel, 8, 'How many tenants of the project are worked on at once', connecting),
  run: choice<'drift' | 'plan'>(['worker'], ['drift', 'plan'], 'drift', 'What the worker does with each tenant'),
  cron: text(['worker'], 'When to check all tenants, in UTC, such as "15 * * * *" (default: every hour)'),
  once: flag(['worker'], 'Check all tenants now, and end when the queue is empty'),
  var: texts(loading, 'NAME=value: a variable for the files'),
  varFile: texts(loading, 'YAML file with variables'),
  allowEnv: texts(loading, 'PATTERN: environment variables that files may read besides TENANT_VAR_*'),
  detail: choice<Detail>(
    ['plan', 'apply', 'drift', 'show'],
    ['compact', 'full'],
    'compact',
    'compact: one line per change; full: also operations, paths, ids, reasons and complete values',
  ),
  quotaShare: formed(connecting, share, "Share of the tenant's quota to use, 0.05 to 1 (default: 0.9, for drift 0.5)"),
  only: texts(selecting, 'KIND[/KEY]: include only these items; * is a wildcard', kindNames),
  except: texts(selecting, 'KIND[/KEY]: exclude these items; * is a wildcard', kindNames),
  base: text(planning, 'Show what the changes since this branch or commit do, and what they would revert'),
  changed: flag(planning, 'With --base: read and plan only what the changes touch'),
  rotate: texts(
    planning,
    `${secrets.map((name) => `${name}/NAME`).join(', ')}: resend its secret, which cannot be compared; * is a wildcard`,
    secrets,
  ),
  printScopes: flag(['plan'], 'Also print all scopes that plan and apply need'),
  out: text(['plan', 'show'], 'Also save the plan to this file; the plans of several tenants to this folder'),
  results: text([...planning, 'drift'], 'Also write the result of each tenant into this folder, for show'),
  plan: text(['apply'], 'Apply this saved plan, or folder of plans; items that changed since are left alone'),
  allOrNothing: flag(['apply'], 'With --plan: send nothing if an item changed since'),
  maxAge: formed(['apply'], duration, 'With --plan: refuse a saved plan that is older (default: 24h)'),
  expect: formed(['apply'], digest, 'Refuse every plan except the one with this digest'),
  layer: text(['pull'], 'NAME of the layer to write into (default: the last one, if no other tenant has it)'),
  add: texts(['pull'], 'KIND[/KEY]: also write these undeclared items; * is a wildcard', kindNames),
  check: flag(['pull'], 'Only show the differences; exit with 2 if there are any'),
  fixApprovals: flag(['pull'], 'Also remove codes of tenant.approvals that match nothing any more'),
  yes: flag(['apply', 'pull'], 'Continue without asking'),
  approve: text(planning, 'Approve a refused plan with the code that it printed'),
  exitCode: flag(['plan'], 'Exit with 2 if the plan has actions or a declared item differs'),
  maxStaleness: formed(
    ['apply'],
    duration,
    'Read an item again before overwriting or deleting it if its data is older (default: 10s)',
  ),
  visibleWithin: formed(['apply'], duration, 'How long to wait for accepted writes to become visible (default: 30s)'),
  noVerify: {
    ...texts(['apply'], '[=KIND]: do not check what was written, for this kind or for all'),
    choices: ['all', ...kindNames],
    alone: 'all',
  },
  stateDir: text(['apply'], 'Folder for the lock and the journal'),
  seed: text(['serve'], 'JSON file with the initial state'),
  state: text(
    ['serve', 'show'],
    'JSON file that stores the state; with show: the project whose last checks are printed',
  ),
  port: {
    commands: ['serve', 'worker'],
    describe: 'Port to listen on; 0 for any free port (default: 4010; of a worker: no page)',
    type: 'number',
    default: undefined,
    form: port,
  },
  latency: numbered(milliseconds, 0, 'Delay of every response, in milliseconds'),
  rate: formed(['serve'], rate, 'Rate limit: requests per second and burst, such as 2/s,10'),
  api: {
    ...choice<ApiLevel>(['serve'], ['documented', 'full'], 'full', 'Operations that the tenant has'),
    noun: 'level',
  },
  project: text(['serve'], 'With --copy: run a tenant for each tenant of the project in this folder'),
  copy: text(['serve'], 'With --project: write a copy of it to this folder, with the base URLs of these tenants'),
  fault: texts(['serve'], `Inject a fault, such as ${exampleFault}`),
} as const satisfies Readonly<Record<string, Option>>;

type Options = typeof options;

/** The values of all options: of one that is not given, or that the command does not have, its default. */
export type OptionValues = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
};

export const optionDefaults = Object.fromEntries(
  Object.entries(options).map(([key, option]) => [key, option.default]),
) as OptionValues;

/** An option as one command has it. */
export interface CommandOption extends Option {
  /** The name in code. */
  readonly key: string;
  /** The name on the command line, without dashes. */
  readonly name: string;
  /** Its choices; none if every value is valid. */
  readonly values: readonly string[];
  /** True if its value may be the next word. */
  readonly takesNext: boolean;
}

/** The options of a command, in the order of the help; null for those of the program itself. */
export function optionsOf(command: CommandName | null): readonly CommandOption[] {
  const formats = command === null ? [] : commandTable[command].formats;
  return Object.entries<Option>(options)
    .filter(([, { commands }]) => (command === null ? commands === commandNames : commands.includes(command)))
    .map(([key, option]) => ({
      ...option,
      key,
      name: key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      values: option.choices === 'formats' ? formats : (option.choices ?? []),
      takesNext: option.type !== 'boolean' && option.alone === undefined,
    }));
}
