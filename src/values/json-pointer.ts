/** JSON pointers (RFC 6901): `''` is the value itself, `/a/0/b` a value below it. */

/** The pointer to a nested value, from the names and indexes that lead to it. */
export function jsonPointer(...path: readonly (string | number)[]): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A path as people read it; a number is an index: `destination.configuration.region`, `subscriptions[].id`. */
export function fieldPath(path: readonly (string | number)[]): string {
  return path.map((name, index) => (typeof name === 'number' ? '[]' : `${index === 0 ? '' : '.'}${name}`)).join('');
}

/** The names and indexes on the way that a pointer describes. */
export function pointerPath(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a pointer leads to; undefined where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointerPath(pointer).reduce(memberOf, value);
}

/** A copy of a value with other ones at the pointers that lead to a place in it; without pointers, the value itself. */
export function withValuesAt(value: unknown, byPointer: ReadonlyMap<string, unknown>, pointer = ''): unknown {
  if (byPointer.size === 0) return value;
  const other = byPointer.get(pointer);
  if (other !== undefined) return other;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, withValuesAt(member, byPointer, pointer + jsonPointer(name))] as const,
  );
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** An own member of a mapping or a list; undefined for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
