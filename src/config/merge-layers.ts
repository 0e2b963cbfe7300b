// What several layers of a tenant declare becomes one section and one header: by identity, never by position in a list.
import { placeText } from '../diagnostics/source-text.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import type { UndeclaredItems } from '../model/undeclared.generated.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, valueAt } from '../values/json-pointer.ts';
import { type Declared, type FilePlace, type HeaderInFile, type JoinedHeader, namePlace } from './declared.ts';
import { stateOf } from './desired-items.ts';
import type { Report } from './errors/problem.ts';

/**
 * The items of all layers. One that a later layer declares again is merged with it. `unmanaged: true` drops what earlier
 * layers declare.
 */
export function mergedItems(layers: readonly (readonly Declared[])[], report: Report): readonly Declared[] {
  const merged = new Map<string, Declared>();
  for (const item of layers.flat()) {
    const earlier = merged.get(item.key);
    const isRevived = earlier !== undefined && reportRevived(earlier, item, report);
    const isAlone = earlier === undefined || isRevived || stateOf(item.value) === 'unmanaged';
    merged.set(item.key, isAlone ? item : over(earlier, item));
  }
  return [...merged.values()];
}

function over(earlier: Declared, later: Declared): Declared {
  const places = [...earlier.places, ...later.places] as const;
  const { layering } = later;
  const isOfOneForm = (path: readonly string[]) => {
    const fields = layering(path, earlier.value);
    return fields !== null && fields === layering(path, later.value);
  };
  return { ...later, places, value: mergedValue(earlier.value, later.value, isOfOneForm) };
}

type Replaced = (earlier: unknown, later: unknown) => unknown;

const lastCounts: Replaced = (_earlier, later) => later;

/** Mappings are merged by key where `isMerged` is true of their path; `replaced` makes one value of any two others. */
function mergedValue(
  earlier: unknown,
  later: unknown,
  isMerged: (path: readonly string[]) => boolean,
  replaced = lastCounts,
  path: readonly string[] = [],
): unknown {
  if (!isRecord(earlier) || !isRecord(later) || !isMerged(path)) return replaced(earlier, later);
  const members = Object.entries(later).map(([name, value]) => {
    const isInBoth = Object.hasOwn(earlier, name);
    return [name, isInBoth ? mergedValue(earlier[name], value, isMerged, replaced, [...path, name]) : value] as const;
  });
  return { ...earlier, ...Object.fromEntries(members) };
}

/** Whoever declares an item again must see that an earlier layer has given it up. True if this was reported. */
function reportRevived(earlier: Declared, item: Declared, report: Report): boolean {
  const state = stateOf(earlier.value);
  const isSaid = Object.hasOwn(Object(item.value), state) || stateOf(item.value) === 'unmanaged';
  if (state === 'present' || isSaid) return false;
  report({
    code: 'CONFIG_LAYER_STATE',
    message: `An earlier layer declares this item "${state}: true", at ${placeText(namePlace(earlier))}.`,
    hint: `add "${state}: false" to declare it again, or delete it here`,
    at: namePlace(item),
  });
  return true;
}

/** One header of all layers, and where each of its values is written. */
export function mergedHeader(headers: readonly HeaderInFile[]): Omit<JoinedHeader, 'file'> {
  const [first, ...others] = headers.map(({ tenant }) => tenant);
  const tenant = others.reduce(mergedRules, first ?? {});
  const placeOf = (pointer: string): FilePlace | null => {
    const value = valueAt(tenant, pointer);
    const list = pointer.slice(0, pointer.lastIndexOf('/'));
    // An item of a list is where the first layer has it.
    for (const { tenant: own, file } of headers) {
      const items = valueAt(own, list);
      const index = Array.isArray(items) ? items.indexOf(value) : -1;
      if (index >= 0) return { file, pointer: jsonPointer('tenant') + list + jsonPointer(index) };
    }
    // A later rule may lose against an earlier one.
    const last =
      headers.findLast(({ tenant: own }) => valueAt(own, pointer) === value) ??
      headers.findLast(({ tenant: own }) => valueAt(own, pointer) !== undefined);
    return last === undefined ? null : { file: last.file, pointer: jsonPointer('tenant') + pointer };
  };
  return { tenant, placeOf };
}

/** Lists are united. The schema, from which the type is generated, has validated both headers. */
function mergedRules(earlier: TenantHeader, later: TenantHeader): TenantHeader {
  const united: Replaced = (one, other) =>
    Array.isArray(one) && Array.isArray(other) ? [...new Set([...one, ...other])] : other;
  const merged = mergedValue(earlier, later, ({ length }) => length < 2, united) as TenantHeader;
  if (!earlier.undeclared || !later.undeclared) return merged;
  // A rule that keeps items wins, so that a later layer cannot drop it by accident.
  const kept: Replaced = (one, other) => (other === 'delete' ? one : other);
  return {
    ...merged,
    undeclared: mergedValue(earlier.undeclared, later.undeclared, ({ length }) => length < 1, kept) as UndeclaredItems,
  };
}
