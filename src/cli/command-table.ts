import { type FormatName, formatNames } from '../report/formats.ts';

/** What a command takes besides its options. */
interface Operand {
  readonly shown: string;
  readonly isRequired: boolean;
  /** For messages: the command takes …; null if it takes more than one. */
  readonly limit: string | null;
}

/** One command. Parsing, help, completion and the options of the command derive from these rows. */
export interface CommandRow {
  readonly summary: string;
  /** Null for a command that takes options alone. */
  readonly operand: Operand | null;
  /** What it reads to do its work; null for neither. With the tenant, it reads the files as well. */
  readonly reads: 'files' | 'tenant' | null;
  /** Values of --format and --report; none for a command without these options. */
  readonly formats: readonly FormatName[];
  /** Exit codes of its own, or with a meaning of their own. */
  readonly exits: Readonly<Record<number, string>>;
  /** Command lines, each with a comment or ''. KIND is a name of a kind. */
  readonly examples: readonly (readonly [command: string, comment: string])[];
}

const folder: Operand = { shown: '[folder]', isRequired: false, limit: 'only one folder' };
/** A command that reads a tenant, and one that takes options alone. */
const ofTenant = { operand: folder, reads: 'tenant', formats: formatNames } as const;
const alone = { operand: null, reads: null, formats: [] } as const;
const failed = 'failed: the network, the service or an action';

/** Exit codes of every command that reads a tenant; of the others, only the one for what is invalid. */
export const usualExits = { 1: failed, 3: 'invalid files, options or environment', '128+n': 'stopped by signal n' };

/** The commands, in the order of the help. */
const table = {
  init: {
    summary: 'Prepare a repository: header, editor settings, workflows',
    operand: folder,
    reads: null,
    formats: [],
    exits: { 0: 'every file exists: written now, or left as it was' },
    examples: [
      ['tenant-sync init tenant', ''],
      ['tenant-sync init tenant --name acme --base-url https://login.acme.example/api/v2', ''],
    ],
  },
  pull: {
    summary: 'Write the tenant, or its changes, into the files',
    ...ofTenant,
    exits: {
      0: 'the files are written, or match the tenant already',
      2: 'with --check: the files differ from the tenant',
      4: 'the tenant could not be read completely, a file changed in the meantime, or declined',
    },
    examples: [
      ['tenant-sync pull tenants/acme', 'a new folder, or what changed on the tenant'],
      ['tenant-sync pull --check --format github', 'in CI: annotations where files differ from the tenant'],
      ['tenant-sync pull --add KIND', 'undeclared items that no plan would delete'],
    ],
  },
  validate: {
    summary: 'Check the files offline',
    operand: folder,
    reads: 'files',
    formats: formatNames,
    exits: {
      0: 'the files are valid',
      3: 'invalid options, environment or files: the first 100 errors are printed',
    },
    examples: [
      ['tenant-sync validate tenants/acme', ''],
      ['tenant-sync validate --format github', 'errors as annotations of a workflow'],
    ],
  },
  plan: {
    summary: 'Print what apply would do, without changing anything',
    ...ofTenant,
    exits: {
      0: 'the plan was made',
      2: 'with --exit-code: the plan has actions, or a declared item differs',
      4: 'apply would refuse the plan: a guard, or incomplete live state',
    },
    examples: [
      ['tenant-sync plan tenants/acme', ''],
      ['tenant-sync plan --only KIND', 'one kind'],
      ['tenant-sync plan --out plan.json', 'for apply --plan plan.json'],
      ['tenant-sync plan --base origin/main', 'what the branch changes, and what it would revert'],
    ],
  },
  apply: {
    summary: 'Print the plan, ask for confirmation, and perform it',
    ...ofTenant,
    exits: {
      0: 'done, or nothing to do',
      4: 'refused: a guard, a stale plan, a changed item, incomplete live state, or declined',
    },
    examples: [
      ['tenant-sync apply tenants/acme', 'asks before it sends anything'],
      ['tenant-sync apply --plan plan.json --yes', 'in CI: exactly the plan that was reviewed'],
    ],
  },
  drift: {
    summary: 'Print how the tenant differs from the files',
    ...ofTenant,
    exits: { 0: 'in sync', 2: 'the tenant differs from the files' },
    examples: [
      ['tenant-sync drift tenants/acme', ''],
      ['tenant-sync drift --except KIND --format markdown', 'all other kinds, as text for an issue'],
    ],
  },
  worker: {
    summary: 'Check the tenants of a project on a schedule, with a queue in PostgreSQL',
    operand: folder,
    reads: 'tenant',
    formats: [],
    exits: {
      0: 'stopped by a signal, or with --once: the queue is empty',
      1: 'failed: the database cannot be reached, or with --once a tenant could not be compared',
    },
    examples: [
      ['tenant-sync worker fleet', 'drift of every tenant, once an hour'],
      ['tenant-sync worker fleet --once', 'as a job of a scheduler: ends when every tenant is checked'],
      ['tenant-sync worker fleet --port 4020', 'with a page, /healthz and /metrics on loopback'],
    ],
  },
  show: {
    summary: 'Render saved plans, outcomes and results, offline',
    operand: { shown: '[file...]', isRequired: false, limit: null },
    reads: null,
    formats: formatNames,
    exits: {
      0: 'the documents are rendered',
      1: 'results of some tenants are missing, or failed',
      2: 'results with a difference, as one run of all tenants exits',
      4: 'results with a refusal or a conflict, as one run of all tenants exits',
      3: 'a file is no plan, outcome or result, or was changed after it was saved',
    },
    examples: [
      ['tenant-sync show plan.json', 'the plan of plan --out plan.json'],
      ['tenant-sync show plans --format markdown', 'every .json file of a folder, for one comment'],
      ['tenant-sync show results', 'the results of all shards below this folder, as those of one run'],
      ['tenant-sync show --state fleet --format html', 'what the workers found: the last check of each tenant'],
    ],
  },
  explain: {
    summary: 'Print what a code means and what to do, or all codes',
    operand: { shown: '[code]', isRequired: false, limit: 'only one code' },
    reads: null,
    formats: ['text', 'json'],
    exits: { 0: 'explained or listed', 3: 'there is no such code' },
    examples: [
      ['tenant-sync explain CONFIG_NULL_VALUE', ''],
      ['tenant-sync explain conflict --format json', 'an outcome, for a program'],
    ],
  },
  completion: {
    summary: 'Print the completion script of a shell: bash, zsh or fish',
    // A script passes the words of a command line behind it.
    operand: { shown: '<shell>', isRequired: true, limit: null },
    reads: null,
    formats: [],
    exits: { 0: 'the script is printed', 3: 'there is no script for the shell' },
    examples: [
      ['eval "$(tenant-sync completion bash)"', 'in ~/.bashrc; in ~/.zshrc with zsh'],
      ['tenant-sync completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
  },
  serve: {
    summary: 'Run the embedded tenant on loopback',
    ...alone,
    exits: { 0: 'stopped by a signal', 1: failed },
    examples: [
      ['tenant-sync serve', 'an empty tenant; prints the variables to use it with'],
      ['tenant-sync serve --seed live.json --rate 2/s,10', 'with items and a rate limit'],
      ['tenant-sync serve --project fleet --copy rehearsal', 'a tenant for each tenant of the project'],
    ],
  },
  demo: {
    summary: 'Take a tour on the embedded tenant',
    ...alone,
    exits: { 0: 'the tour ended', 1: failed },
    examples: [['tenant-sync demo', '']],
  },
} satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof table;

export const commandTable: Readonly<Record<CommandName, CommandRow>> = table;

export const commandNames = Object.keys(table) as readonly CommandName[];
