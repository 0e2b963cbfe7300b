import { draftFinding, itemFinding } from '../differ/draft.ts';
import type { DecideInput } from '../model/kind.ts';
import type { Finding } from '../model/plan.generated.ts';
import type { KindDescription, Resource, Skip } from '../model/resource.ts';
import { groupBy } from '../values/group-by.ts';
import { fits } from './fits.ts';
import { openKeys, type Population } from './keys.ts';

/**
 * The decision's input without the items that files cannot manage: those of the service itself, and those that others have
 * registered. They are counted in one line, and an error if the files declare one.
 */
export function separate<Desired extends object, Live extends object>(
  description: KindDescription,
  input: DecideInput<Desired, Live>,
): {
  readonly input: DecideInput<Desired, Live>;
  readonly findings: readonly Finding[];
  readonly reserved: readonly Live[];
} {
  const { skip, writable, name, noun, operations } = description;
  const { live, desired, names, keep } = input;
  if ((skip === undefined && writable === undefined) || !live.readable) return { input, findings: [], reserved: [] };
  const keyOf = openKeys<Live>(description, { items: desired.items, live: live.items, names });
  const declared = new Map(desired.items.map((item) => [item.key, item]));
  const reserved = reservedItems(description, { items: desired.items, live: live.items, names }, keyOf);
  if (reserved.size === 0) return { input, findings: [], reserved: [] };
  const errors = [...reserved].flatMap(([item, { why }]) => {
    const found = declared.get(keyOf(item));
    if (found === undefined || found.state === 'unmanaged') return [];
    declared.delete(found.key);
    const message = `the item on the tenant is ${why}, so files cannot manage it; delete it from the files`;
    return [itemFinding(name, found, 'LIVE_RESERVED', message)];
  });
  const counted = countedIn(reserved, noun).map((message) =>
    draftFinding({ code: 'LIVE_UNDECLARABLE', kind: name, key: '*', message, source: null }),
  );
  return {
    input: {
      ...input,
      desired: { ...desired, items: desired.items.filter(({ key }) => declared.has(key)) },
      live: { ...live, items: live.items.filter((item) => !reserved.has(item)) },
    },
    // What the query of a list leaves out is not counted, also where a service ignores it.
    findings: [...errors, ...(keep.undeclared === 'ignore' || operations.list?.selects ? [] : counted)],
    reserved: [...reserved.keys()],
  };
}

/** The live items that files cannot manage, and why. */
export function reservedItems<Live extends object>(
  description: Pick<Resource, 'key' | 'id' | 'fields' | 'skip' | 'writable'>,
  { items, live, names }: Population<Live>,
  keyOf: (live: Live) => string,
): ReadonlyMap<Live, Skip> {
  const { skip = [], writable } = description;
  const reserved = new Map<Live, Skip>();
  if (skip.length === 0 && writable === undefined) return reserved;
  const states = new Map(items.map(({ key, state }) => [key, state]));
  for (const item of live) {
    const state = states.get(keyOf(item));
    const rule = skip.find((one) => fits(one, item, description, names));
    if (rule !== undefined && !(rule.unless === 'declared' && state !== undefined)) reserved.set(item, rule);
    else if (state !== 'present' && writable !== undefined && fits(writable, item, description, names))
      reserved.set(item, writable);
  }
  return reserved;
}

/** A line for each reason: `2 clients left alone: the global client`. Of some, such as system APIs, files can declare fields. */
export function countedIn(reserved: ReadonlyMap<object, Skip>, noun: KindDescription['noun']): string[] {
  const undeclarable = [...reserved.values()].filter((rule) => !('only' in rule));
  return [...groupBy(undeclarable, ({ why }) => why)].map(
    ([why, { length }]) => `${length} ${length === 1 ? noun.one : noun.many} left alone: ${why}`,
  );
}

/** Why a field of a live item cannot change, although the service accepts the field; null if it can. */
export function whyFixed(
  description: Pick<Resource, 'writable' | 'fields'>,
  live: object,
  field: string,
): string | null {
  const { writable } = description;
  if (writable === undefined || writable.only.includes(field)) return null;
  return fits(writable, live, description, undefined) ? writable.why : null;
}
