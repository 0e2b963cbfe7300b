import { buildPath, matchesPath } from '../contract/path.ts';
import { InternalError } from '../model/internal-error.ts';
import type { Operation } from '../model/operation.ts';
import type { PlannedRequest } from '../model/plan.generated.ts';

/** The operation that a planned request belongs to. A request that fits no row exactly is not one that a plan can hold. */
export function plannedOperation(request: PlannedRequest, operations: readonly Operation[]): Operation {
  const operation = operations.find(({ id }) => id === request.operation);
  if (operation === undefined) throw new InternalError(`there is no operation ${request.operation}`);
  if (operation.method !== request.method)
    throw new InternalError(`${operation.id} is not sent with ${request.method}`);
  if (!matchesPath(operation, request.path) || rebuiltPath(operation, request.path) !== request.path) {
    throw new InternalError(`${request.path} is no path of ${operation.id}`);
  }
  if ((operation.body === undefined) !== (request.body === undefined)) {
    throw new InternalError(`${operation.id} ${operation.body === undefined ? 'takes no' : 'needs a'} body`);
  }
  return operation;
}

/** The path as it would be built from its own parameters: differs when a segment smuggles a query, a dot segment or a slash. */
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
