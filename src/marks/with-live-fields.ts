import type { Field } from '../model/field.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { elementName } from './comparable.ts';
import { membersOf } from './members.ts';

/**
 * A declared value that replaces a live one, with what the files leave out and would be lost: fields of an object of the
 * same form, and of elements with the same key. Secrets are never live.
 *
 *   declared { colour: blue }, live { colour: red, reach: 12 }  ->  { colour: blue, reach: 12 }
 */
export function withLiveFields(field: Field, declared: unknown, live: unknown): unknown {
  if (Array.isArray(declared) && Array.isArray(live)) return withLiveElements(field, declared, live);
  if (!isRecord(declared) || !isRecord(live)) return declared;
  const { tag } = field;
  if (tag !== undefined && declared[tag] !== live[tag]) return declared;
  const members = Object.entries(membersOf(field, declared));
  const left = members.filter(([name, { secret }]) => !secret && !(name in declared) && live[name] !== undefined);
  return {
    ...Object.fromEntries(
      Object.entries(declared).map(([name, value]) => {
        const member = members.find(([known]) => known === name)?.[1] ?? {};
        return [name, withLiveFields(member, value, live[name])];
      }),
    ),
    ...Object.fromEntries(left.map(([name, member]) => [name, knownFields(member, live[name])])),
  };
}

function withLiveElements(field: Field, declared: readonly unknown[], live: readonly unknown[]): unknown[] {
  if (field.key === undefined) return [...declared];
  const byName = new Map(live.map((one) => [elementName(field, one), one]));
  return declared.map((one) => withLiveFields(field.items ?? {}, one, byName.get(elementName(field, one))));
}

/** The service may refuse other fields that its responses have. */
function knownFields(field: Field, live: unknown): unknown {
  if (!isRecord(live)) return live;
  return withLiveFields(field, field.tag === undefined ? {} : { [field.tag]: memberOf(live, field.tag) }, live);
}
