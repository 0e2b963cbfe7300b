import { openNames as openNearNames } from '../diagnostics/near-names.ts';
import { actionId, resultReference } from '../model/action-identity.ts';
import type { DesiredItem, KeepRules, KindName } from '../model/kind.ts';
import { idPrefix, type Named, type Names, type Naming } from '../model/names.ts';
import type { LiveState } from '../model/reader.ts';
import { groupBy } from '../values/group-by.ts';
import { memberOf } from '../values/json-pointer.ts';
import { memoized, memoizedByObject, once } from '../values/memoized.ts';
import { compareText } from '../values/text-order.ts';

/** A kind whose items others name. */
export interface NamedKind {
  readonly kind: KindName;
  readonly naming: Naming;
  /** What its list has. */
  readonly live: LiveState<unknown>;
  /** Its items in the files. */
  readonly items: readonly DesiredItem[];
  /** Whether the files have a section for it. */
  readonly isManaged: boolean;
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
    namesOf: (to, id) => read(to)?.namesOf(id) ?? [idPrefix + id],
    itemOf: (to, id) => read(to)?.itemOf(id),
    hasNode: (to, name, below, by) => read(to)?.hasNode(name, below, by !== undefined) ?? null,
  };
  return names;
}

/** A live item by its name in the files, empty if it has none; and how they declare it, if they do. */
interface Match {
  readonly id: string;
  readonly name: string;
  readonly live: unknown;
  readonly declared: DesiredItem | undefined;
}

/**
 * The items of a kind by names and ids.
 *
 *   declared Gouda (renamed from Delft), Leiden, and the one with the id p3      live p1 Delft, p2 Leiden, p3 Leiden
 *   ->  Gouda is p1, Leiden is p2, id:p3 is p3
 */
function indexItems({ kind, naming, live, items, isManaged, keep }: NamedKind, names: Names) {
  const {
    idField,
    nameOf,
    isUnique = true,
    canBeNamed = () => true,
    isKept = () => false,
    nodesOf = () => [],
  } = naming;
  const byKey = new Map(items.map((item) => [item.key, item]));
  const newNames = new Map(items.map(({ renamedFrom = '', key }) => [renamedFrom, key]));
  /** As it is named in the files; empty without a name. What they have beside its id is its name already. */
  const nameIn = (one: unknown, byItsId: DesiredItem | undefined): string => {
    const stated = byItsId?.state === 'present' ? (nameOf(byItsId.value, names) ?? '') : '';
    if (stated !== '' && !stated.startsWith(idPrefix)) return stated;
    const live = nameOf(one, names) ?? '';
    const name = newNames.get(live) ?? live;
    return canBeNamed(one, byKey.get(name), names) ? name : '';
  };
  /** How the files declare the item with an id, where they state it. */
  const declaredById = (id: string) => (isUnique ? undefined : byKey.get(idPrefix + id));
  const declaredBy = (name: string) => (isUnique || !name.startsWith(idPrefix) ? byKey.get(name) : undefined);
  const matches = once(() =>
    (live.readable ? live.items : []).map((one): Match => {
      const id = String(memberOf(one, idField));
      const byItsId = declaredById(id);
      const name = nameIn(one, byItsId);
      return { id, name, live: one, declared: byItsId ?? declaredBy(name) };
    }),
  );
  const byId = once(() => new Map(matches().map((match) => [match.id, match])));
  const byName = once(() => groupBy(matches(), ({ name }) => name));
  const known = once(() => {
    const present = items.filter(({ key, state }) => state === 'present' && declaredBy(key) !== undefined);
    const texts = [...present.map(({ key }) => key), ...byName().keys()];
    return openNearNames(texts.filter((name) => name !== ''));
  });
  const nearest = memoized((name: string) => known().nearest(name));
  const nodes = memoizedByObject((match: Match): ReadonlySet<string> => new Set(nodesOf(match.live)));

  const isGoing = ({ live: one, name, declared }: Match): boolean => {
    const protectedAs = [declared?.key ?? name, ...(naming.protectedAs?.(one, names) ?? [name])];
    if (isKept(one, declared !== undefined) || protectedAs.some((text) => keep.isProtected(text))) return false;
    if (declared !== undefined) return declared.state === 'absent';
    return isManaged && keep.undeclared === 'delete' && name !== '';
  };
  const notLive = (name: string): Named => {
    const item = declaredBy(name);
    if (item?.state === 'absent') return { is: 'going' };
    if (item?.state === 'present') {
      const action = actionId({ kind, key: name });
      return { is: 'new', action, reference: resultReference(action, idField) };
    }
    return {
      is: 'unknown',
      // Among many names, it takes long to find.
      get near() {
        return nearest(name);
      },
    };
  };
  /** Of items that share a name, those that the files declare by their ids have it no more, if another one is declared by it. */
  const withName = (name: string): readonly Match[] => {
    const all = byName().get(name) ?? [];
    return declaredBy(name) === undefined ? all : all.filter(({ declared }) => declared?.key === name);
  };
  const matchesOf = (name: string, isValue: boolean): readonly Match[] => {
    if (isValue || !name.startsWith(idPrefix)) return withName(name);
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
      if (match === undefined || declaredById(id) !== undefined) return idPrefix + id;
      const isOwn = match.name !== '' && !match.name.startsWith(idPrefix) && withName(match.name).length === 1;
      return isOwn ? match.name : idPrefix + id;
    },
    namesOf(id: string): readonly string[] {
      const match = byId().get(id);
      const known = match === undefined ? [] : [match.name, nameOf(match.live, names) ?? ''];
      return [...new Set([...known.filter((name) => name !== ''), idPrefix + id])];
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
