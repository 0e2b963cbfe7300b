// What a path names, such as `/roles`: its operations, and one tree of the fields that they take and return.
import { formsOf } from './forms.mjs';
import { withFormsBeside } from './forms-beside.mjs';
import { shapeReader } from './shapes.mjs';
import { markResponses, mergeSides } from './sides.mjs';

/** Entities by path. */
export function entitiesOf(operations, declarations) {
  const shapeOf = shapeReader(declarations);
  const byPath = new Map();
  for (const operation of sorted(operations)) {
    const path = entityPath(operation.path);
    byPath.set(path, [...(byPath.get(path) ?? []), withShapes(operation, shapeOf)]);
  }
  const entities = [...byPath].map(([path, ofEntity]) => {
    const entity = entityOf(ofEntity);
    return [path, { ...entity, ...formsOf(path, entity.fields, declarations, shapeOf) }];
  });
  return Object.fromEntries(entities);
}

/** The operations of one entity do not agree on the names of parameters: `/clients/{}`. */
const unnamed = (path) => path.replaceAll(/\{[^}]*\}/g, '{}');

/** What is listed at `/roles`, and what `/roles/{id}` is, are one entity. */
const entityPath = (path) => unnamed(path).replace(/\/\{\}$/, '');

function sorted(operations) {
  const key = ({ path, method }) => `${unnamed(path)} ${method}`;
  return [...operations].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function withShapes(operation, shapeOf) {
  const { request, query, hasBody, method } = operation;
  const input = request && shapeOf(request);
  return {
    ...operation,
    query: query.map((name) => [name, queryText(input.fields[name])]),
    ...(hasBody && (method === 'POST' ? { create: input } : { update: input })),
    ...answerOf(operation, shapeOf),
  };
}

const queryText = ({ type, enum: values = [type], array, required }) =>
  `${values.join('|')}${array ? '[]' : ''}${required ? ', required' : ''}`;

/** What a response has: one item of its list. `paging.items` is the field with the list; empty, if the response is the list. */
function answerOf({ item, response, method, pages }, shapeOf) {
  if (item !== undefined) return { response: shapeOf(item), paging: pages };
  if (response.type === 'TSVoidKeyword') return { response: undefined };
  const whole = shapeOf(response);
  const [[key, field] = [], ...others] = Object.entries(whole.fields ?? {});
  const isWrapped = method === 'GET' && others.length === 0;
  const [items, list] = isWrapped && isList(field) ? [key, field] : ['', whole];
  if (!isList(list)) return { response: whole };
  const { array: _, ...element } = list;
  return { response: element, paging: { style: 'none', items } };
}

const isList = (shape) => shape?.array === 1 && ['object', 'union'].includes(shape.type);

function entityOf(operations) {
  const bySide = {};
  for (const side of ['create', 'update', 'response']) {
    const shapes = operations.filter((one) => one[side]).map((one) => [labelOf(one), one[side]]);
    if (shapes.length > 0) bySide[side] = mergeSides(Object.fromEntries(shapes), markResponses);
  }
  const rows = { operations: operations.map(rowOf) };
  if (Object.keys(bySide).length === 0) return rows;
  const { by, forms, ...common } = withFormsBeside(bySide);
  const merged = mergeSides(common.bySide);
  if (merged.type !== 'object' || merged.array) return { ...rows, body: merged };
  const { open, fields } = merged;
  for (const [name, { only }] of Object.entries(bySide.response?.fields ?? {})) if (only) fields[name].only = only;
  return { ...rows, ...(open && { open }), fields, ...(by && { by, forms }) };
}

/** `list`, `get`, `post` and so on, made unique by the path. */
const labelOf = ({ method, path, paging }) => `${method === 'GET' && paging ? 'list' : method.toLowerCase()} ${path}`;

function rowOf({ method, path, create, update, query, paging, response, errors }) {
  return {
    op: `${method} ${path}`,
    ...(create && { body: 'create' }),
    ...(update && { body: 'update' }),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(paging && { paging }),
    ...(response === undefined && { answer: 'none' }),
    errors,
  };
}
