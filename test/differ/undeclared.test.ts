import { describe, expect, test } from 'vitest';
import { undeclaredFindings, undeclaredItems } from '../../src/differ/undeclared.ts';
import { keeping } from '../support/keep-rules.ts';

const listed = (id: string, name: string, isDeclarable = true) => ({ id, name, isDeclarable });
/** `#1` declares the id 1, `a` the name a. */
const keysOf = (declared: readonly string[], ...items: readonly ReturnType<typeof listed>[]) =>
  undeclaredItems(
    declared.map((value) => ({ key: value.replace('#', ''), value })),
    items,
    (value) => (value.startsWith('#') ? value.slice(1) : null),
  ).map(({ key }) => key);

describe('undeclared items', () => {
  test('are those that neither an id nor a name declares', () => {
    const items = [listed('1', 'a'), listed('2', 'b'), listed('3', 'c')];
    expect(keysOf([], ...items)).toEqual(['a', 'b', 'c']);
    expect(keysOf(['a', '#3'], ...items)).toEqual(['b']);
  });

  test('have their ids where a name is not theirs alone, or empty', () => {
    expect(keysOf([], listed('1', 'twin'), listed('2', 'twin'), listed('3', ''), listed('4', 'Twin'))).toEqual([
      '1',
      '2',
      '3',
      'Twin',
    ]);
  });

  test('are not hidden by a name that is the id of another, or an id that is the name of another', () => {
    const items = [listed('1', '2'), listed('2', 'b')];
    expect(keysOf([], ...items)).toEqual(['1', 'b']);
    expect(keysOf(['#2'], ...items)).toEqual(['1']);
    expect(keysOf(['2'], ...items)).toEqual(['b']);
    expect(keysOf(['#3'], listed('1', '3'))).toEqual(['1']);
  });

  test('are none of those that files never manage, which share no name either', () => {
    expect(keysOf([], listed('1', 'a', false), listed('2', 'a'))).toEqual(['a']);
  });

  test('are notes, and kept by their name or their id', () => {
    const items = undeclaredItems([], [listed('1', 'a'), listed('2', 'b'), listed('3', 'c')]);
    const found = undeclaredFindings('roles', items, keeping({ isProtected: (name) => name === 'a' || name === '2' }));
    expect(found.map(({ code, severity, key, source }) => [code, severity, key, source])).toEqual([
      ['LIVE_PROTECTED', 'note', 'a', null],
      ['LIVE_PROTECTED', 'note', 'b', null],
      ['LIVE_UNDECLARED', 'note', 'c', null],
    ]);
    expect(found[2]?.message).toBe(
      'on the tenant but not declared; add to the files with pull, or set undeclared: { roles: ignore }',
    );
  });
});
