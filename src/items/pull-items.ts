// How live items are written into files, by the marks of their fields: see PullRules.
import type { Field, Fields } from '../model/field.ts';
import type { NewNames, Pulled, PullRules } from '../model/kind.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { compareText, withItems } from '../values/text-order.ts';
import { elementName } from './comparable.ts';
import type { Comparing } from './compare.ts';
import { isListOfKeys, listKeys, membersOf, tagOf } from './members.ts';
import { secretsIn } from './requests.ts';

type Item = Readonly<Record<string, unknown>>;

interface Pulling {
  readonly isSame: NonNullable<Comparing['isSame']>;
  /** A reference to a new secret. */
  readonly secret: (field: string) => string;
  /** Why files cannot express the item. */
  readonly problems: string[];
}

interface PullHooks<Live> extends Pick<Comparing, 'isSame'> {
  protectedAs?(item: Live): string;
}

/** `nameOf`: the identity of an item, empty if it has none. */
export function pullItems<Live extends object>(
  fields: Fields,
  nameOf: (item: object) => string,
  { isSame = () => false, protectedAs = nameOf }: PullHooks<Live>,
): PullRules<object, Live> {
  const pulled = (live: object, names: NewNames, write: (pulling: Pulling) => object): Pulled<object> => {
    const problems: string[] = [];
    const written = write({ isSame, problems, secret: (field) => names.secret(nameOf(live), field) });
    const [inexpressible] = problems;
    return inexpressible === undefined ? { written } : { inexpressible };
  };
  const keys = listKeys(fields);
  return {
    form: 'list',
    keyOf: (live) => nameOf(live) || null,
    declare: (live, names) => pulled(live, names, (pulling) => newObject(fields, live, pulling)),
    adopt: (written, live, names) =>
      pulled(live, names, (pulling) => adoptedObject(fields, written, live, '', pulling)),
    secrets: (written) => secretsIn(fields, written).map(({ place }) => place.pointer),
    partName: (part) => keys.map((key) => memberOf(part, key)).find((name) => typeof name === 'string'),
    protectAs: protectedAs,
  };
}

function newObject(fields: Fields, live: object, pulling: Pulling): Item {
  const written = Object.entries(fields).flatMap(([name, field]) => {
    const value = field.secret ? pulling.secret(name) : newValue(name, field, memberOf(live, name), pulling);
    return value === undefined || value === field.none ? [] : [[name, value]];
  });
  return Object.fromEntries(written);
}

/** Undefined for a value that can be left out because this version does not know it. */
function newValue(name: string, field: Field, live: unknown, pulling: Pulling): unknown {
  if (field.items !== undefined && (field.required || live !== undefined))
    return adoptedList(name, field, [], live, '', pulling);
  if (isRecord(live))
    return isKnownForm(name, field, live, pulling) ? newObject(membersOf(field, live) ?? {}, live, pulling) : {};
  if (field.values === undefined || field.values.includes(live) || live === undefined) return live;
  if (field.required) pulling.problems.push(unknownText(name, live));
  return undefined;
}

function isKnownForm(name: string, { forms }: Field, live: Item, { problems }: Pulling): boolean {
  const form = forms === undefined ? null : tagOf(forms.by, live);
  const isKnown = form === null || (typeof form === 'string' && Object.hasOwn(forms?.of ?? {}, form));
  if (!isKnown) problems.push(unknownText(name, form));
  return isKnown;
}

function unknownText(name: string, value: unknown): string {
  return `this version does not know its ${name}${value === undefined ? '' : ` "${String(value)}"`}`;
}

/** The fields that are written, with live values; what a comparison takes for equal stays. */
function adoptedObject(fields: Fields, written: object, live: object, path: string, pulling: Pulling): Item {
  const adopted = Object.entries(written).flatMap(([name, value]) => {
    const field = fields[name];
    if (field === undefined || field.secret) return [[name, value]];
    const now = adoptedValue(name, field, value, memberOf(live, name), path === '' ? name : `${path}.${name}`, pulling);
    return now === undefined ? [] : [[name, now]];
  });
  return Object.fromEntries(adopted);
}

function adoptedValue(
  name: string,
  field: Field,
  written: unknown,
  live: unknown,
  path: string,
  pulling: Pulling,
): unknown {
  if (Array.isArray(written)) return adoptedList(name, field, written, live, path, pulling);
  if (isRecord(written) && isRecord(live)) return adoptedForm(name, field, written, live, path, pulling);
  // A default is as much as nothing.
  if (field.none !== undefined && (live ?? field.none) === field.none)
    return written === field.none ? written : undefined;
  if (field.values !== undefined && !field.values.includes(live)) pulling.problems.push(unknownText(name, live));
  return pulling.isSame(path, live, written) ? written : live;
}

/** A new form has new secrets, but not where the files leave out the secret of the old one. */
function adoptedForm(name: string, field: Field, written: Item, live: Item, path: string, pulling: Pulling): unknown {
  const members = membersOf(field, written) ?? {};
  if (field.forms === undefined || tagOf(field.forms.by, written) === tagOf(field.forms.by, live))
    return adoptedObject(members, written, live, path, pulling);
  if (!isKnownForm(name, field, live, pulling)) return written;
  const leavesOut = Object.entries(members).some(([member, { secret }]) => secret && !(member in written));
  const now = Object.entries(membersOf(field, live) ?? {}).filter(([, { secret }]) => !(secret && leavesOut));
  return newObject(Object.fromEntries(now), live, pulling);
}

/** The written elements that are live, and the others: sorted, or as the tenant has them where they have more than a key. */
function adoptedList(
  name: string,
  field: Field,
  written: readonly unknown[],
  live: unknown,
  path: string,
  pulling: Pulling,
): unknown[] {
  const { items = {} } = field;
  const found = (Array.isArray(live) ? live : []).map((one: unknown) => newValue(name, items, one, pulling));
  const liveByName = new Map(found.map((one) => [elementName(field, one), one]));
  const writtenByName = new Map(written.map((one) => [elementName(field, one), one]));
  if (field.list === 'ordered') return found.map((one) => writtenByName.get(elementName(field, one)) ?? one);
  const kept = written.flatMap((one) => {
    const now = liveByName.get(elementName(field, one));
    return now === undefined ? [] : [adoptedValue(name, items, one, now, `${path}[]`, pulling)];
  });
  const added = [...liveByName].filter(([element]) => !writtenByName.has(element)).map(([, one]) => one);
  const compare = (one: unknown, other: unknown) => compareText(elementName(field, one), elementName(field, other));
  if (field.list === 'set' || isListOfKeys(field)) added.sort(compare);
  // One element alone shows no order.
  return kept.length > 1 ? withItems(kept, added, compare) : [...kept, ...added];
}
