// What a decision about items has of the sets that are read, added and removed by themselves.
import type { ListedKind } from '../differ/decide-difference.ts';
import { resultReference } from '../model/action-identity.ts';
import type { DecideInput, Decision, DesiredSection } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import type { KindDescription } from '../model/resource.ts';
import { memberOf } from '../values/json-pointer.ts';
import { isHeldByItem } from './elements.ts';
import { decideDeletions, decideSets, decideUnreadSets, holdersOf, type Owner } from './nested-set.ts';
import { linkOwnElements, namedElements, namingFields } from './own-elements.ts';
import type { Sets } from './read-sets.ts';

/** The items without the elements that are added and removed by themselves. */
export function withoutSets<Desired extends object>(
  section: DesiredSection<Desired>,
  sets: Sets,
): DesiredSection<Desired> {
  if (sets.length === 0) return section;
  const apart = new Set(sets.flatMap(([name, { absent = [] }]) => [name, absent].flat()));
  const own = (value: Desired) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !apart.has(name))) as Desired;
  return { ...section, items: section.items.map((item) => ({ ...item, value: own(item.value) })) };
}

interface NestedInput<Desired, Live> {
  readonly description: KindDescription;
  readonly sets: Sets;
  readonly comparison: ListedKind<Desired, Live>;
}

/**
 * A decision with what follows from the sets of its items. What an item itself has takes the place of the item where guards
 * count, because whoever has the item loses it.
 */
export function withNestedSets<Desired extends object, Live extends object>(
  decision: Decision,
  { description, sets, comparison }: NestedInput<Desired, Live>,
  input: DecideInput<Desired, Live>,
): Decision {
  if (sets.length === 0) return decision;
  const { live, keep } = input;
  const [held] = sets.flatMap(([name, set]) => (isHeldByItem(set) ? [name] : []));
  if (!live.readable) {
    if (held === undefined || !live.structural) return decision;
    const { actions, findings } = decideUnreadSets(description, held, input);
    return { ...decision, actions, findings: [...decision.findings, ...findings] };
  }
  const owners = (name: string) => ownersOf(description, comparison, name, decision.actions, input);
  const drafted = sets.map(([name]) => ({ name, set: decideSets(description, name, owners(name), input) }));
  const [named] = sets.flatMap(([name]) =>
    Object.keys(namingFields(description.fields, name)).length > 0 ? [name] : [],
  );
  const given = [...decision.actions, ...drafted.flatMap(({ set }) => set.actions)];
  const linked =
    named === undefined ? { actions: given, findings: [] } : linkOwnElements(description, named, owners(named), given);
  const planned = new Set(linked.actions.map(({ id }) => id));
  const isPlanned = ({ id }: { readonly id: string }) => planned.has(id);
  const decided = drafted.map(({ name, set }) => ({
    name,
    set: { ...set, losses: set.losses.filter(isPlanned), asked: set.asked.filter(isPlanned) },
  }));
  const common = {
    ...decision,
    actions: linked.actions,
    findings: [...decision.findings, ...drafted.flatMap(({ set }) => set.findings), ...linked.findings],
    unreadable: decision.unreadable ?? decided.flatMap(({ set }) => set.unread)[0] ?? null,
  };
  const own = decided.find(({ name }) => name === held)?.set;
  if (held === undefined || own === undefined)
    return { ...common, nested: [...(decision.nested ?? []), ...decided.map(({ set }) => set)] };
  const all = owners(held);
  const byKey = new Map(all.map((owner) => [owner.item.key, owner]));
  const deleted = decideDeletions(description, held, common.actions, ({ key }) => byKey.get(key) ?? null, input);
  return {
    ...common,
    actions: deleted.actions,
    findings: [...common.findings, ...deleted.findings],
    unreadable: common.unreadable ?? deleted.unread[0] ?? null,
    losses: [...deleted.losses, ...own.losses],
    asked: own.asked,
    gains: [...decision.gains, ...own.gains],
    population: {
      ...own.population,
      declared: decision.population.declared,
      live: [...deleted.live, ...own.population.live],
    },
    holders: holdersOf(all),
    ...(keep.patterns.length > 0 && live.isPart && { names: null }),
  };
}

/** Declared items, on the tenant or about to be, with what was read of a set of theirs. */
function ownersOf<Desired extends object, Live extends object>(
  description: KindDescription,
  { keyOf, idOf, idField = 'id', protectedAs }: ListedKind<Desired, Live>,
  set: string,
  actions: readonly Action[],
  { desired, live }: DecideInput<Desired, Live>,
): Owner[] {
  if (!live.readable) return [];
  const named = namedElements(description);
  const byKey = new Map(live.items.map((item) => [keyOf(item), item]));
  const creating = new Map(actions.flatMap((action) => (action.action === 'create' ? [[action.key, action]] : [])));
  return desired.items.flatMap((item): Owner[] => {
    if (item.state === 'unmanaged') return [];
    const found = byKey.get(item.key) ?? byKey.get(item.renamedFrom ?? '');
    const names = [
      ...(found === undefined ? [] : protectedAs(found)),
      ...protectedAs(item.value),
      item.renamedFrom ?? [],
    ];
    if (found !== undefined) {
      const { nested = {} } = live.more?.get(found) ?? {};
      const ids = { id: idOf(found), needs: [], names: names.flat() };
      return [{ item, ...ids, elements: nested[set], live: named(found, nested) }];
    }
    const create = creating.get(item.key);
    if (create === undefined || memberOf(item.value, set) === undefined) return [];
    const id = resultReference(create.id, idField);
    return [{ item, id, needs: [create.id], names: names.flat(), elements: null, live: null }];
  });
}
