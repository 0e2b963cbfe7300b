/**
 * Without a section in the seed, every API and every permission exists, so no list of them would be true, and a service
 * without these operations is played (docs/internals/adr/0026-apis-and-their-permissions.md).
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { knownScopes } from '../../contract/known-words.ts';
import { shape } from '../../contract/shape.ts';
import type { ItemParams } from '../../model/operation.ts';
import type { RouteResponse, SeedProblem, Stores, TenantResource } from '../../model/tenant-resource.ts';
import { description } from '../../service/resource-servers/description.generated.ts';
import { validateSeed } from '../../service/resource-servers/seed-validators.generated.ts';
import type { LiveAPI } from '../../service/resource-servers/types.generated.ts';
import { isRecord } from '../../values/is-record.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { tried } from '../../values/tried.ts';
import type { Behavior, Context } from '../items/behavior.ts';
import { lettersAndDigits } from '../items/ids.ts';
import { type Item, type ItemStore, itemsOf } from '../items/item-store.ts';
import { hasSame, listAt, objectAt, omit, withoutNulls } from '../items/item-values.ts';
import { servedList } from '../items/serve-list.ts';
import { badBody, refused } from '../refused.ts';
import { managementApi, shownAudience, storedAudience } from './management-api.ts';

/** What a new API has (public facts 2b.7). */
const defaults = {
  allow_offline_access: false,
  skip_consent_for_verifiable_first_party_clients: false,
  subject_type_authorization: { user: { policy: 'allow_all' }, client: { policy: 'require_client_grant' } },
  token_lifetime: 86_400,
  token_lifetime_for_web: 7200,
  signing_alg: 'RS256',
};

/** What can be changed of an API of the service itself (public facts 2b.8). */
const changeableOfSystem = [
  'token_lifetime',
  'skip_consent_for_verifiable_first_party_clients',
  'subject_type_authorization',
  'proof_of_possession',
  'authorization_policy',
];

export const behavior: Behavior = {
  newId: (context) => Buffer.from(lettersAndDigits(context, 12)).toString('hex'),
  missing: refused(404, 'inexistent_resource_server', 'The resource server does not exist'),
  find: (name, { store, baseUrl }) => store.all.find(isNamed(name, baseUrl)),
  refuse({ item, body, store }) {
    const [forbidden] = item?.['is_system'] === true ? Object.keys(omit(body, changeableOfSystem)) : [];
    if (forbidden !== undefined) return badBody(`'Additional properties not allowed: ${forbidden}'`);
    if (repeatedScopes(body).length > 0) return badBody("'Another scope has the same value' on property scopes"); // assumed
    // That it is taken is a public fact (2b.9); code and message are assumed.
    const isTaken = item === null && store.all.some(hasSame(body, ['identifier']));
    return isTaken
      ? refused(409, 'resource_server_conflict', 'A resource server with the same identifier already exists.')
      : null;
  },
  create: (write) => stored({ ...defaults, ...write.body }, write),
  update(item, write) {
    const changed = stored({ ...item, ...write.body }, write);
    const left = scopesOf(changed);
    // What roles keep of a removed scope is not public; that they lose it is assumed (public facts 2b.4).
    takeFromRoles(
      write.stores,
      item,
      scopesOf(item).filter((value) => !left.includes(value)),
    );
    return changed;
  },
  show: (api, { baseUrl }) => ({ ...defaults, ...api, identifier: shownAudience(api['identifier'], baseUrl) }),
  // Assumed: the status is not public (2b.8).
  refuseDelete: ({ is_system }) =>
    is_system === true ? refused(400, 'invalid_body', 'System resource servers cannot be deleted.') : null,
  // What roles and grants keep is not public (2b.9); that both lose it is assumed, as the more dangerous case.
  deleted(api, { stores }) {
    takeFromRoles(stores, api, scopesOf(api));
    const grants = itemsOf(stores, 'client_grants');
    for (const { id, audience } of [...grants.all]) if (audience === api['identifier']) grants.remove(String(id));
  },
  filters: { identifiers: ({ identifier }, wanted) => [wanted].flat().includes(identifier) },
};

/** null removes a key; dpop and HS256 fill one in; of a public key, its thumbprint is kept (public facts 2b.7). */
function stored(api: Item, context: Context): Item {
  const [proof, encryption] = [objectAt(api, 'proof_of_possession'), objectAt(api, 'token_encryption')];
  const { pem, ...key } = objectAt(encryption, 'encryption_key');
  const thumbprint_sha256 = createHash('sha256').update(String(pem)).digest('hex');
  const needsSecret = api['signing_alg'] === 'HS256' && api['signing_secret'] === undefined;
  return withoutNulls({
    ...api,
    ...(needsSecret && { signing_secret: lettersAndDigits(context, 32) }),
    ...(proof['mechanism'] === 'dpop' && { proof_of_possession: { required_for: 'all_clients', ...proof } }),
    ...(pem !== undefined && { token_encryption: { ...encryption, encryption_key: { ...key, thumbprint_sha256 } } }),
  });
}

function takeFromRoles(stores: Stores, { identifier }: Item, lost: readonly string[]): void {
  const roles = itemsOf(stores, 'roles');
  for (const role of [...roles.all]) {
    const permissions = listAt(role, 'permissions').filter(
      ({ resource_server_identifier: api, permission_name: name }) =>
        api !== identifier || !lost.includes(String(name)),
    );
    if ('permissions' in role) roles.put({ ...role, permissions });
  }
}

/** By its id or its identifier. Identifiers that are encoded twice are accepted as well (public facts 2b.2). */
function isNamed(name: string, baseUrl: string): (api: Item) => boolean {
  const names: readonly unknown[] = [name, tried(() => decodeURIComponent(name))].map((one) =>
    storedAudience(one, baseUrl),
  );
  return ({ id, identifier }) => names.includes(id) || names.includes(identifier);
}

const { operations } = description;
/** An API is named by its id or its identifier, which can have slashes (public facts 2b.2). */
const params = {
  ...operations.get.params,
  validate: (value: unknown): value is ItemParams => isRecord(value) && typeof value['id'] === 'string',
};
const named = {
  ...operations,
  get: { ...operations.get, params },
  update: { ...operations.update, params },
  delete: { ...operations.delete, params },
};

const listed = servedList({ ...description, operations: named }, behavior, {
  ...shape<readonly Item[]>('resource-servers.schema.json#/$defs/seed', validateSeed),
  check: (section) => section.flatMap(repeatedScopes),
});

/** What a service responds that does not have the operation: the router's own refusal of an unknown path. */
const notServed: RouteResponse = { status: 404, message: 'Not Found' };

export const resourceServersTenant: TenantResource<readonly Item[], ItemStore> = {
  ...listed,
  seed: { ...listed.seed, identity: 'identifier' },
  openStore(items) {
    const store = listed.openStore(
      items && [...items, ...(items.some(({ id }) => id === ownApi['id']) ? [] : [ownApi])],
    );
    const snapshot = store.snapshot;
    return Object.assign(store, { snapshot: () => withoutOwnApi(snapshot()) });
  },
  routes: listed.routes.map(({ operation, respond }) => ({
    operation,
    respond: (request, context) => (context.store.isSeeded ? respond(request, context) : notServed),
  })),
};

/** The API of the service itself. */
const ownApi: Item = {
  id: '000000000000000000000001',
  name: 'Auth0 Management API',
  identifier: managementApi,
  is_system: true,
  scopes: [...knownScopes].map((value) => ({ value })),
};

/** Nobody seeds it. A state has it once it was changed. */
function withoutOwnApi(items: unknown): unknown {
  return Array.isArray(items) ? items.filter((item) => !isDeepStrictEqual(item, ownApi)) : items;
}

/** An API by its identifier; `unknown` where every API and every permission exists. */
export function apiOf(stores: Stores, identifier: string): LiveAPI | undefined | 'any' {
  const store = itemsOf(stores, 'resource_servers');
  if (!store.isSeeded) return 'any';
  // The schemas of the seed and of the bodies accepted it.
  return store.all.find((api) => api['identifier'] === identifier) as unknown as LiveAPI | undefined;
}

function scopesOf({ scopes }: Item): readonly string[] {
  return Array.isArray(scopes) ? scopes.map(({ value }: Item) => String(value)) : [];
}

function repeatedScopes(api: Item, server = 0): readonly SeedProblem[] {
  const values = scopesOf(api);
  return values.flatMap((value, index) => {
    const pointer = jsonPointer(server, 'scopes', index, 'value');
    return values.indexOf(value) < index ? [{ pointer, rule: 'Another scope has the same value' }] : [];
  });
}
