// The values of a live item as new files have them.
import equal from 'fast-deep-equal';
import type { Field, Fields } from '../model/field.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf, pointerPath } from '../values/json-pointer.ts';
import { compareText } from '../values/text-order.ts';
import { comparable, elementName } from './comparable.ts';
import type { Comparing } from './compare.ts';
import { isListOfKeys, isOn, membersOf, tagOf, valuesIn } from './members.ts';
import { inFiles } from './references.ts';

type Item = Readonly<Record<string, unknown>>;

/** Where a value is in the response of the service, from the item. */
export type ResponsePath = readonly (string | number)[];

/** How one live item is written. */
export interface Pulling extends Comparing {
  /** JSON pointers of what the response has beside the live item: all that is known of a secret. */
  readonly others: readonly string[];
  /** A reference to a new secret at a place of the response. */
  secret(at: ResponsePath): string;
  /** Filled with reasons why files cannot express the item. */
  readonly problems: string[];
  /** Filled with what is left out of it, in words that fit each item that lacks the same. */
  readonly notes: string[];
}

/**
 * The fields of a live object that files can have, without what is as much as nothing and what the service fills in:
 *
 *   { name: a, title: a, note: "", color: null, reach: 5, made_at: … }  ->  { name: a, reach: 5 }
 *
 * A field of a class of effects is always written, because what is not in the files cannot drift.
 */
export function newObject(pulling: Pulling, fields: Fields, live: Item, at: ResponsePath): Item {
  const written = Object.entries(fields).flatMap(([name, field]) => {
    const value = newMember(pulling, name, field, live, [...at, field.wire ?? name]);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(written);
}

function newMember(pulling: Pulling, name: string, field: Field, live: Item, here: ResponsePath): unknown {
  if (!field.identity && !isOn(field, 'C') && !isOn(field, 'U')) return undefined;
  if (field.secret !== undefined) return newSecret(pulling, name, field, here);
  if (field.map?.secret !== undefined) return newSecrets(pulling, field, here);
  const value = memberOf(live, name) ?? undefined;
  if (value === undefined) {
    if (isOfClass(field) && field.none !== undefined) return field.none;
    if (field.forms?.beside) noteClosed(pulling, name, field, live, here);
    return field.items !== undefined && field.required ? [] : undefined;
  }
  return isAsNothing(name, field, live) ? undefined : newValue(pulling, name, field, value, here, live);
}

/** Undefined for a value that is left out. `around`: the object that has the field. */
export function newValue(
  pulling: Pulling,
  name: string,
  field: Field,
  live: unknown,
  here: ResponsePath,
  around: Item = {},
): unknown {
  if (field.json || live === undefined || live === null) return live ?? undefined;
  if (field.ref !== undefined) return inFiles(field, live, pulling.names);
  if (field.items !== undefined) return newList(pulling, name, field, live, here);
  if (field.map !== undefined && isRecord(live)) return newMap(pulling, field.map, live, here);
  if (isRecord(live)) return nestedObject(pulling, name, field, live, here, around);
  if (field.values === undefined || field.values.includes(live)) return live;
  if (field.required) pulling.problems.push(unknownText(name, live));
  return undefined;
}

export function unknownText(name: string, value: unknown): string {
  return `this version does not know its ${name}${value === undefined ? '' : ` "${String(value)}"`}`;
}

/** Sorted where the order means nothing; elements that have more than a key are in the order of the tenant. */
function newList(pulling: Pulling, name: string, field: Field, live: unknown, here: ResponsePath): unknown {
  const { items = {} } = field;
  const list = Array.isArray(live) ? live : [];
  const unknown = list.find((one) => !isRecord(one) && items.values?.includes(one) === false);
  if (unknown !== undefined) {
    if (field.required) pulling.problems.push(unknownText(name, unknown));
    else pulling.notes.push(`${name} left out, because this version does not know "${String(unknown)}"`);
    return undefined;
  }
  const found = list.map((one: unknown, index) => newValue(pulling, name, items, one, [...here, index]));
  if (field.list === 'ordered') return found;
  const byName = new Map(found.map((one) => [elementName(field, one), one]));
  const isSorted = field.list === 'set' || isListOfKeys(field);
  const names = isSorted ? [...byName.keys()].sort(compareText) : [...byName.keys()];
  return names.map((one) => byName.get(one));
}

function newMap(pulling: Pulling, field: Field, live: Item, here: ResponsePath): Item {
  const values = Object.entries(live).map(([key, one]) => [
    key,
    newValue(pulling, key, field, one, [...here, key], live),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** One that has nothing to write is left out, and one that lacks what files must have. */
function nestedObject(
  pulling: Pulling,
  name: string,
  field: Field,
  live: Item,
  here: ResponsePath,
  around: Item,
): unknown {
  const members = membersOf(field, live, around);
  if (members === null) return closedObject(pulling, name, field, live);
  if (field.required) return newObject(pulling, members, live, here);
  if (!isFilledIn(members, live)) return undefined;
  const written = newObject(pulling, members, live, here);
  const isSecret = (member: string) => members[member]?.secret !== undefined;
  const hasValue = Object.keys(written).some((member) => !isSecret(member));
  if (!hasValue && !Object.keys(members).every(isSecret)) return undefined;
  const lacking = lackingIn(members, written, live);
  if (lacking === null) return written;
  pulling.notes.push(`${name} left out, because the service does not return its ${lacking}`);
  return undefined;
}

function closedObject(pulling: Pulling, name: string, { forms, required }: Field, live: Item): unknown {
  if (forms === undefined) return required ? {} : undefined;
  const form = tagOf(forms.by, live);
  if (required) pulling.problems.push(unknownText(name, form));
  else pulling.notes.push(closedText(name, forms.by, form));
  return required ? {} : undefined;
}

/** An object whose form is not described has left nothing but pointers. */
function noteClosed(pulling: Pulling, name: string, field: Field, live: Item, here: ResponsePath): void {
  const isClosed = field.forms !== undefined && membersOf(field, {}, live) === null;
  const isThere = pulling.others.some((pointer) => pointer.startsWith(`${jsonPointer(...here)}/`));
  if (isClosed && isThere) pulling.notes.push(closedText(name, field.forms.by, tagOf(field.forms.by, live)));
}

function closedText(name: string, tag: string, form: unknown): string {
  return `${name} of ${tag} ${String(form)} left out, because this version does not support that ${tag}`;
}

/**
 * False for an object that nobody has filled in: nothing is known for its secret.
 *
 *   { site_key: "" }, which the service fills in, beside a secret that a request must have with it
 */
function isFilledIn(members: Fields, live: Item): boolean {
  const needed = Object.entries(members).filter(([, { required, omitted }]) => required || omitted === 'refused');
  if (!needed.some(([, { secret }]) => secret === 'hidden')) return true;
  return needed.every(([name, field]) => field.secret !== undefined || !isEmpty(name, field, live));
}

/** A field that files must have, and that the object lacks, or an object in it. */
function lackingIn(members: Fields, written: Item, around: Item): string | null {
  for (const [name, field] of Object.entries(members)) {
    const value = written[name];
    if (value === undefined && field.required) return name;
    const inner = isRecord(value) && field.map === undefined ? membersOf(field, value, around) : null;
    const lacking = inner === null ? null : lackingIn(inner, value as Item, value as Item);
    if (lacking !== null) return `${name}.${lacking}`;
  }
  return null;
}

/** A hidden one is taken to be there. Of the others, one that no create can send is the service's. */
function newSecret(pulling: Pulling, name: string, field: Field, here: ResponsePath): string | undefined {
  const isKnown = field.secret === 'hidden' || (isOn(field, 'C') && pulling.others.includes(jsonPointer(...here)));
  return isKnown ? pulling.secret([...here.slice(0, -1), name]) : undefined;
}

/** The keys of a map of secrets are known by their pointers. */
function newSecrets(pulling: Pulling, field: Field, here: ResponsePath): Item | undefined {
  const start = `${jsonPointer(...here)}/`;
  const keys = pulling.others.flatMap((pointer) =>
    pointer.startsWith(start) ? (pointerPath(pointer).at(-1) ?? []) : [],
  );
  if (keys.length === 0 || !isOn(field, 'C') || !isOn(field.map ?? {}, 'C')) return undefined;
  return Object.fromEntries(keys.map((key) => [key, pulling.secret([...here, key])]));
}

/** Whether a class of effects says what its values mean: then it is always in the files. */
export function isOfClass({ login, address, script }: Field): boolean {
  return login !== undefined || address !== undefined || script !== undefined;
}

/** Whether files need not have a live value: it is as much as nothing, or the service fills it in. */
function isAsNothing(name: string, field: Field, live: Item): boolean {
  if (!isEmpty(name, field, live) || (field.required && !isEqualTo(field.none, field, memberOf(live, name), live)))
    return false;
  return !valuesIn({ [name]: field }, live).some((placed) => isOfClass(placed.field));
}

function isEmpty(name: string, field: Field, live: Item): boolean {
  const value = memberOf(live, name) ?? undefined;
  const expected = [field.none, withNames(field.filled, live)];
  return value === undefined || expected.some((one) => isEqualTo(one, field, value, live));
}

/** Whether a field has this value. `around`: the object that has it. */
export function isEqualTo(expected: unknown, field: Field, value: unknown, around: Item): boolean {
  return expected !== undefined && equal(comparable(field, value, around), comparable(field, expected, around));
}

/** `$name` is the value of the field `name` beside it. */
function withNames(filled: unknown, live: Item): unknown {
  if (Array.isArray(filled)) return filled.map((one) => withNames(one, live));
  if (isRecord(filled))
    return Object.fromEntries(Object.entries(filled).map(([key, one]) => [key, withNames(one, live)]));
  return typeof filled === 'string' && filled.startsWith('$') ? memberOf(live, filled.slice(1)) : filled;
}
