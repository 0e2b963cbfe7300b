import { isDeepStrictEqual } from 'node:util';
import { isRecord } from './is-record.ts';
import { memberOf } from './json-pointer.ts';

export interface ChangedField {
  /** The names that lead to it. */
  readonly path: readonly string[];
  readonly before: unknown;
  readonly now: unknown;
}

/**
 * The fields in which two values differ. A mapping that is absent has no fields, and a list is one field; so is a mapping at a
 * path of which `isSplit` is false.
 */
export function changedFields(
  before: unknown,
  now: unknown,
  isSplit: (path: readonly string[]) => boolean = () => true,
  path: readonly string[] = [],
): readonly ChangedField[] {
  if (isDeepStrictEqual(before, now)) return [];
  const [old = {}, present = {}] = [before, now];
  if (!isRecord(old) || !isRecord(present) || !isSplit(path)) return [{ path, before, now }];
  const names = [...Object.keys(old), ...Object.keys(present)];
  return [...new Set(names)].flatMap((name) =>
    changedFields(memberOf(before, name), memberOf(now, name), isSplit, [...path, name]),
  );
}
