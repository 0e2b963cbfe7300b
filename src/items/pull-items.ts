// How live items are written into files, by the marks of their fields: see PullRules.
import type { Field, Fields } from '../model/field.ts';
import type {
  DesiredItem,
  KeepRules,
  LeftAlone,
  NewFile,
  NewNames,
  Pulled,
  PullReading,
  PullRules,
  Reading,
} from '../model/kind.ts';
import { type Names, noNames } from '../model/names.ts';
import type { LiveParts } from '../model/reader.ts';
import type { KindDescription } from '../model/resource.ts';
import { groupBy } from '../values/group-by.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { isFileText } from '../values/line-ends.ts';
import { memoizedByObject } from '../values/memoized.ts';
import { adoptedObject } from './adopted-values.ts';
import { withAll } from './all-elements.ts';
import { changesOf } from './compare.ts';
import { isDeclaredById, keyByIds, openKeys } from './keys.ts';
import { listKeys, valuesIn, withSets } from './members.ts';
import { newObject, type Pulling, type ResponsePath } from './new-values.ts';
import { elementsNamed, namedElements, namingFields } from './own-elements.ts';
import { inFiles } from './references.ts';
import { countedIn, reservedItems } from './reserved-items.ts';
import { secretsIn } from './secret-places.ts';
import {
  compareElements,
  elementKey,
  likeWritten,
  type SetElement,
  type ShortSet,
  shortForm,
  shortLists,
  writtenElements,
} from './short-sets.ts';

type Item = Readonly<Record<string, unknown>>;
type Listed = Omit<KindDescription, 'title' | 'undeclared' | 'operations'>;

interface PullHooks<Live> extends Pick<Pulling, 'isSame'> {
  /** Default: the key. */
  readonly protectedAs?: ((item: Live) => string) | undefined;
  /** Reads the items with their sets; for a kind that has sets with a reading of their own. */
  readonly reading?: Reading<object, Live>;
}

/** How the items of a list are pulled. */
export function pullItems<Live extends object>(
  description: Listed,
  { isSame, protectedAs, reading }: PullHooks<Live>,
): PullRules<object, Live> {
  const { name, at, key, id, unique, byId, resources, noun } = description;
  const shorts = [...shortLists(description)].filter(([list]) => list in resources);
  const fields = only((field) => !shorts.some(([list]) => list === field), withSets(description, true));
  const write = openWriting(fields, isSame);
  const lists = Object.keys(resources).filter((set) => resources[set]?.operations.list !== undefined);
  const keys = listKeys(fields);
  const idOf = (item: object) => String(memberOf(item, id));
  const named = namedElements(description);

  const open = memoizedByObject(({ items, live, undeclared, names }: PullReading<Live>) => {
    const population = { items, live: live.items, names };
    const keyOf = openKeys<Live>(description, population);
    const reserved = reservedItems(description, population, keyOf);
    const reservedIds = new Set([...reserved.keys()].map(idOf));
    return {
      reserved,
      reservedIds,
      keyOf: (item: Live) => (reservedIds.has(idOf(item)) ? null : keyOf(item) || null),
      /** A live item with its sets, and how it is written: without the sets that were not read. */
      complete(item: Live, newNames: NewNames) {
        const { others = [], nested = {} } = live.more?.get(item) ?? undeclared.more?.get(item) ?? {};
        const unread = lists.filter((list) => nested[list]?.readable !== true);
        // Without their keys, elements cannot be named.
        const unnamed = unread.filter((list) => elementsNamed(fields, item, list).length > 0);
        const closed = new Set([...unread, ...unnamed.flatMap((list) => Object.keys(namingFields(fields, list)))]);
        const writing =
          unread.length === 0
            ? write
            : openWriting(
                only((field) => !closed.has(field), fields),
                isSame,
              );
        const about: About = { key: keyOf(item), names, newNames, others };
        const elements = shorts.flatMap(([list, short]) => {
          const read = nested[list];
          return read?.readable ? [{ list, short, live: read.items as readonly SetElement[] }] : [];
        });
        return { about, live: withElements(named(item, nested), resources, nested), writing, elements };
      },
    };
  });
  return {
    form: at === 'single' ? at : 'list',
    keyOf: (item, read = nothingRead) => open(read).keyOf(item),
    declare(item, newNames, read = nothingRead) {
      const { live, about, writing, elements } = open(read).complete(item, newNames);
      const pulled = withShort(writing.declare(live, about), elements);
      if (!('written' in pulled) || about.key !== keyByIds(description, item)) return pulled;
      // Of several items with one key, each is named by its id, or names others by theirs.
      if (byId) {
        const own = Object.entries(pulled.written).filter(([field]) => !key.includes(field));
        return { ...pulled, written: { id: idOf(item), ...Object.fromEntries(own) } };
      }
      if (unique === false) return { ...pulled, written: { id: idOf(item), ...pulled.written } };
      const byIds = key.flatMap((field) =>
        fields[field]?.ref === undefined ? [] : [[field, inFiles(fields[field], memberOf(live, field), noNames)]],
      );
      return { ...pulled, written: { ...pulled.written, ...Object.fromEntries(byIds) } };
    },
    adopt(written, item, newNames, read = nothingRead) {
      const { live, about, writing, elements } = open(read).complete(item, newNames);
      const pulled = writing.adopt(withAll(description, written, live), live, about);
      return 'written' in pulled ? adoptedShort(description, pulled, written as Item, elements) : pulled;
    },
    ...(byId && {
      isLike: (missing, item, read = nothingRead) => {
        const { live, elements } = open(read).complete(item, noSecrets);
        return isLike(description, missing, live, elements);
      },
    }),
    leftAlone(read) {
      const { reserved, reservedIds } = open(read);
      const counted = countedIn(reserved, noun).map((message) => ({ message }));
      const idIn = (item: Live) => (reservedIds.has(idOf(item)) ? null : idOf(item));
      return [...counted, ...unreadSets(read, noun, idIn)];
    },
    ...(reading && {
      readUndeclared: (snapshot, { source }, names) =>
        reading.read(snapshot, { desired: { items: [], source }, names, only: null, keep: keepAll, everything: true }),
    }),
    secrets: (written) => secretsIn(fields, written).map(({ place }) => place.pointer),
    files: (written, key) => newFiles(fields, written, `${name.replaceAll('_', '-')}/${key.replaceAll('/', '-')}`),
    partName: (part) => keys.map((one) => memberOf(part, one)).find((one) => typeof one === 'string'),
    ...(protectedAs && { protectAs: protectedAs }),
  };
}

interface ReadElements {
  readonly list: string;
  readonly short: ShortSet;
  readonly live: readonly SetElement[];
}

/** A new item with its elements by one field of theirs. */
function withShort(pulled: Pulled<object>, elements: readonly ReadElements[]): Pulled<object> {
  if (!('written' in pulled)) return pulled;
  const sets = elements.map(({ list, short, live }) => [list, shortForm(short, live)]);
  return { ...pulled, written: { ...pulled.written, ...Object.fromEntries(sets) } };
}

/**
 * A written item with the elements of the live one, as they are written. What must not be there is a rule, so the item keeps it,
 * and what it removes is not declared.
 */
function adoptedShort(
  { resources, fields, creates, noun }: Pick<KindDescription, 'resources' | 'fields' | 'creates' | 'noun'>,
  pulled: Pulled<object> & { readonly written: object },
  written: Item,
  elements: readonly ReadElements[],
): Pulled<object> {
  const policy: string[] = [];
  const sets = elements.map(({ list, short, live }): readonly [string, unknown] => {
    const keyOf = elementKey(short);
    const keysIn = (name: string) =>
      new Set(writtenElements(name, short, written[name] ?? []).map(({ element }) => keyOf(element)));
    const { absent = '' } = resources[list] ?? {};
    const [wanted, unwanted] = [keysIn(list), keysIn(absent)];
    const isUnwanted = (element: SetElement) => unwanted.has(keyOf(element));
    for (const { [short.other]: name, [short.by]: owner } of live.filter(isUnwanted).sort(compareElements(short)))
      policy.push(`the ${noun.one} has ${name} of ${owner}, which ${absent} removes`);
    const kept = live.filter((element) => !isUnwanted(element));
    const isEqual = kept.length === wanted.size && kept.every((element) => wanted.has(keyOf(element)));
    return [list, isEqual ? written[list] : likeWritten(short, written[list] ?? [], kept)];
  });
  const found = new Map(sets);
  const own = pulled.written as Item;
  const value = (name: string) => {
    if (written[name] !== undefined && found.has(name)) return found.get(name);
    // An item without fields is not created.
    return creates === 'fields' && !(name in own) ? fields[name]?.none : own[name];
  };
  const all = Object.keys({ ...written, ...own }).flatMap((name) =>
    value(name) === undefined ? [] : [[name, value(name)]],
  );
  return { ...pulled, written: Object.fromEntries(all), ...(policy.length > 0 && { policy }) };
}

const noSecrets: NewNames = { secret: () => '' };

/** Whether a declared item is as a live one, about which something special is declared: otherwise it is like many others. */
function isLike(
  description: Listed,
  { value, ...item }: DesiredItem,
  live: Item,
  elements: readonly ReadElements[],
): boolean {
  if (isDeclaredById(description, { ...item, value })) return false;
  const { key, fields } = description;
  const own = only((name) => !key.includes(name), fields);
  const isSpecial = ([name, field]: [string, Field]) => (memberOf(value, name) ?? field.none) !== field.none;
  const listed = elements.map(({ list, short, live: held }) => {
    const wanted = memberOf(value, list) as readonly SetElement[] | undefined;
    const keys = new Set(held.map(elementKey(short)));
    const isSame = wanted?.length === keys.size && wanted.every((element) => keys.has(elementKey(short)(element)));
    return { isSpecial: (wanted ?? []).length > 0, isSame: wanted === undefined || isSame };
  });
  const isAny = Object.entries(own).some(isSpecial) || listed.some((set) => set.isSpecial);
  return isAny && listed.every((set) => set.isSame) && changesOf(own, value as object, live).length === 0;
}

function only(isKept: (field: string) => boolean, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)));
}

const nothing = { readable: true, filtered: false, items: [] } as const;

/** For items that depend on nothing else. */
export const nothingRead = { items: [], live: nothing, undeclared: nothing, names: noNames } as const;

/** A pull deletes nothing. */
const keepAll: KeepRules = { undeclared: 'ignore', keepsParts: true, patterns: [], isProtected: () => true };

/** A live item with its sets in the place where files have them; one that could not be read is absent. */
function withElements(item: object, resources: KindDescription['resources'], nested: LiveParts['nested']): Item {
  const sets = Object.entries(nested).flatMap(([name, elements]) => {
    const { scalar } = resources[name] ?? {};
    if (!elements.readable) return [];
    return [[name, scalar === undefined ? elements.items : elements.items.map((one) => memberOf(one, scalar))]];
  });
  return { ...item, ...Object.fromEntries(sets) };
}

/** What could not be read of some items: `clients of 3 connections`. `idOf`: null for an item that does not matter. */
function unreadSets<Live extends object>(
  { live, undeclared }: PullReading<Live>,
  noun: KindDescription['noun'],
  idOf: (item: Live) => string | null,
): LeftAlone[] {
  const unread = [...(live.more ?? []), ...(undeclared.more ?? [])].flatMap(([item, { nested }]) =>
    Object.entries(nested).flatMap(([name, elements]) =>
      elements.readable || idOf(item) === null ? [] : [{ name, id: idOf(item), why: elements }],
    ),
  );
  return [...groupBy(unread, ({ name, why }) => `${name} ${why.message}`).values()].flatMap((same) => {
    const [first] = same;
    const count = new Set(same.map(({ id }) => id)).size;
    if (first === undefined) return [];
    const of = `${count} ${count === 1 ? noun.one : noun.many}`;
    return [{ message: `${first.name} of ${of} could not be read: ${first.why.message}`, why: first.why }];
  });
}

/** What is known of a live item beside its fields. */
interface About {
  readonly key: string;
  readonly names: Names;
  readonly newNames: NewNames;
  readonly others: readonly string[];
}

/** How objects with these fields are written; items of a list, or one single. */
export function openWriting(fields: Fields, isSame?: Pulling['isSame']) {
  const secrets = groupBy(secretNames(fields), (name) => name);
  const pulled = ({ key, names, newNames, others }: About, write: (pulling: Pulling) => object): Pulled<object> => {
    const problems: string[] = [];
    const notes: string[] = [];
    // A name that another secret of the item has as well says too little.
    const secret = (at: ResponsePath) =>
      newNames.secret(key, ...at.slice(secrets.get(String(at.at(-1)))?.length === 1 ? -1 : -2).map(String));
    const written = write({ isSame, names, others, secret, problems, notes });
    const [inexpressible] = problems;
    return inexpressible === undefined ? { written, ...(notes.length > 0 && { notes }) } : { inexpressible };
  };
  return {
    declare: (live: object, about: About) => pulled(about, (pulling) => newObject(pulling, fields, live as Item, [])),
    adopt: (written: object, live: object, about: About) =>
      pulled(about, (pulling) => adoptedObject(pulling, fields, written as Item, live as Item)),
  };
}

/** Of every secret that an item can have, the name; of several forms of an object, it has one. */
function secretNames(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, { secret, fields: below = {}, forms, items }]) => [
    ...(secret === undefined ? [] : [name]),
    ...secretNames(below),
    ...new Set(Object.values(forms?.of ?? {}).flatMap(secretNames)),
    ...secretNames({ ...(items && { [name]: items }) }),
  ]);
}

/** Texts get a file of their own, but for those that no file can have. */
function newFiles(fields: Fields, written: object, folder: string): NewFile[] {
  const isNew = ({ file }: Field, value: unknown) =>
    file !== undefined && typeof value === 'string' && value !== '' && isFileText(value);
  return valuesIn(fields, written)
    .filter(({ field, value }) => isNew(field, value))
    .map(({ field, path }) => ({ pointer: jsonPointer(...path), path: `${folder}/${path.at(-1)}.${field.file}` }));
}
