import { openNames as openNearNames } from '../diagnostics/near-names.ts';
import { actionId, resultReference } from '../model/action-identity.ts';
import type { DesiredItem, KeepRules, KindName } from '../model/kind.ts';
import { idPrefix, type Named, type Names, type Naming } from '../model/names.ts';
import type { LiveState } from '../model/reader.ts';
import { groupBy } from '../values/group-by.ts';
import { memberOf } from '../values/json-pointer.ts';
import { memoizedByObject, once } from '../values/memoized.ts';
import { compareText } from '../values/text-order.ts';

/** A kind whose items others name. */
export interface NamedKind {
  readonly kind: KindName;
  readonly naming: Naming;
  /** What its list has. */
  readonly live: LiveState<unknown>;
  /** Its items in the files; absent if they have no section. */
  readonly items?: readonly DesiredItem[];
  readonly keep: KeepRules;
}

/**
 * What names mean, by the lists of kinds and by what the files declare of them. `kindOf`: undefined for a kind that was not
 * asked for.
 */
export function openNames(kindOf: (kind: KindName) => NamedKind | undefined): Names {
  const indexOf = memoizedByObject((named: NamedKind) => indexItems(named, names));
  const read = (kind: KindName) => {
    const named = kindOf(kind);
    return named === undefined ? undefined : indexOf(named);
  };
  const names: Names = {
    find: (to, name, by) => read(to)?.find(name, by !== undefined) ?? { is: 'unknown' },
    nameOf: (to, id) => read(to)?.nameOf(id) ?? idPrefix + id,
    itemOf: (to, id) => read(to)?.itemOf(id),
    hasNode: (to, name, below, by) => read(to)?.hasNode(name, below, by !== undefined) ?? null,
  };
  return names;
}

/** A live item, and how the files declare it; null if they do not. */
interface Match {
  readonly id: string;
  readonly live: unknown;
  readonly declared: DesiredItem | null;
}

/**
 * The items of a kind by names and ids.
 *
 *   declared Gouda (renamed from Delft), id:p3      live p1 Delft, p2 Leiden, p3 Leiden
 *   ->  Gouda is p1, Leiden is p2, id:p3 is p3
 */
function indexItems({ kind, naming, live, items, keep }: NamedKind, names: Names) {
  const { idField, nameOf, isKept = () => false, nodesOf = () => [] } = naming;
  const declared = new Map((items ?? []).map((item) => [item.key, item]));
  const newNames = new Map([...declared.values()].map(({ renamedFrom = '', key }) => [renamedFrom, key]));
  const matches = once(() => (live.readable ? live.items : []).map(matched));
  const byId = once(() => new Map(matches().map((match) => [match.id, match])));
  /** Those that have a name of their own. */
  const byName = once(() => {
    const named = matches().filter(({ declared: item, id }) => item === null || item.key !== idPrefix + id);
    return groupBy(named, ({ live: one }) => nameIn(one));
  });
  const known = once(() => {
    const present = [...declared.values()].filter(({ state }) => state === 'present').map(({ key }) => key);
    return openNearNames([...present, ...byName().keys()].filter((name) => name !== ''));
  });
  const nodes = memoizedByObject((match: Match): ReadonlySet<string> => new Set(nodesOf(match.live)));

  /** As it is named in the files; empty without a name. */
  function nameIn(one: unknown): string {
    const name = nameOf(one, names) ?? '';
    return newNames.get(name) ?? name;
  }
  function matched(one: unknown): Match {
    const id = String(memberOf(one, idField));
    return { id, live: one, declared: declared.get(idPrefix + id) ?? declared.get(nameIn(one)) ?? null };
  }
  const isGoing = ({ live: one, declared: item }: Match): boolean => {
    if (isKept(one) || keep.isProtected(naming.protectedAs?.(one) ?? nameIn(one))) return false;
    if (item !== null) return item.state === 'absent';
    return items !== undefined && keep.undeclared === 'delete' && nameIn(one) !== '';
  };
  const notLive = (name: string): Named => {
    const item = declared.get(name);
    if (item?.state === 'absent') return { is: 'going' };
    if (item?.state === 'present') {
      const action = actionId({ kind, key: name });
      return { is: 'new', action, reference: resultReference(action, idField) };
    }
    const meant = known().nearest(name);
    return { is: 'unknown', ...(meant !== undefined && { near: meant }) };
  };
  const matchesOf = (name: string, isValue: boolean): readonly Match[] => {
    if (isValue || !name.startsWith(idPrefix)) return byName().get(name) ?? [];
    const match = byId().get(name.slice(idPrefix.length));
    return match === undefined ? [] : [match];
  };
  return {
    /** `isValue`: no name is an id. */
    find(name: string, isValue: boolean): Named {
      if (!live.readable) return { is: 'unread', why: live };
      const [match, ...others] = matchesOf(name, isValue);
      if (match === undefined) return isValue || !name.startsWith(idPrefix) ? notLive(name) : { is: 'unknown' };
      if (others.length > 0) return { is: 'several', ids: [match, ...others].map(({ id }) => id).sort(compareText) };
      return { is: isGoing(match) ? 'going' : 'live', id: match.id };
    },
    nameOf(id: string): string {
      const match = byId().get(id);
      if (match === undefined || match.declared?.key === idPrefix + id) return idPrefix + id;
      const name = nameIn(match.live);
      const isOwn = name !== '' && !name.startsWith(idPrefix) && byName().get(name)?.length === 1;
      return isOwn ? name : idPrefix + id;
    },
    itemOf(id: string): object | undefined {
      const one = byId().get(id)?.live;
      return typeof one === 'object' && one !== null ? one : undefined;
    },
    hasNode(name: string, below: string, isValue: boolean): boolean | null {
      if (!live.readable) return null;
      return matchesOf(name, isValue).some((match) => nodes(match).has(below));
    },
  };
}
