import { buildPath } from '../../contract/path.ts';
import { InternalError } from '../../model/internal-error.ts';
import type { Operation } from '../../model/operation.ts';
import type { PlannedRequest } from '../../model/plan.generated.ts';
import { pointerPath } from '../../values/json-pointer.ts';

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
  const filled = structuredClone(body ?? {});
  for (const { pointer, env } of secrets) putAt(filled, pointer, secretOf(env) ?? '');
  return { request: { ...request, body: filled } };
}

function putAt(body: Record<string, unknown>, pointer: string, secret: string): void {
  const steps = pointerPath(pointer);
  const last = steps.pop() ?? '';
  let object = body;
  for (const step of steps) object = object[step] as Record<string, unknown>;
  object[last] = secret;
}
