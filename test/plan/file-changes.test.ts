// How the files differ from those of the base, and what --changed plans of it.
import { describe, expect, test } from 'vitest';
import type { Desired } from '../../src/model/desired.ts';
import type { DesiredSection, ItemState, KindName } from '../../src/model/kind.ts';
import type { Selection } from '../../src/model/plan.generated.ts';
import type { TenantHeader } from '../../src/model/tenant.generated.ts';
import { changedSelection, compareFiles } from '../../src/plan/file-changes.ts';
import { everything } from '../../src/plan/selection.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';

type Sections = Readonly<Record<string, DesiredSection>>;

function desired(sections: Sections, tenant: Partial<TenantHeader> = {}): Desired {
  return {
    tenant: tenant as TenantHeader,
    tenantAt: (pointer) =>
      Object.keys(tenant).length === 0
        ? undefined
        : { file: 'tenant.yaml', line: pointer === '' ? 1 : 2, column: pointer.length + 1 },
    sections: new Map(Object.entries(sections)) as unknown as Desired['sections'],
  };
}

const items = (values: Readonly<Record<string, unknown>>, states: Readonly<Record<string, ItemState>> = {}) =>
  withStates(desiredSection(Object.entries(values)), states);
const roles = (values: Readonly<Record<string, unknown>>, states: Readonly<Record<string, ItemState>> = {}) =>
  desired({ roles: items(values, states) });

describe('a declaration is changed', () => {
  test.each<readonly [string, Desired, Desired, boolean]>([
    ['by nothing', roles({ a: { x: 1 } }), roles({ a: { x: 1 } }), false],
    ['by a value', roles({ a: { x: 1 } }), roles({ a: { x: 2 } }), true],
    ['by a field', roles({ a: { x: 1 } }), roles({ a: {} }), true],
    ['not by a value of another item', roles({ a: 1, b: 1 }), roles({ a: 1, b: 2 }), false],
    [
      'not by an item of that name in another kind',
      roles({ a: 1 }),
      desired({ roles: items({ a: 1 }), prompts: items({ a: 2 }) }),
      false,
    ],
    ['by its state', roles({ a: 1 }), roles({ a: 1 }, { a: 'absent' }), true],
    ['when it is new', roles({ a: 1 }), roles({}), true],
    ['when it is gone', roles({}), roles({ a: 1 }), true],
    ['when its section is new', roles({ a: 1 }), desired({}), true],
    ['not where neither side has it', roles({}), desired({}), false],
    ['not by the order of fields', roles({ a: { x: 1, y: 2 } }), roles({ a: { y: 2, x: 1 } }), false],
    ['not by the order of a list', roles({ a: ['x', 'y'] }), roles({ a: ['y', 'x'] }), false],
    ['not by the order of lists in lists', roles({ a: [{ l: [1, 2] }, 3] }), roles({ a: [3, { l: [2, 1] }] }), false],
    ['by a member', roles({ a: ['x', 'y'] }), roles({ a: ['x'] }), true],
    ['by how often a member is there', roles({ a: ['x', 'x'] }), roles({ a: ['x'] }), true],
    ['not by line ends', roles({ a: { t: 'x\r\ny' } }), roles({ a: { t: 'x\ny' } }), false],
    ['by white space', roles({ a: { t: 'x\ny' } }), roles({ a: { t: 'x y' } }), true],
    ['by null in place of nothing', roles({ a: { t: null } }), roles({ a: {} }), true],
  ])('%s', (_name, now, base, expected) => {
    const changes = compareFiles(now, base);
    expect([changes.isChanged('roles', 'a'), changes.isChanged('roles', 'a')]).toEqual([expected, expected]);
    expect(changes.changedKeys('roles').includes('a')).toBe(expected);
  });

  test('its keys are in text order, and each is named once', () => {
    const changes = compareFiles(roles({ c: 1, b: 1, a: 1 }), roles({ d: 1, b: 2, a: 1 }));
    expect(changes.changedKeys('roles')).toEqual(['b', 'c', 'd']);
    expect(changes.changedKeys('prompts')).toEqual([]);
  });

  test.each([
    ['the item with it', {}, ['a', 'b']],
    ['the line alone', { b: undefined }, ['a', 'b']],
    ['nothing', { b: 'a' }, []],
    ['the name, for another', { b: 'c' }, ['a', 'b']],
  ])('are those of old names that the base gives up with %s', (_name, now, expected) => {
    const named = (names: Readonly<Record<string, string | undefined>>) => {
      const { items: all, source } = items(Object.fromEntries(Object.keys(names).map((key) => [key, 1])));
      const section = { source, items: all.map((item) => ({ ...item, renamedFrom: names[item.key] })) };
      return desired({ roles: section as DesiredSection });
    };
    expect(compareFiles(named(now), named({ b: 'a' })).changedKeys('roles')).toEqual(expected);
  });
});

test.each<readonly [string, Desired, Desired, boolean, boolean, boolean]>([
  // new section, new item, emptied
  ['the same', roles({ a: 1 }), roles({ a: 2 }), false, false, false],
  ['a new section', roles({ a: 1 }), desired({}), true, true, false],
  ['a new item', roles({ a: 1 }), roles({ b: 1 }), false, true, false],
  ['a section that is gone', desired({}), roles({ a: 1 }), false, false, true],
  ['an item that is gone', roles({}), roles({ a: 1 }), false, false, true],
  ['the last item is absent now', roles({ a: 1 }, { a: 'absent' }), roles({ a: 1 }), false, false, true],
  ['the last item is unmanaged now', roles({ a: 1 }, { a: 'unmanaged' }), roles({ a: 1 }), false, false, true],
  ['one of two is absent now', roles({ a: 1, b: 1 }, { a: 'absent' }), roles({ a: 1, b: 1 }), false, false, false],
  ['it was empty', roles({}), roles({}), false, false, false],
  ['it declared nothing before', roles({}), roles({ a: 1 }, { a: 'absent' }), false, false, false],
  ['neither has it', desired({}), desired({}), false, false, false],
])('sections and items: %s', (_name, now, base, isNewSection, isNewItem, isEmptied) => {
  const changes = compareFiles(now, base);
  expect([changes.isNewSection('roles'), changes.isNewItem('roles', 'a'), changes.isEmptied('roles')]).toEqual([
    isNewSection,
    isNewItem,
    isEmptied,
  ]);
  expect([changes.isNewSection('prompts'), changes.isNewItem('prompts', 'a')]).toEqual([false, false]);
});

test.each<readonly [string, Desired, Desired, readonly object[]]>([
  ['the same variable', roles({ a: { t: '${env:A}' } }), roles({ a: { t: '${env:A}' } }), []],
  [
    'another one',
    roles({ a: { t: '${env:A}' } }),
    roles({ a: { t: '${env:B}' } }),
    [{ field: 't', before: '${env:B}', after: '${env:A}' }],
  ],
  [
    'a deeper one',
    roles({ a: { d: { t: '${env:A}' } } }),
    roles({ a: { d: {} } }),
    [{ field: 'd.t', after: '${env:A}' }],
  ],
  ['one that is gone', roles({ a: {} }), roles({ a: { t: '${env:A}' } }), []],
  [
    'a value that was none',
    roles({ a: { t: '${env:A}' } }),
    roles({ a: { t: 'x' } }),
    [{ field: 't', after: '${env:A}' }],
  ],
  ['texts around a variable', roles({ a: { t: 'x${env:A}', u: '${env:A}x' } }), roles({ a: {} }), []],
  [
    'the entire value',
    roles({ a: '${env:A}' }),
    roles({ a: '${env:B}' }),
    [{ field: '', before: '${env:B}', after: '${env:A}' }],
  ],
  ['another item', roles({ a: {}, b: { t: '${env:A}' } }), roles({ a: {}, b: { t: '${env:B}' } }), []],
  ['a new item', roles({ a: { t: '${env:A}' } }), roles({}), []],
  ['an item that was absent', roles({ a: { t: '${env:A}' } }), roles({ a: { t: '${env:B}' } }, { a: 'absent' }), []],
  [
    'an item that is unmanaged',
    roles({ a: { t: '${env:A}' } }, { a: 'unmanaged' }),
    roles({ a: { t: '${env:B}' } }),
    [],
  ],
])('secrets: %s', (_name, now, base, expected) => {
  expect(compareFiles(now, base).changedSecrets('roles', 'a')).toEqual(expected);
});

describe('the header', () => {
  const at = (pointer: string) => ({ file: 'tenant.yaml', line: pointer === '' ? 1 : 2, column: pointer.length + 1 });
  const headers = (now: Partial<TenantHeader>, base: Partial<TenantHeader>) =>
    compareFiles(desired({}, now), desired({}, base)).header;
  const approvals = ['0'.repeat(24), '1'.repeat(24)];

  test.each<readonly [string, Partial<TenantHeader>, Partial<TenantHeader>, readonly object[]]>([
    ['the same', { api: 'full' }, { api: 'full' }, []],
    ['its name', { name: 'a' }, { name: 'b' }, []],
    [
      'a field',
      { api: 'full' },
      { api: 'documented' },
      [{ field: 'api', before: 'documented', after: 'full', source: at('/api') }],
    ],
    ['a new field', { api: 'full' }, {}, [{ field: 'api', after: 'full', source: at('/api') }]],
    [
      'a field that is gone',
      { name: 'a' },
      { name: 'a', api: 'full' },
      [{ field: 'api', before: 'full', source: at('') }],
    ],
    ['a header that is gone', {}, { api: 'full' }, [{ field: 'api', before: 'full', source: null }]],
    [
      'fields of a mapping, in text order',
      { guards: { max_delete_percent: 1, max_delete_count: 2 } },
      { guards: { max_delete_percent: 2, max_delete_count: 1 } },
      [
        { field: 'guards.max_delete_count', before: 1, after: 2, source: at('/guards/max_delete_count') },
        { field: 'guards.max_delete_percent', before: 2, after: 1, source: at('/guards/max_delete_percent') },
      ],
    ],
    ['the order of a list', { approvals }, { approvals: approvals.toReversed() }, []],
    ['the order of patterns', { protect: { roles: ['a', 'b'] } }, { protect: { roles: ['b', 'a'] } }, []],
    [
      'one kind of a rule',
      { protect: { roles: ['a'], prompts: ['a'] } },
      { protect: { roles: ['b'], prompts: ['a'] } },
      [{ field: 'protect.roles', before: ['b'], after: ['a'], source: at('/protect/roles') }],
    ],
  ])('%s', (_name, now, base, expected) => {
    expect(headers(now, base)).toEqual(expected);
  });
});

test('sections that only one side has are named in text order', () => {
  const [now, base] = [
    desired({ roles: items({}), event_streams: items({}) }),
    desired({ roles: items({}), prompts: items({}), actions: items({}) }),
  ];
  expect(compareFiles(now, base).sections).toEqual([
    { kind: 'actions', change: 'removed' },
    { kind: 'event_streams', change: 'added' },
    { kind: 'prompts', change: 'removed' },
  ]);
});

describe('--changed', () => {
  const both = (role: unknown, prompt: unknown) => ({ roles: items({ a: role }), prompts: items({ login: prompt }) });
  const kinds: readonly KindName[] = ['roles', 'prompts', 'event_streams'];
  const select = (now: Desired, base: Desired, selection: Selection = everything) =>
    changedSelection(compareFiles(now, base), now, kinds, selection);
  const only = (...texts: string[]): Selection => ({ ...everything, only: texts });

  test.each<readonly [string, Desired, Desired, Selection, readonly string[]]>([
    ['nothing', desired(both(1, 1)), desired(both(1, 1)), everything, []],
    ['one item', desired(both(1, 1)), desired(both(2, 1)), everything, ['roles/a']],
    ['an item of each kind', desired(both(1, 1)), desired(both(2, 2)), everything, ['roles/a', 'prompts/login']],
    ['a name with an asterisk', roles({ 'a*': 1 }), roles({ 'a*': 2 }), everything, ['roles/a\\*']],
    ['a section that was added', desired(both(1, 1)), roles({ a: 1 }), everything, ['prompts']],
    ['a section that is gone', roles({ a: 1 }), desired(both(1, 1)), everything, []],
    ['a section that declares nothing any more', roles({}), roles({ a: 1 }), everything, ['roles']],
    [
      'a guard',
      desired(both(1, 1), { guards: { max_delete_count: 1 } }),
      desired(both(1, 1)),
      everything,
      ['roles', 'prompts'],
    ],
    ['the API level', desired(both(1, 1), { api: 'full' }), desired(both(1, 1)), everything, ['roles', 'prompts']],
    [
      'a rule of one kind',
      desired(both(1, 1), { protect: { roles: ['x'] } }),
      desired(both(1, 1)),
      everything,
      ['roles'],
    ],
    [
      'a rule that was removed',
      desired(both(1, 1)),
      desired(both(1, 1), { protect: { roles: ['x'] } }),
      everything,
      ['roles'],
    ],
    [
      'another rule of one kind',
      desired(both(1, 1), { undeclared: { prompts: 'ignore' } }),
      desired(both(1, 1)),
      everything,
      ['prompts'],
    ],
    ['an approval', desired(both(1, 1), { approvals: ['0'] }), desired(both(1, 1)), everything, []],
    ['of the selected kind', desired(both(1, 1)), desired(both(2, 2)), only('prompts'), ['prompts/login']],
    ['of the selected items', roles({ a: 1, b: 1 }), roles({ a: 2, b: 2 }), only('roles/b'), ['roles/b']],
    [
      'of the items that are not left out',
      roles({ a: 1, b: 1 }),
      roles({ a: 2, b: 2 }),
      { ...everything, except: ['roles/b'] },
      ['roles/a'],
    ],
    [
      'a kind of which some items are selected',
      roles({ a: 1, b: 1 }),
      desired({}),
      only('roles/b', 'prompts/x'),
      ['roles/b'],
    ],
    ['a kind that is left out', roles({ a: 1 }), desired({}), { ...everything, except: ['roles'] }, []],
  ])('%s', (_name, now, base, selection, expected) => {
    expect(select(now, base, selection)).toEqual({ ...selection, only: expected, changed: true });
  });
});
