import type { Names } from '../model/names.ts';
import type { Resource, Skip } from '../model/resource.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';

/** Whether an item has the values of a rule; an object is about the item that a reference names. */
export function fits(
  { when }: Skip,
  item: object,
  { fields }: Pick<Resource, 'fields'>,
  names: Names | undefined,
): boolean {
  return Object.entries(when).every(([name, wanted]) => {
    const value = memberOf(item, name);
    const { ref } = fields[name] ?? {};
    if (ref === undefined || !isRecord(wanted)) return value === wanted;
    const other = names?.itemOf(ref.to, String(value));
    return other !== undefined && Object.entries(wanted).every(([below, one]) => memberOf(other, below) === one);
  });
}

/**
 * Whether a name that several items can have may mean a live item. What is left alone has a name that others chose, so files
 * reach it by its id, or by a name and the values of the rule. `declared`: the item of the files with this name.
 *
 *   live { name: Web, is_first_party: false }   declared { name: Web }                           no
 *                                               declared { name: Web, is_first_party: false }    yes
 */
export function canBeNamed(
  resource: Pick<Resource, 'unique' | 'byId' | 'skip' | 'fields'>,
  live: object,
  declared: { readonly value: unknown } | undefined,
  names: Names | undefined,
): boolean {
  const { unique, byId, skip = [] } = resource;
  if (unique !== false && !byId) return true;
  const rule = skip.find((one) => fits(one, live, resource, names));
  if (rule === undefined) return true;
  return rule.unless === 'declared' && declared !== undefined && fits(rule, declared.value as object, resource, names);
}
