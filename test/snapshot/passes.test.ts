// Lists of several pages: how often they are read, and when they are not known.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Listed, Reader } from '../../src/model/reader.ts';
import type { Doubt } from '../../src/model/snapshot.ts';
import { mostPasses } from '../../src/snapshot/passes.ts';
import { listRoles } from '../support/role-operations.ts';
import { snapshotOf } from '../support/snapshot-of.ts';
import { propertyRuns } from '../support/thorough.ts';

type Pass = Partial<Listed<{ readonly id: string }>> & { readonly ids?: readonly string[] };

/** The ids of the list that is certain after these passes, and how many of them were read. */
async function over(passes: readonly Pass[], doubtsOf: (ids: readonly string[]) => readonly Doubt[] = () => []) {
  let read = 0;
  const list = async () => {
    const { ids = [], ...pass } = passes[Math.min(read, passes.length - 1)] ?? {};
    read += 1;
    return { ok: true, pages: 2, items: ids.map((id) => ({ id })), ...pass };
  };
  const snapshot = snapshotOf({ list: list as unknown as Reader['list'] });
  const listing = await snapshot.list(listRoles, {}, {}, (roles) => doubtsOf(roles.map(({ id }) => id)));
  return { found: listing.ok ? listing.items.map(({ id }) => id) : listing.why.message, read };
}

const doubt = (name: string, ...ids: readonly string[]): Doubt => ({ name, what: 'unwanted', ids });
/** Each of these ids is doubtful. */
const doubting =
  (...names: readonly string[]) =>
  (ids: readonly string[]) =>
    ids.filter((id) => names.includes(id)).map((id) => doubt(id, id));

const moved = 'page 2: the total changed from 111 to 112 items';

describe('a list whose pages fit together', () => {
  test('is read once if nothing is doubtful, or if it has one page', async () => {
    expect(await over([{ ids: ['a'] }])).toEqual({ found: ['a'], read: 1 });
    expect(await over([{ ids: ['a'], pages: 1 }], doubting('a'))).toEqual({ found: ['a'], read: 1 });
  });

  test.each<readonly [string, readonly (readonly string[])[], number]>([
    ['the same', [['a'], ['a']], 2],
    ['one less', [['a', 'b'], ['a']], 2],
    ['none is left', [['a'], []], 2],
    ['another one', [['a'], ['b'], ['b']], 3],
    ['one more', [['a'], ['a', 'b'], ['a', 'b']], 3],
  ])('is read until two passes agree about what is doubtful: %s', async (_name, passes, read) => {
    const all = doubting('a', 'b');
    expect(
      await over(
        passes.map((ids) => ({ ids })),
        all,
      ),
    ).toEqual({ found: passes.at(-1), read });
  });

  test('agrees by ids, not by names', async () => {
    const twins = (ids: readonly string[]) => [doubt('twin', ...ids)];
    const passes = [{ ids: ['1', '2'] }, { ids: ['1', '3'] }, { ids: ['1', '3'] }];
    expect(await over(passes, twins)).toEqual({ found: ['1', '3'], read: 3 });
  });

  test('is not looked through again if every page has the same bytes', async () => {
    const items = [{ id: 'a' }];
    let looked = 0;
    const result = await over([{ items }], () => {
      looked += 1;
      return [doubt('a')];
    });
    // Once to find that something is doubtful, and once to ask whether that can be confirmed with fewer requests.
    expect([result.read, looked]).toEqual([2, 1]);
  });

  test('is not known if passes keep disagreeing', async () => {
    const restless = Array.from({ length: 9 }, (_none, index) => ({ ids: [String(index)] }));
    const { found, read } = await over(restless, (ids) => ids.map((id) => doubt(id, id)));
    expect(read).toBe(mostPasses);
    expect(found).toBe(
      'list_roles: the list changed each of the 5 times that it was read: passes disagree about what is missing, there twice, or to be deleted',
    );
  });
});

describe('a list that changed while it was read', () => {
  test('is read again until its pages fit together', async () => {
    expect(await over([{ ids: ['a'], changed: moved }, { ids: ['a', 'b'] }])).toEqual({ found: ['a', 'b'], read: 2 });
  });

  test('is not known if it changes each time, and the reason has the last change', async () => {
    const passes = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ ids: [id], changed: moved }));
    expect(await over(passes)).toEqual({
      found: `list_roles: the list changed each of the 5 times that it was read: ${moved}`,
      read: mostPasses,
    });
  });

  test('is no witness that something is missing: the next one that fits together needs another', async () => {
    const missing = (ids: readonly string[]) => (ids.includes('b') ? [] : [doubt('b')]);
    const fits = { ids: ['a'] };
    expect(await over([{ ids: ['a'], changed: moved }, fits, fits], missing)).toEqual({ found: ['a'], read: 3 });
  });

  test('is not known from passes that agree: both may miss the same item', async () => {
    expect(await over([{ ids: ['a'], changed: moved }])).toMatchObject({ read: mostPasses });
  });
});

test('law: what is certain was shown by the last pass, and nothing doubtful by that one alone', async () => {
  const pass = fc.record({
    ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }),
    changed: fc.option(fc.constant(moved), { nil: undefined }),
    pages: fc.constantFrom(1, 2, 2, 2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(pass, { minLength: mostPasses, maxLength: mostPasses }), async (drawn) => {
      // A list of one page is one response, which cannot change.
      const passes = drawn.map(({ ids, changed, pages }) => ({
        ids,
        pages,
        ...(changed !== undefined && pages > 1 && { changed }),
      }));
      const { found, read } = await over(passes, doubting('a', 'b'));
      const last = passes[read - 1];
      const before = passes[read - 2];
      if (typeof found === 'string') {
        expect(read).toBe(mostPasses);
        return;
      }
      expect(found).toEqual(last?.ids);
      if (last?.pages === 1) return;
      expect(last).not.toHaveProperty('changed');
      for (const id of ['a', 'b']) {
        if (!found.includes(id)) continue;
        expect(before?.ids).toContain(id);
        expect(before).not.toHaveProperty('changed');
      }
    }),
    propertyRuns(300),
  );
});
