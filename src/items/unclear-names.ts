import type { DesiredItem } from '../model/kind.ts';
import { idPrefix, type Names } from '../model/names.ts';
import type { Resource } from '../model/resource.ts';
import { memberOf } from '../values/json-pointer.ts';
import { namedIn } from './references.ts';

/**
 * Why a live item is not deleted, although the files do not declare it: a declared one has a name in its key that nobody or
 * several have, so it may mean this one.
 *
 *   declared { client: Web shop }, live client_id:c1, and c1 was renamed on the tenant
 */
export function openUnclear(
  { key, fields }: Pick<Resource, 'key' | 'fields'>,
  items: readonly DesiredItem[],
  names: Names | undefined,
): ((live: object) => string | null) | undefined {
  if (names === undefined) return undefined;
  for (const name of key) {
    const { ref } = fields[name] ?? {};
    if (ref === undefined || ref.by !== undefined) continue;
    const unclear = items.find(({ value }) => {
      const text = namedIn(ref, memberOf(value, name), 'item');
      return text !== null && !text.startsWith(idPrefix) && isUnclear(names.find(ref.to, text).is);
    });
    if (unclear === undefined) continue;
    const { file, line, column } = unclear.at(`/${name}`);
    const why = `kept because the unknown or ambiguous name at ${file}:${line}:${column} may mean it`;
    return (live) => (namedIn(ref, memberOf(live, name), 'service') === null ? null : why);
  }
  return undefined;
}

function isUnclear(is: ReturnType<Names['find']>['is']): boolean {
  return is === 'unknown' || is === 'several';
}
