// How a group of singles is pulled, of which some may not be on the tenant and others may not be readable.
import { describe, expect, test } from 'vitest';
import { groupKind, type LiveSingle } from '../../src/items/group-kind.ts';
import type { NewNames, PullReading } from '../../src/model/kind.ts';
import { noNames } from '../../src/model/names.ts';
import type { GetOperation } from '../../src/model/operation.ts';
import { notOnTenant, type Reader, type Unreadable } from '../../src/model/reader.ts';
import type { KindDescription, Resource } from '../../src/model/resource.ts';
import { desiredSection } from '../support/desired-section.ts';
import { forbidden } from '../support/harbour.ts';
import { snapshotOf } from '../support/snapshot-of.ts';

const single = (id: string, fields: Resource['fields']): Resource => ({
  ...{ at: 'single', key: [], id: 'id', resources: {}, fields },
  operations: { get: { id, api: 'full', method: 'GET', path: `/${id}` } as unknown as GetOperation },
});

const group: KindDescription = {
  ...{ name: 'event_streams', title: 'Lights', noun: { one: 'light', many: 'lights' }, undeclared: 'ignore' },
  ...{ at: 'group', key: [], id: 'id', fields: {}, operations: {} },
  resources: {
    mast: single('mast', { on: { sides: 'UR', login: {} }, color: { sides: 'UR', filled: 'white' } }),
    deck: single('deck', { lamp: { sides: 'UR' }, key: { sides: 'U', secret: 'hidden' } }),
    fog: single('fog', { on: { sides: 'UR' } }),
    bell: single('bell', { on: { sides: 'UR' } }),
    radar: single('radar', { on: { sides: 'UR' } }),
  },
};

const { pull } = groupKind(group);
const newNames: NewNames = { secret: (...words) => `\${env:NEW_${words.join('_')}}` };
const failed: Unreadable = forbidden.why;
const missing = notOnTenant(forbidden).why;

/** The lights of the tenant. */
const answers = {
  mast: { ok: true, value: { on: true, color: 'white' } },
  deck: { ok: true, value: { lamp: 'x' } },
  fog: notOnTenant(forbidden),
  bell: notOnTenant({ ...forbidden, why: { ...forbidden.why, message: 'another reason' } }),
  radar: forbidden,
} as const;

async function readingOf(declared: readonly string[]): Promise<PullReading<LiveSingle>> {
  const snapshot = snapshotOf({
    get: async ({ id }: { id: keyof typeof answers }) => answers[id],
  } as unknown as Reader);
  const desired = desiredSection(declared.map((key) => [key, {}]));
  const undeclared = await pull?.readUndeclared?.(snapshot, desired, noNames);
  if (!undeclared?.readable) throw new Error('unreadable');
  const state = (key: string) =>
    key === 'radar' ? failed : ({ readable: true, filtered: false, items: [{ on: false }] } as const);
  const live = { readable: true, filtered: false, items: declared.map((key) => ({ key, state: state(key) })) } as const;
  return { items: desired.items, live: declared.length === 0 ? undeclared : live, undeclared, names: noNames };
}

test('those that the tenant has are written, with what can be updated', async () => {
  const reading = await readingOf([]);
  const written = reading.undeclared.items.flatMap((one) =>
    pull?.keyOf(one, reading) === null ? [] : [[one.key, pull?.declare(one, newNames, reading)]],
  );
  expect(Object.fromEntries(written)).toEqual({
    mast: { written: { on: true } },
    deck: { written: { lamp: 'x', key: '${env:NEW_deck_key}' } },
  });
});

test('a line for those that it does not have, and one for each other reason', async () => {
  expect(pull?.leftAlone?.(await readingOf([]))).toEqual([
    { message: 'fog, bell: not on this tenant', why: missing },
    { message: `radar: ${failed.message}`, why: failed },
  ]);
});

describe('a declared one', () => {
  test('gets live values', async () => {
    const reading = await readingOf(['mast']);
    const [mast] = reading.live.items;
    expect(mast && pull?.adopt({ on: true }, mast, newNames, reading)).toEqual({ written: { on: false } });
  });

  test('stays as it is if it could not be read', async () => {
    const reading = await readingOf(['radar']);
    const [radar] = reading.live.items;
    expect(radar && pull?.keyOf(radar, reading)).toBe('radar');
    expect(radar && pull?.adopt({ on: true }, radar, newNames, reading)).toEqual({ written: { on: true } });
    expect(pull?.leftAlone?.(reading).map(({ message }) => message)).toEqual([
      `radar: ${failed.message}`,
      'fog, bell: not on this tenant',
    ]);
  });
});
