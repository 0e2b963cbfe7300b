/**
 * Cursors are opaque to clients: the id of the last item of the page, with a checksum. A page starts behind that id in the order
 * of ids, so deletes and inserts between two pages neither skip nor repeat an item. The checksum refuses cursors that were not
 * issued here, and it needs no secret, so a cursor outlives a restart. Order and cursor are our choice: the service
 * specification is silent (2.2).
 */
import { createHash } from 'node:crypto';
import type { TenantAnswer, TenantPart, TenantRoute } from '../../model/tenant-resource.ts';
import {
  createRateLimitPolicy,
  deleteRateLimitPolicy,
  getRateLimitPolicy,
  listRateLimitPolicies,
  updateRateLimitPolicy,
} from './operations.ts';
import type {
  DeclaredPolicy,
  ListPoliciesQuery,
  LivePolicy,
  PatchPolicyBody,
  PolicyParams,
} from './types.generated.ts';

export const rateLimitPoliciesTenant: TenantPart<readonly LivePolicy[]> = {
  section: 'rate_limit_policies',
  open(section = [], tools) {
    const policies = tools.order(section);

    const list: TenantRoute<unknown, ListPoliciesQuery, never> = {
      operation: listRateLimitPolicies,
      answer({ query }) {
        const after = query.from === undefined ? null : readCursor(query.from);
        if (query.from !== undefined && after === null) return unknownCursor;
        const take = query.take ?? listRateLimitPolicies.paging.defaultTake;
        const page = policies.page(after === null ? null : { after }, take, (policy) => isSelected(policy, query));
        const last = page.items.at(-1);
        const next = last === undefined || page.following === null ? {} : { next: writeCursor(last.id) };
        return { status: 200, body: { rate_limit_policies: page.items, ...next } };
      },
    };

    const create: TenantRoute<never, never, DeclaredPolicy> = {
      operation: createRateLimitPolicy,
      answer({ body }) {
        if (policies.all.some((policy) => isSelected(policy, body))) return conflict;
        const now = timestamp(tools.now());
        const policy = { id: tools.newId('rlp', 7), ...body, created_at: now, updated_at: now };
        policies.put(policy);
        return { status: 201, body: policy };
      },
    };

    const get: TenantRoute<PolicyParams> = {
      operation: getRateLimitPolicy,
      answer({ params }) {
        const policy = policies.find(params.id);
        return policy === undefined ? missing : { status: 200, body: policy };
      },
    };

    const update: TenantRoute<PolicyParams, never, PatchPolicyBody> = {
      operation: updateRateLimitPolicy,
      answer({ params, body: { configuration } }) {
        const policy = policies.find(params.id);
        if (policy === undefined) return missing;
        const changed = { ...policy, configuration, updated_at: timestamp(tools.now()) };
        policies.put(changed);
        return { status: 200, body: changed };
      },
    };

    const remove: TenantRoute<PolicyParams> = {
      operation: deleteRateLimitPolicy,
      answer({ params }) {
        return policies.remove(params.id) ? { status: 204 } : missing;
      },
    };

    return { routes: [list, create, get, update, remove], snapshot: () => policies.all };
  },
};

const missing: TenantAnswer = { status: 404, message: 'The rate limit policy does not exist.' };

/** Its words are assumed; that the triple is unique is a public fact (1.4). */
const conflict: TenantAnswer = {
  status: 409,
  message: 'A rate limit policy with the same resource, consumer and consumer_selector already exists.',
  errorCode: 'rate_limit_policy_conflict',
};

/** RFC 3339 with up to six digits of a second, trailing zeros dropped (public facts 1.3). */
function timestamp(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}

const unknownCursor: TenantAnswer = {
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
