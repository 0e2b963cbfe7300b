// Laws of pull for any live item of a description that has every mark: what it writes is in sync, and complete.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf } from '../../src/items/compare.ts';
import { describedKind } from '../../src/items/described-kind.ts';
import { membersOf, withSets } from '../../src/items/members.ts';
import type { Field, Fields } from '../../src/model/field.ts';
import { isDifference } from '../../src/model/findings.ts';
import type { Pulled } from '../../src/model/kind.ts';
import type { LiveParts } from '../../src/model/reader.ts';
import { isRecord } from '../../src/values/is-record.ts';
import { memberOf } from '../../src/values/json-pointer.ts';
import { type Boat, description, names, newNames, reading } from '../support/boats.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keeping } from '../support/keep-rules.ts';
import { propertyRuns } from '../support/thorough.ts';

const boats = describedKind<Boat, Boat>(description);
const fields = withSets(description, true);
const texts = ['', 'a', 'b', 'slow', 'Sloop', 'led'];
const clients = fc.constantFrom('c1', 'c2', 'c3');

interface Read {
  readonly live: Boat;
  readonly parts: LiveParts;
}

/** Boats of one name, as they are read. */
const reads: fc.Arbitrary<Read> = fc
  .record({
    item: objectOf(description.fields),
    bunks: anyOf(fields['bunks'] ?? {}),
    guests: fc.option(fc.uniqueArray(clients, { maxLength: 3 }), { nil: undefined }),
    others: fc.subarray([
      '/pin',
      '/old_pin',
      '/settings/a',
      '/settings/b',
      '/options/secret',
      '/options/power',
      '/more',
    ]),
  })
  .map(({ item, bunks, guests, others }) => ({
    live: { boat_id: 'b1', ...item, bunks, name: 'Sloop' },
    parts: {
      others,
      nested:
        guests === undefined ? {} : { guests: { readable: true, items: guests.map((client_id) => ({ client_id })) } },
    },
  }));

/** An object as a reading leaves it: without secrets, and without what the service never returns. */
function objectOf(of: Fields): fc.Arbitrary<Boat> {
  const shown = Object.entries(of).filter(
    ([, { secret, map, sides = 'R' }]) => !secret && !map?.secret && sides.includes('R'),
  );
  const [beside, own] = [true, false].map((is) => shown.filter(([, { forms }]) => (forms?.beside === true) === is));
  const values = (fields = own, ofField = (field: Field) => anyOf(field)) =>
    fc.record(
      Object.fromEntries(
        (fields ?? []).map(([name, field]) => [
          name,
          field.required ? ofField(field) : fc.option(ofField(field), { freq: 6 }),
        ]),
      ),
      { requiredKeys: (fields ?? []).flatMap(([name, { required }]) => (required ? name : [])) },
    );
  return values().chain((object) => {
    const formed = (beside ?? []).filter(([, field]) => membersOf(field, {}, object) !== null);
    return values(formed, (field) => objectOf(membersOf(field, {}, object) ?? {})).map((more) => ({
      ...object,
      ...more,
    }));
  });
}

function anyOf(field: Field): fc.Arbitrary<unknown> {
  const { items, map, fields: members, forms, values, json, ref, list, key = '', none, filled } = field;
  if (ref !== undefined) return clients;
  if (items !== undefined) {
    const selector = list === 'key' ? (one: unknown) => memberOf(one, key) : undefined;
    return fc.uniqueArray(anyOf(items), { maxLength: 3, ...(selector && { selector }) });
  }
  if (map !== undefined) return fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(anyOf(map)));
  if (json) return fc.constantFrom([1, { a: '' }], { b: {} }, 'x', false);
  if (forms !== undefined)
    return fc.oneof(
      ...Object.entries(forms.of).map(([form, of]) => objectOf(of).map((one) => ({ ...one, [forms.by]: form }))),
    );
  if (members !== undefined) return objectOf(members);
  if (values !== undefined) return fc.constantFrom(...values);
  return fc.constantFrom(...texts, ...[none, filled].filter((one) => one !== undefined && !isRecord(one)));
}

function readingOf({ live, parts }: Read) {
  return reading([live], [[live, parts]]);
}

function writtenOf(pulled: Pulled<object>): Boat {
  if (!('written' in pulled)) throw new Error(pulled.inexpressible);
  return pulled.written as Boat;
}

function declare(read: Read): Boat {
  return writtenOf(boats.pull.declare(read.live, newNames, readingOf(read)));
}

function adopt(written: Boat, read: Read): Boat {
  return writtenOf(boats.pull.adopt(written, read.live, newNames, readingOf(read)));
}

/** What a plan has left to do, with these files. */
function leftOf(written: Boat, { live, parts }: Read): readonly unknown[] {
  const { actions, findings } = boats.decide({
    desired: desiredSection([[boats.keyOf(written), boats.canonical?.(written).value ?? written]]),
    live: { readable: true, filtered: false, items: [live], more: new Map([[live, parts]]) },
    keep: keeping({ undeclared: 'report' }),
    api: 'full',
    rotate: new Set(),
    names,
  });
  return [...actions, ...findings.filter(isDifference)];
}

test('a new item is in sync', () => {
  fc.assert(
    fc.property(reads, (read) => {
      expect(leftOf(declare(read), read)).toEqual([]);
    }),
    propertyRuns(5_000, 500),
  );
});

test('a declared item is in sync with what another live one was written as, and nothing changes again', () => {
  fc.assert(
    fc.property(reads, reads, (before, now) => {
      const written = adopt(declare(before), now);
      expect(leftOf(written, now)).toEqual([]);
      expect(adopt(written, now)).toEqual(written);
      expect(adopt(declare(now), now)).toEqual(declare(now));
    }),
    propertyRuns(5_000, 500),
  );
});

/** What the tenant would have after a create of what is written; null where it would have nothing. */
function createdFrom(of: Fields, written: Boat, live: Boat): Boat {
  return Object.fromEntries(
    Object.entries(of).map(([name, field]) => {
      const [value, now] = [written[name], live[name]];
      if (value === undefined && field.filled !== undefined && isSet(now)) return [name, filledFor(field.filled, live)];
      const members = field.map === undefined && isRecord(now) ? membersOf(field, now, live) : null;
      if (members === null) return [name, value ?? null];
      return [name, createdFrom(members, isRecord(value) ? value : {}, now as Boat)];
    }),
  );
}

function isSet(value: unknown): boolean {
  return isRecord(value) ? Object.values(value).some(isSet) : (value ?? null) !== null;
}

function filledFor(filled: unknown, { name }: Boat): unknown {
  return Array.isArray(filled) ? filled.map((one) => filledFor(one, { name })) : filled === '$name' ? name : filled;
}

test('an item that is created from what is written has everything that the live one has', () => {
  fc.assert(
    fc.property(reads, (read) => {
      const pulled = boats.pull.declare(read.live, newNames, readingOf(read));
      const notes = 'notes' in pulled ? (pulled.notes ?? []) : [];
      // Nobody has set them up.
      const unused = ['radio', 'sonar'].filter((name) => !memberOf(read.live[name], 'site'));
      const leftOut = new Set(['guests', 'made_at', ...unused, ...notes.map((note) => note.split(' ')[0])]);
      const written = boats.canonical?.(writtenOf(pulled)).value as Boat;
      const created = createdFrom(fields, written, read.live);
      const lost = changesOf(fields, created, read.live, { names });
      expect(lost.filter(({ path: [name = ''] }) => !leftOut.has(name))).toEqual([]);
    }),
    propertyRuns(5_000, 500),
  );
});
