// The requests that correct an item: where they have secrets.
import { describe, expect, test } from 'vitest';
import { itemRequests } from '../../src/items/requests.ts';
import type { Fields } from '../../src/model/field.ts';
import type { ResourceOperations } from '../../src/model/resource.ts';

const fields: Fields = {
  name: { identity: true, sides: 'CR' },
  model: { sides: 'CR' },
  color: {},
  late_pin: { secret: 'hidden', sides: 'U', omitted: 'kept' },
  options: {
    replace: true,
    forms: { by: 'model', beside: true, of: { sail: { masts: {}, pin: { secret: 'clear' } } } },
  },
};
const row = { api: 'full', path: '/boats' };
const one = { ...row, path: '/boats/{id}' };
const operations = {
  create: { ...row, id: 'create', method: 'POST' },
  update: { ...one, id: 'update', method: 'PATCH' },
} as unknown as ResourceOperations;
type Boat = Readonly<Record<string, unknown>>;
const { corrections, secrets } = itemRequests<Boat, Boat>(fields, { operations }, { idOf: () => 'b1', api: 'full' });
const boat = { name: 'a', model: 'sail', options: { masts: 3, pin: '${env:PIN}' } };
const live = { name: 'a', model: 'sail', options: { masts: 2 } };
const pin = { pointer: '/options/pin', env: 'PIN' };

test('what is sent back does not depend on the order of a response', () => {
  const change = { desired: boat, live, changes: [{ field: 'options.masts', path: ['options', 'masts'] }] };
  const sentBack = [
    ['/options/pin', '/options/new', '/options/b'],
    ['/options/b', '/options/new', '/options/pin'],
  ].map((others) => {
    const get = { ...one, id: 'get', method: 'GET' } as unknown as NonNullable<ResourceOperations['get']>;
    const input = { idOf: () => 'b1', api: 'full', othersOf: () => others } as const;
    const corrected = itemRequests<Boat, Boat>(fields, { operations: { ...operations, get } }, input);
    return corrected.corrections.different?.correct(change);
  });
  expect(sentBack).toMatchObject(
    Array(2).fill({
      request: { live: ['/options/b', '/options/new', '/options/pin'] },
      notes: ['sends back what the tenant has in options.b, options.new, options.pin, read immediately before'],
    }),
  );
});

describe('an object whose form on the tenant is another one', () => {
  const other = { name: 'a', model: 'motor', color: 'red' };
  const changes = [
    { field: 'model', path: ['model'], before: 'motor', after: 'sail' },
    { field: 'color', path: ['color'], before: 'red', after: 'blue' },
  ];
  const why =
    'model cannot be changed in place, so apply leaves options alone: delete the item with absent: true and declare it again after that, or declare another one under a new name';

  test('is in no request', () => {
    const change = { desired: { ...boat, color: 'blue' }, live: other, changes };
    expect(corrections.different?.correct(change)).toMatchObject({
      request: { body: { color: 'blue' } },
      left: { changes: [changes[0]], why },
    });
    expect(corrections.different?.correct({ ...change, changes: changes.slice(0, 1) })).toEqual({ impossible: why });
  });

  test('gets no secret', () => {
    expect(secrets?.resend(boat, other, changes)).toEqual({ impossible: why });
  });
});

test('an update that follows a create has what only an update accepts, also in an object', () => {
  const given = { ...fields, deck: { fields: { color: {}, age: { sides: 'UR' } } } };
  const { missing } = itemRequests<Boat, Boat>(given, { operations }, { idOf: () => 'b1', api: 'full' }).corrections;
  const corrected = missing?.correct({ ...boat, deck: { color: 'red', age: 2 } });
  expect(corrected).toMatchObject({ request: { body: { deck: { color: 'red' } } } });
  const followUp = corrected && 'followUp' in corrected ? corrected.followUp?.('b1') : undefined;
  expect(followUp?.body).toEqual({ deck: { age: 2 } });
});

test('a variable of several secrets is named once', () => {
  const given = { ...fields, late_pin: { secret: 'hidden' } } as const;
  const { missing } = itemRequests<Boat, Boat>(given, { operations }, { idOf: () => 'b1', api: 'full' }).corrections;
  expect(missing?.correct({ ...boat, late_pin: '${env:PIN}' })).toMatchObject({ notes: ['sends the secret from PIN'] });
});

describe('a request lists its secrets', () => {
  test('of an update of an object, whose form a field names that the request does not have', () => {
    const change = { desired: boat, live, changes: [{ field: 'options.masts', path: ['options', 'masts'] }] };
    expect(corrections.different?.correct(change)).toMatchObject({
      request: { body: { options: boat.options }, secrets: [pin] },
    });
    expect(secrets?.resend(boat, live, [])).toMatchObject({ request: { secrets: [pin] } });
  });

  test('of an update that follows a create', () => {
    const corrected = corrections.missing?.correct({ ...boat, late_pin: '${env:LATE}' });
    expect(corrected).toMatchObject({ request: { secrets: [pin] } });
    const followUp = corrected && 'followUp' in corrected ? corrected.followUp?.('b1') : undefined;
    expect(followUp).toMatchObject({
      body: { late_pin: '${env:LATE}' },
      secrets: [{ pointer: '/late_pin', env: 'LATE' }],
    });
  });
});
