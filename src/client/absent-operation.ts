import type { Operation } from '../model/operation.ts';

/**
 * What to say when a service seems not to have an operation; '' when its answer says something else. A 404 with words of its own
 * is about the thing that was asked for, not about the operation.
 */
export function absentOperation({ api }: Operation, status: number | null, said: string | null): string {
  const absent =
    status === 405 || status === 501 || (status === 404 && (said === null || /^not found\.?$/i.test(said)));
  if (!absent) return '';
  const remedy =
    api === 'full'
      ? '; set api: documented in the header of the files to use only the operations that every such service has (roles are then named by id)'
      : '';
  return `; the service does not have the operation${remedy}`;
}
