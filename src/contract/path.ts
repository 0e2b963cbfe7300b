import { referencePattern } from '../model/action-identity.ts';
import { InternalError } from '../model/internal-error.ts';
import type { Operation } from '../model/operation.ts';
import type { PlannedRequest, SecretPlace } from '../model/plan.generated.ts';
import { memoizedByObject } from '../values/memoized.ts';

/**
 * The path of a request below the base URL, every parameter percent-encoded; a reference to the result of another
 * action stays. A value that would change the number of segments is a bug, because schemas refuse it earlier.
 */
export function buildPath(operation: Operation, params: Readonly<Record<string, string>>): string {
  const pieces = piecesOf(operation);
  return pieces
    .map((piece, index) => (index % 2 === 0 ? piece : encodedParam(operation, piece, params[piece])))
    .join('');
}

/** `/roles/{id}/permissions`: `/roles/`, the name of a parameter, and `/permissions`. */
const piecesOf = memoizedByObject(({ path }: Operation) => path.split(/[{}]/));

function encodedParam({ id }: Operation, name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..')
    throw new InternalError(`no usable ${name} for ${id}`);
  const isReference = value.startsWith('{') && value.replace(referencePattern, '') === '';
  return isReference ? value : encodeURIComponent(value);
}

interface Parts {
  /** Values of the path's parameters; default: the path has none. */
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Where the body has references to secrets. */
  readonly secrets?: readonly SecretPlace[];
  /** Places in the body that get what the tenant has there. */
  readonly live?: readonly string[];
}

/** A request of an operation, as in a plan. */
export function plannedRequest(
  operation: Operation,
  { params = {}, body, secrets = [], live = [] }: Parts,
): PlannedRequest {
  const { id, method } = operation;
  if (method === 'GET') throw new InternalError(`${id} is no write`);
  return {
    operation: id,
    method,
    path: buildPath(operation, params),
    // A body is JSON built from the files. Its type belongs to the kind.
    ...(body === undefined ? {} : { body: body as NonNullable<PlannedRequest['body']> }),
    ...(secrets.length === 0 ? {} : { secrets: [...secrets] }),
    ...(live.length === 0 ? {} : { live: [...live] }),
  };
}
