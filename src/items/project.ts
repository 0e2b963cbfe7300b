import type { Field, Fields } from '../model/field.ts';
import type { LiveParts, OddField, OddFields } from '../model/reader.ts';
import type { Resource } from '../model/resource.ts';
import { isRecord } from '../values/is-record.ts';
import { fieldPath, jsonPointer } from '../values/json-pointer.ts';
import { hasField, membersOf, withSets } from './members.ts';

type Item = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/**
 * A live item as a plan may have it, JSON pointers of everything else in the response, and which of that is described and has
 * another form.
 */
export interface Projected<Live> {
  readonly item: Live;
  readonly others: readonly string[];
  readonly odd: readonly OddField[];
}

type Projecting = Pick<Resource, 'id' | 'fields' | 'resources' | 'skip' | 'writable'>;

/**
 * Ends secrets and what is not described: neither is in what a plan is made of. Fields have the names of the files. Null if no item
 * of these fields can have any, so that a list of 100,000 is not copied.
 *
 *   { client_id, client_secret: xyz, addons: { … } }  ->  { client_id }   others: [/client_secret, /addons]
 */
export function openProjection(resource: Projecting): (<Live extends object>(item: Live) => Projected<Live>) | null {
  const { id, skip = [], writable } = resource;
  const own = withSets(resource);
  const mayHide = Object.values(own).some((field) => hasField(field, hides));
  if (!mayHide) return null;
  const rules = [...skip, ...(writable === undefined ? [] : [writable])].flatMap(({ when }) => Object.keys(when));
  const fields = { ...Object.fromEntries([id, ...rules].map((name) => [name, {}])), ...own };
  return <Live extends object>(item: Live) => {
    const found: Found = { others: [], odd: [] };
    // A copy without some fields, each of which a live item may lack.
    return { item: withoutHidden(fields, item as Item, [], found) as Live, ...found };
  };
}

/** A schema of live items does not name what is never returned. */
function hides({ secret, forms, wire }: Field): boolean {
  return secret === 'clear' || secret === 'changed' || forms?.beside === true || wire !== undefined;
}

interface Found {
  readonly others: string[];
  readonly odd: OddField[];
}

function withoutHidden(fields: Fields, item: Item, path: Path, found: Found): Item {
  const names = new Map(Object.entries(fields).map(([name, { wire = name }]) => [wire, name]));
  const twins = new Set(Object.values(fields).map(({ twin }) => twin));
  const kept = Object.entries(item).flatMap(([wire, value]) => {
    if (twins.has(wire)) return [];
    const name = names.get(wire);
    const field = name === undefined ? undefined : fields[name];
    if (field === undefined) {
      found.others.push(jsonPointer(...path, wire));
      return [];
    }
    const shown = shownValue(field, value, item, [...path, wire], found);
    return shown === undefined ? [] : [[name, shown]];
  });
  return Object.fromEntries(kept);
}

function shownValue(field: Field, value: unknown, around: Item, here: Path, found: Found): unknown {
  const { secret, map, forms, items } = field;
  if (secret !== undefined) {
    found.others.push(jsonPointer(...here));
    return undefined;
  }
  if (field.json || value === null || value === undefined) return value;
  // What has another form than the described one may have anything in it.
  if (formOf(field) !== (Array.isArray(value) ? 'list' : typeof value === 'object' ? 'object' : 'scalar')) {
    const pointer = jsonPointer(...here);
    found.others.push(pointer);
    found.odd.push({ field: fieldPath(here), what: 'form', pointer });
    return undefined;
  }
  if (Array.isArray(value)) {
    const shown = value.map((one, index) => shownValue(items ?? {}, one, around, [...here, index], found));
    return shown.filter((one) => one !== undefined);
  }
  if (!isRecord(value)) return value;
  if (map !== undefined) return inMap(map, value, here, found);
  const members = membersOf(field, value, around);
  if (members !== null) return withoutHidden(members, value, here, found);
  if (forms === undefined) return value;
  // An object of a form that is not described can have secrets that nobody has marked.
  found.others.push(...Object.keys(value).map((name) => jsonPointer(...here, name)));
  return undefined;
}

function formOf({ items, list, map, fields, forms }: Field): 'list' | 'object' | 'scalar' {
  if (items !== undefined || list !== undefined) return 'list';
  return map !== undefined || fields !== undefined || forms !== undefined ? 'object' : 'scalar';
}

function inMap(field: Field, value: Item, here: Path, found: Found): unknown {
  const shown = Object.entries(value).flatMap(([key, one]) => {
    const kept = shownValue(field, one, value, [...here, key], found);
    return kept === undefined ? [] : [[key, kept]];
  });
  return field.secret === undefined ? Object.fromEntries(shown) : undefined;
}

/** What a reading has already left out, because the schema of the item does not name it. */
export function unknownIn(odd: readonly OddField[] | undefined): string[] {
  return (odd ?? []).flatMap(({ what, pointer = [] }) => (what === 'unknown' ? pointer : []));
}

/** The same for each item, for a kind whose schema has nothing else that a plan must not know. */
export function partsLeftOut<Live>(odd: OddFields<Live> = new Map()): ReadonlyMap<Live, LiveParts> {
  return new Map([...odd].map(([item, fields]) => [item, { others: unknownIn(fields), nested: {} }]));
}
