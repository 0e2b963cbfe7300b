// Items by the list of their kind or one by one, whichever takes fewer requests.
import { describe, expect, test } from 'vitest';
import type { NotRead, Reader } from '../../src/model/reader.ts';
import type { Doubt, ItemSource, Wanted } from '../../src/model/snapshot.ts';
import { operations } from '../../src/service/event-streams/description.generated.ts';
import { snapshotOf } from '../support/snapshot-of.ts';

interface Item {
  readonly id: string;
  readonly name: string;
}

const named = (name: string, id = `est_${name}`): Item => ({ id, name });

const source = {
  list: operations.list,
  get: operations.get,
  filterOf: (name: string) => (name.startsWith('/') ? null : { name }),
  nameOf: ({ name }: Item) => name,
} as unknown as ItemSource<Item>;
const exact = { ...source, isFilterExact: true };
const { filterOf: _none, ...byId } = source;

interface Tenant {
  readonly live?: readonly Item[];
  /** The list of the second pass and later. */
  readonly later?: readonly Item[];
  readonly pages?: number;
  /** How every pass over the list changed. */
  readonly changed?: string;
  readonly refuses?: (asked: string) => NotRead | null;
}

async function find(
  from: ItemSource<Item>,
  wanted: Wanted<Item>,
  { live = [], later = live, pages = 3, changed, refuses = () => null }: Tenant,
) {
  const asked: string[] = [];
  const ask = (what: string): NotRead | null => {
    asked.push(what);
    return refuses(what);
  };
  const reader = {
    list: async (_operation: unknown, { name }: { readonly name?: string }) => {
      const refused = ask(name === undefined ? 'list' : `filter ${name}`);
      if (refused !== null) return refused;
      const now = asked.filter((one) => one === 'list').length > 1 || name !== undefined ? later : live;
      if (name !== undefined) return { ok: true, items: now.filter((item) => item.name.startsWith(name)) };
      return { ok: true, items: now, pages, ...(changed !== undefined && { changed }) };
    },
    get: async (_operation: unknown, { id }: { readonly id: string }) => {
      const refused = ask(id);
      if (refused !== null) return refused;
      const value = later.find((item) => item.id === id);
      return value === undefined ? { ...failure('gone'), status: 404, gone: true } : { ok: true, value };
    },
  } as unknown as Reader;
  const found = await snapshotOf(reader).find(from, wanted);
  return found.ok
    ? { asked, names: found.items.map(({ name }) => name), isComplete: found.isComplete }
    : { asked, why: found.why.message };
}

function failure(message: string): NotRead {
  const why = { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message } as const;
  return { ok: false, why, status: 500, serviceMessage: null };
}

const live = ['a', 'b', 'c'].map((name) => named(name));

describe('one by one', () => {
  test('nothing is read if nothing is wanted', async () => {
    expect(await find(source, { names: [] }, { live })).toEqual({ asked: [], names: [], isComplete: false });
  });

  test('a name is found by the filter, and matched exactly', async () => {
    const twins = [...live, named('ab')];
    expect(await find(source, { names: ['a'] }, { live: twins })).toEqual({
      asked: ['filter a'],
      names: ['a'],
      isComplete: false,
    });
  });

  test('that a name is missing is shown by the list, or by an exact filter', async () => {
    expect(await find(source, { names: ['x'] }, { live })).toMatchObject({ asked: ['filter x', 'list'] });
    expect(await find(exact, { names: ['x'] }, { live })).toMatchObject({ asked: ['filter x'], names: [] });
    expect(await find(source, { names: ['a'], others: ['x'] }, { live })).toMatchObject({
      asked: ['filter a', 'filter x'],
      names: ['a'],
    });
  });

  test('an item that was there before is looked for by its id: it may have another name now', async () => {
    const renamed = [named('new', 'est_a')];
    const before = new Map([['a', 'est_a']]);
    expect(await find(exact, { names: ['a'], before }, { live: renamed })).toMatchObject({
      asked: ['filter a', 'est_a'],
      names: ['new'],
    });
    expect(await find(byId, { names: ['a'], before }, { live: renamed })).toMatchObject({
      asked: ['est_a'],
      names: ['new'],
    });
    expect(await find(byId, { names: ['a'], before }, {})).toMatchObject({ asked: ['est_a'], names: [] });
  });

  test('without an id or an operation for it, the list shows that', async () => {
    expect(await find(exact, { names: ['a'], before: new Map([['a', null]]) }, {})).toMatchObject({
      asked: ['filter a', 'list'],
    });
    const before = new Map([['/a', 'est_a']]);
    const { get: _get, ...withoutGet } = exact;
    expect(await find(withoutGet, { names: ['/a'], before }, {})).toMatchObject({ asked: ['list'] });
  });

  test('an id is read by itself, and one that is no id of a path by the list', async () => {
    expect(await find(source, { names: [], ids: ['est_b'] }, { live })).toMatchObject({
      asked: ['est_b'],
      names: ['b'],
    });
  });

  test('a reading that fails is the result, and so is an item with another id', async () => {
    const refuses = () => failure('no');
    expect(await find(source, { names: ['a'] }, { live, refuses })).toEqual({ asked: ['filter a'], why: 'no' });
    expect(await find(source, { names: [], ids: ['est_b'] }, { refuses })).toMatchObject({ why: 'no' });
    const reader = { get: async () => ({ ok: true, value: named('b', 'est_other') }) } as unknown as Reader;
    const found = await snapshotOf(reader).find(source, { names: [], ids: ['est_b'] });
    expect(found).toMatchObject({
      why: { message: 'get_event_stream: the response to a request for est_b has another id' },
    });
  });
});

describe('the list', () => {
  test('is read if it takes fewer requests, or if it is preferred', async () => {
    const many = Array.from({ length: 50 }, (_none, index) => `n${index}`);
    expect(await find(source, { names: many }, { live })).toMatchObject({ asked: ['list'], isComplete: true });
    expect(await find(exact, { names: [...many, 'n'] }, { live })).toMatchObject({ asked: ['list'] });
    expect(await find(source, { names: ['a'], listFirst: true }, { live })).toMatchObject({ asked: ['list'] });
    expect(await find(source, { names: ['a'], isLong: false }, { live })).toMatchObject({ asked: ['list'] });
    expect(await find(source, { names: null }, { live })).toMatchObject({ asked: ['list'] });
  });

  test('that others keep changing is given up: what is known by name or id is read by itself', async () => {
    const changing = { live, changed: 'page 2: the total changed from 3 to 4 items' };
    let pass = 0;
    const list = async (_operation: unknown, { name }: { readonly name?: string }) => {
      if (name !== undefined) return { ok: true, items: [named(name)] };
      pass += 1;
      return { ok: true, items: [named(`n${pass}`)], pages: 2, changed: changing.changed };
    };
    const snapshot = snapshotOf({ list } as unknown as Reader);
    expect(await snapshot.find(source, { names: ['a'], listFirst: true })).toMatchObject({ items: [named('a')] });
    expect(await snapshot.find(source, { names: null })).toMatchObject({ ok: false, restless: true });
  });
});

describe('what is doubtful', () => {
  const unwanted = (name: string): Doubt => ({ name, what: 'unwanted', ids: [`est_${name}`] });
  const doubting = (...names: readonly string[]): Wanted<Item> => ({
    names: null,
    doubtsOf: (items) => items.filter(({ name }) => names.includes(name)).map(({ name }) => unwanted(name)),
  });
  const missing = (name: string): Wanted<Item> => ({
    names: null,
    doubtsOf: (items) => (items.some((item) => item.name === name) ? [] : [{ name, what: 'missing', ids: [] }]),
  });

  test('is confirmed by name or by id, if the list takes more requests', async () => {
    expect(await find(exact, doubting('a', 'b'), { live })).toMatchObject({
      asked: ['list', 'filter a', 'filter b'],
      names: ['c', 'a', 'b'],
    });
    expect(await find(byId, doubting('a'), { live })).toMatchObject({
      asked: ['list', 'est_a'],
      names: ['b', 'c', 'a'],
    });
    expect(await find(byId, doubting('a', 'b', 'c'), { live })).toMatchObject({ asked: ['list', 'list'] });
    expect(await find(exact, missing('x'), { live })).toMatchObject({ asked: ['list', 'filter x'] });
  });

  test('and is missing is shown by no id', async () => {
    expect(await find(byId, missing('x'), { live })).toMatchObject({ asked: ['list', 'list'] });
    expect(await find(source, missing('x'), { live })).toMatchObject({ asked: ['list', 'list'] });
  });

  test('and is gone by then is not there', async () => {
    expect(await find(byId, doubting('a'), { live, later: live.slice(1) })).toMatchObject({
      asked: ['list', 'est_a'],
      names: ['b', 'c'],
    });
  });

  test('and was created again under another id is replaced', async () => {
    const later = [named('a', 'est_new'), ...live.slice(1)];
    expect(await find(exact, doubting('a'), { live, later })).toMatchObject({ names: ['b', 'c', 'a'] });
    // A service may return more than it was asked for.
    expect(await find(exact, doubting('b'), { live, later: [...later, named('bc')] })).toMatchObject({
      names: ['a', 'c', 'b'],
    });
  });

  test('and cannot be confirmed makes the list unreadable', async () => {
    const refuses = (asked: string) => (asked === 'est_a' ? failure('no') : null);
    expect(await find(byId, doubting('a'), { live, refuses })).toEqual({ asked: ['list', 'est_a'], why: 'no' });
  });
});
