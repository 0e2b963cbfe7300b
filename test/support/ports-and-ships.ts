import { describedKind } from '../../src/items/described-kind.ts';
import type { Field } from '../../src/model/field.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { ItemReference, Naming } from '../../src/model/names.ts';
import type { Operation } from '../../src/model/operation.ts';
import type { KindDescription, Resource, ResourceOperations } from '../../src/model/resource.ts';

/**
 * Three invented kinds. A ship lies in a port, at some of its quays; a mooring is known by its port and its quay. Ports have
 * the id `port_id`, and names that several of them can have.
 */
export interface Port {
  readonly port_id: string;
  readonly name: string;
  readonly quays?: readonly string[];
  /** One of the service. */
  readonly own?: boolean;
  /** One of others. */
  readonly foreign?: boolean;
}

/** `port` is an id on the tenant, and a name in the files. */
export interface Ship {
  readonly id: string;
  readonly name: string;
  readonly port?: string | undefined;
  readonly quays?: readonly string[] | undefined;
  readonly crew?: number;
}

export interface Mooring {
  readonly id: string;
  readonly port: string;
  readonly quay: string;
  readonly length?: number;
}

const any = Object.assign((_value: unknown): _value is never => true, { errors: null });

/** The operations on items of a path, as far as plans need them. */
export function operationsOf(name: string, idField: string): ResourceOperations {
  const one = name.slice(0, -1);
  const row = (id: string, method: Operation['method'], path: string, scope: string) => ({
    ...{ id, method, path, scope: `${scope}:${name}`, api: 'full', lifecycle: 'not shown', success: 200 },
    ...(path.includes('{') && { params: { schema: '', validate: any } }),
  });
  const paging = { style: 'cursor', items: name, identity: [idField], maxTake: 2, defaultTake: 2 };
  return {
    list: { ...row(`list_${name}`, 'GET', `/${name}`, 'read'), paging },
    create: row(`create_${one}`, 'POST', `/${name}`, 'create'),
    update: row(`update_${one}`, 'PATCH', `/${name}/{id}`, 'update'),
    delete: row(`delete_${one}`, 'DELETE', `/${name}/{id}`, 'delete'),
  } as unknown as ResourceOperations;
}

type Described = Pick<KindDescription, 'key' | 'fields'> & Partial<KindDescription>;

function kindOf(name: string, more: Described): AnyKind {
  const { id = 'id', ...others } = more;
  return describedKind({
    ...{ at: 'list', name, title: name[0]?.toUpperCase() + name.slice(1), undeclared: 'delete', id, resources: {} },
    noun: { one: name.slice(0, -1), many: name },
    operations: operationsOf(name, id),
    ...others,
  });
}

const set = (more: Partial<Resource> = {}): Resource => ({
  ...{
    at: 'set',
    in: true,
    scalar: 'quay',
    key: ['quay'],
    id: 'id',
    fields: { quay: {} },
    operations: {},
    resources: {},
  },
  ...more,
});

const described = kindOf('ports', {
  ...{ id: 'port_id', key: ['name'], unique: false, fields: { name: { identity: true }, own: {} } },
  skip: [{ when: { foreign: true }, unless: 'declared', why: 'a port of others' }],
  resources: { quays: set() },
});

export const ports: AnyKind = {
  ...described,
  naming: { ...(described.naming as Naming<Port>), isKept: ({ own = false }: Port) => own },
};

export const portNaming = ports.naming as Naming<Port>;

/** `gone`: what becomes of a ship when its port is deleted. */
export function shipsKind(gone?: ItemReference['gone']): AnyKind {
  const port: Field = { ref: { to: 'ports', ...(gone !== undefined && { gone }) } };
  return kindOf('ships', {
    ...{ key: ['name'], fields: { name: { identity: true }, port, crew: {} } },
    resources: { quays: set({ refs: ['ports/{^port}/quays/{quay}'] }) },
  });
}

export const moorings: AnyKind = kindOf('moorings', {
  key: ['port', 'quay'],
  fields: { port: { identity: true, ref: { to: 'ports', gone: 'deleted' } }, quay: { identity: true }, length: {} },
});
