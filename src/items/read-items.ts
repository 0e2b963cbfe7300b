import type { DesiredItem, ReadAsk, Reading } from '../model/kind.ts';
import type { ListOperation } from '../model/operation.ts';
import type { LiveParts, LiveState } from '../model/reader.ts';
import type { KindDescription, Resource } from '../model/resource.ts';
import type { ItemSource, Snapshot, Wanted } from '../model/snapshot.ts';
import { itemDoubts } from '../snapshot/item-doubts.ts';
import { groupBy } from '../values/group-by.ts';
import { memberOf } from '../values/json-pointer.ts';
import { fits } from './fits.ts';
import { declaresFields, isDeclaredById, openKeys } from './keys.ts';
import { elementsNamed, namingFields } from './own-elements.ts';
import { openProjection, unknownIn } from './project.ts';
import { declaredSets, readSets } from './read-sets.ts';

/** Whether an item may be deleted that the files do not declare, or declare absent. */
type MayDelete<Live> = (live: Live, isDeclared: boolean, ask: ReadAsk<object>) => boolean;

/** How items of a list are read: every item, or a few by their ids and names, and the sets that the files declare of them. */
export function readItems<Live extends object>(
  description: KindDescription,
  list: ListOperation<unknown, Live>,
  mayDelete: MayDelete<Live>,
): Reading<object, Live> {
  const { operations, resources, id, byId = false, skip = [] } = description;
  const { get } = operations;
  const { selects, byName } = list;
  const project = openProjection(description);
  const sets = Object.entries(resources).filter(([, { operations: own }]) => own.list !== undefined);
  // Elements that an item has to name are worth a request only where it names any.
  const naming = new Map(sets.map(([name]) => [name, namingFields(description.fields, name)]));
  const mayHave = (item: Live, set: string) => {
    const fields = naming.get(set) ?? {};
    return Object.keys(fields).length === 0 || elementsNamed(fields, item, set).length > 0;
  };
  const isSkipped = (item: Live) => skip.some((rule) => fits(rule, item, description, undefined));
  const { byId: _byId, ...byKey } = description;
  const plainKey = openKeys<Live>(byKey, { items: [], live: [] });
  const source: ItemSource<Live> = {
    list,
    ...(selects && { query: selects }),
    ...(get && { get }),
    ...(byName !== undefined && { filterOf: (name: string) => ({ ...selects, [byName]: name }) }),
    nameOf: (item) => (byId && isSkipped(item) ? '' : plainKey(item)),
  };
  return {
    operations: [list, ...(byId ? sets.flatMap(([, { operations: own }]) => own.list ?? []) : [])],
    ...(sets.length > 0 && !byId && { optional: sets.flatMap(([, { operations: own }]) => own.list ?? []) }),
    source,
    each: byId,
    read: async (snapshot, ask): Promise<LiveState<Live>> => {
      const { before = new Map(), desired, names } = ask;
      const keys = openKeys<Live>(description, { items: desired.items, live: [], names });
      const wanted = byId ? wantedByName(description, ask) : wantedItems(ask);
      const nameOf = byId ? source.nameOf : keys;
      const doubtsOf = itemDoubts({ list, nameOf }, ask, {
        ...(byId && { namesOf: ({ value }) => namesIn(description, value) }),
        mayDelete: (live, isDeclared) => mayDelete(live, isDeclared, ask),
      });
      const found = await snapshot.find({ ...source, nameOf }, { ...wanted, before, doubtsOf });
      if (!found.ok) return found.why;
      const odd = new Map<Live, NonNullable<ReturnType<NonNullable<typeof found.odd>['get']>>>();
      const more = new Map<Live, LiveParts>();
      const known = new Set(wanted.unread === undefined ? [] : found.items.map((item) => memberOf(item, id)));
      // Of a kind without sets, a list can have 100,000 items.
      const declaredAs = sets.length === 0 ? null : matched(desired.items, groupBy(found.items, keys));
      const unread = new Set(
        (wanted.unread ?? []).filter((one) => !known.has(one)).map((one) => ({ [id]: one }) as Live),
      );
      const items = await Promise.all(
        [...found.items, ...unread].map(async (raw): Promise<Live | null> => {
          const { item, others, odd: inside } = project?.(raw) ?? { item: raw, others: [], odd: [] };
          const own = declaredAs?.get(keys(item));
          const wantedSets = ask.everything ? sets.filter(([name]) => mayHave(item, name)) : declaredSets(sets, own);
          const itemId = String(memberOf(item, id));
          const about = { id: itemId, names: [itemId, ...namesIn(description, item)], declared: own };
          const { nested, odd: ofSets } = await readSets(snapshot, wantedSets, about, ask);
          // Of an item that was not read, only its sets show that it is there.
          if (unread.has(raw) && Object.values(nested).some((set) => !set.readable && set.gone)) return null;
          const fields = [...(found.odd?.get(raw) ?? []), ...inside, ...ofSets];
          if (fields.length > 0) odd.set(item, fields);
          const all = [...others, ...unknownIn(fields)];
          if (all.length > 0 || Object.keys(nested).length > 0) more.set(item, { others: all, nested });
          return item;
        }),
      );
      return {
        readable: true,
        filtered:
          !found.isComplete &&
          (!byId || wanted.names === null || wanted.names.length + (wanted.others ?? []).length > 0),
        items: items.filter((item) => item !== null),
        ...(byId && !found.isComplete && { isPart: true }),
        ...(odd.size > 0 && { odd }),
        ...(more.size > 0 && { more }),
      };
    },
  };
}

/** The declared items by the key of the one live item that each is: of several, nothing is read. */
function matched(items: readonly DesiredItem<object>[], live: ReadonlyMap<string, readonly object[]>) {
  return new Map(
    items.flatMap((item) => {
      const keys = [item.key, item.renamedFrom ?? []].flat();
      const count = keys.reduce((sum, key) => sum + (live.get(key)?.length ?? 0), 0);
      return count > 1 ? [] : keys.map((key) => [key, item] as const);
    }),
  );
}

type WantedItems = Pick<Wanted<unknown>, 'names' | 'others' | 'ids' | 'isLong' | 'listFirst'> & {
  /** Ids of items of which nothing but their sets matters. */
  readonly unread?: readonly string[];
};

/** Without a filter, only what has an id is read by itself. */
function wantedItems({ only, before = new Map() }: ReadAsk<object>): WantedItems {
  return { names: only?.every((key) => before.get(key)) ? only : null };
}

/** The name that a declared item has or gets; none of one that is declared by its id alone. */
function namesIn({ key: [key = ''] }: KindDescription, value: object): string[] {
  const name = memberOf(value, key);
  return typeof name === 'string' ? [name] : [];
}

/**
 * Items that files can name by their ids. All are listed, unless undeclared ones are ignored and every item is declared by an id
 * that is enough: `protect` has no patterns, which may be names, and nothing but sets is declared. Of a few selected items, only
 * those of their names are listed.
 */
function wantedByName(description: KindDescription, ask: ReadAsk<object>): WantedItems {
  const { only, listed = false, keep, watched = [], everything = false } = ask;
  const items = ask.desired.items.filter(({ state }) => state !== 'unmanaged');
  const [withId, named] = [
    items.filter((one) => isDeclaredById(description, one)),
    items.filter((one) => !isDeclaredById(description, one)),
  ];
  const reports = keep.undeclared === 'report' && only === null && watched.length === 0;
  const protectsIds = keep.patterns.length > 0 && withId.length > 0;
  const needed = withId.filter((item) => item.state === 'absent' || protectsIds || declaresFields(description, item));
  const idOf = ({ value }: DesiredItem<object>) => String(memberOf(value, 'id'));
  return {
    names: everything || reports || protectsIds ? null : named.flatMap(({ value }) => namesIn(description, value)),
    // The service keeps two items from having one name.
    others: [
      ...named.flatMap(({ renamedFrom }) => renamedFrom ?? []),
      ...withId.flatMap(({ value }) => namesIn(description, value)),
    ],
    ids: needed.map(idOf),
    unread: withId.filter((item) => !needed.includes(item)).map(idOf),
    isLong: only !== null,
    listFirst: listed,
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
