import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffValues } from '../../src/edit/diff-values.ts';
import { applyEdits, editTree } from '../../src/edit/edits.ts';
import {
  isList,
  isMapping,
  isSameWritten,
  ReferenceText,
  textOfWritten,
  type WrittenValue,
} from '../../src/edit/written-value.ts';
import { propertyRuns } from '../support/thorough.ts';
import { anyKey, anyWritten } from './written-values.ts';

const byName = (item: WrittenValue) => (isMapping(item) && typeof item['name'] === 'string' ? item['name'] : undefined);

describe('diffValues', () => {
  test('equal values have no edits, in any order', () => {
    expect(diffValues({ a: [1, 2], b: { c: 'd' } }, { b: { c: 'd' }, a: [2, 1] })).toEqual([]);
    expect(diffValues(new ReferenceText('${var:a}', true), new ReferenceText('${var:a}', true))).toEqual([]);
  });

  test('keys: set, deleted, and inserted after their neighbor', () => {
    expect(
      diffValues({ a: 1, b: 2, c: { d: 1 } }, { x: 0, a: 1, y: 0, z: 0, c: { d: 2 } }, { pointer: '/r/0' }),
    ).toEqual([
      { op: 'delete', pointer: '/r/0/b' },
      { op: 'set', pointer: '/r/0/c/d', value: 2 },
      { op: 'insert', pointer: '/r/0', key: 'x', after: 'c', value: 0 },
      { op: 'insert', pointer: '/r/0', key: 'y', after: 'a', value: 0 },
      { op: 'insert', pointer: '/r/0', key: 'z', after: 'a', value: 0 },
    ]);
  });

  test('items are matched by name', () => {
    const before = [{ name: 'b', x: 1 }, { name: 'a', x: 1 }, { name: 'c' }];
    const after = [{ name: 'a', x: 2 }, { name: 'd' }, { name: 'b', x: 1 }];
    expect(diffValues(before, after, { pointer: '/l', identity: byName })).toEqual([
      { op: 'set', pointer: '/l/1/x', value: 2 },
      { op: 'delete', pointer: '/l/2' },
      { op: 'insert', pointer: '/l', after: 1, value: { name: 'd' } },
    ]);
  });

  test('new items of a sorted list have their sorted place', () => {
    expect(diffValues(['b', 'd', 'f'], ['g', 'e', 'a', 'b', 'f', 'ee'])).toEqual([
      { op: 'delete', pointer: '/1' },
      { op: 'insert', pointer: '', after: null, value: 'a' },
      { op: 'insert', pointer: '', after: 1, value: 'e' },
      { op: 'insert', pointer: '', after: 1, value: 'ee' },
      { op: 'insert', pointer: '', after: 2, value: 'g' },
    ]);
  });

  test('new items of another list without a neighbor are at its end', () => {
    expect(diffValues(['b', 'a'], ['c', 'a', 'd', 'b'])).toEqual([
      { op: 'insert', pointer: '', after: 1, value: 'c' },
      { op: 'insert', pointer: '', after: 1, value: 'd' },
    ]);
    expect(diffValues([], ['c'])).toEqual([{ op: 'insert', pointer: '', after: null, value: 'c' }]);
  });

  test('another type is set', () => {
    expect(diffValues({ a: [1] }, { a: { b: 1 } })).toEqual([{ op: 'set', pointer: '/a', value: { b: 1 } }]);
    expect(diffValues('1', 1)).toEqual([{ op: 'set', pointer: '', value: 1 }]);
  });

  test('the edits lead from one value to the other', () => {
    const named = fc.array(fc.record({ name: anyKey, x: anyWritten }), { maxLength: 5 });
    const value = fc.oneof(anyWritten, named, fc.record({ a: named, b: anyWritten }));
    fc.assert(
      fc.property(value, value, (before, after) => {
        const edits = diffValues(before, after, { identity: byName });
        expect(asSets(applyEdits(before, editTree(edits)))).toEqual(asSets(after));
        if (isSameWritten(before, after)) expect(edits).toEqual([]);
      }),
      propertyRuns(2000, 300),
    );
  });
});

function asSets(value: WrittenValue): unknown {
  if (isList(value)) return value.map((item) => textOfWritten(asSets(item) as WrittenValue)).sort();
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asSets(member)]));
}
