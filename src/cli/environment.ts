import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { baseUrlProblem, canonicalBaseUrl, serviceUrlProblem } from '../contract/formats.ts';
import { readPrivateKey } from '../contract/pem-keys.ts';
import { proxiesIn, proxyProblem } from '../contract/proxies.ts';
import { controlEnds } from '../diagnostics/control-ends.ts';
import { problem } from '../diagnostics/problem.ts';
import { readRegularText } from '../files/safe-file-access.ts';
import type { Credentials, ProxySettings } from '../model/client.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import type { Io } from './io.ts';

export interface Environment {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly proxies: ProxySettings;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of a tenant behind its prefix, and what the help says of them, in its order. */
export const tenantVariables = {
  baseUrl: ['BASE_URL', 'the API of the tenant; ends in /api/v2'],
  clientId: ['CLIENT_ID', 'a client for the client credentials flow'],
  clientSecret: ['CLIENT_SECRET', 'its secret'],
  privateKey: ['PRIVATE_KEY', 'its private key (PEM), instead of the secret'],
  privateKeyFile: ['PRIVATE_KEY_FILE', 'a file with this key'],
  token: ['TOKEN', 'an access token, instead of the client'],
  authUrl: ['AUTH_URL', 'default: the origin of the base URL'],
  audience: ['AUDIENCE', 'default: the base URL plus /; if refused, /api/v2/'],
} as const;

type Names = Readonly<Record<keyof typeof tenantVariables, string>>;

function namesOf(prefix: string): Names {
  const names = Object.entries(tenantVariables).map(([part, [name]]) => [part, `${prefix}_${name}`]);
  return Object.fromEntries(names) as Names;
}

const suffixes = Object.values(tenantVariables).map(([name]) => name);
const ofTenant = new RegExp(`^(.+?)_(?:VAR_.+|${suffixes.join('|')})$`);

/** The prefix of a variable of one tenant: its credentials and the values for its files alone. */
export function prefixOf(name: string): string | undefined {
  return ofTenant.exec(name)?.[1];
}

const usualNames = new RegExp(`\\bTENANT_SYNC_(?=(?:${suffixes.join('|')})\\b)`, 'g');

/** Texts of the client name the variables of a folder. The variables of the state have one name for all tenants. */
export function withVariablesOf(prefix: string, text: string): string {
  return text.replaceAll(usualNames, `${prefix}_`);
}

/**
 * The host, in canonical form, and its credentials: both come from the environment, so that files cannot send the
 * credentials to another host. Or every error at once.
 */
export async function readEnvironment(
  io: Pick<Io, 'env' | 'cwd'>,
  prefix = 'TENANT_SYNC',
): Promise<Environment | readonly Diagnostic[]> {
  const { env } = io;
  const names = namesOf(prefix);
  const key = await givenKey(io, prefix);
  const problems = [
    ...insecureTls(env),
    ...baseUrlProblems(env, names),
    ...proxyProblems(env, names),
    ...credentialProblems(env, key, names),
  ];
  if (problems.length > 0) return problems;
  const baseUrl = canonicalBaseUrl(env[names.baseUrl] ?? '');
  const proxies = proxiesIn(env);
  const { [names.token]: token, [names.authUrl]: authUrl, [names.audience]: audience } = env;
  if (token) return { baseUrl, proxies, credentials: { token } };
  return {
    baseUrl,
    proxies,
    credentials: {
      clientId: env[names.clientId] ?? '',
      ...(key === null ? { clientSecret: env[names.clientSecret] ?? '' } : { privateKey: key.pem }),
      ...(authUrl && { authUrl }),
      ...(audience && { audience }),
    },
  };
}

function insecureTls(env: Variables): Diagnostic[] {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return [];
  const hint = 'unset it; NODE_EXTRA_CA_CERTS adds a certificate authority';
  return [problem('ENV_INVALID', 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks.', hint)];
}

/** No message repeats a value: a key may be in the wrong variable. */
function unusable(name: string, why: string | null, hint: string): Diagnostic[] {
  return why === null ? [] : [problem('ENV_INVALID', `${name} cannot be used: ${why}.`, hint)];
}

function baseUrlProblems(env: Variables, { baseUrl: name }: Names): Diagnostic[] {
  const value = env[name];
  const hint = 'set it to https://<host>/api/v2';
  if (value) return unusable(name, baseUrlProblem(value), hint);
  const message = `${name} is not set; it names the tenant that the credentials may be sent to.`;
  return [problem('ENV_MISSING', message, hint)];
}

function proxyProblems(env: Variables, { baseUrl, authUrl }: Names): Diagnostic[] {
  const urls = [env[baseUrl] ?? '', env[authUrl] ?? ''].filter((url) => serviceUrlProblem(url) === null);
  const problems = urls.flatMap((url) => proxyProblem(url, proxiesIn(env)) ?? []).slice(0, 1);
  return problems.flatMap(({ name, why, hint }) => unusable(name, why, hint));
}

function credentialProblems(env: Variables, key: GivenKey | null, names: Names): Diagnostic[] {
  const { token, clientId, clientSecret, privateKey, privateKeyFile } = names;
  const proofs = [clientSecret, privateKey, privateKeyFile].filter((name) => env[name]);
  const client = [...(env[clientId] ? [clientId] : []), ...proofs];
  if (env[token]) return tokenProblems(env[token], [token, ...client]);
  if (client.length === 0) {
    const message = `No credentials: neither ${token} nor ${clientId} with ${clientSecret} or ${privateKey} is set.`;
    return [problem('ENV_MISSING', message, 'set the token or the client')];
  }
  const missing = [...(env[clientId] ? [] : [clientId]), ...(proofs.length > 0 ? [] : [clientSecret])];
  const needed = `the client credentials flow needs ${clientId} and ${clientSecret}, or ${privateKey}`;
  return [
    ...missing.map((name) => problem('ENV_MISSING', `${name} is not set; ${needed}.`, `set ${name}`)),
    ...[clientId, clientSecret, names.audience].flatMap((name) => controlEnds(name, env[name]) ?? []),
    ...(proofs.length > 1 ? [notTogether(proofs)] : key === null ? [] : keyProblems(key)),
    ...unusable(
      names.authUrl,
      env[names.authUrl] ? serviceUrlProblem(env[names.authUrl] ?? '') : null,
      'set it to https://<host>, without the path of the token endpoint',
    ),
  ];
}

function notTogether(set: readonly string[]): Diagnostic {
  return problem('ENV_INVALID', `${set.join(' and ')} cannot be set together.`, 'keep one, and unset the others');
}

/** `set` are the names of all variables that are set, the token's first. */
function tokenProblems(token: string, set: readonly string[]): Diagnostic[] {
  if (set.length > 1) return [notTogether(set)];
  if (/^[\x21-\x7e]+$/.test(token)) return [];
  const message = `${set.join()} contains whitespace or other characters that are not valid in a token.`;
  return [problem('ENV_INVALID', message, 'set it to the token and nothing else')];
}

/** The private key of the environment, or of the file that it names. */
interface GivenKey {
  readonly name: string;
  /** Empty if the file cannot be read. */
  readonly pem: string;
  readonly unreadable?: string;
}

/** Null if the environment names no key. */
export async function givenKey(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  prefix = 'TENANT_SYNC',
): Promise<GivenKey | null> {
  const { privateKey, privateKeyFile: name } = namesOf(prefix);
  const { [privateKey]: text, [name]: file } = env;
  if (text) return { name: privateKey, pem: text };
  if (!file) return null;
  return readRegularText(resolve(cwd, file), checkKeyFile).then(
    (pem) => ({ name, pem }),
    ({ code, message }: NodeJS.ErrnoException) => ({ name, pem: '', unreadable: code ?? message }),
  );
}

/** Who may read the file is up to the runner: many write files of secrets that every user of the container can read. */
function checkKeyFile({ size }: Stats): void {
  if (size > 65_536) throw new Error('more than 64 KiB');
}

function keyProblems({ name, pem, unreadable }: GivenKey): Diagnostic[] {
  if (unreadable !== undefined) {
    const hint = `set it to the path of a PEM file, or set ${name.replace(/_FILE$/, '')}`;
    return unusable(name, `no such file, or it is not readable (${unreadable})`, hint);
  }
  const read = readPrivateKey(pem);
  return 'why' in read ? unusable(name, read.why, read.hint) : [];
}

/** The database for locks and journals, which replaces the folder; undefined without one. Throws a CommandError. */
export function stateUrl({ env }: Pick<Io, 'env'>): string | undefined {
  return checked(env, 'TENANT_SYNC_STATE_URL');
}

/** The value of a variable; undefined if it is not set or empty. Throws a CommandError for one that cannot be meant. */
function checked(env: Variables, name: string): string | undefined {
  const wrong = controlEnds(name, env[name]);
  if (wrong !== null) throw new CommandError(exitCode.invalid, [wrong]);
  return env[name] || undefined;
}

/** The database of a command that needs one. Throws a CommandError without it. */
export function databaseUrl(io: Pick<Io, 'env'>): string {
  const url = stateUrl(io);
  if (url !== undefined) return url;
  const hint = 'set it to postgres://USER:PASSWORD@HOST:5432/DATABASE';
  const message = 'TENANT_SYNC_STATE_URL is not set; it names the database of the workers.';
  throw new CommandError(exitCode.invalid, [problem('ENV_MISSING', message, hint)]);
}

/** The folder for locks and journals: the option, the environment, or the state folder of this system. */
export function stateFolder(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  asked: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string {
  const named = asked ?? checked(env, 'TENANT_SYNC_STATE_DIR');
  if (named) return resolve(cwd, named);
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME: home } = env;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'tenant-sync');
  if (platform === 'win32' && local) return join(local, 'tenant-sync');
  return join(home || homedir(), '.local', 'state', 'tenant-sync');
}

/**
 * Where the tenant folder is for people and forges: below the checkout in a pipeline, and below the working directory
 * elsewhere. '' if it is that folder itself, or outside.
 */
export function shownFolder({ env, cwd }: Pick<Io, 'env' | 'cwd'>, folder: string): string {
  const root = env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'] || cwd;
  const path = relative(root, resolve(cwd, folder)).replaceAll('\\', '/');
  return path === '..' || path.startsWith('../') || isAbsolute(path) ? '' : path;
}

/** What the paths of its files begin with. */
export function startOfPaths(surroundings: Pick<Io, 'env' | 'cwd'>, folder: string): string {
  const shown = shownFolder(surroundings, folder);
  return shown && `${shown}/`;
}
