// A live item as a plan may have it: described values that are no secret, and pointers of everything else.
import { describe, expect, test } from 'vitest';
import { openProjection } from '../../src/items/project.ts';
import type { Fields } from '../../src/model/field.ts';
import { description as clients } from '../../src/service/clients/description.generated.ts';
import { description as connections } from '../../src/service/connections/description.generated.ts';

const fields: Fields = {
  name: {},
  code: { secret: 'clear' },
  owner: { wire: 'owner_id', twin: 'owner_name' },
  light: { fields: { color: {}, pin: { secret: 'clear' } } },
  settings: { map: { secret: 'changed' } },
  labels: { map: {} },
  page: { json: true },
  keys: { list: 'set', items: { fields: { id: {} } } },
  options: { forms: { by: 'name', beside: true, of: { sail: { masts: {} } } } },
};
const parts = {
  scopes: { at: 'set', in: true, key: ['value'], id: '', operations: {}, resources: {}, fields: { value: {} } },
} as const;
const resource = { id: 'boat_id', fields, resources: parts, skip: [{ when: { global: true }, why: 'global' }] };

describe('a projection', () => {
  test.each<[string, object, object, readonly string[]]>([
    [
      'keeps what is described, under the names of the files',
      { name: 'a', owner_id: 'o1' },
      { name: 'a', owner: 'o1' },
      [],
    ],
    [
      'keeps the id and what the rules of the kind name',
      { boat_id: 'b1', global: true },
      { boat_id: 'b1', global: true },
      [],
    ],
    ['ends secrets', { name: 'a', code: 'planted' }, { name: 'a' }, ['/code']],
    ['ends what is not described', { name: 'a', made: 'planted' }, { name: 'a' }, ['/made']],
    [
      'of an object as well',
      { light: { color: 'red', pin: 'planted', new: 'planted' } },
      { light: { color: 'red' } },
      ['/light/pin', '/light/new'],
    ],
    ['and of elements', { keys: [{ id: 'k', new: 'planted' }] }, { keys: [{ id: 'k' }] }, ['/keys/0/new']],
    [
      'of a set that is read with the item as well',
      { scopes: [{ value: 'read', new: 'planted' }] },
      { scopes: [{ value: 'read' }] },
      ['/scopes/0/new'],
    ],
    [
      'and of an object whose form a field beside it names',
      { name: 'sail', options: { masts: 2, new: 'planted' } },
      { name: 'sail', options: { masts: 2 } },
      ['/options/new'],
    ],
    [
      'ends an object of another form',
      { name: 'row', options: { masts: 'planted' } },
      { name: 'row' },
      ['/options/masts'],
    ],
    [
      'ends a map of secrets, and keeps another one',
      { settings: { url: 'planted' }, labels: { a: 'b' } },
      { labels: { a: 'b' } },
      ['/settings/url'],
    ],
    [
      'ends a value of another form than the described one, which may have anything in it',
      { name: 'a', light: { color: { of: 'planted' } } },
      { name: 'a', light: {} },
      ['/light/color'],
    ],
    ['such as a list', { light: { color: ['planted'] } }, { light: {} }, ['/light/color']],
    ['or a text in place of an object', { light: 'planted' }, {}, ['/light']],
    ['of a map, or of a list', { labels: 'planted', keys: 'planted' }, {}, ['/labels', '/keys']],
    ['or of an element', { keys: [{ id: 'k' }, 'planted'] }, { keys: [{ id: 'k' }] }, ['/keys/1']],
    ['or of an object of a form that is not known', { name: 'row', options: 'planted' }, { name: 'row' }, ['/options']],
    ['and keeps null', { light: null, labels: null }, { light: null, labels: null }, []],
    ['keeps JSON as it is', { page: { any: { thing: 1 } } }, { page: { any: { thing: 1 } } }, []],
    ['leaves out another name of a value', { owner_id: 'o1', owner_name: 'o1' }, { owner: 'o1' }, []],
  ])('%s', (_name, live, item, others) => {
    const projected = openProjection(resource)?.(live);
    expect(projected).toMatchObject({ item, others });
    expect(projected?.item).toEqual(item);
    expect(JSON.stringify(projected?.item)).not.toContain('planted');
  });

  test('names what has another form', () => {
    const live = { light: { color: ['a'], new: 1 }, keys: [{ id: { a: 1 } }] };
    expect(openProjection(resource)?.(live).odd).toEqual([
      { field: 'light.color', what: 'form', pointer: '/light/color' },
      { field: 'keys[].id', what: 'form', pointer: '/keys/0/id' },
    ]);
  });

  test('is none for items that can have nothing hidden', () => {
    expect(openProjection({ id: 'id', fields: { name: {}, code: { secret: 'hidden' } }, resources: {} })).toBeNull();
  });

  test('of a connection and of a client ends what their descriptions ignore', () => {
    const connection = {
      id: 'con_1',
      name: 'a',
      strategy: 'oidc',
      provisioning_ticket_url: 'planted',
      options: { type: 'front_channel', thumbprints: ['planted'] },
    };
    const client = {
      client_id: 'c',
      name: 'a',
      encryption_key: { pem: 'planted' },
      addons: { aws: { principal: 'planted' }, samlp: { audience: 'a' } },
    };
    const all = [openProjection(connections as never)?.(connection), openProjection(clients as never)?.(client)];
    expect(all).toMatchObject([
      {
        item: { id: 'con_1', name: 'a', strategy: 'oidc', options: { type: 'front_channel' } },
        others: ['/provisioning_ticket_url', '/options/thumbprints'],
        odd: [],
      },
      {
        item: { client_id: 'c', name: 'a', addons: { samlp: { audience: 'a' } } },
        others: ['/encryption_key', '/addons/aws'],
        odd: [],
      },
    ]);
    expect(JSON.stringify(all.map((one) => one?.item))).not.toContain('planted');
  });
});
