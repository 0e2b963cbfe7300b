import type { Counted, DecideInput, Decision, LiveCount, Loss } from '../../model/kind.ts';
import type { KindDescription } from '../../model/resource.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { accessSets, changedElements, elementsOf } from './access.ts';

/** What guards count of the elements that are read and written with their items: each gives access, as an item does. */
export function countedAccess<Live extends object>(
  description: Pick<KindDescription, 'name' | 'noun' | 'resources'>,
  { actions, population }: Decision,
  { desired, live, keep }: DecideInput<object, Live>,
  keyOf: (live: Live) => string,
): Counted[] {
  const { name: kind, noun } = description;
  const inItems = accessSets(description).filter(([, set]) => set.in);
  if (inItems.length === 0 || !live.readable) return [];
  const items = new Map(live.items.map((item) => [keyOf(item), item]));
  const declared = new Map(desired.items.map((item) => [item.key, item]));
  return inItems.map((set): Counted => {
    const [name, { noun: elements = { one: 'element', many: 'elements' }, scalar, access }] = set;
    const isDeclared = (key: string) => {
      const item = declared.get(key);
      const value = item?.value ?? {};
      return item?.state === 'absent' || [name, access.all ?? name].some((one) => memberOf(value, one) !== undefined);
    };
    const changed = actions.map((action) => ({ action, ...changedElements(set, action) }));
    return {
      losses: changed.flatMap(({ action: { id, key }, lost }) =>
        lost.map((element): Loss => ({ id, item: `${kind}/${key}#${String(element[scalar ?? ''] ?? '')}` })),
      ),
      asked: [],
      gains: changed.flatMap(({ action: { id }, gained }) => (gained.length > 0 ? [id] : [])),
      population: {
        declared: desired.items.filter(({ key, state }) => state === 'present' && isDeclared(key)).length,
        live: population.live.map(({ key }): LiveCount => {
          if (!isDeclared(key)) return { key, parts: 0, stays: true };
          return { key, parts: elementsOf(set, items.get(key) ?? null).length };
        }),
        filtered: live.filtered,
        undeclaredStay: keep.undeclared !== 'delete',
        unit: { verb: 'remove', ...elements },
        containers: noun,
      },
    };
  });
}
