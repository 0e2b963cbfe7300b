/**
 * Cursors are opaque to clients: the id of the last item of the page, with a checksum. A page starts behind that id in the order
 * of ids, so deletes and inserts between two pages neither skip nor repeat an item. The checksum refuses cursors that were not
 * issued here, and it needs no secret, so a cursor outlives a restart. Order and cursor are our choice: the service
 * specification is silent (2.2).
 */
import { createHash } from 'node:crypto';
import type { TenantAnswer, TenantPart, TenantRoute } from '../../model/tenant-part.ts';
import { deleteRateLimitPolicy, listRateLimitPolicies } from './operations.ts';
import type { DeletePolicyParams, ListPoliciesQuery, LivePolicy } from './types.generated.ts';

export const rateLimitPoliciesTenant: TenantPart<readonly LivePolicy[]> = {
  section: 'rate_limit_policies',
  open(section = [], tools) {
    const policies = tools.order(section);

    const list: TenantRoute<never, ListPoliciesQuery, never> = {
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

    const remove: TenantRoute<DeletePolicyParams, unknown, unknown> = {
      operation: deleteRateLimitPolicy,
      answer({ params }) {
        return policies.remove(params.id) ? { status: 204 } : { status: 404, message: 'The rate limit policy does not exist.' };
      },
    };

    return { routes: [list, remove], snapshot: () => policies.all };
  },
};

const unknownCursor: TenantAnswer = {
  status: 400,
  message: "Query validation error: 'Not a cursor of this listing' on property from.",
  errorCode: 'invalid_query_string',
};

/** Filters combine with AND. */
function isSelected(policy: LivePolicy, query: ListPoliciesQuery): boolean {
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
