// References to secrets in requests, where the service has other names than the files.
import { describe, expect, test } from 'vitest';
import { itemRequests } from '../../src/items/requests.ts';
import type { Fields } from '../../src/model/field.ts';
import type { ResourceOperations } from '../../src/model/resource.ts';

const pin = { secret: 'clear', wire: 'value' } as const;
const fields: Fields = {
  name: { identity: true, sides: 'CR' },
  model: { wire: 'type', sides: 'CR' },
  lamp: { wire: 'light', replace: true, fields: { color: {}, pin } },
  flags: { list: 'key', key: 'flag', items: { fields: { flag: { wire: 'name' }, pin } } },
  keys: { wire: 'locks', map: { secret: 'hidden' } },
  options: {
    replace: true,
    forms: { by: 'model', beside: true, of: { sail: { masts: { wire: 'count' }, pin } } },
  },
  deck: { replace: true, forms: { by: 'kind', of: { wood: { kind: { wire: 'type' }, pin } } } },
};
const row = { api: 'full', path: '/boats' };
const one = { ...row, path: '/boats/{id}' };
const operations = {
  create: { ...row, id: 'create', method: 'POST' },
  update: { ...one, id: 'update', method: 'PATCH' },
  get: { ...one, id: 'get', method: 'GET' },
} as unknown as ResourceOperations;
type Boat = Readonly<Record<string, unknown>>;

function requests(others: readonly string[] = []) {
  return itemRequests<Boat, Boat>(fields, { operations }, { idOf: () => 'b1', api: 'full', othersOf: () => others });
}

const reference = (name: string) => `\${env:${name}}`;
const boat = {
  name: 'a',
  model: 'sail',
  lamp: { color: 'red', pin: reference('LAMP') },
  flags: [{ flag: 'north', pin: reference('FLAG') }],
  keys: { bow: reference('KEY') },
  options: { masts: 2, pin: reference('SAIL') },
  deck: { kind: 'wood', pin: reference('DECK') },
};
const body = {
  light: { color: 'red', value: reference('LAMP') },
  flags: [{ name: 'north', value: reference('FLAG') }],
  locks: { bow: reference('KEY') },
  options: { count: 2, value: reference('SAIL') },
  deck: { type: 'wood', value: reference('DECK') },
};
const places = [
  { pointer: '/light/value', env: 'LAMP' },
  { pointer: '/flags/0/value', env: 'FLAG' },
  { pointer: '/locks/bow', env: 'KEY' },
  { pointer: '/options/value', env: 'SAIL' },
  { pointer: '/deck/value', env: 'DECK' },
];

describe('a secret with another name on the service', () => {
  test('is in a create under that name', () => {
    expect(requests().corrections.missing?.correct(boat)).toMatchObject({
      request: { body: { name: 'a', type: 'sail', ...body }, secrets: places },
    });
  });

  test('is in an update under that name', () => {
    const live = { name: 'a', model: 'sail' };
    const changes = Object.keys(body).map((field) => ({ field, path: [field === 'light' ? 'lamp' : field] }));
    const all = [...changes, { field: 'keys', path: ['keys'] }];
    expect(requests().corrections.different?.correct({ desired: boat, live, changes: all })).toMatchObject({
      request: { body, secrets: places },
    });
  });

  test('of the tenant is sent back once, beside what no description has', () => {
    const live = { name: 'a', model: 'sail', lamp: { color: 'blue' } };
    const changes = [{ field: 'lamp.color', path: ['lamp', 'color'] }];
    const { different } = requests(['/light/value', '/light/more']).corrections;
    const desired = { ...boat, lamp: { color: 'red' } };
    expect(different?.correct({ desired, live, changes })).toMatchObject({
      request: { body: { light: { color: 'red' } }, live: ['/light/more', '/light/value'] },
    });
  });
});

test('a reference that a request would send as a text is an error', () => {
  const prepare = ({ light, ...others }: Boat) => ({ body: { ...others, lantern: light } });
  const { corrections } = itemRequests<Boat, Boat>(fields, { operations, prepare }, { idOf: () => 'b1', api: 'full' });
  expect(() => corrections.missing?.correct(boat)).toThrow('a request has a reference to LAMP as a text');
});
