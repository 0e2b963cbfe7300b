import { deepestNesting } from '../config/yaml/yaml-problems.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { ReferenceText } from './written-value.ts';

/** Why no file can have a value, and where in it. */
export interface WrittenProblem {
  readonly pointer: string;
  readonly reason: string;
}

const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** The first part of a value that no file can express. Values of a tenant may be anything, so this takes all of JSON. */
export function writtenProblem(value: unknown, pointer = '', depth = 0): WrittenProblem | null {
  const problem = (reason: string) => ({ pointer, reason });
  if (value === null || value === undefined) return problem('a value is null');
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? null : problem(`the number ${value} is not an integer that is exact`);
  if (typeof value === 'string' || typeof value === 'boolean' || value instanceof ReferenceText) return null;
  if (typeof value !== 'object') return problem('a value is not JSON');
  if (depth >= deepestNesting) return problem(`values are nested deeper than ${deepestNesting} levels`);
  for (const [name, member] of Object.entries(value)) {
    const below = pointer + jsonPointer(name);
    if (!Array.isArray(value) && unsafeKeys.has(name))
      return { pointer: below, reason: `the key "${name}" is not allowed` };
    if (!Array.isArray(value) && name.includes('${')) return { pointer: below, reason: 'a key contains "${"' };
    const found = writtenProblem(member, below, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
