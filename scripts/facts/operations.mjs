// The operations of one client of the package. Its code has method, path, query, pages and error statuses; its declarations have
// the types of bodies and responses. Nothing is renamed in between: names are those of the API.
import { argumentsOf, keyOf, nameOf, nodesByType, parse } from './syntax.mjs';

export function operationsOf({ code, declarations }) {
  const { MethodDefinition: signatures } = nodesByType(parse(declarations));
  const methods = nodesByType(parse(code)).MethodDefinition.map((method) => [
    keyOf(method),
    callOf(nodesByType(method)),
  ]);
  const calls = methods.filter(([, call]) => call !== null);
  const isPublic = ({ kind, accessibility }) => kind === 'method' && accessibility !== 'private';
  if (calls.length !== signatures.filter(isPublic).length)
    throw new Error(`a method of ${code.name} is not understood`);
  return calls.map(([name, call]) => {
    const signature = signatures.find((one) => isPublic(one) && keyOf(one) === name.replace(/^__/, ''));
    return { ...call, ...typesOf(signature.value) };
  });
}

/** What a method requests, or null. Requests end in `handleNonStatusCodeError(error, response, "GET", "/roles/{id}")`. */
function callOf({ CallExpression = [], VariableDeclarator = [], Property = [], SwitchCase = [], NewExpression = [] }) {
  const [, , method, path] =
    CallExpression.find(({ callee }) => calledName(callee) === 'handleNonStatusCodeError')?.arguments ?? [];
  if (path === undefined) return null;
  const query = VariableDeclarator.find(({ id }) => id.name === '_queryParams');
  const page = NewExpression.find(({ callee }) => calledName(callee) === 'Page');
  return {
    method: method.value,
    path: path.value,
    query: query?.init.properties.map(keyOf) ?? [],
    hasBody: Property.some((property) => keyOf(property) === 'requestType'),
    errors: SwitchCase.filter(({ test }) => test !== null).map(({ test }) => test.value),
    ...(page && { pages: pagesOf(page.arguments[0]) }),
  };
}

/** `b` of `a.b` and of `(0, a.b)`, which calls it without `this`. */
const calledName = (callee) => (callee.expressions?.at(-1) ?? callee).property?.name;

/** `{ getItems: (response) => response.KEY, loadPage: () => list(setObjectProperty(request, "from", next)) }` */
function pagesOf({ properties }) {
  const nodes = (name) => nodesByType(properties.find((property) => keyOf(property) === name));
  const items = nodes('getItems').MemberExpression.find(({ object }) => object.name === 'response');
  const next = nodes('loadPage').CallExpression.find(({ callee }) => calledName(callee) === 'setObjectProperty');
  const parameter = next.arguments[1].value;
  return { style: parameter === 'from' ? 'checkpoint' : parameter, items: items.property.name };
}

/** `list(request?: Parameters): Promise<core.Page<Item, Response>>` or `get(id: string): HttpResponsePromise<Response>`. */
function typesOf({ params, returnType }) {
  const parameter = params.map((one) => one.left ?? one).find(({ name }) => name === 'request');
  const [response] = argumentsOf(returnType.typeAnnotation);
  const isPage = response.type === 'TSTypeReference' && nameOf(response) === 'core.Page';
  return {
    ...(parameter && { request: parameter.typeAnnotation.typeAnnotation }),
    ...(isPage ? { item: argumentsOf(response)[0] } : { response }),
  };
}
