import type { ItemReference, Naming, References } from '../../src/model/names.ts';
import type { ListOperation } from '../../src/model/operation.ts';
import { memberOf } from '../../src/values/json-pointer.ts';

/** Two invented kinds: a ship lies in a port, at one of its quays. Ports have the id `port_id`, and names that repeat. */
export interface Port {
  readonly port_id: string;
  readonly name: string;
  readonly quays?: readonly string[];
  /** One of the service. */
  readonly own?: boolean;
}

export interface Ship {
  readonly id: string;
  readonly name: string;
  /** On the tenant an id, in the files a name. */
  readonly port?: string | undefined;
  readonly quays?: readonly string[] | undefined;
}

export const portNaming: Naming<Port> = {
  list: { id: 'list_ports', path: '/ports', paging: { identity: ['port_id'] } } as unknown as ListOperation<
    object,
    Port
  >,
  idField: 'port_id',
  nameOf: ({ name }) => name || null,
  declaredId: (item) => {
    const id = memberOf(item, 'id');
    return typeof id === 'string' ? id : null;
  },
  isKept: ({ own = false }) => own,
  nodesOf: ({ quays = [] }) => quays.map((quay) => `quays/${quay}`),
};

/** `gone`: what becomes of a ship when its port is deleted. */
export function shipReferences(gone?: ItemReference['gone']): References<Ship, Ship> {
  const declared = ({ port, quays = [] }: Ship): ItemReference[] => {
    if (port === undefined) return [];
    const to = { to: 'ports', name: port };
    return [
      { ...to, pointer: '/port', ...(gone !== undefined && { gone }) },
      ...quays.map((quay, index) => ({ ...to, below: `quays/${quay}`, pointer: `/quays/${index}` })),
    ];
  };
  return {
    to: ['ports'],
    ...(gone !== undefined && { goneWith: ['ports'] }),
    declared,
    live: ({ port, ...ship }, names) =>
      declared({ ...ship, port: port === undefined ? undefined : names.nameOf('ports', port) }),
  };
}
