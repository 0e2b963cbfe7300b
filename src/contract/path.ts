import { referencePattern } from '../model/action-identity.ts';
import { InternalError } from '../model/internal-error.ts';
import type { Operation } from '../model/operation.ts';

/**
 * The path of a request below the base URL, every parameter percent-encoded; a reference to the result of another
 * action stays. A value that would change the number of segments is a bug, because schemas refuse it earlier.
 */
export function buildPath(operation: Operation, params: Readonly<Record<string, string>>): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = params[name];
    if (value === undefined || value === '' || value === '.' || value === '..')
      throw new InternalError(`no usable ${name} for ${operation.id}`);
    const isReference = value.startsWith('{') && value.replace(referencePattern, '') === '';
    return isReference ? value : encodeURIComponent(value);
  });
}

/** True if a path matches the path template of the operation. */
export function matchesPath(operation: Operation, path: string): boolean {
  const wanted = operation.path.split('/');
  const found = path.split('/');
  return (
    wanted.length === found.length &&
    wanted.every((segment, index) => (segment.startsWith('{') ? found[index] !== '' : segment === found[index]))
  );
}
