import { baseUrlFault, canonicalBaseUrl, serviceUrlFault } from '../contract/formats.ts';
import { problem } from '../diagnostics/problem.ts';
import type { Credentials } from '../model/client.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

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

/** The variables whose values must not appear in any output. */
export const secretVariables = [names.token, names.clientSecret] as const;

/**
 * The host, in canonical form, and its credentials: both come from the environment, so that files cannot send the credentials to
 * another host. Or every error at once.
 */
export function readEnvironment(env: Variables): Environment | readonly Diagnostic[] {
  const problems = [...insecureTls(env), ...baseUrlProblems(env), ...credentialProblems(env)];
  if (problems.length > 0) return problems;
  const baseUrl = canonicalBaseUrl(env[names.baseUrl] ?? '');
  const token = env[names.token];
  if (token) return { baseUrl, credentials: { token } };
  return {
    baseUrl,
    credentials: {
      clientId: env[names.clientId] ?? '',
      clientSecret: env[names.clientSecret] ?? '',
      authUrl: env[names.authUrl] || new URL(baseUrl).origin,
      audience: env[names.audience] || `${baseUrl}/`,
    },
  };
}

function insecureTls(env: Variables): Diagnostic[] {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return [];
  return [
    problem(
      'ENV_INVALID',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks.',
      'unset it; NODE_EXTRA_CA_CERTS adds a certificate authority',
    ),
  ];
}

function baseUrlProblems(env: Variables): Diagnostic[] {
  const value = env[names.baseUrl];
  if (!value)
    return [
      problem(
        'ENV_MISSING',
        `${names.baseUrl} is not set; it names the tenant that the credentials may be sent to.`,
        `set it to https://<host>/api/v2`,
      ),
    ];
  const why = baseUrlFault(value);
  return why === null
    ? []
    : [problem('ENV_INVALID', `${names.baseUrl} cannot be used: ${why}.`, 'set it to https://<host>/api/v2')];
}

function credentialProblems(env: Variables): Diagnostic[] {
  const { token, clientId, clientSecret, authUrl } = names;
  const pair = [clientId, clientSecret] as const;
  if (env[token]) {
    const both = pair.filter((name) => env[name]);
    if (both.length > 0)
      return [
        problem(
          'ENV_INVALID',
          `${token} and ${both.join(' and ')} are set together.`,
          'keep the one that is meant and unset the other',
        ),
      ];
    return isHeaderValue(env[token])
      ? []
      : [
          problem(
            'ENV_INVALID',
            `${token} contains white space or other characters that no token has.`,
            'set it to the token alone',
          ),
        ];
  }
  const missing = pair.filter((name) => !env[name]);
  if (missing.length === 2)
    return [
      problem(
        'ENV_MISSING',
        `No credentials: neither ${token} nor ${clientId} with ${clientSecret} is set.`,
        'set one of the two',
      ),
    ];
  const why = env[authUrl] ? serviceUrlFault(env[authUrl]) : null;
  return [
    ...missing.map((name) =>
      problem(
        'ENV_MISSING',
        `${name} is not set; the client credentials flow needs ${clientId} and ${clientSecret}.`,
        `set ${name}`,
      ),
    ),
    ...(why === null
      ? []
      : [
          problem(
            'ENV_INVALID',
            `${authUrl} cannot be used: ${why}.`,
            'set it to https://<host>, without the path of the token endpoint',
          ),
        ]),
  ];
}

function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
