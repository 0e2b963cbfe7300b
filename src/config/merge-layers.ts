// What several layers of a tenant declare becomes one section and one header: by identity, never by position in a list.
import { placeText } from '../diagnostics/source-text.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import type { UndeclaredItems } from '../model/undeclared.generated.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf, valueAt } from '../values/json-pointer.ts';
import { type Declared, type FilePlace, type HeaderInFile, namePlace } from './declared.ts';
import { stateOf } from './desired-items.ts';
import type { Report } from './errors/problem.ts';

/**
 * The items of all layers. One that a later layer declares again has its fields replaced one by one, `depth` levels below
 * the item: 1 for its own fields. `unmanaged: true` drops what earlier layers declare.
 */
export function mergedItems(
  layers: readonly (readonly Declared[])[],
  depth: number,
  report: Report,
): readonly Declared[] {
  const merged = new Map<string, Declared>();
  for (const item of layers.flat()) {
    const earlier = merged.get(item.key);
    const isRevived = earlier !== undefined && reportRevived(earlier, item, report);
    const isAlone = earlier === undefined || isRevived || stateOf(item.value) === 'unmanaged';
    merged.set(item.key, isAlone ? item : over(earlier, item, depth));
  }
  return [...merged.values()];
}

function over(earlier: Declared, later: Declared, depth: number): Declared {
  return {
    ...later,
    depth,
    places: [...earlier.places, ...later.places],
    value: mergedValue(earlier.value, later.value, depth),
  };
}

/** Mappings are merged by key as deep as `depth`; anything below, and anything else, is replaced. */
export function mergedValue(earlier: unknown, later: unknown, depth: number): unknown {
  if (depth === 0 || !isRecord(earlier) || !isRecord(later)) return later;
  const members = Object.entries(later).map(
    ([name, value]) =>
      [name, Object.hasOwn(earlier, name) ? mergedValue(earlier[name], value, depth - 1) : value] as const,
  );
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
export function mergedHeader(headers: readonly HeaderInFile[]): {
  readonly tenant: TenantHeader;
  readonly placeOf: (pointer: string) => FilePlace | null;
} {
  const united = new Map<string, FilePlace>();
  const listOf = (path: readonly string[]) => {
    const found = headers.flatMap(({ tenant, file }) => {
      const list = valueAt(tenant, jsonPointer(...path));
      const place = (index: number) => ({ file, pointer: jsonPointer('tenant', ...path, index) });
      return Array.isArray(list) ? list.map((value: unknown, index) => ({ value, place: place(index) })) : [];
    });
    const first = new Map(found.toReversed().map(({ value, place }) => [value, place]));
    const values = [...new Set(found.map(({ value }) => value as string))];
    for (const [index, value] of values.entries())
      united.set(jsonPointer(...path, index), first.get(value) as FilePlace);
    return values;
  };
  const names = (field: string) =>
    new Set(headers.flatMap(({ tenant }) => Object.keys(Object(memberOf(tenant, field)))));
  const has = (field: string) => headers.some(({ tenant }) => Object.hasOwn(tenant, field));
  const tenant = headers.reduce<unknown>((earlier, { tenant: later }) => mergedValue(earlier, later, 2), {});
  const merged = (): TenantHeader => ({
    ...(tenant as TenantHeader),
    ...(has('undeclared') && { undeclared: undeclaredOf(headers, names('undeclared')) }),
    ...(has('protect') && {
      protect: Object.fromEntries([...names('protect')].map((kind) => [kind, listOf(['protect', kind])])),
    }),
    ...(has('approvals') && { approvals: listOf(['approvals']) }),
    ...(names('guards').has('own_clients') && {
      guards: { ...(tenant as TenantHeader).guards, own_clients: listOf(['guards', 'own_clients']) },
    }),
  });
  return {
    tenant: headers.length > 1 ? merged() : (headers[0]?.tenant ?? {}),
    placeOf: (pointer) => {
      const own = united.get(pointer);
      const last = headers.findLast(({ tenant }) => valueAt(tenant, pointer) !== undefined) ?? headers.at(-1);
      return own ?? (last === undefined ? null : { file: last.file, pointer: jsonPointer('tenant') + pointer });
    },
  };
}

/** A rule that keeps items wins, so that a later layer cannot drop it by accident. */
function undeclaredOf(headers: readonly HeaderInFile[], kinds: ReadonlySet<string>): UndeclaredItems {
  const ruleOf = (kind: string) => {
    const rules = headers.flatMap(({ tenant }) => memberOf(tenant.undeclared, kind) ?? []);
    return rules.findLast((rule) => rule !== 'delete') ?? 'delete';
  };
  return Object.fromEntries([...kinds].map((kind) => [kind, ruleOf(kind)]));
}
