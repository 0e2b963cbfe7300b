import type { DesiredItem, ReadAsk } from '../model/kind.ts';
import type { Elements, Listing, LiveParts, OddField } from '../model/reader.ts';
import type { Resource } from '../model/resource.ts';
import type { Doubt, DoubtsOf, Snapshot } from '../model/snapshot.ts';
import { memberOf } from '../values/json-pointer.ts';
import { isHeldByItem, openElements, withKeys } from './elements.ts';

/** The sets of a kind that have a reading of their own. */
export type Sets = readonly (readonly [string, Resource])[];

/** The sets that a declared item has, or must not have; one that is deleted loses what it has itself. */
export function declaredSets(sets: Sets, declared: DesiredItem<object> | undefined): Sets {
  if (declared === undefined || declared.state === 'unmanaged') return [];
  if (declared.state === 'absent') return sets.filter(([, set]) => isHeldByItem(set));
  const hasAbsent = ({ absent = '' }: Resource) =>
    ((memberOf(declared.value, absent) ?? []) as readonly unknown[]).length > 0;
  return sets.filter(([name, set]) => memberOf(declared.value, name) !== undefined || hasAbsent(set));
}

/** The item that has the sets, and how the files declare it, if they do. */
interface SetOwner {
  readonly id: string;
  readonly names: readonly string[];
  readonly declared: DesiredItem<object> | undefined;
}

/** One that cannot be read is a value. */
export async function readSets(
  snapshot: Snapshot,
  sets: Sets,
  owner: SetOwner,
  ask: ReadAsk<object>,
): Promise<{ readonly nested: LiveParts['nested']; readonly odd: readonly OddField[] }> {
  const read = async ([name, set]: Sets[number]) => {
    const { list } = set.operations;
    if (list === undefined) return [];
    const listing = await snapshot.list(list, {}, { id: owner.id }, setDoubts(name, set, owner, ask));
    const elements: Elements = listing.ok
      ? { readable: true, items: withKeys(set, listing.items as readonly object[]) }
      : { ...listing.why, ...(listing.gone && { gone: true }) };
    return [{ name, elements, odd: oddIn(name, listing) }];
  };
  const all = (await Promise.all(sets.map(read))).flat();
  return {
    nested: Object.fromEntries(all.map(({ name, elements }) => [name, elements])),
    odd: all.flatMap(({ odd }) => odd),
  };
}

/** Every odd field of any element, once. */
function oddIn(name: string, listing: Listing<unknown>): OddField[] {
  const all = listing.ok ? [...(listing.odd?.values() ?? [])].flat() : [];
  const fields = all.map(({ field, what }) => ({ field: `${name}[].${field}`, what }));
  return [...new Map(fields.map((one) => [one.field, one])).values()];
}

/** That elements are removed, and that some are gone. An add changes nothing if the item has the element. */
function setDoubts(
  name: string,
  set: Resource,
  { names: ownNames, declared: item }: SetOwner,
  { keep, watched = [], names }: ReadAsk<object>,
): DoubtsOf<unknown> | undefined {
  if (item === undefined) return undefined;
  const { key, state, value } = item;
  const { declaredBy, live } = openElements(set, names);
  const isKept = [key, ...ownNames].some((one) => keep.isProtected(one));
  const doubt = (what: Doubt['what'], element: string): Doubt => ({ name: key, what, ids: [element] });
  return (listed) => {
    const ids = new Set(withKeys(set, listed as readonly object[]).map((one) => live(one).id));
    const { wanted, unwanted } = declaredBy(value, name);
    const declared = wanted === null || keep.keepsParts ? null : new Set(wanted.map((one) => one.id));
    const absent = new Set(unwanted.map((one) => one.id));
    const isUnwanted = (one: string) => state === 'absent' || absent.has(one) || declared?.has(one) === false;
    const removed = watched.filter((action) => action.key === key && action.action === 'remove');
    const removedIds = removed.flatMap(({ before }) => declaredBy(before, name).wanted ?? []).map((one) => one.id);
    return [
      ...[...ids].filter((one) => !isKept && isUnwanted(one)).map((one) => doubt('unwanted', one)),
      ...removedIds.flatMap((one) => (ids.has(one) ? [] : doubt('gone', one))),
    ];
  };
}
