// The values of a written item, changed to those of the live one.
import type { Field, Fields } from '../model/field.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { compareText, withItems } from '../values/text-order.ts';
import { elementName } from './comparable.ts';
import { isUnchanged } from './compare.ts';
import { isListOfKeys, isOn, membersOf, tagOf } from './members.ts';
import {
  isEqualTo,
  isOfClass,
  newObject,
  newValue,
  type Pulling,
  type ResponsePath,
  unknownText,
} from './new-values.ts';
import { samePlace, withTexts } from './references.ts';

type Item = Readonly<Record<string, unknown>>;

/** A written value and the live one, each with the object around it. */
interface Sides {
  readonly written: unknown;
  readonly live: unknown;
  readonly around: Item;
  readonly liveAround: Item;
}

/** Where a value is: `path` as in a change, `here` in the response of the service. */
interface Place {
  readonly name: string;
  readonly path: readonly string[];
  readonly here: ResponsePath;
}

const root: Place = { name: '', path: [], here: [] };

/** The fields that are written, with live values; what a comparison takes for equal stays as it is written. */
export function adoptedObject(
  pulling: Pulling,
  fields: Fields,
  written: Item,
  live: Item,
  { path, here }: Place = root,
): Item {
  const around = { ...live, ...written };
  const adopted = Object.entries(written).flatMap(([name, value]) => {
    const field = fields[name];
    if (field === undefined || field.secret !== undefined || !isOn(field, 'R')) return [[name, value]];
    const sides = { written: value, live: memberOf(live, name) ?? undefined, around, liveAround: live };
    const place = { name, path: [...path, name], here: [...here, field.wire ?? name] };
    const now = adoptedValue(pulling, field, sides, place);
    return now === undefined ? [] : [[name, now]];
  });
  return Object.fromEntries(adopted);
}

/** Undefined for what the tenant does not have. */
function adoptedValue(pulling: Pulling, field: Field, sides: Sides, place: Place): unknown {
  const { written, live, around } = sides;
  if (isUnchanged(field, withTexts(field, written, around), live, around, place.path, pulling)) return written;
  if (field.items !== undefined) return adoptedList(pulling, field, sides, place);
  if (live === undefined || isEqualTo(field.none, field, live, sides.liveAround))
    return isOfClass(field) ? field.none : undefined;
  if (!field.json && isRecord(written) && isRecord(live)) {
    if (field.map !== undefined) return adoptedMap(pulling, field.map, written, live, place);
    return adoptedForm(pulling, field, { ...sides, written, live }, place);
  }
  if (field.values !== undefined && !field.values.includes(live)) pulling.problems.push(unknownText(place.name, live));
  return newValue(pulling, place.name, field, live, place.here, sides.liveAround);
}

/** A new form has new secrets, but not where the files leave out the secret of the old one. */
function adoptedForm(
  pulling: Pulling,
  field: Field,
  { written, live, around, liveAround }: Sides & { readonly written: Item; readonly live: Item },
  place: Place,
): unknown {
  const { forms } = field;
  const before = membersOf(field, written, around) ?? {};
  const now = membersOf(field, live, liveAround);
  if (forms === undefined || now === before) return adoptedObject(pulling, before, written, live, place);
  if (now === null) {
    pulling.problems.push(unknownText(place.name, tagOf(forms.by, forms.beside ? liveAround : live)));
    return written;
  }
  const leavesOut = Object.entries(before).some(([name, { secret }]) => secret !== undefined && !(name in written));
  const kept = Object.entries(now).filter(([, { secret }]) => !(leavesOut && secret !== undefined));
  return newObject(pulling, Object.fromEntries(kept), live, place.here);
}

/** A key that is not live goes; others are added. */
function adoptedMap(pulling: Pulling, value: Field, written: Item, live: Item, { path, here }: Place): Item {
  const placeOf = (name: string): Place => ({ name, path: [...path, name], here: [...here, name] });
  const kept = Object.entries(written).flatMap(([key, one]) => {
    const sides = { written: one, live: memberOf(live, key) ?? undefined, around: written, liveAround: live };
    const now = sides.live === undefined ? undefined : adoptedValue(pulling, value, sides, placeOf(key));
    return now === undefined ? [] : [[key, now]];
  });
  const added = Object.entries(live).flatMap(([key, one]) => {
    const now = Object.hasOwn(written, key) ? undefined : newValue(pulling, key, value, one, [...here, key], live);
    return now === undefined ? [] : [[key, now]];
  });
  return Object.fromEntries([...kept, ...added]);
}

/** The written elements that are live, and the others: sorted, or as the tenant has them where they have more than a key. */
function adoptedList(pulling: Pulling, field: Field, sides: Sides, { name, path, here }: Place): unknown[] {
  const { items = {} } = field;
  const written = Array.isArray(sides.written) ? sides.written : [];
  const live = (Array.isArray(sides.live) ? sides.live : []).map((one: unknown, index) => {
    const value = newValue(pulling, name, items, one, [...here, index]);
    return { one, index, value, name: elementName(field, items.ref === undefined ? value : one) };
  });
  const writtenName = (one: unknown) => elementName(field, samePlace(items, withTexts(items, one), pulling.names));
  const writtenByName = new Map(written.map((one) => [writtenName(one), one]));
  if (field.list === 'ordered') return live.map((one) => writtenByName.get(one.name) ?? one.value);
  const liveByName = new Map(live.map((one) => [one.name, one]));
  const kept = written.flatMap((one) => {
    const found = liveByName.get(writtenName(one));
    if (found === undefined) return [];
    const both = { written: one, live: found.one, around: {}, liveAround: {} };
    const element = `${path.at(-1)}[]`;
    const place = { name, path: [...path.slice(0, -1), element], here: [...here, found.index] };
    return [adoptedValue(pulling, items, both, place)];
  });
  const added = [...liveByName.values()].flatMap((one) => (writtenByName.has(one.name) ? [] : [one.value]));
  const compare = (one: unknown, other: unknown) => compareText(elementName(field, one), elementName(field, other));
  if (field.list === 'set' || isListOfKeys(field)) added.sort(compare);
  // One element alone shows no order.
  return kept.length > 1 ? withItems(kept, added, compare) : [...kept, ...added];
}
