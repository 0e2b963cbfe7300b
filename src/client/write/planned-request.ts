import { buildPath } from '../../contract/path.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { GetOperation, Operation } from '../../model/operation.ts';
import type { PlannedRequest } from '../../model/plan.generated.ts';
import { isRecord } from '../../values/is-record.ts';
import { memberOf, pointerPath, valueAt } from '../../values/json-pointer.ts';

/** The value of an environment variable with a secret; undefined if it is not set. */
export type SecretOf = (env: string) => string | undefined;

/** The operation of a planned request. A request that does not fit one operation exactly cannot come from a plan. */
export function plannedOperation(request: PlannedRequest, operations: readonly Operation[]): Operation {
  const operation = operations.find(({ id }) => id === request.operation);
  if (operation === undefined) throw new InternalError(`there is no operation ${request.operation}`);
  if (operation.method !== request.method)
    throw new InternalError(`${operation.id} is not sent with ${request.method}`);
  if (rebuiltPath(operation, request.path) !== request.path) {
    throw new InternalError(`${request.path} is not a path of ${operation.id}`);
  }
  if ((operation.body === undefined) !== (request.body === undefined)) {
    throw new InternalError(`${operation.id} ${operation.body === undefined ? 'takes no' : 'needs a'} body`);
  }
  return operation;
}

/** The path rebuilt from its own parameters: it differs when a segment smuggles a query, a dot segment or a slash. */
function rebuiltPath(operation: Operation, path: string): string | null {
  const segments = path.split('/');
  try {
    const params = operation.path
      .split('/')
      .flatMap((wanted, index) =>
        wanted.startsWith('{') ? [[wanted.slice(1, -1), decodeURIComponent(segments[index] ?? '')] as const] : [],
      );
    return buildPath(operation, Object.fromEntries(params));
  } catch {
    return null;
  }
}

/**
 * The request with its secrets in place, or the variables that are not set. The plan's own request keeps the
 * references.
 */
export function fillSecrets(
  request: PlannedRequest,
  secretOf: SecretOf,
): { readonly request: PlannedRequest } | { readonly unset: readonly string[] } {
  const { secrets = [], body } = request;
  if (secrets.length === 0) return { request };
  const unset = secrets.map(({ env }) => env).filter((env) => !secretOf(env));
  if (unset.length > 0) return { unset };
  const values = secrets.map(({ pointer, env }) => ({ pointer, value: secretOf(env) ?? '' }));
  return { request: { ...request, body: withValues(body, values) } };
}

/**
 * The operation that reads what a request sends back: the item of its own path, and nothing else. Another kind may read some
 * fields of the same item, such as the name of a client, with a query: that is not all of it.
 */
export function readingFor({ id, path }: Operation, operations: readonly Operation[]): GetOperation {
  const isReading = (one: Operation): one is GetOperation =>
    one.method === 'GET' && one.path === path && one.paging === undefined;
  const readings = operations.filter(isReading);
  const reading = readings.find(({ query }) => query === undefined) ?? readings[0];
  if (reading === undefined) throw new InternalError(`nothing reads what ${id} sends back`);
  return reading;
}

interface Place {
  readonly pointer: string;
  readonly value: unknown;
}

/** What an item has at the places that a request sends back. */
export function valuesSentBack({ live = [] }: PlannedRequest, item: unknown): readonly Place[] {
  return live.flatMap((pointer) => {
    const value = valueAt(item, pointer);
    return value === undefined ? [] : [{ pointer, value }];
  });
}

export function withValues(
  body: PlannedRequest['body'],
  places: readonly Place[],
): NonNullable<PlannedRequest['body']> {
  return places.reduce((filled, { pointer, value }) => withValue(filled, pointerPath(pointer), value), body ?? {});
}

/** A copy, because a plan never has these values. */
function withValue<Body extends object>(body: Body, path: readonly string[], value: unknown): Body {
  const [name = '', ...below] = path;
  const member = memberOf(body, name);
  const object = Array.isArray(member) || isRecord(member) ? member : {};
  const filled = below.length === 0 ? value : withValue(object, below, value);
  const copy = Array.isArray(body)
    ? body.map((one, index) => (String(index) === name ? filled : one))
    : { ...body, [name]: filled };
  return copy as Body;
}
