import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { baseUrlProblem, canonicalBaseUrl, serviceUrlProblem } from '../contract/formats.ts';
import { problem } from '../diagnostics/problem.ts';
import type { Credentials } from '../model/client.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type GivenKey, givenKey, keyNames, keyProblems } from './given-key.ts';
import type { Io } from './io.ts';

export interface Environment {
  readonly baseUrl: string;
  readonly credentials: Credentials;
}

type Variables = Readonly<Record<string, string | undefined>>;

const names = {
  baseUrl: 'TENANT_SYNC_BASE_URL',
  token: 'TENANT_SYNC_TOKEN',
  clientId: 'TENANT_SYNC_CLIENT_ID',
  clientSecret: 'TENANT_SYNC_CLIENT_SECRET',
  authUrl: 'TENANT_SYNC_AUTH_URL',
  audience: 'TENANT_SYNC_AUDIENCE',
} as const;

/**
 * The host, in canonical form, and its credentials: both come from the environment, so that files cannot send the
 * credentials to another host. Or every error at once.
 */
export async function readEnvironment(io: Pick<Io, 'env' | 'cwd'>): Promise<Environment | readonly Diagnostic[]> {
  const { env } = io;
  const key = await givenKey(io);
  const problems = [...insecureTls(env), ...baseUrlProblems(env), ...credentialProblems(env, key)];
  if (problems.length > 0) return problems;
  const baseUrl = canonicalBaseUrl(env[names.baseUrl] ?? '');
  const { [names.token]: token, [names.authUrl]: authUrl, [names.audience]: audience } = env;
  if (token) return { baseUrl, credentials: { token } };
  return {
    baseUrl,
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

function baseUrlProblems(env: Variables): Diagnostic[] {
  const value = env[names.baseUrl];
  const hint = 'set it to https://<host>/api/v2';
  if (!value) {
    const message = `${names.baseUrl} is not set; it names the tenant that the credentials may be sent to.`;
    return [problem('ENV_MISSING', message, hint)];
  }
  const why = baseUrlProblem(value);
  return why === null ? [] : [problem('ENV_INVALID', `${names.baseUrl} cannot be used: ${why}.`, hint)];
}

function credentialProblems(env: Variables, key: GivenKey | null): Diagnostic[] {
  const { token, clientId, clientSecret } = names;
  const proofs = [clientSecret, keyNames.text, keyNames.file].filter((name) => env[name]);
  const client = [...(env[clientId] ? [clientId] : []), ...proofs];
  if (env[token]) return tokenProblems(env[token], client);
  if (client.length === 0) {
    const message = `No credentials: neither ${token} nor ${clientId} with ${clientSecret} or ${keyNames.text} is set.`;
    return [problem('ENV_MISSING', message, 'set the token or the client')];
  }
  const missing = [...(env[clientId] ? [] : [clientId]), ...(proofs.length > 0 ? [] : [clientSecret])];
  const needed = `the client credentials flow needs ${clientId} and ${clientSecret}, or ${keyNames.text}`;
  return [
    ...missing.map((name) => problem('ENV_MISSING', `${name} is not set; ${needed}.`, `set ${name}`)),
    ...(proofs.length > 1 ? [notTogether(proofs)] : key === null ? [] : keyProblems(key)),
    ...authUrlProblems(env[names.authUrl]),
  ];
}

function notTogether(set: readonly string[]): Diagnostic {
  return problem('ENV_INVALID', `${set.join(' and ')} cannot be set together.`, 'keep one, and unset the others');
}

function tokenProblems(token: string, client: readonly string[]): Diagnostic[] {
  if (client.length > 0) return [notTogether([names.token, ...client])];
  if (/^[\x21-\x7e]+$/.test(token)) return [];
  const message = `${names.token} contains whitespace or other characters that are not valid in a token.`;
  return [problem('ENV_INVALID', message, 'set it to the token and nothing else')];
}

function authUrlProblems(url: string | undefined): Diagnostic[] {
  const why = url ? serviceUrlProblem(url) : null;
  if (why === null) return [];
  const hint = 'set it to https://<host>, without the path of the token endpoint';
  return [problem('ENV_INVALID', `${names.authUrl} cannot be used: ${why}.`, hint)];
}

/** The folder for locks and journals: the option, the environment, or the state folder of this system. */
export function stateFolder(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  asked: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string {
  const named = asked ?? env['TENANT_SYNC_STATE_DIR'];
  if (named) return resolve(cwd, named);
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME: home } = env;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'tenant-sync');
  if (platform === 'win32' && local) return join(local, 'tenant-sync');
  return join(home || homedir(), '.local', 'state', 'tenant-sync');
}
