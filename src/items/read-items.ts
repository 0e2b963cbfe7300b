import type { DesiredItem, ReadAsk, Reading } from '../model/kind.ts';
import type { ListOperation } from '../model/operation.ts';
import type { Elements, LiveParts, LiveState } from '../model/reader.ts';
import type { KindDescription, Resource } from '../model/resource.ts';
import type { ItemSource, Snapshot } from '../model/snapshot.ts';
import { itemDoubts } from '../snapshot/item-doubts.ts';
import { memberOf } from '../values/json-pointer.ts';
import { openKeys } from './keys.ts';
import { openProjection, unknownIn } from './project.ts';

/** Whether an item may be deleted that the files do not declare, or declare absent. */
type MayDelete<Live> = (live: Live, isDeclared: boolean, ask: ReadAsk<object>) => boolean;

/** How items of a list are read: every item, or a few by their ids, and the sets that the files declare of them. */
export function readItems<Live extends object>(
  description: KindDescription,
  list: ListOperation<unknown, Live>,
  mayDelete: MayDelete<Live>,
): Reading<object, Live> {
  const { operations, resources, id } = description;
  const { get } = operations;
  const project = openProjection(description);
  const sets = Object.entries(resources).filter(([, { operations: own }]) => own.list !== undefined);
  const source: ItemSource<Live> = {
    list,
    ...(get && { get }),
    nameOf: openKeys<Live>(description, { items: [], live: [] }),
  };
  return {
    operations: [list],
    ...(sets.length > 0 && { optional: sets.flatMap(([, { operations: own }]) => own.list ?? []) }),
    source,
    each: false,
    read: async (snapshot, ask): Promise<LiveState<Live>> => {
      const { only, before = new Map(), desired, names } = ask;
      const nameOf = openKeys<Live>(description, { items: desired.items, live: [], names });
      const doubtsOf = itemDoubts({ list, nameOf }, ask, {
        mayDelete: (live, isDeclared) => mayDelete(live, isDeclared, ask),
      });
      // Without a filter, only what has an id is read by itself.
      const wanted = only?.every((key) => before.get(key)) ? only : null;
      const found = await snapshot.find({ ...source, nameOf }, { names: wanted, before, doubtsOf });
      if (!found.ok) return found.why;
      const odd = new Map<Live, NonNullable<ReturnType<NonNullable<typeof found.odd>['get']>>>();
      const more = new Map<Live, LiveParts>();
      const declared = new Map(desired.items.map((item) => [item.key, item]));
      const items = await Promise.all(
        found.items.map(async (raw) => {
          const { item, others, odd: inside } = project?.(raw) ?? { item: raw, others: [], odd: [] };
          const fields = [...(found.odd?.get(raw) ?? []), ...inside];
          if (fields.length > 0) odd.set(item, fields);
          const wantedSets = ask.everything ? sets : declaredSets(sets, declared.get(nameOf(item)));
          const nested = await readSets(snapshot, wantedSets, String(memberOf(item, id)));
          const all = [...others, ...unknownIn(fields)];
          if (all.length > 0 || Object.keys(nested).length > 0) more.set(item, { others: all, nested });
          return item;
        }),
      );
      return {
        readable: true,
        filtered: !found.isComplete,
        items,
        ...(odd.size > 0 && { odd }),
        ...(more.size > 0 && { more }),
      };
    },
  };
}

/** One that can be created is not there if the service itself responds with 404. */
export async function readSingle<Live extends object = object>(
  snapshot: Snapshot,
  single: Pick<Resource, 'id' | 'fields' | 'resources' | 'operations'>,
): Promise<LiveState<Live>> {
  const { get, create } = single.operations;
  if (get === undefined) return none;
  const found = await snapshot.get(get, {});
  if (!found.ok) return found.gone && create !== undefined ? none : found.why;
  const raw = found.value as Live;
  const { item, others } = openProjection(single)?.(raw) ?? { item: raw, others: [] };
  const all = [...others, ...unknownIn(found.odd)];
  return {
    readable: true,
    filtered: false,
    items: [item],
    ...(found.odd !== undefined && found.odd.length > 0 && { odd: new Map([[item, found.odd]]) }),
    ...(all.length > 0 && { more: new Map([[item, { others: all, nested: {} }]]) }),
  };
}

const none = { readable: true, filtered: false, items: [] } as const;

type Sets = readonly (readonly [string, Resource])[];

/** The sets that a declared item has. */
function declaredSets(sets: Sets, declared: DesiredItem<object> | undefined): Sets {
  if (declared?.state !== 'present') return [];
  return sets.filter(([name]) => memberOf(declared.value, name) !== undefined);
}

/** One that cannot be read is a value. */
async function readSets(snapshot: Snapshot, sets: Sets, id: string): Promise<LiveParts['nested']> {
  const read = async ([name, { operations }]: Sets[number]): Promise<[string, Elements][]> => {
    if (operations.list === undefined) return [];
    const listing = await snapshot.list(operations.list, {}, { id });
    return [[name, listing.ok ? { readable: true, items: listing.items as readonly object[] } : listing.why]];
  };
  return Object.fromEntries((await Promise.all(sets.map(read))).flat());
}
