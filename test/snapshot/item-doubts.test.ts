// What a plan concludes from the list of a kind, apart from what it sees.
import { describe, expect, test } from 'vitest';
import type { ItemState, ReadAsk } from '../../src/model/kind.ts';
import type { ItemSource } from '../../src/model/snapshot.ts';
import { operations } from '../../src/service/event-streams/description.generated.ts';
import { type DoubtRules, itemDoubts } from '../../src/snapshot/item-doubts.ts';
import { buildAction } from '../support/build-action.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

interface Item {
  readonly id: string;
  readonly name: string;
}

const source = { list: operations.list, nameOf: ({ name }: Item) => name } as unknown as ItemSource<Item>;
const item = (name: string, id = `est_${name}`): Item => ({ id, name });

interface Case {
  readonly declared?: readonly string[];
  readonly states?: Readonly<Record<string, ItemState>>;
  readonly renamed?: Readonly<Record<string, string>>;
  readonly live?: readonly Item[];
  readonly ask?: Partial<ReadAsk<unknown>>;
  readonly rules?: DoubtRules<unknown, Item>;
}

function doubtsOf({ declared = [], states = {}, renamed = {}, live = [], ask = {}, rules = {} }: Case): string[] {
  const section = withStates(desiredSection(declared.map((name) => [name, {}] as const)), states);
  const items = section.items.map((one) => {
    const from = renamed[one.key];
    return from === undefined ? one : { ...one, renamedFrom: from };
  });
  const about = { desired: { ...section, items }, only: null, keep: keepNothing, ...ask };
  return [...itemDoubts(source, about, rules)(live)].map(({ name, what, ids }) => [what, name, ...ids].join(' '));
}

const deletes: DoubtRules<unknown, Item> = { mayDelete: () => true };

test('what is declared and there once is certain', () => {
  expect(doubtsOf({ declared: ['a'], live: [item('a'), item('other')] })).toEqual([]);
});

test('a declared name that is missing, or there twice, is doubtful', () => {
  expect(doubtsOf({ declared: ['a'], live: [] })).toEqual(['missing a']);
  expect(doubtsOf({ declared: ['a'], live: [item('a', 'est_2'), item('a', 'est_1')] })).toEqual([
    'duplicate a est_1 est_2',
  ]);
});

describe('a name that an item gets', () => {
  const renamed = { new: 'old' };

  test('is missing while the item has its old one, and then not', () => {
    expect(doubtsOf({ declared: ['new'], renamed, live: [item('old')] })).toEqual(['missing new est_old']);
    expect(doubtsOf({ declared: ['new'], renamed, live: [item('new')] })).toEqual([]);
  });

  test('is doubtful if there are both', () => {
    expect(doubtsOf({ declared: ['new'], renamed, live: [item('old'), item('new')] })).toEqual([
      'duplicate new est_new est_old',
    ]);
  });
});

describe('what is deleted', () => {
  test.each<readonly [string, Case, readonly string[]]>([
    ['an undeclared item', { live: [item('a')] }, ['unwanted a est_a']],
    [
      'one that is declared absent',
      { declared: ['a'], states: { a: 'absent' }, live: [item('a')] },
      ['unwanted a est_a'],
    ],
    ['but not one that is left alone', { declared: ['a'], states: { a: 'unmanaged' }, live: [item('a')] }, []],
    ['nor one that is declared absent and not there', { declared: ['a'], states: { a: 'absent' } }, []],
  ])('is doubtful: %s', (_name, one, expected) => {
    expect(doubtsOf({ ...one, rules: deletes })).toEqual(expected);
  });

  test('is what the kind deletes', () => {
    const onlyDeclared = { mayDelete: (_item: Item, isDeclared: boolean) => isDeclared };
    const one = { declared: ['a'], states: { a: 'absent' }, live: [item('a'), item('b')] } as const;
    expect(doubtsOf({ ...one, rules: onlyDeclared })).toEqual(['unwanted a est_a']);
    expect(doubtsOf(one)).toEqual([]);
  });

  test('has led to an earlier deletion already, and has to be gone after it', () => {
    const watched = [buildAction({ key: 'a', action: 'delete', before: { id: 'est_a' } })];
    expect(doubtsOf({ live: [item('a')], ask: { watched }, rules: deletes })).toEqual([]);
    expect(doubtsOf({ live: [], ask: { watched }, rules: deletes })).toEqual(['gone a est_a']);
    const again = [item('a', 'est_new')];
    expect(doubtsOf({ live: again, ask: { watched }, rules: deletes })).toEqual(['unwanted a est_new', 'gone a est_a']);
    const update = [buildAction({ key: 'a', action: 'update', before: { id: 'est_a' } })];
    expect(doubtsOf({ live: [], ask: { watched: update }, rules: deletes })).toEqual([]);
    expect(doubtsOf({ ask: { watched: [buildAction({ action: 'delete', before: { id: 7 } })] } })).toEqual([]);
  });
});

test('what is not selected does not matter', () => {
  const ask = { isSelected: (key: string) => key === 'a' };
  const one = { declared: ['a', 'b'], live: [item('c')], ask, rules: deletes };
  expect(doubtsOf(one)).toEqual(['missing a']);
});

test('a kind says which names an item has or gets', () => {
  const rules = { namesOf: ({ key }: { readonly key: string }) => (key === 'rol_1' ? [] : [key]) };
  expect(doubtsOf({ declared: ['rol_1', 'a'], live: [], rules })).toEqual(['missing a']);
});
