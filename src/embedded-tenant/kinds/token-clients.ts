/**
 * The clients to which the tenant issues tokens are those of its kinds, and a client gets the scopes of its grant for the
 * management API. In a seed, `scopes` at a client is short for that grant:
 *
 *   { client_id: ci, client_secret: …, scopes: ['read:clients'] }
 *
 * A snapshot has the short form again, unless a request changed the grant.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { validateCredentials } from '../../contract/credentials.generated.ts';
import { knownScopes } from '../../contract/known-words.ts';
import { readPublicKey } from '../../contract/pem-keys.ts';
import { shape } from '../../contract/shape.ts';
import type { SeededClient, SeededClients } from '../../model/credentials.generated.ts';
import type { SeedProblem, Stores, TenantResource } from '../../model/tenant-resource.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { violationsOf } from '../http/describe-violation.ts';
import { type Item, itemsOf } from '../items/item-store.ts';
import { hasSame, listAt, pick } from '../items/item-values.ts';
import { isItems } from '../items/serve-list.ts';
import { clientGrantsTenant } from './client-grants.ts';
import { clientsTenant, credentialsOf } from './clients.ts';
import { managementApi } from './management-api.ts';

/** A client as the token endpoint needs it. */
export interface TokenClient {
  readonly client_id: string;
  readonly secret: unknown;
  /** Public keys in PEM: the client signs assertions. */
  readonly keys: readonly string[];
  readonly grantTypes: readonly string[];
  /** Null without a grant for the management API. */
  readonly scopes: readonly string[] | null;
  /** Every request with its token returns 401 (service specification 7). */
  readonly isRefused: boolean;
}

export function tokenClient(stores: Stores, id: string): TokenClient | undefined {
  const client = itemsOf(stores, clientsTenant.section).find(id);
  if (client === undefined) return undefined;
  const isFor = hasSame({ client_id: id, audience: managementApi }, ['client_id', 'audience']);
  const grant = itemsOf(stores, clientGrantsTenant.section).all.find(
    (one) => isFor(one) && (one['subject_type'] ?? 'client') === 'client',
  );
  const { client_secret, public_keys, token_endpoint_auth_method: method } = client;
  const hasKeys = client['client_authentication_methods'] !== undefined;
  const used = new Set(credentialsOf(client, ['private_key_jwt']));
  const keys = listAt(client, 'credentials').filter(({ id: own }) => used.has(own));
  return {
    client_id: id,
    secret: method === 'none' || hasKeys ? undefined : client_secret,
    keys: [...texts(public_keys), ...keys.map(({ pem }) => String(pem))],
    grantTypes: texts(client['grant_types'] ?? ['client_credentials']),
    scopes: grant === undefined ? null : grant['allow_all_scopes'] === true ? [...knownScopes] : texts(grant['scope']),
    isRefused: client['is_refused'] === true,
  };
}

export function hasClients(stores: Stores): boolean {
  return itemsOf(stores, clientsTenant.section).all.length > 0;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The resources with those that tokens need, which check the short forms of their clients. */
export function withTokenClients(resources: readonly TenantResource[]): readonly TenantResource[] {
  const served = resources.flatMap(({ routes }) => routes.map(({ operation }) => operation.scope));
  const scopes = new Set([...knownScopes, ...served]);
  const { section, seed } = clientsTenant;
  const check = (items: readonly Item[]) => items.flatMap((item, index) => problemsOf(item, index, scopes));
  const clients = { ...clientsTenant, seed: { ...seed, validate: isItems, check } };
  const others = [clientGrantsTenant, ...resources].filter((one, index, all) => all.indexOf(one) === index);
  return [clients, ...others.filter((one) => one.section !== section)];
}

const shortFields = ['client_id', 'name', 'client_secret', 'public_keys', 'scopes', 'global'];
const shortForm = shape<SeededClients>('credentials.schema.json', validateCredentials);

/** The id of a short form can be any text. */
function problemsOf(client: Item, index: number, scopes: ReadonlySet<string>): readonly SeedProblem[] {
  const short: unknown = [pick(client, shortFields)];
  const found = !('scopes' in client)
    ? violationsOf(clientsTenant.seed, [client])
    : shortForm.validate(short)
      ? short.flatMap((one) => [...unknownScopes(one, scopes), ...unusableKeys(one)])
      : violationsOf(shortForm, short);
  return found.map(({ pointer, rule }) => ({ pointer: jsonPointer(index) + pointer.replace(/^\/0/, ''), rule }));
}

/** A misspelt scope would otherwise be noticed only as a 403, much later. */
function unknownScopes({ scopes }: SeededClient, known: ReadonlySet<string>): readonly SeedProblem[] {
  return scopes.flatMap((scope, at) =>
    known.has(scope) ? [] : [{ pointer: jsonPointer('scopes', at), rule: `${scope} is not a scope of the service` }],
  );
}

/** A client authenticates in one way, as in the service, and no private key is kept here. */
function unusableKeys({ client_secret, public_keys }: SeededClient): readonly SeedProblem[] {
  if ((client_secret === undefined) === (public_keys === undefined))
    return [{ pointer: '', rule: 'Expected either client_secret or public_keys' }];
  return (public_keys ?? []).flatMap((pem, at) => {
    const key = readPublicKey(pem);
    return 'why' in key ? [{ pointer: jsonPointer('public_keys', at), rule: `Unusable key: ${key.why}` }] : [];
  });
}

type Sections = Readonly<Record<string, unknown>>;

/** The state without short forms: their grants are items like others. */
export function expanded<State extends Sections>(state: State): State {
  const clients = listAt(state, clientsTenant.section);
  const short = clients.filter((client) => 'scopes' in client);
  if (short.length === 0) return state;
  return {
    ...state,
    [clientsTenant.section]: clients.map((client) => (short.includes(client) ? withoutGrant(client) : client)),
    [clientGrantsTenant.section]: [...listAt(state, clientGrantsTenant.section), ...short.map(grantOf)],
  };
}

function withoutGrant({ scopes, global, ...client }: Item): Item {
  return { ...client, ...(global === false && { is_refused: true }) };
}

function grantOf({ client_id, scopes }: Item): Item {
  const id = `cgr_${createHash('sha256').update(String(client_id)).digest('hex').slice(0, 16)}`;
  return { id, client_id, audience: managementApi, scope: scopes, subject_type: 'client' };
}

/** The reverse: grants that are as a short form makes them become one again. */
export function collapsed<State extends Sections>(state: State): State {
  const grants = listAt(state, clientGrantsTenant.section);
  const clients = listAt(state, clientsTenant.section);
  const short = new Map(grants.filter(isShort).map((grant) => [grant['client_id'], grant]));
  const left = grants.filter((grant) => short.get(grant['client_id']) !== grant);
  return {
    ...state,
    ...(clients.length > 0 && {
      [clientsTenant.section]: clients.map((client) => {
        const grant = short.get(client['client_id']);
        return grant === undefined ? client : withGrant(client, grant);
      }),
    }),
    ...(grants.length > 0 && { [clientGrantsTenant.section]: left.length > 0 ? left : undefined }),
  };
}

function isShort(grant: Item): boolean {
  return isDeepStrictEqual(grant, grantOf({ client_id: grant['client_id'], scopes: grant['scope'] }));
}

function withGrant({ is_refused, ...client }: Item, { scope }: Item): Item {
  return { ...client, scopes: scope, ...(is_refused === true && { global: false }) };
}
