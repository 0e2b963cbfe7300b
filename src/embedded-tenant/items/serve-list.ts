/**
 * A kind whose items are in a list, and the sets of its items that have operations of their own: one route for each operation of
 * the description. What a write does is the behavior of the kind.
 */
import { createHash } from 'node:crypto';
import type { ItemParams, ListOperation, Operation } from '../../model/operation.ts';
import type { ElementOperation, KindDescription, Resource, ResourceOperations } from '../../model/resource.ts';
import type { RouteResponse, SeedSection, TenantResource, TenantRoute } from '../../model/tenant-resource.ts';
import { isRecord } from '../../values/is-record.ts';
import { itemsInOrder } from '../../values/ordered-items.ts';
import type { Behavior, Context, ElementBehavior, SetBehavior, Write } from './behavior.ts';
import { type Item, type ItemStore, openItems } from './item-store.ts';
import { listAt, omit, pick } from './item-values.ts';
import { type ListQuery, pageOf } from './pages.ts';
import { shuffler } from './shuffle.ts';

type ListedKind = Pick<KindDescription, 'name' | 'id' | 'fields' | 'operations'> & Partial<Pick<Resource, 'resources'>>;

type Route = TenantRoute<ItemStore, ItemParams & { readonly element?: string }, ListQuery, Item>;

/** `seed` validates the section; default: each item is an object. */
export function servedList(
  kind: ListedKind,
  behavior: Behavior,
  seed: SeedSection<readonly Item[]> = { schema: kind.name, validate: isItems },
): TenantResource<readonly Item[], ItemStore> {
  const { name: section, id, operations, resources = {} } = kind;
  const sets = Object.entries(behavior.sets ?? {});
  const isById = operations.list?.paging.style === 'cursor' || behavior.order !== undefined;
  return {
    section,
    seed: { ...seed, identity: id },
    openStore: (items) => openItems(items?.map(seeded(kind, behavior)), id, isById ? 'id' : 'creation'),
    routes: [
      ...itemRoutes(kind, behavior),
      ...sets.flatMap(([name, set]) => {
        const { operations = {} } = resources[name] ?? {};
        return 'field' in set ? elementRoutes(operations, set, behavior) : setRoutes(operations, set, behavior);
      }),
    ],
  };
}

export function isItems(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.every(isRecord);
}

/** An item without an id gets one that is the same for every start of the same seed. */
function seeded({ name, id }: ListedKind, { newId, seed = (item) => item }: Behavior) {
  return (item: Item, index: number): Item => {
    const digits = createHash('sha256')
      .update(JSON.stringify([name, index, item]))
      .digest('hex');
    return { [id]: newId({ newId: (prefix) => `${prefix}_${digits}` }), ...seed(item) };
  };
}

function itemRoutes({ id, fields, operations }: ListedKind, behavior: Behavior): readonly Route[] {
  const { missing, missingDelete = { status: 204 }, newId, slowDelete } = behavior;
  const { show = (item) => item, showCreated = () => ({}) } = behavior;
  const { refuse = () => null, create = ({ body }) => body, refuseList = () => null, order } = behavior;
  const { update = (item, { body }) => ({ ...item, ...body }), refuseDelete = () => null, deleted } = behavior;
  const shuffle = shuffler(fields);
  const shown = (context: Context) => (item: Item) => shuffle(show(item, context), context.store.responses);

  const write = ({ success }: Operation, write: Write): RouteResponse => {
    const refusal = refuse(write);
    if (refusal !== null) return refusal;
    const { item } = write;
    const stored = item === null ? { [id]: newId(write), ...create(write) } : update(item, write);
    write.store.put(stored);
    return { status: success, body: { ...shown(write)(stored), ...(item === null && showCreated(stored)) } };
  };

  const remove = (row: Operation, item: Item, context: Context): RouteResponse => {
    const { success } = row;
    const refusal = refuseDelete(item, context);
    if (refusal !== null) return refusal;
    const { store } = context;
    const itemId = String(item[id]);
    if (!store.isLeaving(itemId)) deleted?.(item, context);
    if (slowDelete === undefined) store.remove(itemId);
    else if (!store.isLeaving(itemId)) store.leave(itemId, slowDelete.responses);
    return { status: success, ...(slowDelete && { body: slowDelete.body(context.now()) }), ...emptyBody(row) };
  };

  return [
    ...routeOf(operations.list, (row, { query }, context) => {
      const all = order === undefined ? context.store : { ...context.store, all: context.store.all.toSorted(order) };
      const refusal = refuseList(query);
      return refusal ?? { status: row.success, body: pageOf(row, query, all, shown(context), behavior.filters) };
    }),
    ...routeOf(operations.create, (row, { body }, context) => write(row, { ...context, item: null, body })),
    ...routeOf(operations.get, (row, { params, query }, context) => {
      const item = find(behavior, params, context);
      return item === undefined ? missing : { status: row.success, body: selected(shown(context)(item), query) };
    }),
    ...routeOf(operations.update, (row, { params, body }, context) => {
      const item = find(behavior, params, context);
      return item === undefined ? missing : write(row, { ...context, item, body });
    }),
    ...routeOf(operations.delete, (row, { params }, context) => {
      const item = find(behavior, params, context);
      return item === undefined ? missingDelete : remove(row, item, context);
    }),
  ];
}

type Respond<Row> = (row: Row, ...request: Parameters<Route['respond']>) => RouteResponse;

/** No route without an operation. */
function routeOf<Row extends Operation<ItemParams, ListQuery, Item>>(
  row: Row | undefined,
  respond: Respond<Row>,
): readonly Route[] {
  if (row === undefined) return [];
  return [
    {
      operation: row,
      respond(request, context) {
        context.store.countResponse();
        return respond(row, request, context);
      },
    },
  ];
}

function find({ find }: Behavior, { id }: ItemParams, context: Context): Item | undefined {
  return find === undefined ? context.store.find(id) : find(id, context);
}

/** Of `fields`, those alone, or all others with `include_fields=false` (public facts 1.6). */
export function selected(item: Item, { fields, include_fields: isShown = 'true' }: FieldsQuery): Item {
  if (fields === undefined) return item;
  return (isShown === 'true' ? pick : omit)(item, fields.split(','));
}

export interface FieldsQuery {
  readonly fields?: string;
  readonly include_fields?: 'true' | 'false';
}

/** An object without fields, where the operation describes one. */
function emptyBody({ response }: Operation): { readonly body?: object } {
  return response === undefined ? {} : { body: {} };
}

function setRoutes({ list, add, remove }: ResourceOperations, set: SetBehavior, behavior: Behavior): readonly Route[] {
  const isOne = add !== undefined && add.method === remove?.method && add.path === remove.path;
  const change =
    (write: SetBehavior['add'], refuse: SetBehavior['refuseAdd']): Respond<ElementOperation> =>
    (row, request, context) => {
      const item = find(behavior, request.params, context);
      if (item === undefined) return behavior.missing;
      const refusal = refuse?.(request.body, context) ?? null;
      if (refusal !== null) return refusal;
      context.store.put(write(item, request.body));
      return { status: row.success, ...emptyBody(row) };
    };
  return [
    ...listRoute(list, set, behavior),
    ...routeOf(add, change(set.add, set.refuseAdd)),
    ...(isOne ? [] : routeOf(remove, change(set.remove, undefined))),
  ];
}

function listRoute(list: ResourceOperations['list'], set: Pick<SetBehavior, 'list'>, behavior: Behavior) {
  return routeOf(list, (row, { params, query }, context) => {
    const item = find(behavior, params, context);
    if (item === undefined) return behavior.missing;
    return { status: row.success, body: pageOf(row, query, itemsInOrder(set.list(item, context), identityOf(row))) };
  });
}

function elementRoutes(operations: ResourceOperations, set: ElementBehavior, behavior: Behavior): readonly Route[] {
  /** `write`: the elements in place of the one with this id, or of none, or a refusal. */
  const route = (
    row: Operation<ItemParams, ListQuery, Item> | undefined,
    write: (element: Item | undefined, body: Item, context: Context, item: Item) => readonly Item[] | RouteResponse,
  ) =>
    routeOf(row, ({ success }, { params, body }, context) => {
      const item = find(behavior, params, context);
      if (item === undefined) return behavior.missing;
      const elements = listAt(item, set.field);
      const element = elements.find(({ id }) => id === params.element);
      const written = write(element, body, context, item);
      if ('status' in written) return written;
      const others = elements.filter((one) => one !== element);
      context.store.put({ ...item, [set.field]: [...others, ...written] });
      const [shown] = set.list({ ...item, [set.field]: written }, context);
      return { status: success, ...(shown && { body: shown }) };
    });
  return [
    ...listRoute(operations.list, set, behavior),
    ...route(operations.add, (_none, body, context) => [set.add(body, context)]),
    ...route(operations.update, (element, body, context) =>
      element === undefined ? behavior.missing : [set.update(element, body, context)],
    ),
    ...route(operations.remove, (element, _body, _context, item) => set.refuseRemove(item, element) ?? []),
  ];
}

function identityOf({ paging }: ListOperation): (element: Item) => string {
  return (element) => paging.identity.map((name) => String(element[name])).join(' ');
}
