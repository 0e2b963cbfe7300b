import { isDeepStrictEqual } from 'node:util';
import { isRecord } from './is-record.ts';
import { memberOf } from './json-pointer.ts';

export interface ChangedField {
  /** The names that lead to it. */
  readonly path: readonly string[];
  readonly before: unknown;
  readonly now: unknown;
}

/** The fields in which two values differ. A mapping that is absent has no fields, and a list is one field. */
export function changedFields(before: unknown, now: unknown, path: readonly string[] = []): readonly ChangedField[] {
  if (isDeepStrictEqual(before, now)) return [];
  const [old = {}, present = {}] = [before, now];
  if (!isRecord(old) || !isRecord(present)) return [{ path, before, now }];
  const names = [...Object.keys(old), ...Object.keys(present)];
  return [...new Set(names)].flatMap((name) =>
    changedFields(memberOf(before, name), memberOf(now, name), [...path, name]),
  );
}
