import { InternalError } from '../model/internal-error.ts';
import type { Operation } from '../model/operation.ts';
import type { PlannedRequest, SecretPlace } from '../model/plan.generated.ts';
import { buildPath } from './path.ts';

interface Parts {
  /** Values of the path's parameters; default: the path has none. */
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Where the body has references to secrets. */
  readonly secrets?: readonly SecretPlace[];
}

/** A request of an operation, as in a plan. */
export function plannedRequest(operation: Operation, { params = {}, body, secrets = [] }: Parts): PlannedRequest {
  const { id, method } = operation;
  if (method === 'GET') throw new InternalError(`${id} is no write`);
  return {
    operation: id,
    method,
    path: buildPath(operation, params),
    // A body is JSON built from the files. Its type belongs to the kind.
    ...(body === undefined ? {} : { body: body as Record<string, unknown> }),
    ...(secrets.length === 0 ? {} : { secrets: [...secrets] }),
  };
}
