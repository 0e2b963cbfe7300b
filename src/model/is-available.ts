import type { ApiLevel, Operation } from './operation.ts';

/** True when files that allow this level of operations may use the operation. */
export function isAvailable({ api }: Pick<Operation, 'api'>, level: ApiLevel): boolean {
  return api === 'documented' || level === 'full';
}
