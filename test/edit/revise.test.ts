import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, type NameOf, noEdits, revise } from '../../src/edit/edits.ts';
import { isMapping, isSameWritten, ReferenceText, type WrittenValue } from '../../src/edit/written-value.ts';
import { propertyRuns } from '../support/thorough.ts';
import { type Edit, listEdits } from './edits.ts';
import { anyKey, anyWritten } from './written-values.ts';

const byName: NameOf = (item) => {
  const value = item as WrittenValue;
  return isMapping(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
};

/** Edits of a file without variables. */
function revisedBy(before: WrittenValue, after: WrittenValue, nameOf?: NameOf): Edit[] {
  const edits = noEdits();
  revise(edits, before, before, after, nameOf);
  return listEdits(edits);
}

describe('revise', () => {
  test('equal values have no edits, in any order of keys', () => {
    expect(revisedBy({ a: [1, 2], b: { c: 'd' } }, { b: { c: 'd' }, a: [1, 2] })).toEqual([]);
    expect(revisedBy(new ReferenceText('${var:a}'), new ReferenceText('${var:a}'))).toEqual([]);
  });

  test('keys: set, deleted, and inserted after their neighbor', () => {
    expect(revisedBy({ a: 1, b: 2, c: { d: 1 } }, { x: 0, a: 1, y: 0, z: 0, c: { d: 2 } })).toEqual([
      { op: 'delete', pointer: '/b' },
      { op: 'set', pointer: '/c/d', value: 2 },
      { op: 'insert', pointer: '', key: 'x', after: 'c', value: 0 },
      { op: 'insert', pointer: '', key: 'y', after: 'a', value: 0 },
      { op: 'insert', pointer: '', key: 'z', after: 'a', value: 0 },
    ]);
  });

  test('items are matched by name', () => {
    const before = [{ name: 'b', x: 1 }, { name: 'a', x: 1 }, { name: 'c' }];
    const after = [{ name: 'b', x: 1 }, { name: 'a', x: 2 }, { name: 'd' }];
    expect(revisedBy(before, after, byName)).toEqual([
      { op: 'set', pointer: '/1/x', value: 2 },
      { op: 'delete', pointer: '/2' },
      { op: 'insert', pointer: '', after: 1, value: { name: 'd' } },
    ]);
  });

  test('new items are where they are in the list', () => {
    expect(revisedBy(['b', 'd', 'f'], ['a', 'b', 'e', 'ee', 'f', 'g'])).toEqual([
      { op: 'delete', pointer: '/1' },
      { op: 'insert', pointer: '', after: null, value: 'a' },
      { op: 'insert', pointer: '', after: 0, value: 'e' },
      { op: 'insert', pointer: '', after: 0, value: 'ee' },
      { op: 'insert', pointer: '', after: 2, value: 'g' },
    ]);
    expect(revisedBy([], ['c'])).toEqual([{ op: 'insert', pointer: '', after: null, value: 'c' }]);
  });

  test('an item that moves keeps its references', () => {
    const edits = noEdits();
    const reference = new ReferenceText('${var:a}');
    revise(edits, [reference, 'b'], ['a', 'b'], ['b', 'a']);
    expect(listEdits(edits)).toEqual([
      { op: 'delete', pointer: '/0' },
      { op: 'insert', pointer: '', after: 1, value: reference },
    ]);
  });

  test('what is equal keeps its references, and what plain values do not have', () => {
    const edits = noEdits();
    const written = { a: new ReferenceText('${var:a}'), b: 1, unmanaged: false };
    revise(edits, written, { a: 'x', b: 1 }, { a: 'x', b: 2 });
    expect(listEdits(edits)).toEqual([{ op: 'set', pointer: '/b', value: 2 }]);
  });

  test('another type is set', () => {
    expect(revisedBy({ a: [1] }, { a: { b: 1 } })).toEqual([{ op: 'set', pointer: '/a', value: { b: 1 } }]);
    expect(revisedBy('1', 1)).toEqual([{ op: 'set', pointer: '', value: 1 }]);
  });

  test('the edits lead from one value to the other', () => {
    const named = fc.array(fc.record({ name: anyKey, x: anyWritten }), { maxLength: 5 });
    const value = fc.oneof(anyWritten, named, fc.record({ a: named, b: anyWritten }));
    fc.assert(
      fc.property(value, value, (before, after) => {
        const edits = noEdits();
        revise(edits, before, before, after, byName);
        expect(isSameWritten(applyEdits(before, edits), after)).toBe(true);
        if (isSameWritten(before, after)) expect(listEdits(edits)).toEqual([]);
      }),
      propertyRuns(2000, 100),
    );
  });
});
