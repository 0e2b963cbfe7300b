import { referencePattern } from '../model/action-identity.ts';
import { InternalError } from '../model/internal-error.ts';
import type { Operation } from '../model/operation.ts';
import type { PlannedRequest, SecretPlace } from '../model/plan.generated.ts';

/**
 * The path of a request below the base URL, every parameter percent-encoded; a reference to the result of another
 * action stays. A value that would change the number of segments is a bug, because schemas refuse it earlier.
 */
export function buildPath(operation: Operation, params: Readonly<Record<string, string>>): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodedParam(operation, name, params[name]),
  );
}

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
