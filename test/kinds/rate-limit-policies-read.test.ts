// What is read of single policies, by a first plan and when one is made again.
import { describe, expect, test } from 'vitest';
import { rateLimitPolicies as kind } from '../../src/kinds/rate-limit-policies/index.ts';
import type { ReadAsk } from '../../src/model/kind.ts';
import type { Reader } from '../../src/model/reader.ts';
import { operations } from '../../src/service/rate-limit-policies/description.generated.ts';
import type { CreatePolicyBody as Policy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { snapshotKnowing, snapshotOf } from '../support/snapshot-of.ts';

const key = 'oauth_authentication_api/client/client_id:old';
const policy = { id: 'rlp_old', resource: 'oauth_authentication_api', consumer: 'client', configuration: {} };
const old = { ...policy, consumer_selector: 'client_id:old' };

/** Reads from a tenant whose filters find `filtered`, and whose complete list and ids show `live`. */
async function readOnly(ask: Partial<ReadAsk<Policy>>, filtered: readonly object[], live: readonly { id: string }[]) {
  const asked: string[] = [];
  const reader = {
    list: async (_operation: unknown, query: object) => {
      const isFiltered = Object.keys(query).length > 0;
      asked.push(isFiltered ? 'filtered' : 'all');
      return { ok: true, items: isFiltered ? filtered : live };
    },
    get: async (_operation: unknown, { id }: { readonly id: string }) => {
      asked.push(id);
      const value = live.find((item) => item.id === id);
      return value === undefined ? { ok: false, gone: true } : { ok: true, value };
    },
  } as unknown as Reader;
  const watched = [buildAction({ key, action: 'update' })];
  const whole = { desired: desiredSection<Policy>([]), only: [key], keep: keepNothing, watched };
  const state = await kind.reading?.read(snapshotOf(reader), { ...whole, ...ask });
  return { asked, items: state?.readable ? state.items : null };
}

test('one that a plan has not seen is found by the filters', async () => {
  expect(await readOnly({}, [old], [old])).toEqual({ asked: ['filtered'], items: [old] });
  expect(await readOnly({}, [], [])).toEqual({ asked: ['filtered'], items: [] });
});

test('one that was there and is not found is read by its id: it may have another identity, or be found later', async () => {
  const ask = { before: new Map([[key, 'rlp_old']]) };
  const renamed = { ...old, consumer_selector: 'client_id:new' };
  expect(await readOnly(ask, [old], [old])).toEqual({ asked: ['filtered'], items: [old] });
  expect(await readOnly(ask, [], [old])).toEqual({ asked: ['filtered', 'rlp_old'], items: [old] });
  expect(await readOnly(ask, [renamed], [renamed])).toEqual({ asked: ['filtered', 'rlp_old'], items: [renamed] });
  expect(await readOnly(ask, [], [])).toEqual({ asked: ['filtered', 'rlp_old'], items: [] });
});

test('one that was created again is found by the filters', async () => {
  const again = { ...old, id: 'rlp_new' };
  const ask = { before: new Map([[key, 'rlp_old']]) };
  expect(await readOnly(ask, [again], [again])).toEqual({ asked: ['filtered'], items: [again] });
});

test('without an operation that reads it by its id, only the complete list shows that it is gone', async () => {
  const ask = { before: new Map([[key, null]]) };
  expect(await readOnly(ask, [], [old])).toEqual({ asked: ['filtered', 'all'], items: [old] });
  expect(await readOnly(ask, [old], [old])).toEqual({ asked: ['filtered'], items: [old] });
});

/** A snapshot that knows how many pages the complete list has. */
const knowing = async (reader: Reader, pages?: number) =>
  pages === undefined ? snapshotOf(reader) : snapshotKnowing({ list: operations.list }, pages, reader);

const keyNamed = (name: string) => `oauth_authentication_api/client/${name}`;
const named = (id: string, name: string) => ({ ...policy, id, consumer_selector: name });

/** The policies that a tenant with these shows for several keys, and the number of requests. */
async function readSeveral(
  names: readonly string[],
  live: readonly ReturnType<typeof named>[],
  parts: { readonly pages?: number },
  ignoresFilters = false,
) {
  let requests = 0;
  const list = async (_operation: unknown, query: { readonly consumer_selector?: string }) => {
    requests += 1;
    const isAll = ignoresFilters || query.consumer_selector === undefined;
    return { ok: true, items: live.filter((item) => isAll || item.consumer_selector === query.consumer_selector) };
  };
  const watched = [buildAction({ action: 'update' })];
  const ask = { desired: desiredSection<Policy>([]), only: names.map(keyNamed), keep: keepNothing, watched };
  const state = await kind.reading?.read(await knowing({ list } as unknown as Reader, parts.pages), ask);
  return {
    requests,
    ids: state?.readable ? state.items.map(({ id }) => id) : null,
    filtered: state?.readable && state.filtered,
  };
}

test('several are found by the filters if that takes fewer requests than the complete list, or may', async () => {
  const live = ['a', 'b', 'c'].map((name) => named(`rlp_${name}`, `client_id:${name}`));
  const two = ['client_id:a', 'client_id:c'];
  expect(await readSeveral(two, live, {})).toEqual({ requests: 2, ids: ['rlp_a', 'rlp_c'], filtered: true });
  expect(await readSeveral(two, live, { pages: 2 })).toMatchObject({ requests: 2 });
  expect(await readSeveral(two, live, { pages: 1 })).toEqual({
    requests: 1,
    ids: ['rlp_a', 'rlp_b', 'rlp_c'],
    filtered: false,
  });
  const many = Array.from({ length: 51 }, (_none, index) => `client_id:${index}`);
  expect(await readSeveral(many, live, {})).toMatchObject({ requests: 1, filtered: false });
});

test('a service that ignores the filters returns no policy twice', async () => {
  const live = ['a', 'b'].map((name) => named(`rlp_${name}`, `client_id:${name}`));
  expect(await readSeveral(['client_id:a', 'client_id:b'], live, {}, true)).toMatchObject({ ids: ['rlp_a', 'rlp_b'] });
});

describe('beside a selected policy', () => {
  const own = { clients: [{ id: 'sync', name: 'sync' }], apis: [] };
  const deleteOf = (name: string) => buildAction({ key: keyNamed(name) });
  const all = ['client_id:a', 'client_id:sync', 'client_id:tpa_1', 'third_party_clients', 'default'].map((name) =>
    named(`rlp_${name}`, name),
  );

  /** The selectors that are read, and what is beside the selected ones; a page of `unreadable` is missing. */
  async function besides(
    names: readonly string[],
    { pages, ...parts }: Partial<ReadAsk<Policy>> & { readonly pages?: number },
    unreadable = '',
  ) {
    const asked: string[] = [];
    const list = async (_operation: unknown, { consumer_selector: name }: { readonly consumer_selector?: string }) => {
      asked.push(name ?? 'all');
      if (name === unreadable) return { ok: false, why: { readable: false, message: `no ${name}` } };
      return { ok: true, items: all.filter((item) => name === undefined || item.consumer_selector === name) };
    };
    const watched = [buildAction({ action: 'update' })];
    const whole = { desired: desiredSection<Policy>([]), only: names.map(keyNamed), keep: keepNothing, watched };
    const ask = { ...whole, ...parts };
    const state = await kind.reading?.read(await knowing({ list } as unknown as Reader, pages), ask);
    const selectors = (items: readonly { readonly consumer_selector: string }[] | undefined) =>
      items?.map(({ consumer_selector }) => consumer_selector);
    return state?.readable
      ? { asked, items: selectors(state.items), beside: selectors(state.beside), filtered: state.filtered }
      : { asked, why: state?.message };
  }

  test('nothing is read that nobody falls back to', async () => {
    expect(await besides(['client_id:a'], {})).toEqual({
      asked: ['client_id:a'],
      items: ['client_id:a'],
      filtered: true,
    });
    expect(await besides(['client_id:a'], { own })).toMatchObject({ asked: ['client_id:a'] });
    const created = buildAction({ key: keyNamed('client_id:a'), action: 'create' });
    expect(await besides(['client_id:a'], { watched: [created] })).toMatchObject({ asked: ['client_id:a'] });
  });

  test('what a client of this tool falls back to is read, and what comes before it', async () => {
    expect(await besides(['client_id:sync'], { own })).toEqual({
      asked: ['client_id:sync', 'default'],
      items: ['client_id:sync'],
      beside: ['default'],
      filtered: true,
    });
    expect(await besides(['default'], { own })).toMatchObject({ items: ['default'], beside: ['client_id:sync'] });
  });

  test('what the clients of a deleted policy fall back to is read', async () => {
    expect(await besides(['client_id:tpa_1'], { watched: [deleteOf('client_id:tpa_1')] })).toMatchObject({
      asked: ['client_id:tpa_1', 'third_party_clients', 'default'],
      items: ['client_id:tpa_1'],
      beside: ['third_party_clients', 'default'],
    });
    const both = ['client_id:tpa_1', 'default'];
    expect(await besides(both, { watched: both.map(deleteOf) })).toMatchObject({
      items: both,
      beside: ['third_party_clients'],
    });
    expect(await besides(['client_id:a'], { watched: [deleteOf('client_id:a')], pages: 1 })).toMatchObject({
      asked: ['all'],
      filtered: false,
    });
  });

  test.each<readonly [string, string, readonly string[], readonly string[]]>([
    ['is deleted', 'client_id:tpa_1', [], ['client_id:tpa_1', 'third_party_clients', 'default']],
    ['is created', 'client_id:new', ['client_id:new'], ['client_id:new', 'default']],
    ['stays', 'client_id:a', ['client_id:a'], ['client_id:a']],
    ['is not there and stays so', 'client_id:new', [], ['client_id:new', 'default']],
  ])('a first plan reads what decides about one that %s', async (_name, selector, declared, asked) => {
    const desired = desiredSection<Policy>(
      declared.map((name) => [keyNamed(name), { ...policy, consumer_selector: name } as never]),
    );
    const read = await besides([selector], { desired, watched: [] });
    expect(read).toMatchObject({ asked });
    expect(read.beside ?? []).toEqual(asked.slice(1));
  });

  test('a client that only its id names is looked for in the complete list', async () => {
    const unnamed = { clients: [{ id: 'sync', name: 'the client of the token' }], apis: [] };
    expect(await besides(['default'], { own: unnamed })).toMatchObject({ asked: ['all'], filtered: false });
    expect(await besides(['client_id:a'], { own: unnamed })).toMatchObject({ asked: ['client_id:a'] });
    expect(await besides(['client_id:sync'], { own: unnamed })).toMatchObject({ beside: ['default'] });
  });

  test('one that cannot be read makes all unreadable', async () => {
    expect(await besides(['client_id:sync'], { own }, 'default')).toMatchObject({ why: 'no default' });
    expect(await besides(['client_id:a', 'default'], {}, 'default')).toMatchObject({ why: 'no default' });
    expect(await besides(['default', 'client_id:a'], {}, 'default')).toMatchObject({ why: 'no default' });
  });
});
