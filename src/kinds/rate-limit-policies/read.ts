import type { AgainAsk, ReadAsk, Reading } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { type LiveState, liveState, mergedState, type Reader, readById } from '../../model/reader.ts';
import { getRateLimitPolicy, listRateLimitPolicies } from '../../resources/rate-limit-policies/operations.ts';
import type { ListPoliciesQuery, LivePolicy, Policy } from '../../resources/rate-limit-policies/types.generated.ts';
import { configurationText } from './describe.ts';
import { policyKey } from './policy-key.ts';

export const reading: Reading<Policy, LivePolicy> = {
  operations: [listRateLimitPolicies],
  each: false,
  single: 'key',
  read,
  readAgain,
};

/**
 * All policies; given a complete key, only those of that identity, by the filters of the listing (service specification
 * 4.1). A policy that was there before and is not found by the filters is read by its id: it may have another identity
 * now, or the filters may find it later.
 */
async function read(
  reader: Reader,
  { only, onlyId, wasThere = false }: ReadAsk<Policy>,
): Promise<LiveState<LivePolicy>> {
  const filters = only === null ? null : filtersOf(only);
  const listing = await reader.list(listRateLimitPolicies, filters ?? {});
  const isFound = !listing.ok || listing.items.some((policy) => policyKey(policy) === only);
  if (filters === null || isFound || !wasThere) return liveState(listing, filters !== null);
  if (onlyId === undefined) return liveState(await reader.list(listRateLimitPolicies, {}), false);
  return liveState(await readById(reader, getRateLimitPolicy, onlyId), true);
}

/** One request for each identity, if the complete list takes more. */
function readAgain(
  reader: Reader,
  { conclusions, before }: AgainAsk<Policy, LivePolicy>,
): Promise<LiveState<LivePolicy>> | null {
  const keys = new Set(conclusions.map(({ key }) => key));
  if (keys.size >= (before.pages ?? 1)) return null;
  const filters = [...keys].flatMap((key) => filtersOf(key) ?? []);
  if (filters.length < keys.size) return null;
  const listings = Promise.all(filters.map((filter) => reader.list(listRateLimitPolicies, filter)));
  return listings.then((listed) => mergedState(before, listed, (policy) => keys.has(policyKey(policy))));
}

/** Null if the key cannot belong to a policy; then the complete list is read. */
function filtersOf(key: string): ListPoliciesQuery | null {
  const [resource, consumer, ...selector] = key.split('/');
  const query = { resource, consumer, consumer_selector: selector.join('/') };
  return listRateLimitPolicies.query?.validate(query) ? query : null;
}

/** After a 409: the live policy with the identity, created after the plan was read. */
export async function readBack(reader: Reader): Promise<(action: Action) => string | null> {
  const listing = await reader.list(listRateLimitPolicies, {});
  const byKey = new Map(listing.ok ? listing.items.map((policy) => [policyKey(policy), policy]) : []);
  return ({ key }) => {
    const holder = byKey.get(key);
    return holder === undefined
      ? null
      : `this identity is now used by ${holder.id}: ${configurationText(holder.configuration)}`;
  };
}
