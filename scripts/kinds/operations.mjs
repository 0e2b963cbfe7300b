// The rows of a resource's operations: what a description says of them, with everything that follows from names.
import { entityAt } from './facts.mjs';
import { camel, singular, withArticle } from './words.mjs';

const usual = {
  list: { method: 'GET', scope: 'read', success: 200 },
  create: { method: 'POST', scope: 'create', success: 201 },
  get: { method: 'GET', scope: 'read', success: 200 },
  update: { method: 'PATCH', scope: 'update', success: 200 },
  put: { method: 'PUT', scope: 'update', success: 200 },
  delete: { method: 'DELETE', scope: 'delete', success: 204 },
  add: { method: 'POST', scope: 'create', success: 201 },
  remove: { method: 'DELETE', scope: 'delete', success: 204 },
};

/** `resource` has a name, a path, nouns, and what its kind says of all its operations. */
export function operationsOf(given = {}, resource) {
  return Object.fromEntries(
    Object.entries(given).map(([verb, own]) => [
      verb,
      row(verb, typeof own === 'string' ? { pages: own } : (own ?? {}), resource),
    ]),
  );
}

function row(verb, own, { kind, name, at, path, noun, source, lifecycle = 'generally available' }) {
  const { method, scope, success } = usual[verb];
  const isOne = at === 'list' && verb !== 'list' && verb !== 'create';
  const { pages, section, specified, filters = [], take = 100, assumed = [], lacking = [], ...rest } = own;
  const ids = `${verb}_${verb === 'list' || at !== 'list' ? name : singular(name)}`;
  return {
    id: ids,
    api: specified === undefined ? 'full' : 'documented',
    method,
    path: isOne ? `${path}/{id}` : path,
    summary: summaryOf(verb, at, noun),
    scope: `${scope}:${kind}`,
    lifecycle,
    success,
    ...rest,
    filters,
    take,
    lacking: [lacking].flat(),
    ...(pages && { pages: pages.split(' ') }),
    basis: {
      source: specified === undefined ? 'public' : 'documented',
      section: specified ?? section ?? source,
      assumed,
    },
  };
}

function summaryOf(verb, at, { one, many }) {
  const name = verb.charAt(0).toUpperCase() + verb.slice(1);
  return `${name} ${at === 'single' ? one : verb === 'list' || at === 'set' ? many : withArticle(one)}`;
}

/** The query that the facts show for a listing. */
export function queryFacts(facts, operations) {
  const { path } = operations.list ?? {};
  const found =
    path && entityAt(facts, path)?.operations.find(({ op }) => op.startsWith('GET') && !op.endsWith('{id}'));
  return found?.query ?? {};
}

/** The code of a row; `shapes` are the names of the compiled schemas of the resource. */
export function rowCode(row, { verb, resource, shapes, getter }) {
  const {
    id,
    api,
    method,
    path,
    summary,
    scope,
    lifecycle,
    success,
    quota,
    basis,
    pages,
    take,
    gone,
    lacking,
    async: isAsync,
  } = row;
  const shape = (name) => `$shapes.${camel(resource.prefix + name)}$`;
  const has = (name) => shapes.includes(resource.prefix + name);
  const body = {
    create: 'create_body',
    update: 'update_body',
    put: 'update_body',
    add: 'add_body',
    remove: 'remove_body',
  }[verb];
  const integers = body && has(body) ? integersOf(resource.fields, verb === 'create' ? 'create' : 'update') : [];
  const isRead = verb !== 'delete' && verb !== 'add' && verb !== 'remove' && has('live');
  return {
    id,
    api,
    method,
    path,
    summary,
    scope,
    lifecycle,
    success,
    ...(quota && { quota }),
    ...(path.includes('{id}') && { params: '$shapes.params$' }),
    ...(verb === 'list' && {
      query: { '...': shape('list_query'), integers: integersOfQuery(row, resource), ...listsOf(resource) },
    }),
    ...(body &&
      has(body) && {
        body: { '...': shape(body), encodings: encodingsOf(resource), ...(integers.length > 0 && { integers }) },
      }),
    ...(isRead && { response: verb === 'list' ? shape('page') : shape('live') }),
    ...(verb === 'list' && {
      item: shape('live'),
      ...(row.filters.length > 0 && { filters: row.filters }),
      paging: {
        style: pages[0] === 'cursor' ? 'cursor' : 'page',
        items: pages[1],
        identity:
          resource.id === null ? resource.key.map((name) => resource.fields[name]?.wire ?? name) : [resource.id.field],
        maxTake: take,
        defaultTake: Math.min(take, 50),
      },
    }),
    ...(gone && { goneStatus: gone }),
    ...(isAsync && { async: true }),
    ...((verb === 'list' || (verb === 'get' && resource.at === 'single')) && {
      lacking: ['$...notOnTenant$', ...lacking.map((status) => lackingOf(status, getter))],
    }),
    basis,
    ...((verb === 'add' || verb === 'remove') && { elements: elementsOf(row) }),
  };
}

function lackingOf(status, getter) {
  return { status, ...(status === 404 && getter && { confirmedBy: getter }) };
}

function elementsOf({ body = '$elements', element, batch }) {
  return { body, ...(element && { element }), ...(batch && { batch }) };
}

function encodingsOf({ form }) {
  return ['application/json', ...(form ? ['application/x-www-form-urlencoded'] : [])];
}

function integersOfQuery({ pages, filters }, { query }) {
  return [
    ...filters.filter((name) => query[name] === 'number'),
    ...(pages[0] === 'cursor' ? ['take'] : ['page', 'per_page']),
  ];
}

function listsOf({ query, operations }) {
  const lists = operations.list.filters.filter((name) => query[name] === 'union');
  return lists.length > 0 ? { lists } : {};
}

/** JSON pointers of the numbers in a body, which a form carries as text. */
function integersOf(fields, side, at = '') {
  const below = Object.values(fields).flatMap((field) => {
    const here = `${at}/${field.name}`;
    if (field.on[side] === undefined) return [];
    if (field.type === 'integer' || field.type === 'number') return [here];
    return [field.fields ?? {}, ...(field.forms ?? []).map((form) => form.fields)].flatMap((inner) =>
      integersOf(inner, side, here),
    );
  });
  return [...new Set(below)];
}
