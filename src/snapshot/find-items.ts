import { type GetOperation, type ItemParams, idProblem } from '../model/operation.ts';
import type { Listed, Listing, OddFields, Reading } from '../model/reader.ts';
import type { Doubt, Found, ItemSource, Wanted } from '../model/snapshot.ts';
import { memberOf } from '../values/json-pointer.ts';
import { type Confirm, unclear } from './passes.ts';

/** More items than this are found in the complete list, however long it may be. */
const mostSingle = 50;

/** What the items of one kind are read with. `listAgain` and `getAgain` use nothing that was read before. */
interface Readings<Item> {
  /** Pages of the complete list; null if it was not read yet. */
  readonly pages: number | null;
  list(query: object, confirm?: Confirm<Item>): Promise<Listing<Item>>;
  listAgain(query: object): Promise<Listing<Item>>;
  get(operation: GetOperation<ItemParams, Item>, id: string): Promise<Reading<Item>>;
  getAgain(operation: GetOperation<ItemParams, Item>, id: string): Promise<Reading<Item>>;
}

/**
 * The wanted items, by the complete list or one by one, whichever takes fewer requests. Only the list proves that a name does
 * not exist, unless the filter of the service is exact.
 */
export async function findItems<Item>(
  source: ItemSource<Item>,
  wanted: Wanted<Item>,
  readings: Readings<Item>,
): Promise<Found<Item>> {
  const { names, others = [], ids = [], isLong = true, listFirst = false } = wanted;
  const requests = names === null ? Number.POSITIVE_INFINITY : names.length + others.length + ids.length;
  if (requests === 0) return { ok: true, items: [], isComplete: false };
  const pages = readings.pages ?? (isLong ? mostSingle : 0);
  const isExact = source.isFilterExact === true || source.filterOf === undefined;
  if (!listFirst && (requests < pages || (isExact && requests === pages))) {
    const found = await findEach(source, wanted, readings);
    if (found !== null) return found;
  }
  const listing = await readings.list(source.query ?? {}, (read, doubts) => confirmed(source, readings, read, doubts));
  if (!listing.ok) {
    // Others change the list all the time: what is known by its id can still be read.
    const found = listing.restless && names !== null ? await findEach(source, wanted, readings) : null;
    return found ?? listing;
  }
  // The list may be of some of the items, such as those of the tenant and not those of its organizations.
  const known = new Set(listing.items.map((item) => idOf(source.list, item)));
  const unlisted = { names: [], ids: ids.filter((id) => !known.has(id)) };
  const found = unlisted.ids.length === 0 ? null : await findEach(source, unlisted, readings);
  if (found?.ok === false) return found;
  const items = found === null ? listing.items : [...listing.items, ...found.items];
  return { ...listing, items, isComplete: true };
}

/** Null if that does not show every wanted item, or that there is none. */
async function findEach<Item>(
  { filterOf, get, isFilterExact = false, nameOf, list }: ItemSource<Item>,
  { names, others = [], ids = [], before = new Map() }: Wanted<Item>,
  readings: Readings<Item>,
): Promise<Found<Item> | null> {
  const byId = async (id: string): Promise<Listing<Item> | null> =>
    get === undefined || idProblem(get, id) !== null ? null : listOfOne({ get, list }, id, await readings.get(get, id));
  const byName = async (name: string, isOther: boolean): Promise<Listing<Item> | null> => {
    const filter = filterOf?.(name) ?? null;
    const listing = filter === null ? null : await readings.list(filter);
    if (listing?.ok === false) return listing;
    const found = listing?.items.filter((item) => nameOf(item) === name) ?? [];
    if (listing !== null && (found.length > 0 || isOther)) return { ...listing, items: found };
    const wasThere = before.has(name);
    if (listing !== null && isFilterExact && !wasThere) return { ...listing, items: [] };
    const id = before.get(name) ?? null;
    return id === null ? null : byId(id);
  };
  const reads = await Promise.all([
    ...(names ?? []).map((name) => byName(name, false)),
    ...others.map((name) => byName(name, true)),
    ...ids.map(byId),
  ]);
  const joined = new Map<unknown, Item>();
  const odd = new Map<Item, NonNullable<ReturnType<OddFields<Item>['get']>>>();
  for (const read of reads) {
    if (read === null) return null;
    if (!read.ok) return read;
    for (const item of read.items) joined.set(idOf(list, item), item);
    for (const [item, fields] of read.odd ?? []) odd.set(item, fields);
  }
  return { ok: true, items: [...joined.values()], isComplete: false, ...(odd.size > 0 && { odd }) };
}

/** An item by its id as a list; empty if the service responds that there is none. */
function listOfOne<Item>(
  { get, list }: Required<Pick<ItemSource<Item>, 'get' | 'list'>>,
  id: string,
  read: Reading<Item>,
): Listing<Item> {
  if (!read.ok) return read.gone ? { ok: true, items: [] } : read;
  if (idOf(list, read.value) !== id) return unclear(`${get.id}: the response to a request for ${id} has another id`);
  return { ok: true, items: [read.value], ...(read.odd !== undefined && { odd: new Map([[read.value, read.odd]]) }) };
}

function idOf<Item>({ paging }: Pick<ItemSource<Item>['list'], 'paging'>, item: Item): unknown {
  return memberOf(item, paging.identity[0] ?? '');
}

/** One request for each name or id that is doubtful, if the complete list takes more. */
function confirmed<Item>(
  { filterOf, get, isFilterExact, nameOf, list }: ItemSource<Item>,
  readings: Readings<Item>,
  read: Listed<Item>,
  doubts: Iterable<Doubt>,
): Promise<Listing<Item>> | null {
  const pages = read.pages ?? 1;
  const filters = new Map<string, object>();
  const ids = new Set<string>();
  for (const { name, what, ids: liveIds } of doubts) {
    const filter = isFilterExact ? (filterOf?.(name) ?? null) : null;
    if (filter !== null) filters.set(name, filter);
    else if (what === 'missing' || get === undefined || liveIds.some((id) => idProblem(get, id) !== null)) return null;
    else for (const id of liveIds) ids.add(id);
    if (filters.size + ids.size >= pages) return null;
  }
  const isReplaced = (item: Item) => filters.has(nameOf(item)) || ids.has(String(idOf(list, item)));
  const byId = async (id: string): Promise<Listing<Item>> =>
    get === undefined ? read : listOfOne({ get, list }, id, await readings.getAgain(get, id));
  const again = Promise.all([...[...filters.values()].map(readings.listAgain), ...[...ids].map(byId)]);
  return again.then((listings) => merged(read, listings, isReplaced));
}

/**
 * What was read before, with all items that `isReplaced` names replaced by what was read of them now. Other items are
 * ignored: a service may return more than it was asked for.
 */
function merged<Item>(
  before: Listed<Item>,
  now: readonly Listing<Item>[],
  isReplaced: (item: Item) => boolean,
): Listing<Item> {
  const items = before.items.filter((item) => !isReplaced(item));
  const odd = new Map([...(before.odd ?? [])].filter(([item]) => !isReplaced(item)));
  for (const listing of now) {
    if (!listing.ok) return listing;
    items.push(...listing.items.filter(isReplaced));
    for (const [item, fields] of listing.odd ?? []) if (isReplaced(item)) odd.set(item, fields);
  }
  const { odd: _odd, ...rest } = before;
  return { ...rest, items, ...(odd.size > 0 && { odd }) };
}
