// The rows of a resource's operations: what a description says of them, with everything that follows from names.
import { entityAt, mapValues } from './facts.mjs';
import { camel, capital, pick, singular, withArticle } from './words.mjs';

const usual = {
  list: ['GET', 'read', 200],
  create: ['POST', 'create', 201, 'create_body'],
  get: ['GET', 'read', 200],
  update: ['PATCH', 'update', 200, 'update_body'],
  put: ['PUT', 'update', 200, 'update_body'],
  delete: ['DELETE', 'delete', 204],
  add: ['POST', 'create', 201, 'add_body'],
  remove: ['DELETE', 'delete', 204, 'remove_body'],
};

/** `row` has the cells that need no schema; beside it is the rest of what the description says. */
export function operationsOf(given = {}, resource) {
  return mapValues(given, (own, verb) =>
    operation(verb, typeof own === 'string' ? { pages: own } : (own ?? {}), resource),
  );
}

function operation(verb, own, { kind, name, at, path: base, noun, source, lifecycle = 'generally available' }) {
  const [method, scope, success, body] = usual[verb];
  const { pages = 'none', filters = [], take = 100, section = source, specified, assumed = [] } = own;
  const isAll = verb === 'list' || at !== 'list';
  const path = own.path ?? (isAll || verb === 'create' ? base : `${base}/{id}`);
  const what = at === 'single' ? noun.one : isAll ? noun.many : withArticle(noun.one);
  const row = {
    id: `${verb}_${isAll ? name : singular(name)}`,
    api: specified === undefined ? 'full' : 'documented',
    method,
    path,
    summary: `${capital(verb)} ${what}`,
    scope: `${scope}:${kind}`,
    lifecycle,
    success,
    ...pick(own, ['id', 'method', 'scope', 'success', 'quota', 'lifecycle', 'async']),
    ...(own.gone && { goneStatus: own.gone }),
    basis: { source: specified === undefined ? 'public' : 'documented', section: specified ?? section, assumed },
  };
  const [style, items = ''] = pages.split(' ');
  return { ...own, row, path, style, items, filters, take, bodyName: body };
}

/** The query that the facts show for a listing. */
export function queryFacts(facts, { list }) {
  const isListing = ({ op }) => op.startsWith('GET') && !op.endsWith('{id}');
  return (list && entityAt(facts, list.path)?.operations.find(isListing)?.query) ?? {};
}

/** The code of a row; `shapes` are the names of the compiled schemas of the resource. */
export function rowCode(verb, resource, { shapes, getter }) {
  const {
    row,
    path,
    bodyName,
    style,
    items,
    take,
    filters,
    lacking,
    body = '$elements',
    element,
    batch,
    byName,
    query: sent,
  } = resource.operations[verb];
  const { at, prefix, fields, key, id, form, query } = resource;
  const has = (name) => shapes.includes(prefix + name);
  const shape = (name) => `$shapes.${camel(prefix + name)}$`;
  const integers = has(bodyName) ? integersOf(fields, verb === 'create' ? 'create' : 'update') : [];
  const lists = filters.filter((name) => query[name] === 'union');
  const numbers = { cursor: ['take'], numbered: ['page', 'per_page'], none: [] }[style];
  const confirmed = { status: lacking, ...(lacking === 404 && getter && { confirmedBy: getter }) };
  return {
    ...row,
    ...(path.includes('{id}') && { params: ofElement(path) ? shape('params') : '$shapes.params$' }),
    ...(verb === 'list' && {
      query: {
        '...': shape('list_query'),
        integers: [...filters.filter((name) => query[name] === 'number'), ...numbers],
        ...(lists.length > 0 && { lists }),
      },
      response: shape('page'),
      item: shape('live'),
      ...(filters.length > 0 && { filters }),
      ...(sent && { selects: sent }),
      ...(byName && { byName }),
      ...(path.includes('{id}') && getter && { of: getter }),
      paging: {
        style: style === 'numbered' ? 'page' : style,
        items,
        identity: id === null ? key.map((name) => fields[name]?.wire ?? name) : [id.field],
        maxTake: take,
        defaultTake: Math.min(take, 50),
      },
    }),
    ...(verb === 'get' && sent && { query: { '...': shape('get_query'), integers: [], sent } }),
    ...(has(bodyName) && {
      body: {
        '...': shape(bodyName),
        encodings: ['application/json', ...(form ? ['application/x-www-form-urlencoded'] : [])],
        ...(integers.length > 0 && { integers }),
      },
    }),
    ...((['get', 'create', 'update', 'put'].includes(verb) || body === '$element') &&
      has('live') && { response: shape('live') }),
    ...(has(`${verb}_response`) && { response: shape(`${verb}_response`) }),
    ...((verb === 'list' || (verb === 'get' && at === 'single')) && {
      lacking: ['$...notOnTenant$', ...(lacking ? [confirmed] : [])],
    }),
    ...((verb === 'add' || verb === 'remove') && {
      elements: ofElement(path)
        ? { batch: 1 }
        : { body, ...pick({ element, batch: body === '$element' ? 1 : batch }, ['element', 'batch']) },
    }),
  };
}

/** Whether an operation is about one element, by its id. */
export function ofElement(path) {
  return path.includes('{element}');
}

/** JSON pointers of the numbers in a body, which a form carries as text. */
function integersOf(fields, side, at = '') {
  const pointers = Object.values(fields).flatMap(({ name, wire = name, on, type, fields: below = {}, forms = [] }) => {
    if (on[side] === undefined) return [];
    if (type === 'integer' || type === 'number') return [`${at}/${wire}`];
    return [below, ...forms.map((form) => form.fields)].flatMap((inner) => integersOf(inner, side, `${at}/${wire}`));
  });
  return [...new Set(pointers)];
}
