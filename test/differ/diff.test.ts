import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffFields, diffItems } from '../../src/differ/diff-items.ts';
import { desiredItem } from '../support/desired-section.ts';
import { propertyRuns } from '../support/thorough.ts';

describe('fields', () => {
  test('an undeclared live field is unmanaged', () => {
    expect(diffFields({ a: 1, b: 2 }, { a: 1 })).toEqual([]);
  });

  test('an inherited name is not a live field', () => {
    expect(diffFields({}, { toString: 'x' })).toEqual([{ field: 'toString', after: 'x' }]);
  });

  test('laws: a value does not differ from itself; applying the changes leaves none', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (live, declared) => {
          expect(diffFields(declared, declared)).toEqual([]);
          expect(diffFields({ ...live, ...declared }, declared)).toEqual([]);
        },
      ),
      propertyRuns(100),
    );
  });

  test('law: a declared leaf that differs is always found', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), fc.integer(), (key, before, after) => {
        fc.pre(before !== after);
        expect(diffFields({ [key]: before }, { [key]: after })).toEqual([{ field: key, before, after }]);
      }),
      propertyRuns(100),
    );
  });
});

describe('items', () => {
  interface Live {
    readonly key: string;
    readonly value: number;
  }
  const comparison = {
    keyOf: ({ key }: Live) => key,
    idOf: ({ key, value }: Live) => `${key}${value}`,
    desiredForm: (value: number) => ({ value }),
    liveForm: ({ value }: Live) => ({ value }),
  };
  const side = fc.uniqueArray(
    fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.integer({ min: 0, max: 2 }) }),
    { selector: ({ key }) => key },
  );

  test('laws: equal sides have no difference, unequal ones have, and order does not matter', () => {
    fc.assert(
      fc.property(side, side, (desired, live) => {
        const items = desired.map(({ key, value }) => desiredItem(key, value));
        const kinds = (differences: ReturnType<typeof diffItems<number, Live>>) =>
          [...differences]
            .map(
              (difference) => `${difference.type}:${'desired' in difference ? difference.desired.key : difference.key}`,
            )
            .sort();
        const found = kinds(diffItems(items, live, comparison));
        const sorted = (list: typeof live) => JSON.stringify([...list].sort((a, b) => (a.key < b.key ? -1 : 1)));
        expect(found.length === 0).toBe(sorted(desired) === sorted(live));
        expect(kinds(diffItems([...items].reverse(), [...live].reverse(), comparison))).toEqual(found);
      }),
      propertyRuns(100),
    );
  });
});
