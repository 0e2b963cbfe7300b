// No credential of a tenant may be sent or written as a value, under whatever name the files read it: a change to the
// files could send it to a webhook or show it on a login page.
import { problem } from '../diagnostics/problem.ts';
import type { Credentials } from '../model/client.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic, Source } from '../model/diagnostic.ts';
import type { DesiredItem } from '../model/kind.ts';
import { hasPrivateKey, secretCredentials } from '../secrets/credentials.ts';
import { openMasker } from '../secrets/masker.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { memoized, memoizedByObject } from '../values/memoized.ts';

type Environment = Parameters<typeof secretCredentials>[0];

/** Whether a text contains a credential, in any form. */
export type HasCredential = (text: string) => boolean;

/** A shorter one may be a part of other words, so only an equal value counts. */
const shortestPart = 8;
const shortest = 4;

/** Names of fields, and values of a layer that tenants share, come again and again. */
const mostKnown = 20_000;

export function credentialFinder(credentials: readonly string[]): HasCredential {
  if (credentials.length === 0) return () => false;
  const masker = openMasker({ shortest: shortestPart, prefixes: false });
  for (const credential of credentials) masker.hide(credential);
  const short = new Set(credentials.filter(({ length }) => length >= shortest && length < shortestPart));
  return memoized((text) => short.has(text) || masker.contains(text), mostKnown);
}

export interface EnvironmentCredentials {
  readonly credentials: ReadonlySet<string>;
  readonly has: HasCredential;
}

/** The credentials in an environment, as it is now. */
export function credentialsIn(env: Environment): EnvironmentCredentials {
  const credentials = secretCredentials(env);
  return { credentials: new Set(credentials), has: credentialFinder(credentials) };
}

/** The secrets of credentials; the client id is none. */
export function secretsOf(credentials: Credentials): readonly string[] {
  if ('token' in credentials) return [credentials.token];
  return [credentials.clientSecret, credentials.privateKey].flatMap((secret) => secret || []);
}

/** The same for values that are not sent as secrets. They have no private key either, whatever it is for. */
export const orPrivateKey = memoizedByObject(
  (has: HasCredential): HasCredential =>
    (text) =>
      has(text) || hasPrivateKey(text),
);

/** Values of the files that contain a credential, with their locations. */
export function credentialValues(
  { tenant, tenantAt, sections }: Desired,
  hasCredential: HasCredential,
): readonly Diagnostic[] {
  const has = orPrivateKey(hasCredential);
  const found: Diagnostic[] = [];
  const report = (source: Source | undefined) => found.push({ ...exposed, ...(source !== undefined && { source }) });
  for (const pointer of pointersTo(tenant, has)) report(tenantAt(pointer));
  for (const { items } of sections.values())
    for (const item of items) for (const pointer of pointersIn(has)(item)) report(item.at(pointer));
  return found;
}

/** The variable of a secret whose value is a credential. */
export function credentialSecret(name: string): Diagnostic {
  return { ...exposed, message: `${name} is sent as a secret, but its value is a credential of a tenant.` };
}

export const exposed = problem(
  'CONFIG_CREDENTIAL_EXPOSED',
  'This value contains a credential of a tenant or a private key, which would be sent and shown.',
  'use another value; rotate the credential if it was ever written to a file',
);

/** Tenants that share a file have the same items. */
const pointersIn = memoizedByObject((has: HasCredential) =>
  memoizedByObject(({ value }: DesiredItem) => pointersTo(value, has)),
);

/** JSON pointers to the texts with a credential; a key counts with its member. */
export function pointersTo(value: unknown, has: HasCredential): readonly string[] {
  if (typeof value === 'string') return has(value) ? [''] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const below = has(name) ? [''] : pointersTo(child, has);
    return below.map((pointer) => jsonPointer(name) + pointer);
  });
}
