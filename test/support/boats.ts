// An invented kind whose description has every mark, with the names of items that it refers to.
import type { Fields } from '../../src/model/field.ts';
import type { NewNames, PullReading } from '../../src/model/kind.ts';
import { type Names, noNames } from '../../src/model/names.ts';
import type { ItemOperations, ListOperation } from '../../src/model/operation.ts';
import type { LiveParts } from '../../src/model/reader.ts';
import type { KindDescription, Resource } from '../../src/model/resource.ts';

const provider: Fields = {
  site: { required: true, omitted: 'refused', filled: '' },
  key: { required: true, secret: 'hidden', omitted: 'refused' },
  open: { login: { weaker: true } },
};

export const fields: Fields = {
  name: { required: true, identity: true },
  owner: { wire: 'owner_id', ref: { to: 'clients' } },
  crew: { list: 'set', items: { ref: { to: 'clients' } } },
  port: { ref: { to: 'resource_servers', by: 'identifier' } },
  note: { none: '' },
  title: { filled: '$name' },
  aliases: { list: 'set', items: {}, filled: ['$name', 'boat'] },
  made_at: { sides: 'R' },
  seen: { sides: 'CU' },
  draft: { sides: 'UR' },
  speed: { filled: 'slow', login: {} },
  state: { values: ['on', 'off'] },
  urls: { list: 'set', items: {}, none: [], address: 'codes' },
  flags: { list: 'set', items: { values: ['red', 'blue'] } },
  code: { file: 'js', script: true, none: '' },
  steps: { list: 'ordered', items: {} },
  labels: { map: {} },
  page: { json: true },
  settings: { map: { secret: 'changed' } },
  token: { secret: 'hidden' },
  pin: { secret: 'clear' },
  old_pin: { secret: 'clear', sides: 'UR' },
  light: { fields: { reach: {}, lamp: { none: 'led' }, owner: { ref: { to: 'clients' } } } },
  engine: { filled: { power: 5 }, fields: { power: {}, fuel: { login: {} } } },
  radio: { fields: provider },
  sonar: { fields: provider },
  lock: { fields: { alg: { required: true }, pem: { required: true, sides: 'CU' } } },
  model: { sides: 'CR' },
  options: {
    replace: true,
    forms: {
      by: 'model',
      beside: true,
      of: { sail: { masts: {}, chart: { file: 'svg' }, secret: { secret: 'clear' } } },
    },
  },
  anchor: { forms: { by: 'type', of: { plow: { type: { required: true }, weight: {} } } } },
};

export type Boat = Readonly<Record<string, unknown>>;

const row = { api: 'full', path: '/boats', lifecycle: 'not shown' } as const;
const list = { ...row, id: 'list', method: 'GET', paging: { identity: ['boat_id'] } } as unknown as ListOperation<
  object,
  Boat
>;
const one = { ...row, path: '/boats/{id}' };
const operations = {
  list,
  create: { ...row, id: 'create', method: 'POST' },
  update: { ...one, id: 'update', method: 'PATCH' },
  delete: { ...one, id: 'delete', method: 'DELETE' },
} as unknown as ItemOperations<Boat>;

const set: Resource = { at: 'set', key: [], id: 'id', fields: {}, operations: {}, resources: {} };
export const description: KindDescription = {
  at: 'list',
  name: 'event_streams',
  title: 'Boats',
  noun: { one: 'boat', many: 'boats' },
  undeclared: 'report',
  key: ['name'],
  unique: false,
  id: 'boat_id',
  fields,
  operations,
  skip: [{ when: { museum: true }, why: 'in a museum' }],
  writable: { when: { navy: true }, only: ['note'], why: 'one of the navy' },
  resources: {
    bunks: { ...set, in: true, key: ['value'], fields: { value: { required: true }, note: { none: '' } } },
    guests: {
      ...set,
      key: ['client_id'],
      scalar: 'client_id',
      fields: { client_id: { ref: { to: 'clients' } } },
      operations: { list },
      access: { holder: ['client_id'], thing: ['^'] },
    },
  },
};

/** c1 is Ann; the others share their names. */
export const names: Names = {
  ...noNames,
  find: (_to, name) => {
    const id = name === 'Ann' ? 'c1' : /^id:(.*)$/.exec(name)?.[1];
    return id === undefined ? { is: 'unknown' } : { is: 'live', id };
  },
  nameOf: (_to, id) => (id === 'c1' ? 'Ann' : `id:${id}`),
};

export const newNames: NewNames = { secret: (...words) => `\${env:NEW_${words.join('_')}}` };

export function reading(
  live: readonly Boat[],
  more: readonly (readonly [Boat, Partial<LiveParts>])[] = [],
): PullReading<Boat> {
  const parts = new Map(more.map(([item, part]) => [item, { others: [], nested: {}, ...part }]));
  const state = { readable: true, filtered: false, items: live, more: parts } as const;
  return { items: [], live: state, undeclared: state, names };
}
