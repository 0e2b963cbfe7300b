import { type Loaded as LoadedFiles, loadDesired } from '../config/load-desired.ts';
import { loadKinds } from '../config/load-kinds.ts';
import { meantVariable, noVariables } from '../config/variables/variables.ts';
import { baseUrlProblem, canonicalBaseUrl, serviceUrlProblem } from '../contract/formats.ts';
import { readPrivateKey } from '../contract/pem-keys.ts';
import { proxyProblem } from '../contract/proxies.ts';
import { controlEnds } from '../diagnostics/control-ends.ts';
import { problem } from '../diagnostics/problem.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Selection } from '../model/plan.generated.ts';
import type { Base } from '../plan/assemble-input.ts';
import { everything } from '../plan/selection.ts';
import { variableNames } from '../secrets/credentials.ts';
import { credentialFinder, credentialSecret, credentialsIn, credentialValues, secretsOf } from './credential-values.ts';
import type { TenantAccess, ValidateOptions } from './options.ts';
import { type Invalid, invalid } from './results.ts';
import { selectedKinds, selectionProblems, withKindNames } from './selectors.ts';

export interface Loaded extends Pick<LoadedFiles, 'files' | 'written' | 'secretNames' | 'uses' | 'kinds'> {
  readonly status: 'loaded';
  readonly desired: Desired;
  readonly selection: Selection;
  readonly warnings: readonly Diagnostic[];
  /** Of a three-way plan. */
  readonly base?: Base;
}

/** Everything that can be checked before anything is sent, with all errors at once. `kinds`: those of the files and of selectors. */
export async function load(options: ValidateOptions): Promise<Loaded | Invalid> {
  const loaded = await loadDesired(options.files, options.kinds, options.variables, options.signal);
  const { desired, files, written, secretNames, uses } = loaded;
  const asked = { ...everything, ...options.selection };
  const kinds = await loadKinds(
    new Set([...loaded.kinds.map(({ name }) => name), ...selectedKinds(asked, options.kinds)]),
    options.kinds,
  );
  const known = options.kinds.map((kind) => kinds.find(({ name }) => name === kind.name) ?? kind);
  const selection = withKindNames(asked, known, desired?.sections);
  const diagnostics = [
    ...loaded.diagnostics,
    ...selectionProblems(selection, options.kinds),
    ...tenantProblems(loaded, options),
    ...credentialProblems(loaded, options),
  ];
  if (desired === null || diagnostics.some(({ severity }) => severity === 'error')) return invalid(diagnostics, files);
  return { status: 'loaded', desired, selection, warnings: diagnostics, files, written, secretNames, uses, kinds };
}

/** Values of the files, and secrets that they name, must not be credentials of a tenant. Announces all of them. */
function credentialProblems(
  { desired, secretNames }: LoadedFiles,
  { tenant, variables = noVariables, environmentCredentials, onSecret = () => {} }: ValidateOptions,
): readonly Diagnostic[] {
  const { env } = variables;
  const shared = environmentCredentials ?? credentialsIn(env);
  const own = tenant === undefined ? [] : secretsOf(tenant.credentials);
  const others = own.filter((secret) => !shared.credentials.has(secret));
  const hasOther = credentialFinder(others);
  // Mostly one for all tenants, which knows what it has searched.
  const has = others.length === 0 ? shared.has : (text: string) => hasOther(text) || shared.has(text);
  const secrets = secretNames
    .map((name) => meantVariable(name, variables))
    .flatMap((name) => (env[name] ? [{ name, value: env[name] }] : []));
  // A value that the one of the tenant replaces is a secret of others.
  const named = secretNames.flatMap((name) =>
    variableNames(name, variables.environment).flatMap((one) => env[one] || []),
  );
  for (const secret of [...own, ...shared.credentials, ...named]) onSecret(secret);
  return [
    ...(desired === null ? [] : credentialValues(desired, has)),
    ...secrets.filter(({ value }) => has(value)).map(({ name }) => credentialSecret(name)),
  ];
}

/**
 * A base_url in the files is an assertion: if it names another tenant, the files are not meant for these credentials.
 */
function tenantProblems({ desired, writtenUrl }: LoadedFiles, { tenant }: ValidateOptions): Diagnostic[] {
  if (tenant === undefined) return [];
  const unusable = accessProblems(tenant);
  if (unusable.length > 0) return unusable;
  const declared = desired?.tenant.base_url;
  const used = canonicalBaseUrl(tenant.baseUrl);
  if (declared === undefined || canonicalBaseUrl(declared) === used) return [];
  const message = `These files belong to ${writtenUrl}, but the base URL of the environment is ${used}.`;
  const hint = 'use the credentials and the base URL of the tenant that the folder belongs to';
  return [problem('TENANT_MISMATCH', message, hint, desired?.tenantAt('/base_url'))];
}

/** Where credentials would be sent, and whether they can be. */
function accessProblems({ baseUrl, credentials, proxies }: TenantAccess): Diagnostic[] {
  const unusable = (message: string, hint: string) => [problem('OPTION_INVALID', message, hint)];
  const why = baseUrlProblem(baseUrl);
  if (why !== null) return unusable(`The base URL cannot be used: ${why}.`, 'set it to https://<host>/api/v2');
  const ofProxy = (url: string) => {
    const found = proxyProblem(url, proxies);
    return found === null ? [] : unusable(`The proxy cannot be used: ${found.why}.`, found.hint);
  };
  if (ofProxy(baseUrl).length > 0) return ofProxy(baseUrl);
  if ('token' in credentials) {
    if (/^[\x21-\x7e]+$/.test(credentials.token)) return [];
    const message = 'The token is empty or contains whitespace or other characters that no token has.';
    return unusable(message, 'set it to the token alone');
  }
  const { clientId, clientSecret, privateKey, authUrl, audience } = credentials;
  if (!clientId || !clientSecret === !privateKey)
    return unusable('The client needs an id, and a secret or a private key.', 'set these two');
  const ends = Object.entries({ clientId, clientSecret, audience }).flatMap(
    ([name, value]) => controlEnds(name, value) ?? [],
  );
  if (ends.length > 0) return ends.map(({ message, hint = '' }) => problem('OPTION_INVALID', message, hint));
  const key = privateKey ? readPrivateKey(privateKey) : null;
  if (key !== null && 'why' in key) return unusable(`The private key cannot be used: ${key.why}.`, key.hint);
  const whyNot = authUrl === undefined ? null : serviceUrlProblem(authUrl);
  if (whyNot === null) return ofProxy(authUrl ?? baseUrl);
  const message = `The URL of the token endpoint cannot be used: ${whyNot}.`;
  return unusable(message, 'set it to https://<host>, without the path of the token endpoint');
}

/** Empty unless the files require a database that the options do not name. */
export function stateProblems({ tenant, tenantAt }: Desired, stateUrl: string | undefined): readonly Diagnostic[] {
  if (tenant.state !== 'database' || stateUrl !== undefined) return [];
  const message = 'The files require "state: database", and TENANT_SYNC_STATE_URL is not set. Nothing was sent.';
  const hint = 'set it to postgres://USER:PASSWORD@HOST:5432/DATABASE';
  return [problem('ENV_MISSING', message, hint, tenantAt('/state'))];
}
