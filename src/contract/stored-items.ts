/**
 * What the embedded tenant does for every resource whose items are listed by cursor, and created, changed and deleted
 * one by one. The kinds share the marks of the schemas with it, and no code: it checks them.
 */
import type { Fields } from '../model/field.ts';
import type { ItemOperations, ItemParams } from '../model/operation.ts';
import type {
  RouteContext,
  RouteResponse,
  SeedSection,
  TenantResource,
  TenantRoute,
  TenantStore,
} from '../model/tenant-resource.ts';
import { isSecretField } from '../secrets/secret-spellings.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { type Identified, type OrderedItems, orderItems } from '../values/ordered-items.ts';

export interface ItemStore<Item extends Identified> extends OrderedItems<Item>, TenantStore {}

export function openItems<Item extends Identified>(stored: readonly Item[] = []): ItemStore<Item> {
  const items = orderItems(stored);
  return { ...items, snapshot: () => items.all };
}

type Body = Readonly<Record<string, unknown>>;

/** What is peculiar to one resource. */
export interface StoredItems<Live extends Identified> extends Pick<TenantResource, 'section'> {
  readonly seed: SeedSection<readonly Live[]>;
  readonly fields: Fields;
  readonly operations: ItemOperations<Live>;
  readonly id: { readonly prefix: string; readonly version: 4 | 7 };
  /** For an id that no item has. A delete then succeeds, unless its row has another status for that. */
  readonly missing: RouteResponse;
  /** For the identity of another item. */
  readonly conflict: RouteResponse;
  /** The text of `created_at` and `updated_at`; default: items have no times. */
  timeText?(now: Date): string;
  /** The fields that a body sets, or why it is refused; `item` is null for a new one. Default: those of the body. */
  set?(body: object, item: Live | null, context: RouteContext): Fielded;
}

export type Fielded = { readonly fields: object } | { readonly refusal: RouteResponse };

/** The resource with one route for each of its operations on items. */
export function storedItems<Live extends Identified>(
  resource: StoredItems<Live>,
): TenantResource<readonly Live[], ItemStore<Live>> {
  const { section, seed, operations } = resource;
  const responses = responsesOf(resource);
  return {
    section,
    seed: { ...seed, identity: 'id' },
    openStore(stored) {
      const items = openItems(stored?.map(withoutSecrets));
      return { ...items, put: (item) => items.put(withoutSecrets(item)) };
    },
    routes: names.flatMap((name) => {
      const operation = operations[name];
      return operation === undefined ? [] : [{ operation, respond: responses[name] }];
    }),
  };
}

const names = ['list', 'create', 'get', 'update', 'delete'] as const;

type Respond<Live extends Identified> = TenantRoute<ItemStore<Live>>['respond'];

function responsesOf<Live extends Identified>(
  resource: StoredItems<Live>,
): Readonly<Record<(typeof names)[number], Respond<Live>>> {
  const { missing, operations } = resource;
  const found =
    (respond: (item: Live, ...request: Parameters<Respond<Live>>) => RouteResponse): Respond<Live> =>
    (request, context) => {
      const item = context.store.find((request.params as ItemParams).id);
      return item === undefined ? missing : respond(item, request, context);
    };
  return {
    list: ({ query }, { store }) => listed(resource, query as ListQuery, store),
    create: ({ body }, context) => put(resource, null, body as Body, context),
    get: found((item) => ({ status: 200, body: item })),
    update: found((item, { body }, context) => put(resource, item, body as Body, context)),
    delete: ({ params }, { store }) =>
      store.remove((params as ItemParams).id) || operations.delete?.goneStatus === undefined
        ? { status: 204 }
        : missing,
  };
}

interface ListQuery {
  readonly from?: string;
  readonly take?: number;
}

/**
 * Filters are fields of the items, and combine with AND. A cursor is the id at which a page starts (service specification
 * 4.5; assumed for policies): the position stays valid if that item is deleted before the next page is requested.
 */
function listed<Live extends Identified>(
  { operations }: StoredItems<Live>,
  { from = '', take, ...filters }: ListQuery,
  store: ItemStore<Live>,
): RouteResponse {
  const { items, defaultTake } = operations.list.paging;
  const wanted = Object.entries(filters);
  const isSelected = (item: Live) => wanted.every(([name, value]) => memberOf(item, name) === value);
  const { items: found, ...next } = store.page(from, take ?? defaultTake, isSelected);
  return { status: 200, body: { [items]: found, ...next } };
}

/** The fields of the body over those of the item, unless it would have the identity of another one. */
function put<Live extends Identified>(
  { fields, id, conflict, timeText, set = (body) => ({ fields: body }) }: StoredItems<Live>,
  item: Live | null,
  body: Body,
  context: RouteContext<ItemStore<Live>>,
): RouteResponse {
  const changed = set(body, item, context);
  if ('refusal' in changed) return changed.refusal;
  const time = timeText?.(context.now());
  const times = time === undefined ? {} : { ...(item === null && { created_at: time }), updated_at: time };
  const old = item ?? { id: context.newId(id.prefix, id.version) };
  // The bodies and the items of a resource fit together by their schemas.
  const stored = { ...merged(fields, old as Body, changed.fields as Body), ...times } as unknown as Live;
  if (isTaken(fields, stored, item, context.store)) return conflict;
  context.store.put(stored);
  return { status: item === null ? 201 : 200, body: context.store.find(stored.id) };
}

function isTaken<Live extends Identified>(
  fields: Fields,
  stored: Live,
  before: Live | null,
  store: ItemStore<Live>,
): boolean {
  const identity = Object.keys(fields).filter((name) => fields[name]?.identity);
  const isSame = (one: Live, other: Live) =>
    identity.every((name) => memberOf(one, name) !== undefined && memberOf(one, name) === memberOf(other, name));
  return (before === null || !isSame(before, stored)) && store.all.some((other) => isSame(other, stored));
}

/** An object is replaced, unless its schema says that an update merges it. */
function merged(fields: Fields, old: Body, body: Body): Body {
  const values = Object.entries(body).map(([name, value]) => {
    const { replace, fields: members = {} } = fields[name] ?? {};
    const before = old[name];
    return [name, replace !== true && isRecord(value) && isRecord(before) ? merged(members, before, value) : value];
  });
  return { ...old, ...Object.fromEntries(values) };
}

/** Secrets are accepted and not stored: no operation returns them. */
function withoutSecrets<Item>(item: Item): Item {
  return only(item, (name) => !isSecretField(name));
}

/** A value with these fields alone, in objects and lists as well. */
export function only<Value>(value: Value, isShown: (name: string) => boolean): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => only(one, isShown)) as Value;
  const kept = Object.entries(value).filter(([name]) => isShown(name));
  return Object.fromEntries(kept.map(([name, child]) => [name, only(child, isShown)])) as Value;
}

/** A query of a listing by page number (public facts 2.2). */
export interface NumberedPageQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly include_totals?: 'true' | 'false';
}

/** The body of a page: an object with totals, otherwise a bare list. A page past the end is empty. */
export function numberedPage(
  { items: key, defaultTake }: { readonly items: string; readonly defaultTake: number },
  items: readonly object[],
  query: NumberedPageQuery,
): unknown {
  const limit = query.per_page ?? defaultTake;
  const start = (query.page ?? 0) * limit;
  const page = items.slice(start, start + limit);
  return query.include_totals === 'true' ? { [key]: page, start, limit, total: items.length } : page;
}
