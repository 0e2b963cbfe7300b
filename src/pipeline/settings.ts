import { posix, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { parsedJson } from '../values/parsed-json.ts';

export const steps = ['validate', 'plan', 'backup', 'apply', 'drift', 'publish'] as const;
export type StepName = (typeof steps)[number];

export type Env = Readonly<Record<string, string | undefined>>;

/** A setting that cannot be used. */
export class SettingError extends Error {}

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What a job sets beside the step, and how it is read from a text, which is '' for what is not set. */
const settings = {
  /** The tenant folder, relative to the repository. */
  folder: folderFrom,
  /** Where the results of steps are. They are the artifacts that one job passes to the next. */
  results: (text, env) => text || `${env['RUNNER_TEMP'] || '.'}/tenant-sync`,
  /** Further options that every command of the tool with a folder has, such as `--var-file`; one in each line. */
  options: (text): readonly string[] => lines(text).map(checkedOption),
  /** KIND/KEY of the only item that is planned, because its secret is sent again; '' for none. */
  rotate: checkedItem,
  /** KIND/KEY of the only item that is planned; '' for that of `rotate`, or everything. */
  only: checkedItem,
  /** Of a project: the tenants that the run is about, as a name or a pattern; '' for all. */
  tenant: (text) => text,
  /** Of a project: the wave that is applied; '' for all, one after the other. */
  wave: (text) => text,
  /** Values of variables TENANT_VAR_… and PREFIX_VAR_… for the tool, beside those of the environment. */
  secrets: (text) => variablesFrom('secrets', text || '{}'),
  /** Variables with the hosts and credentials of the tenants of a project, beside those of the environment. */
  credentials: (text) => variablesFrom('credentials', text || '{}'),
  /** Files and folders beside the tenant folder whose changes require a plan; one in each line. */
  paths: lines,
  token: (text, env) => checkedToken(text || (env['TENANT_PIPELINE_TOKEN'] ?? '')),
  /** The login that the token of GitHub comments as. */
  author: (text) => text || 'github-actions[bot]',
  /** The protected environment that applies. */
  environment: (text) => text || 'tenant-write',
  /** The digest of the plan that was shown, which apply compares. */
  digest: (text) => text,
} satisfies Readonly<Record<string, (text: string, env: Env) => unknown>>;

type Name = keyof typeof settings;
export const names = Object.keys(settings) as Name[];
export type Settings = { readonly step: StepName } & {
  readonly [Of in Name]: ReturnType<(typeof settings)[Of]>;
};

/** From the inputs of the action, or else from arguments. */
export function settingsFrom(argv: readonly string[], env: Env): Settings {
  const given = argv.length > 0 ? fromArguments(argv) : fromInputs(env);
  const step = steps.find((name) => name === given.step);
  if (step === undefined) throw new SettingError(`Unknown step "${given.step}". Use one of ${steps.join(', ')}.`);
  const values = names.map((name) => [name, settings[name](given.values[name]?.trim() ?? '', env)] as const);
  return { step, ...Object.fromEntries(values) } as Settings;
}

interface Given {
  readonly step: string;
  readonly values: Readonly<Partial<Record<Name, string>>>;
}

function fromInputs(env: Env): Given {
  const entries = names.map((name) => [name, env[`INPUT_${name.toUpperCase()}`]] as const);
  const values = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return { step: env['INPUT_STEP']?.trim() ?? '', values };
}

function fromArguments(argv: readonly string[]): Given {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const [step = '', ...rest] = positionals;
    if (rest.length > 0) throw new SettingError(`Unknown argument "${rest[0]}".`);
    return { step, values: values as Given['values'] };
  } catch (error) {
    throw error instanceof SettingError ? error : new SettingError((error as Error).message);
  }
}

/** A name of its own in every marker and record, however it is written. */
function folderFrom(text: string): string {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (/^[/-]/.test(text) || names.includes('..'))
    throw new SettingError(`The folder "${text}" is not inside the repository.`);
  return names.join('/') || '.';
}

/** A client that cannot send a header shows all of it in its message. */
function checkedToken(token: string): string {
  if (/^[\x21-\x7e]*$/.test(token)) return token;
  throw new SettingError('The token for the forge has whitespace or other characters that no token has.');
}

const ofOneRun = (name: string) => `Use the input "${name}": a run of a part of the files is recorded as one.`;

/** Options that have another way, and which. */
const refusedOptions: Readonly<Record<string, string>> = {
  var: 'Use --var-file: its file is compared with the one of the last apply, and of newer commits.',
  ...Object.fromEntries(['wave', 'tenant', 'only', 'rotate'].map((name) => [name, ofOneRun(name)])),
};

/**
 * Options that every command has, and the folder of results of a shard. Others could leave out a part of the files, and the
 * commit would be recorded as applied.
 */
export const sharedOptions = ['allow-env', 'debug', 'no-color', 'report', 'results', 'shard', 'var-file'];

/** An option is one word, so that a line never becomes a folder. */
function checkedOption(line: string): string {
  const [, name] = /^--([a-z][a-zA-Z-]*)(?:=|$)/.exec(line) ?? [];
  if (name === undefined)
    throw new SettingError(
      `"${line}" is not an option. Write one option in each line, such as --var-file=vars/prod.yaml.`,
    );
  if (sharedOptions.includes(name)) return line;
  const instead = refusedOptions[name] ?? `Use one of ${sharedOptions.map((one) => `--${one}`).join(', ')}.`;
  throw new SettingError(`The input "options" takes no --${name}. ${instead}`);
}

/** A person types it into a form when a run starts. It names one item, so that a slip of the hand never means several. */
function checkedItem(text: string): string {
  if (text === '' || /^\w+\/[^*\n]+$/.test(text)) return text;
  throw new SettingError(
    `"${text}" names no single item. Write the name of a kind, a slash and the key of one item; wildcards are not used.`,
  );
}

/** What may be set for the tool: no name that changes how a process runs, such as PATH. */
const variableNames = {
  secrets: /^[A-Z][A-Z0-9_]*_VAR_\w+$/,
  credentials: /^(?!.*_VAR_)[A-Z][A-Z0-9_]*_(?:(?:BASE|AUTH)_URL|AUDIENCE|CLIENT_(?:ID|SECRET)|PRIVATE_KEY|TOKEN)$/,
};

/** One secret of the forge for all variables, so that a new one needs no change of a workflow. No message repeats a value. */
function variablesFrom(input: keyof typeof variableNames, text: string): Readonly<Record<string, string>> {
  const example = input === 'secrets' ? 'TENANT_VAR_CRM_PASSWORD' : 'ACME_DEV_CLIENT_SECRET';
  const wrong = (what: string) =>
    new SettingError(`The input "${input}" ${what}. Write a JSON object such as {"${example}": "…"}.`);
  const given = parsedJson(text);
  if (given === undefined) throw wrong('is not JSON');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong('is not an object');
  for (const [name, value] of Object.entries(given)) {
    if (!variableNames[input].test(name)) throw wrong('has a name that cannot be set');
    if (typeof value !== 'string' || value === '') throw wrong(`has no text for ${name}`);
  }
  return given as Readonly<Record<string, string>>;
}

/** Values that no log may show. Hosts and the ids of clients are no secrets. */
export function secretValues({ secrets, credentials }: Settings): readonly string[] {
  const isShown = (name: string) => /^(?!.*_VAR_).*_(?:URL|AUDIENCE|CLIENT_ID)$/.test(name);
  return Object.entries({ ...secrets, ...credentials }).flatMap(([name, value]) => (isShown(name) ? [] : [value]));
}

/** A run of one item or some tenants: it says nothing about the rest of the files. */
export function isPartial({ rotate, only, tenant }: Pick<Settings, 'rotate' | 'only' | 'tenant'>): boolean {
  return rotate !== '' || only !== '' || tenant !== '';
}

/** A run of some tenants beside others of the same plan. Nothing of it is recorded, so each merge plans everything. */
export function inShards({ options }: Pick<Settings, 'options'>): boolean {
  return options.some((option) => option.startsWith('--shard='));
}

/**
 * Paths of the repository whose changes may change a plan: the tenant folder, what the job names, files of values, and
 * attributes of git above the folder, which may convert its files.
 */
export function touchingPaths(
  { folder, paths, options }: Pick<Settings, 'folder' | 'paths' | 'options'>,
  workspace: string,
): readonly string[] {
  const above = folder === '.' ? [] : folder.split('/').map((_name, index, names) => names.slice(0, index).join('/'));
  const attributes = above.map((parent) => posix.join(parent, '.gitattributes'));
  return [folder, ...paths, ...options.flatMap((option) => valuesIn(option, workspace)), ...attributes];
}

/** The file of `--var-file`. Git knows none outside of the repository. */
function valuesIn(option: string, workspace: string): readonly string[] {
  const [, file] = /^--var-?file=(.*)$/i.exec(option) ?? [];
  if (file === undefined) return [];
  const path = relative(workspace, resolve(workspace, file)).split(sep).join('/');
  return path === '..' || path.startsWith('../') || resolve(path) === path ? [] : [path];
}
