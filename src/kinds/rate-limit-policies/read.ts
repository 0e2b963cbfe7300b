import type { AgainAsk, ReadAsk, Reading } from '../../model/kind.ts';
import type { OwnClient } from '../../model/own-client.ts';
import { type LiveState, liveState, mergedState, type Reader, readById } from '../../model/reader.ts';
import { operations } from '../../service/rate-limit-policies/operations.ts';
import { shapes } from '../../service/rate-limit-policies/shapes.generated.ts';
import type { ListPoliciesQuery, LivePolicy, Policy } from '../../service/rate-limit-policies/types.generated.ts';
import { chainsOf, clientKey, clientSelector, fallbacksOf, partsOf, policyKey } from './precedence.ts';

export const reading: Reading<Policy, LivePolicy> = {
  operations: [operations.list],
  each: false,
  single: 'key',
  read,
  readAgain,
};

/** More policies than this are found in the complete list, however long it may be. */
const mostKeys = 50;

/**
 * All policies; given a few complete keys, only those of these identities, by the filters of the listing (service
 * specification 4.1), and beside them what may apply instead of one of them to a client of this tool, or to any client if
 * it is to be deleted.
 */
async function read(
  reader: Reader,
  { only, ids = new Map(), pages = mostKeys, own = [], watched = [] }: ReadAsk<Policy>,
): Promise<LiveState<LivePolicy>> {
  const deleting = watched.flatMap(({ action, key }) => (action === 'delete' ? [key] : []));
  const beside = only === null ? [] : keysBeside(only, own, deleting);
  const isLong = only === null || only.length + beside.length > Math.max(1, pages);
  // A request would repeat the id, and so would --debug.
  const unnamed = own.flatMap(({ id, name }) => (id === name ? [] : [clientSelector(`client_id:${id}`)]));
  const isNamed = beside.every((key) => !unnamed.includes(partsOf(key).selector));
  if (isLong || !isNamed || only.some((key) => filtersOf(key) === null))
    return liveState(await reader.list(operations.list, {}), false);
  const [states, others] = await Promise.all([
    Promise.all(only.map((key) => readOne(reader, key, ids.get(key)))),
    Promise.all(beside.map((key) => readOne(reader, key, undefined))),
  ]);
  const complete = [...states, ...others].find((live) => !live.readable || !live.filtered);
  const items = others.flatMap((live) => (live.readable ? live.items : []));
  return complete ?? { ...states.reduce(joined), ...(items.length > 0 && { beside: items }) };
}

/** The other policies of which one may apply, where one of them is read. */
function keysBeside(
  only: readonly string[],
  own: readonly OwnClient[],
  deleting: readonly string[],
): readonly string[] {
  const asked = only.map(clientKey);
  const keys = chainsOf(own, only).flatMap((chain) =>
    chain.keys.some((key) => asked.includes(key)) ? chain.keys : [],
  );
  return [...new Set([...keys, ...deleting.flatMap((key) => fallbacksOf(key) ?? [])])].filter(
    (key) => !only.includes(key) && filtersOf(key) !== null,
  );
}

/**
 * A policy that was there before and is not found by the filters is read by its id: it may have another identity now, or
 * the filters may find it later. Without an id, all policies are read.
 */
async function readOne(reader: Reader, key: string, id: string | null | undefined): Promise<LiveState<LivePolicy>> {
  const listing = await reader.list(operations.list, filtersOf(key) ?? {});
  const isFound = !listing.ok || listing.items.some((policy) => policyKey(policy) === key);
  if (isFound || id === undefined) return liveState(listing, true);
  if (id === null) return liveState(await reader.list(operations.list, {}), false);
  return liveState(await readById(reader, operations.get, id), true);
}

/** What was read of two identities. A service that ignores the filters returns a policy twice. */
function joined(one: LiveState<LivePolicy>, other: LiveState<LivePolicy>): LiveState<LivePolicy> {
  if (!one.readable || !other.readable) return one.readable ? other : one;
  const ids = new Set(one.items.map(({ id }) => id));
  return {
    ...one,
    items: [...one.items, ...other.items.filter(({ id }) => !ids.has(id))],
    pages: Math.max(one.pages ?? 1, other.pages ?? 1),
    odd: new Map([...(one.odd ?? []), ...(other.odd ?? [])]),
  };
}

/** One request for each identity, if the complete list takes more. */
function readAgain(
  reader: Reader,
  { conclusions, before }: AgainAsk<Policy, LivePolicy>,
): Promise<LiveState<LivePolicy>> | null {
  const keys = new Set<string>();
  for (const { key } of conclusions) {
    keys.add(key);
    if (keys.size >= (before.pages ?? 1)) return null;
  }
  const filters = [...keys].flatMap((key) => filtersOf(key) ?? []);
  if (filters.length < keys.size) return null;
  const listings = Promise.all(filters.map((filter) => reader.list(operations.list, filter)));
  return listings.then((listed) => mergedState(before, listed, (policy) => keys.has(policyKey(policy))));
}

/** Null if the key cannot belong to a policy; then the complete list is read. */
function filtersOf(key: string): ListPoliciesQuery | null {
  const [resource, consumer, ...selector] = key.split('/');
  const query = { resource, consumer, consumer_selector: selector.join('/') };
  return shapes.listQuery.validate(query) ? query : null;
}
