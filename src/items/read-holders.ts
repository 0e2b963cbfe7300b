import type { KeepRules, ReadAsk, Reading } from '../model/kind.ts';
import type { Operation } from '../model/operation.ts';
import type { ElementHolder, LiveParts, Unreadable } from '../model/reader.ts';
import type { KindDescription } from '../model/resource.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { memberOf } from '../values/json-pointer.ts';
import { declaredKey } from './keys.ts';
import type { HolderRules } from './named-sets.ts';
import { whyFixed } from './reserved-items.ts';
import { identitiesIn } from './set-corrections.ts';

/** How it is read who has elements of a set that others name. */
export interface HolderReading extends HolderRules {
  readonly operations: readonly Operation[];
  /** Every item that can have elements of these items, by the key of the item. */
  read(
    snapshot: Snapshot,
    keys: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, readonly ElementHolder[]> | Unreadable>;
}

/** The reading of a kind, with those who have what the files remove: they are read only if something is removed. */
export function withHolders<Live extends object>(
  reading: Reading<object, Live>,
  description: KindDescription,
  set: string,
  holders: HolderReading,
): Reading<object, Live> {
  return {
    ...reading,
    optional: [...(reading.optional ?? []), ...holders.operations],
    rereads: ['remove', 'delete'],
    async read(snapshot, ask) {
      const live = await reading.read(snapshot, ask);
      if (!live.readable) return live;
      const losing = new Map(
        live.items.filter(losesElements(description, set, ask)).map((item) => [item, declaredKey(description, item)]),
      );
      if (losing.size === 0) return live;
      const held = await holders.read(snapshot, new Set(losing.values()));
      const more = new Map<Live, LiveParts>(live.more);
      for (const [item, key] of losing) {
        const { others = [], nested = {} } = more.get(item) ?? {};
        const known = 'readable' in held ? held : ({ readable: true, items: held.get(key) ?? [] } as const);
        more.set(item, { others, nested, holders: known });
      }
      return { ...live, more };
    },
  };
}

function losesElements(
  description: KindDescription,
  set: string,
  { desired, only, keep }: Pick<ReadAsk<object>, 'desired' | 'only'> & { readonly keep: KeepRules },
): (item: object) => boolean {
  const { key: [value = ''] = [] } = description.resources[set] ?? {};
  const declared = new Map(desired.items.map((item) => [item.key, item]));
  return (live) => {
    const key = declaredKey(description, live);
    const item = declared.get(key);
    if (item === undefined || keep.isProtected(key) || !(only?.includes(key) ?? true)) return false;
    if (whyFixed(description, live, set) !== null) return false;
    if (item.state !== 'present') return item.state === 'absent';
    const wanted = memberOf(item.value, set);
    const values = new Set(identitiesIn(wanted, value));
    return wanted !== undefined && identitiesIn(memberOf(live, set), value).some((one) => !values.has(one));
  };
}
