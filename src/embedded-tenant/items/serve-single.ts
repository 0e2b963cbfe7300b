/** A kind of which a tenant has one item or none: one route for each operation of the description. */
import type { Operation } from '../../model/operation.ts';
import type { KindDescription } from '../../model/resource.ts';
import type {
  RouteResponse,
  SeedSection,
  TenantResource,
  TenantRoute,
  TenantStore,
} from '../../model/tenant-resource.ts';
import type { SoleBehavior } from './behavior.ts';
import type { Item } from './item-store.ts';
import { type FieldsQuery, selected } from './serve-list.ts';

export interface SoleStore extends TenantStore {
  item: Item | null;
}

type Route = TenantRoute<SoleStore, unknown, FieldsQuery, Item>;
type Respond = (
  row: Operation,
  item: Item | null,
  request: Parameters<Route['respond']>[0],
) => [RouteResponse, (Item | null)?];

export function servedSole(
  { name: section, operations }: Pick<KindDescription, 'name' | 'operations'>,
  behavior: SoleBehavior,
  seed: SeedSection<Item>,
): TenantResource<Item, SoleStore> {
  const { missing, exists, refuse = () => null, show = (item) => item, brief } = behavior;
  const { create = (body) => body, update = (item, body) => ({ ...item, ...body }) } = behavior;
  const route = (row: Operation | undefined, respond: Respond): Route[] =>
    row === undefined
      ? []
      : [
          {
            operation: row as Route['operation'],
            respond(request, { store }) {
              const [response, item] = respond(row, store.item, request);
              if (item !== undefined) store.item = item;
              return response;
            },
          },
        ];
  const write = (row: Operation, stored: Item, body: Item): ReturnType<Respond> => {
    const refusal = refuse(body, stored);
    return refusal === null ? [{ status: row.success, body: show(stored) }, stored] : [refusal];
  };
  return {
    section,
    seed,
    openStore: (seeded) => {
      const store: SoleStore = { item: seeded ?? null, snapshot: () => store.item ?? undefined };
      return store;
    },
    routes: [
      ...route(operations.get, (row, item, { query }) => [
        item === null
          ? missing
          : {
              status: row.success,
              body: selected(show(item), query.fields || !brief ? query : { fields: brief.join(',') }),
            },
      ]),
      ...route(operations.create, (row, item, { body }) => (item === null ? write(row, create(body), body) : [exists])),
      ...route(operations.update, (row, item, { body }) =>
        item === null ? [missing] : write(row, update(item, body), body),
      ),
      ...route(operations.delete, (row, item) => (item === null ? [missing] : [{ status: row.success }, null])),
    ],
  };
}
