import { describe, expect, test } from 'vitest';
import { itemsToRead } from '../../src/engine/read-plan.ts';

const items = (kind: string, count: number) => Array.from({ length: count }, (_, index) => ({ kind, key: `${index}` }));

describe('what is read to plan items again', () => {
  test.each<readonly [string, number, readonly string[], number | 'kind']>([
    ['no item', 0, [], 0],
    ['as many as are named', 50, [], 50],
    ['one more: their listing', 51, [], 'kind'],
    ['one more, of a kind that is read item by item', 51, ['roles'], 51],
    ['one more, where another kind is read item by item', 51, ['prompts'], 'kind'],
    ['as many of them as are named', 1000, ['roles'], 1000],
    ['one more of them', 1001, ['roles'], 'kind'],
  ])('%s', (_name, count, single, expected) => {
    const of = items('roles', count);
    expect(itemsToRead(of, new Set(single))).toEqual(expected === 'kind' ? [{ kind: 'roles', key: null }] : of);
  });

  test('each item once, and each kind by itself', () => {
    const [a, b] = [
      { kind: 'roles', key: 'same' },
      { kind: 'prompts', key: 'same' },
    ];
    expect(itemsToRead([a, b, { ...a, part: 'add' } as typeof a])).toEqual([a, b]);
    const many = items('roles', 51);
    expect(itemsToRead([...many, b])).toEqual([{ kind: 'roles', key: null }, b]);
    // Two actions of each of 50 items are no more than 50.
    expect(itemsToRead([...items('roles', 50), ...items('roles', 50)])).toHaveLength(50);
  });
});
