// Items that files can name by their ids: `#1` declares the id 1, `a` the name a.
import { describe, expect, test } from 'vitest';
import { openKeys } from '../../src/items/keys.ts';
import { description } from '../../src/service/roles/description.generated.ts';
import { desiredSection } from '../support/desired-section.ts';

interface Item {
  readonly id: string;
  readonly name: string;
}

const listed = (id: string, name: string): Item => ({ id, name });
const itemOf = (text: string) => (text.startsWith('#') ? { id: text.slice(1) } : { name: text });

/** Of the live items, the keys of those that no file declares. */
function keysOf(declared: readonly string[], ...live: readonly Item[]): string[] {
  const { items } = desiredSection(declared.map((text) => [text.replace('#', ''), itemOf(text)]));
  const keys = new Set(items.map(({ key }) => key));
  return live.map(openKeys<Item>(description, { items, live })).filter((key) => !keys.has(key));
}

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
});
