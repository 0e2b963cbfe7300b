import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffItems } from '../../src/differ/diff-items.ts';
import type { ItemState } from '../../src/model/kind.ts';
import { desiredItem, desiredSection, withStates } from '../support/desired-section.ts';
import { propertyRuns } from '../support/thorough.ts';

describe('items', () => {
  interface Live {
    readonly key: string;
    readonly value: number;
  }
  const comparison = {
    keyOf: ({ key }: Live) => key,
    idOf: ({ key, value }: Live) => `${key}${value}`,
    changesOf: (after: number, { value: before }: Live) =>
      before === after ? [] : [{ field: 'value', path: ['value'], before, after }],
    liveForm: ({ value }: Live) => ({ value }),
  };
  const side = fc.uniqueArray(
    fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.integer({ min: 0, max: 2 }) }),
    { selector: ({ key }) => key },
  );

  const live = (key: string, value: number): Live => ({ key, value });
  const [one, two, three] = [live('a', 1), live('a', 2), live('a', 3)];
  type Found = readonly unknown[];

  test.each<readonly [string, Readonly<Record<string, number>>, ItemState, readonly Live[], readonly Found[]]>([
    ['present and missing', { a: 1 }, 'present', [], [['missing', 'a']]],
    ['present and equal', { a: 1 }, 'present', [one], []],
    ['present and different', { a: 1 }, 'present', [two], [['different', 'a', 'a2']]],
    ['one of two is as declared', { a: 2 }, 'present', [one, two], [['duplicate', 'a', 'a1', 'a2', false]]],
    [
      'one of three, in any order',
      { a: 2 },
      'present',
      [three, two, one],
      [
        ['duplicate', 'a', 'a1', 'a2', false],
        ['duplicate', 'a', 'a3', 'a2', false],
      ],
    ],
    ['none of two, in any order', { a: 3 }, 'present', [two, one], [['ambiguous', 'a', 'a1 a2']]],
    [
      'two as declared: the first by id is kept',
      { a: 1 },
      'present',
      [{ ...one, id: 'z' } as Live, one],
      [['duplicate', 'a', 'a1', 'a1', false]],
    ],
    ['absent and live', { a: 1 }, 'absent', [one], [['absent', 'a', 'a1', true]]],
    [
      'absent and live twice',
      { a: 1 },
      'absent',
      [one, two],
      [
        ['absent', 'a', 'a1', false],
        ['absent', 'a', 'a2', false],
      ],
    ],
    ['absent and missing', { a: 1 }, 'absent', [], []],
    [
      'unmanaged and live twice',
      { a: 1 },
      'unmanaged',
      [one, two],
      [
        ['unmanaged', 'a', 'a1'],
        ['unmanaged', 'a', 'a2'],
      ],
    ],
    ['unmanaged and missing', { a: 1 }, 'unmanaged', [], []],
    [
      'undeclared',
      {},
      'present',
      [one, live('b', 1)],
      [
        ['undeclared', 'a', 'a1', true],
        ['undeclared', 'b', 'b1', true],
      ],
    ],
    [
      'undeclared, three of one identity',
      {},
      'present',
      [one, two, three],
      [
        ['undeclared', 'a', 'a1', false],
        ['undeclared', 'a', 'a2', false],
        ['undeclared', 'a', 'a3', false],
      ],
    ],
    [
      'declared ones first, whatever the order of the listing',
      { b: 1 },
      'present',
      [one, live('b', 2)],
      [
        ['different', 'b', 'b2'],
        ['undeclared', 'a', 'a1', true],
      ],
    ],
  ])('%s', (_name, declared, state, items, expected) => {
    const section = withStates(desiredSection(Object.entries(declared)), { a: state });
    const found = [...diffItems(section.items, items, comparison, items.map(comparison.keyOf))].map(
      (difference): Found => {
        const key = 'key' in difference ? difference.key : difference.desired.key;
        const ids = 'live' in difference ? [difference.live].flat().map((item) => comparison.idOf(item)) : [];
        return [
          difference.type === 'surplus' ? difference.reason : difference.type,
          key,
          ...(ids.length > 0 ? [ids.join(' ')] : []),
          ...('kept' in difference && difference.kept !== undefined ? [comparison.idOf(difference.kept)] : []),
          ...('alone' in difference ? [difference.alone] : []),
        ];
      },
    );
    expect(found).toEqual(expected);
  });

  test('laws: equal sides have no difference, unequal ones have, and order does not matter', () => {
    fc.assert(
      fc.property(side, side, (desired, live) => {
        const items = desired.map(({ key, value }) => desiredItem(key, value));
        const kinds = (differences: ReturnType<typeof diffItems<number, Live>>) =>
          [...differences]
            .map((difference) => `${difference.type}:${'key' in difference ? difference.key : difference.desired.key}`)
            .sort();
        const found = kinds(diffItems(items, live, comparison, live.map(comparison.keyOf)));
        const sorted = (list: typeof live) => JSON.stringify([...list].sort((a, b) => (a.key < b.key ? -1 : 1)));
        expect(found.length === 0).toBe(sorted(desired) === sorted(live));
        expect(
          kinds(diffItems([...items].reverse(), live.toReversed(), comparison, live.map(comparison.keyOf).reverse())),
        ).toEqual(found);
      }),
      propertyRuns(100),
    );
  });
});
