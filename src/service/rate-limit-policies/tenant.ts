/**
 * Cursors are opaque to clients: the id of the last item of the page, with a checksum. A page starts after that id in
 * the order of ids, so deletes and inserts between two pages neither skip nor repeat an item. The checksum refuses
 * cursors that were not issued here; it needs no secret, so a cursor survives a restart. Order and cursor are assumed:
 * the service specification does not define them (2.2).
 */
import { createHash } from 'node:crypto';
import { shape } from '../../contract/shape.ts';
import type { RouteResponse, TenantResource, TenantRoute, TenantStore } from '../../model/tenant-resource.ts';
import { type OrderedItems, orderItems } from '../../values/ordered-items.ts';
import {
  createRateLimitPolicy,
  deleteRateLimitPolicy,
  getRateLimitPolicy,
  listRateLimitPolicies,
  updateRateLimitPolicy,
} from './operations.ts';
import { validateSeed } from './seed-validators.generated.ts';
import type {
  ListPoliciesQuery,
  LivePolicy,
  PatchPolicyBody,
  Policy,
  PolicyParams,
  SeededPolicies,
} from './types.generated.ts';

interface PolicyStore extends OrderedItems<LivePolicy>, TenantStore {}

const list: TenantRoute<PolicyStore, unknown, ListPoliciesQuery, never> = {
  operation: listRateLimitPolicies,
  respond({ query }, { store }) {
    const after = query.from === undefined ? null : readCursor(query.from);
    if (query.from !== undefined && after === null) return unknownCursor;
    const take = query.take ?? listRateLimitPolicies.paging.defaultTake;
    const page = store.page(after === null ? null : { after }, take, (policy) => isSelected(policy, query));
    const last = page.items.at(-1);
    const next = last === undefined || page.following === null ? {} : { next: writeCursor(last.id) };
    return { status: 200, body: { rate_limit_policies: page.items, ...next } };
  },
};

const create: TenantRoute<PolicyStore, never, never, Policy> = {
  operation: createRateLimitPolicy,
  respond({ body }, { store, newId, now }) {
    if (store.all.some((policy) => isSelected(policy, body))) return conflict;
    const time = timestamp(now());
    const policy = { id: newId('rlp', 7), ...body, created_at: time, updated_at: time };
    store.put(policy);
    return { status: 201, body: policy };
  },
};

const get: TenantRoute<PolicyStore, PolicyParams> = {
  operation: getRateLimitPolicy,
  respond({ params }, { store }) {
    const policy = store.find(params.id);
    return policy === undefined ? missing : { status: 200, body: policy };
  },
};

const update: TenantRoute<PolicyStore, PolicyParams, never, PatchPolicyBody> = {
  operation: updateRateLimitPolicy,
  respond({ params, body: { configuration } }, { store, now }) {
    const policy = store.find(params.id);
    if (policy === undefined) return missing;
    const changed = { ...policy, configuration, updated_at: timestamp(now()) };
    store.put(changed);
    return { status: 200, body: changed };
  },
};

const remove: TenantRoute<PolicyStore, PolicyParams> = {
  operation: deleteRateLimitPolicy,
  respond({ params }, { store }) {
    return store.remove(params.id) ? { status: 204 } : missing;
  },
};

export const rateLimitPoliciesTenant: TenantResource<SeededPolicies, PolicyStore> = {
  section: 'rate_limit_policies',
  seed: { ...shape<SeededPolicies>('rate-limit-policies.schema.json#/$defs/seed', validateSeed), identity: 'id' },
  openStore(section = []) {
    const policies = orderItems(section);
    return { ...policies, snapshot: () => policies.all };
  },
  routes: [list, create, get, update, remove],
};

const missing: RouteResponse = { status: 404, message: 'The rate limit policy does not exist.' };

/** The message is assumed; that the triple is unique is a public fact (1.4). */
const conflict: RouteResponse = {
  status: 409,
  message: 'A rate limit policy with the same resource, consumer and consumer_selector already exists.',
  errorCode: 'rate_limit_policy_conflict',
};

/** RFC 3339 with up to six digits of a second, trailing zeros dropped (public facts 1.3). */
function timestamp(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}

const unknownCursor: RouteResponse = {
  status: 400,
  message: "Query validation error: 'Not a cursor of this listing' on property from.",
  errorCode: 'invalid_query_string',
};

/** Filters combine with AND. */
function isSelected(
  policy: LivePolicy,
  query: Pick<ListPoliciesQuery, 'resource' | 'consumer' | 'consumer_selector'>,
): boolean {
  const filters = [
    [query.resource, policy.resource],
    [query.consumer, policy.consumer],
    [query.consumer_selector, policy.consumer_selector],
  ];
  return filters.every(([wanted, found]) => wanted === undefined || wanted === found);
}

function writeCursor(id: string): string {
  return Buffer.from(`${checksum(id)}${id}`).toString('base64url');
}

function readCursor(cursor: string): string | null {
  const text = Buffer.from(cursor, 'base64url').toString();
  const id = text.slice(checksumLength);
  return writeCursor(id) === cursor ? id : null;
}

const checksumLength = 16;

function checksum(id: string): string {
  return createHash('sha256').update(`rate_limit_policies ${id}`).digest('base64url').slice(0, checksumLength);
}
