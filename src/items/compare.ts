import equal from 'fast-deep-equal';
import type { Changed } from '../differ/diff-items.ts';
import type { Field, Fields } from '../model/field.ts';
import type { Names } from '../model/names.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { comparable } from './comparable.ts';
import { inOrder, isOn, membersOf, otherForms } from './members.ts';
import { namesIn, samePlace } from './references.ts';

/** What comparing an item needs beside its fields. */
export interface Comparing {
  /** True for two spellings of one value, in a field that has several; `field` is as in a change, with `[]` for elements. */
  readonly isSame?: ((field: string, live: unknown, declared: unknown) => boolean) | undefined;
  readonly names?: Names | undefined;
}

type Item = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/**
 * The declared fields that differ from the live ones, in declared order. What the files leave out is unmanaged in an object
 * with fixed fields, also in an element of a list; a list, a set or a map is the complete truth. Secrets are not compared,
 * nor what the service never returns.
 *
 *   declared { configuration: { action: block, limit: 50 }, metadata: { team: a } }
 *   live     { configuration: { action: block, limit: 100 }, metadata: { tier: 1 }, updated_at: … }
 *   ->       configuration.limit 100 -> 50, metadata.team -> a, metadata.tier 1 ->
 */
export function changesOf(fields: Fields, declared: object, live: object, comparing: Comparing = {}): Changed[] {
  const item = { ...live, ...declared };
  return inObject(fields, inOrder(fields, declared), live as Item, item, [], comparing);
}

/** Whether a comparison takes a declared value and a live one for equal. `around`: the object that has the field. */
export function isUnchanged(
  field: Field,
  want: unknown,
  now: unknown,
  around: Item,
  path: Path,
  comparing: Comparing,
): boolean {
  return inField(field, want, now, around, path, comparing).length === 0;
}

function inObject(
  fields: Fields,
  declared: Item,
  live: Item,
  around: Item,
  path: Path,
  comparing: Comparing,
): Changed[] {
  const others = otherForms(fields, declared, live);
  return Object.entries(declared).flatMap(([name, want]) => {
    const field = others.has(name) ? undefined : fields[name];
    if (field === undefined || field.identity || field.secret !== undefined || !isOn(field, 'R')) return [];
    return inField(field, want, memberOf(live, name), around, [...path, name], comparing);
  });
}

function inField(field: Field, want: unknown, now: unknown, around: Item, path: Path, comparing: Comparing): Changed[] {
  if (field.map !== undefined && isRecord(want))
    return inMap(field.map, want, isRecord(now) ? now : {}, path, comparing);
  const members = isRecord(want) ? membersOf(field, want, around) : null;
  if (members !== null && (isRecord(now) || ((now ?? null) === null && isApart(members, want as Item)))) {
    const [inside, live] = [want as Item, isRecord(now) ? now : {}];
    return inObject(members, inside, live, { ...live, ...inside }, path, comparing);
  }
  if (isEqual(field, want, now, path, comparing)) return [];
  const after = want === null ? {} : { after: comparable(field, want, around) };
  const live = now ?? emptyOf(field);
  const before = live === undefined ? {} : { before: namesIn(field, comparable(field, live, around), comparing.names) };
  return [{ field: path.join('.'), path, ...before, ...after }];
}

/** Of an object that is not there, what an update cannot set is a difference of its own, and nulls are none. */
function isApart(members: Fields, want: Item): boolean {
  return (
    Object.values(members).some((member) => !isOn(member, 'U')) || Object.values(want).every((one) => one === null)
  );
}

/** A key that the files leave out is removed; one whose value is null is not there. */
function inMap(value: Field, want: Item, now: Item, path: Path, comparing: Comparing): Changed[] {
  const written = inKeys(value, want, now, path, comparing);
  const removed = Object.keys(now).filter((key) => !Object.hasOwn(want, key) && (now[key] ?? null) !== null);
  return [
    ...written,
    ...removed.map((key) => ({ field: [...path, key].join('.'), path: [...path, key], before: now[key] })),
  ];
}

function inKeys(value: Field, want: Item, now: Item, path: Path, comparing: Comparing): Changed[] {
  if (value.secret !== undefined) return [];
  return Object.entries(want).flatMap(([key, one]) =>
    inField(value, one, memberOf(now, key), want, [...path, key], comparing),
  );
}

function isEqual(field: Field, want: unknown, now: unknown, path: Path, comparing: Comparing): boolean {
  const { isSame, names } = comparing;
  const live = now ?? field.none ?? emptyOf(field);
  const declared = want ?? field.none;
  if (declared === undefined || declared === null) return live === undefined || live === null || isEmpty(live);
  if (live === undefined || live === null) return false;
  const one = comparable(field, samePlace(field, declared, names));
  const other = comparable(field, live);
  if (equal(one, other) || isSame?.(path.join('.'), other, one)) return true;
  return isSameList(field, other, one, path, comparing);
}

/** A list that the tenant does not return is empty. */
function emptyOf({ items }: Field): readonly unknown[] | undefined {
  return items === undefined ? undefined : [];
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The elements of lists are compared one by one: what an element leaves out is unmanaged. */
function isSameList(field: Field, live: unknown, declared: unknown, path: Path, comparing: Comparing): boolean {
  if (!Array.isArray(live) || !Array.isArray(declared) || live.length !== declared.length) return false;
  const element = [...path.slice(0, -1), `${path.at(-1)}[]`];
  return declared.every(
    (one, index) => inField(field.items ?? {}, one, live[index], {}, element, comparing).length === 0,
  );
}
