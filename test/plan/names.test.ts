// What names of other items mean: from the list of a kind on the tenant, and its section in the files.
import { describe, expect, test } from 'vitest';
import type { DesiredItem, ItemState, KeepRules } from '../../src/model/kind.ts';
import type { Naming } from '../../src/model/names.ts';
import type { LiveState, Unreadable } from '../../src/model/reader.ts';
import { openNames } from '../../src/plan/names.ts';
import { desiredItem } from '../support/desired-section.ts';
import { keeping } from '../support/keep-rules.ts';
import { type Port, portNaming } from '../support/ports-and-ships.ts';

const unread: Unreadable = { readable: false, structural: false, code: 'LIVE_FORBIDDEN', message: 'status 403' };

interface Tenant {
  readonly live?: readonly Port[];
  /** Declared ports, by key: a state, or the name that the port had. */
  readonly files?: Readonly<Record<string, ItemState | { readonly from: string }>> | null;
  readonly keep?: Partial<KeepRules>;
  readonly why?: Unreadable;
  readonly naming?: Partial<Naming<Port>>;
}

function namesOf({ live = [], files = {}, keep = {}, why, naming }: Tenant) {
  const items = Object.entries(files ?? {}).map(([key, what]): DesiredItem => {
    const id = /^id:(.*)$/.exec(key)?.[1];
    const item = desiredItem(key, id === undefined ? { name: key } : { id });
    if (typeof what === 'string') return { ...item, state: what };
    return { ...item, renamedFrom: what.from };
  });
  const state: LiveState<Port> = why ?? { readable: true, filtered: false, items: live };
  const isManaged = files !== null;
  const ports = {
    ...{ kind: 'ports', naming: { ...portNaming, ...naming }, live: state },
    ...{ keep: keeping(keep), items, isManaged },
  };
  return openNames((kind) => (kind === 'ports' ? ports : undefined));
}

const port = (port_id: string, name: string, more: Partial<Port> = {}): Port => ({ port_id, name, ...more });

describe('a name in the files', () => {
  const delft = port('p1', 'Delft');
  test.each<[string, Tenant, string, object]>([
    ['of a live item', { live: [delft], files: { Delft: 'present' } }, 'Delft', { is: 'live', id: 'p1' }],
    ['without a section', { live: [delft], files: null }, 'Delft', { is: 'live', id: 'p1' }],
    ['that is an id', { live: [delft], files: null }, 'id:p1', { is: 'live', id: 'p1' }],
    ['that is no id', { live: [delft], files: null }, 'id:p2', { is: 'unknown' }],
    [
      'of an item that the plan creates',
      { files: { Delft: 'present' } },
      'Delft',
      { is: 'new', action: 'ports/Delft', reference: '{result:ports/Delft:port_id}' },
    ],
    ['of nothing', { live: [delft], files: null }, 'Delt', { is: 'unknown', near: 'Delft' }],
    ['of nothing, near a declared name', { files: { Delft: 'present' } }, 'Delt', { is: 'unknown', near: 'Delft' }],
    ['of a renamed item', { live: [delft], files: { Gouda: { from: 'Delft' } } }, 'Gouda', { is: 'live', id: 'p1' }],
    ['that an item had', { live: [delft], files: { Gouda: { from: 'Delft' } } }, 'Delft', { is: 'unknown' }],
    ['of an absent item', { live: [delft], files: { Delft: 'absent' } }, 'Delft', { is: 'going', id: 'p1' }],
    ['of an absent item that is gone', { files: { Delft: 'absent' } }, 'Delft', { is: 'going' }],
    [
      'of an absent item that is kept',
      { live: [delft], files: { Delft: 'absent' }, keep: { isProtected: (name) => name === 'Delft' } },
      'Delft',
      { is: 'live', id: 'p1' },
    ],
    ['of an unmanaged item', { live: [delft], files: { Delft: 'unmanaged' } }, 'Delft', { is: 'live', id: 'p1' }],
    ['of an unmanaged item that is not there', { files: { Delft: 'unmanaged' } }, 'Delft', { is: 'unknown' }],
    ['of an item that its section deletes', { live: [delft] }, 'Delft', { is: 'going', id: 'p1' }],
    ['the same by its id', { live: [delft] }, 'id:p1', { is: 'going', id: 'p1' }],
    [
      'of an undeclared item that stays',
      { live: [delft], keep: { undeclared: 'report' } },
      'Delft',
      { is: 'live', id: 'p1' },
    ],
    ['of an item of the service', { live: [port('p1', 'Delft', { own: true })] }, 'Delft', { is: 'live', id: 'p1' }],
    [
      'of two items',
      { live: [delft, port('p2', 'Delft')], files: { Delft: 'present' } },
      'Delft',
      { is: 'several', ids: ['p1', 'p2'] },
    ],
    [
      'of two items, of which one is declared by its id',
      { live: [delft, port('p2', 'Delft')], files: { 'id:p2': 'present', Delft: 'present' } },
      'Delft',
      { is: 'live', id: 'p1' },
    ],
    [
      'of two items, of which one is declared by its id and the other one is not declared',
      { live: [delft, port('p2', 'Delft')], files: { 'id:p2': 'present' } },
      'Delft',
      { is: 'several', ids: ['p1', 'p2'] },
    ],
    [
      'of an item of others',
      { live: [port('p1', 'Delft', { foreign: true })], files: null },
      'Delft',
      { is: 'unknown' },
    ],
    [
      'of two items, of which one is of others',
      { live: [port('p1', 'Delft', { foreign: true }), port('p2', 'Delft')], files: { Delft: 'present' } },
      'Delft',
      { is: 'live', id: 'p2' },
    ],
    [
      'that is the key of an item with an id',
      { live: [delft], files: { 'id:p1': 'present' } },
      'p1',
      { is: 'unknown' },
    ],
    ['of a kind that was not read', { why: unread }, 'Delft', { is: 'unread', why: unread }],
  ])('%s', (_name, tenant, name, named) => {
    expect(namesOf(tenant).find('ports', name)).toEqual(named);
  });

  test('is no id where a field has the same value on both sides', () => {
    const names = namesOf({
      ...{ live: [port('p1', 'id:p9'), port('p9', 'x')], files: null },
      naming: { nameOf: ({ name }) => name },
    });
    expect(names.find('ports', 'id:p9', 'name')).toEqual({ is: 'live', id: 'p1' });
    expect(names.find('ports', 'id:p9')).toEqual({ is: 'live', id: 'p9' });
  });

  test('of another kind', () => {
    expect(namesOf({}).find('seas', 'North')).toEqual({ is: 'unknown' });
  });
});

describe('the name of a live item', () => {
  test.each<[string, Tenant, string]>([
    ['is its name', { live: [port('p1', 'Delft')], files: null }, 'Delft'],
    ['is its new name', { live: [port('p1', 'Delft')], files: { Gouda: { from: 'Delft' } } }, 'Gouda'],
    ['is its new name already', { live: [port('p1', 'Gouda')], files: { Gouda: { from: 'Delft' } } }, 'Gouda'],
    ['is its id if another one has the name', { live: [port('p1', 'Delft'), port('p2', 'Delft')] }, 'id:p1'],
    [
      'is its id if another one gets the name',
      { live: [port('p1', 'Gouda'), port('p2', 'Delft')], files: { Gouda: { from: 'Delft' } } },
      'id:p1',
    ],
    [
      'is its name if the other one is declared by its id',
      { live: [port('p1', 'Delft'), port('p2', 'Delft')], files: { 'id:p2': 'present', Delft: 'present' } },
      'Delft',
    ],
    [
      'is its id if that is how it is declared',
      { live: [port('p1', 'Delft')], files: { 'id:p1': 'present' } },
      'id:p1',
    ],
    ['is its id if others chose its name', { live: [port('p1', 'Delft', { foreign: true })] }, 'id:p1'],
    ['is its id without a name', { live: [port('p1', '')] }, 'id:p1'],
    ['is its id if its name looks like one', { live: [port('p1', 'id:p2')] }, 'id:p1'],
    ['is its id if it is not in the list', {}, 'id:p1'],
    ['is its id if the list could not be read', { why: unread }, 'id:p1'],
  ])('%s', (_name, tenant, name) => {
    expect(namesOf(tenant).nameOf('ports', 'p1')).toBe(name);
  });

  test('is one of all that it has', () => {
    const allOf = (tenant: Tenant) => namesOf(tenant).namesOf('ports', 'p1');
    const delft = port('p1', 'Delft');
    expect(allOf({ live: [delft] })).toEqual(['Delft', 'id:p1']);
    expect(allOf({ live: [delft], files: { 'id:p1': 'present' } })).toEqual(['Delft', 'id:p1']);
    expect(allOf({ live: [delft], files: { Gouda: { from: 'Delft' } } })).toEqual(['Gouda', 'Delft', 'id:p1']);
    expect(allOf({})).toEqual(['id:p1']);
    expect(namesOf({}).namesOf('seas', 's1')).toEqual(['id:s1']);
  });

  test('and the item itself, and what is below it', () => {
    const delft = port('p1', 'Delft', { quays: ['a'] });
    const names = namesOf({ live: [delft], files: { Gouda: 'present' } });
    expect(names.itemOf('ports', 'p1')).toBe(delft);
    expect(names.itemOf('ports', 'p2')).toBe(undefined);
    expect(names.hasNode('ports', 'Delft', 'quays/a')).toBe(true);
    expect(names.hasNode('ports', 'Delft', 'quays/b')).toBe(false);
    expect(names.hasNode('ports', 'Gouda', 'quays/a')).toBe(false);
    expect(namesOf({ why: unread }).hasNode('ports', 'Delft', 'quays/a')).toBe(null);
  });
});
