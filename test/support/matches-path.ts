import type { Operation } from '../../src/model/operation.ts';

/** True if a path matches the path template of the operation. */
export function matchesPath(operation: Operation, path: string): boolean {
  const wanted = operation.path.split('/');
  const found = path.split('/');
  return (
    wanted.length === found.length &&
    wanted.every((segment, index) => (segment.startsWith('{') ? found[index] !== '' : segment === found[index]))
  );
}
