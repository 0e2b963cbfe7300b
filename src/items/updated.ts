import equal from 'fast-deep-equal';
import type { Field, Fields, Reference } from '../model/field.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, pointerPath } from '../values/json-pointer.ts';
import { compareText } from '../values/text-order.ts';
import { elementName } from './comparable.ts';
import { hasField, isOn, membersOf } from './members.ts';
import { nameOnService, onService } from './references.ts';

export type Body = Readonly<Record<string, unknown>>;

type Path = readonly string[];

/** What the body of an update is made of, beside the item. */
export interface Updating {
  /** Paths of the fields that differ. */
  readonly changed: readonly Path[];
  /** JSON pointers of what the live item has and a plan does not know: secrets, and what is not described. */
  readonly others: readonly string[];
  /** Whether the item can be read immediately before. Otherwise nothing is sent back. */
  readonly readsAgain: boolean;
  /** True if declared secrets replace those that the tenant returns. */
  readonly rotates: boolean;
  /** What a name of another item is in a request. */
  resolve(name: string, to: Reference): string;
  /** Filled with pointers of values that the request sends back as they are, read immediately before. */
  readonly sentBack: string[];
  /** Filled with pointers of what the service would lose, that cannot be read and is not declared. */
  readonly undeclared: string[];
  /** Filled with pointers of what the item has and the body leaves out, because it cannot be sent together with what changes. */
  readonly excluded?: string[];
  /** Filled with paths of what elements of lists have and their description does not name: nothing of it goes back. */
  readonly unknown?: string[];
  /** Filled with pointers of what a request must have, and neither the tenant nor the files have. */
  readonly lacking: string[];
}

interface Sides {
  readonly declared: Body;
  readonly live: Body;
}

/** Where a value is, by the names of the files and by those of the service. */
interface Place {
  readonly path: Path;
  readonly at: Path;
}

/**
 * The body that changes an item: what differs, and beside it what the service would lose or refuse without. `mode`: what
 * leaving out a field does to it, where the field says nothing itself.
 *
 *   options, which are replaced:   declared { type: back_channel }   live { type: front_channel, scope: openid }, a secret
 *   ->  { options: { type: back_channel, scope: openid } }, and the secret is sent back
 */
export function updated(
  updating: Updating,
  fields: Fields,
  sides: Sides,
  place: Place = { path: [], at: [] },
  mode: 'kept' | 'lost' = 'kept',
): Body {
  const { declared, live } = sides;
  const { path, at } = place;
  const around = { ...live, ...declared };
  const names = [...new Set([...Object.keys(declared), ...Object.keys(fields)])].filter((name) =>
    Object.hasOwn(fields, name),
  );
  const body: Record<string, unknown> = {};
  for (const name of names) {
    const field = fields[name] ?? {};
    const here = { path: [...path, name], at: [...at, field.wire ?? name] };
    const isCarried = carrier(updating, fields, declared, path, name);
    const isNeeded = isCarried || (field.omitted ?? mode) !== 'kept';
    const isChanged = name in declared && (mode === 'lost' || isTouched(updating, here.path));
    if (!isOn(field, 'U') || !(isNeeded || isChanged)) continue;
    const isOther = field.forms?.beside === true && isOtherForm(field.forms, declared, live);
    const now = isOther ? undefined : live[name];
    if (declared[name] === undefined) {
      if (isExcluded(updating, fields, path, name)) {
        if (isPresent(now)) updating.excluded?.push(jsonPointer(...here.path));
        continue;
      }
      if (mode === 'lost' && isPartlyKnown(updating, field, now, around, here.at)) {
        updating.sentBack.push(jsonPointer(...here.at));
        continue;
      }
    }
    const values = { declared: declared[name], live: now, around };
    const value = sentValue(isOther ? { ...updating, others: [] } : updating, field, values, here, mode);
    if (value !== undefined) body[nameOnService(name, field, declared[name])] = value;
    else if ((isCarried || field.omitted === 'refused') && field.secret === undefined)
      updating.lacking.push(jsonPointer(...here.path));
  }
  if (mode === 'lost' && updating.readsAgain) updating.sentBack.push(...undescribedIn(updating.others, fields, at));
  return body;
}

function isPresent(live: unknown): boolean {
  return Array.isArray(live) ? live.length > 0 : (live ?? null) !== null;
}

function isTouched({ changed }: Updating, path: Path): boolean {
  return changed.some((one) => path.every((name, index) => index >= one.length || one[index] === name));
}

/** Whether another field gets a value with which this one has to travel. */
function carrier(updating: Updating, fields: Fields, declared: Body, path: Path, name: string): boolean {
  return Object.entries(fields).some(
    ([other, { with: together }]) =>
      (together?.[String(declared[other])] ?? together?.['*'])?.includes(name) && isTouched(updating, [...path, other]),
  );
}

/** Whether another field changes that the service does not accept together with this one. */
function isExcluded(updating: Updating, fields: Fields, path: Path, name: string): boolean {
  return Object.entries(fields).some(
    ([other, { without }]) => without?.includes(name) && isTouched(updating, [...path, other]),
  );
}

/**
 * Whether a plan knows only a part of a value of which no part can be sent by itself: it goes back as it is.
 *
 *   lamps: [{ name: a, pin: 1 }, { name: b, pin: 2 }], where a pin is a secret that is returned
 */
function isPartlyKnown({ others, readsAgain }: Updating, field: Field, live: unknown, around: Body, at: Path): boolean {
  const pointer = jsonPointer(...at);
  // It has another form than the described one.
  if (readsAgain && field.secret === undefined && others.includes(pointer)) return true;
  const start = `${pointer}/`;
  if (!readsAgain || !others.some((pointer) => pointer.startsWith(start))) return false;
  const canGoBack = !hasField(field, ({ secret }) => secret !== undefined && secret !== 'clear');
  return canGoBack && membersOf(field, live ?? {}, around) === null;
}

/** What an object has that its description does not name. */
function undescribedIn(others: readonly string[], fields: Fields, at: Path): string[] {
  const known = new Set(Object.entries(fields).map(([name, { wire = name }]) => wire));
  return others.filter((pointer) => {
    const names = pointerPath(pointer);
    const name = names.at(-1) ?? '';
    return names.length === at.length + 1 && at.every((one, index) => names[index] === one) && !known.has(name);
  });
}

interface Values {
  readonly declared: unknown;
  readonly live: unknown;
  readonly around: Body;
}

/** Undefined if the body leaves it out. */
function sentValue(updating: Updating, field: Field, values: Values, here: Place, mode: 'kept' | 'lost'): unknown {
  const { declared, live, around } = values;
  if (field.secret !== undefined) return sentSecret(updating, field, declared, here);
  if (declared === null) {
    // Leaving it out clears it, where the service does not accept null.
    if (mode === 'lost' && !field.nullable && field.clear === undefined) return undefined;
    return field.clear === undefined ? null : field.clear;
  }
  const value = declared ?? live;
  if (field.map !== undefined) return sentMap(updating, field.map, values, here, field.replace ? 'lost' : mode);
  if (Array.isArray(declared) && Array.isArray(live)) return sentList(updating, field, declared, live, here);
  const members = isRecord(value) ? membersOf(field, value, around) : null;
  if (members === null && declared === undefined) return onService(field, inOneOrder(field, live), asItIs, around);
  if (members === null) return onService(field, declared, updating.resolve, around);
  const [given, now] = [declared ?? {}, live ?? {}] as [Body, Body];
  const isOther = field.forms?.beside === undefined && isOtherForm(field.forms, given, now);
  const sides = { declared: given, live: isOther ? {} : now };
  return updated(updating, members, sides, here, field.replace || mode === 'lost' ? 'lost' : 'kept');
}

/** A live item has ids, and the names of the files. */
const asItIs = (id: string) => id;

/** A set of a response, so that the same item always leads to the same request. */
function inOneOrder(field: Field, live: unknown): unknown {
  if (!Array.isArray(live) || (field.list !== 'set' && field.list !== 'key')) return live;
  return live.toSorted((one, other) => compareText(elementName(field, one), elementName(field, other)));
}

/** Whether the declared object has another form than the tenant has. The sides are what has the field that names it. */
function isOtherForm(forms: Field['forms'], declared: Body, live: Body): boolean {
  return forms !== undefined && forms.by in declared && declared[forms.by] !== live[forms.by];
}

/** One that the tenant returns is sent back, because someone may have rotated it there. */
function sentSecret(updating: Updating, { secret }: Field, declared: unknown, { path, at }: Place): unknown {
  const pointer = jsonPointer(...at);
  const isThere = updating.others.includes(pointer);
  if (secret === 'clear' && isThere && updating.readsAgain && !updating.rotates) updating.sentBack.push(pointer);
  else if (declared !== undefined) return declared;
  else if (secret !== 'clear' || isThere) updating.undeclared.push(jsonPointer(...path));
  return undefined;
}

/** A key that goes is sent as null where the map is merged, and left out where it is replaced. */
function sentMap(
  updating: Updating,
  field: Field,
  { declared, live }: Values,
  { path, at }: Place,
  mode: 'kept' | 'lost',
): unknown {
  const pointer = jsonPointer(...at);
  if (declared === undefined && field.secret !== undefined) {
    updating.undeclared.push(...updating.others.filter((one) => one.startsWith(`${pointer}/`)));
    return undefined;
  }
  const inMap = { map: field };
  if (declared === undefined) return onService(inMap, live, asItIs);
  const given = onService(inMap, declared, updating.resolve) as Body;
  if (mode === 'lost') return given;
  const removed = Object.keys(isRecord(live) ? live : {}).filter((key) => !Object.hasOwn(given, key));
  const changed = Object.entries(given).filter(([key]) => isTouched(updating, [...path, key]));
  return Object.fromEntries([...changed, ...removed.map((key) => [key, null])]);
}

/** Elements with the same key have what the files leave out of them. */
function sentList(
  updating: Updating,
  field: Field,
  declared: readonly unknown[],
  live: readonly unknown[],
  { path, at }: Place,
): unknown {
  const { key, items = {} } = field;
  updating.unknown?.push(...undescribedInElements(updating.others, items, live, { path, at }));
  if (key === undefined) return onService(field, declared, updating.resolve);
  const byName = new Map(live.map((one) => [elementName(field, one), one]));
  const inside = (index: number) => ({ path: [...path, String(index)], at: [...at, String(index)] });
  return declared.map((one, index) => {
    const now = byName.get(elementName(field, one));
    const members = isRecord(one) ? membersOf(items, one) : null;
    const sides = { declared: one as Body, live: isRecord(now) ? now : {} };
    // Elements have another order in each response, so nothing of them goes back by its place.
    const ofElement = { ...updating, others: [] };
    return members === null ? one : updated(ofElement, members, sides, inside(index), 'lost');
  });
}

/** `headers[].newer` for `/headers/0/newer`, if nothing is known of that. */
function undescribedInElements(
  others: readonly string[],
  items: Field,
  live: readonly unknown[],
  { path, at }: Place,
): string[] {
  const found = others.flatMap((pointer) => {
    const names = pointerPath(pointer);
    const [index = '', name = '', ...below] = names.slice(at.length);
    if (name === '' || below.length > 0 || at.some((one, place) => names[place] !== one)) return [];
    const members = Object.entries(membersOf(items, live[Number(index)] ?? {}) ?? {});
    const isKnown = members.some(([member, { wire = member }]) => wire === name);
    return isKnown ? [] : [`${path.join('.')}[].${name}`];
  });
  return [...new Set(found)];
}

/** The body that creates an item: what is declared and can be sent with a create. */
export function created(fields: Fields, item: object, resolve: Updating['resolve']): Body {
  const body = Object.entries(item).flatMap(([name, value]) => {
    const field = fields[name];
    if (field === undefined || !isOn(field, 'C') || value === null) return [];
    const members = isRecord(value) ? membersOf(field, value, item) : null;
    const sent = members === null ? onService(field, value, resolve, item) : created(members, value as object, resolve);
    return [[nameOnService(name, field, value), sent]];
  });
  return Object.fromEntries(body);
}

/** The declared fields that only an update can set, also in objects. */
export function lateFields(fields: Fields, item: object): readonly Path[] {
  return Object.entries(item).flatMap(([name, value]): Path[] => {
    const field = fields[name];
    if (field === undefined || value === null || !isOn(field, 'U')) return [];
    // What the service fills in by itself needs no request.
    if (!isOn(field, 'C')) return equal(field.filled, value) ? [] : [[name]];
    const members = isRecord(value) ? membersOf(field, value, item) : null;
    return members === null ? [] : lateFields(members, value as object).map((path) => [name, ...path]);
  });
}
