import type { Desired } from '../model/desired.ts';
import type { AnyKind, DesiredItem, KindName } from '../model/kind.ts';
import { referencesIn } from '../plan/references.ts';
import { withValuesAt } from '../values/json-pointer.ts';

/**
 * The base with what was renamed since under its new name: it is the same item, and what names it still names it.
 *
 *   base  clients [A], grants [client A]     now  clients [B, renamed from A], grants [client B]
 *   ->    clients [B, renamed from A], grants [client B]: only the client has changed
 */
export function underNewNames(base: Desired, now: Desired, kinds: readonly AnyKind[]): Desired {
  const renamed = new Map<KindName, ReadonlyMap<string, string>>();
  for (const [kind, { items }] of base.sections) {
    const keys = new Set(items.map(({ key }) => key));
    const others = (now.sections.get(kind)?.items ?? []).filter(({ key }) => !keys.has(key));
    renamed.set(kind, new Map(others.flatMap(({ renamedFrom, key }) => (renamedFrom ? [[renamedFrom, key]] : []))));
  }
  const sections = [...base.sections].map(([name, { items, source }]) => {
    const kind = kinds.find((one) => one.name === name);
    const underNew = items.map((item) => {
      const key = renamed.get(name)?.get(item.key);
      const known = key === undefined ? item : { ...item, key, renamedFrom: item.key };
      return kind?.references === undefined ? known : withNewNames(known, kind, renamed);
    });
    return [name, { items: underNew, source }] as const;
  });
  return { ...base, sections: new Map(sections) };
}

function withNewNames(
  item: DesiredItem,
  kind: AnyKind,
  renamed: ReadonlyMap<KindName, ReadonlyMap<string, string>>,
): DesiredItem {
  const changed = referencesIn(kind)(item.value as object).flatMap(({ to, name, below, pointer, lead = '' }) => {
    const now = below === undefined ? renamed.get(to)?.get(name) : undefined;
    return now === undefined ? [] : [[pointer, lead + now] as const];
  });
  if (changed.length === 0) return item;
  const value = withValuesAt(item.value, new Map(changed));
  return { ...item, key: item.renamedFrom === undefined ? kind.keyOf(value, item.key) : item.key, value };
}
