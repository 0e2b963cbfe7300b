import { plannedRequest } from '../contract/path.ts';
import type { ContainerKind } from '../differ/container-kind.ts';
import { type DecidedContainer, openParts } from '../differ/decide-parts.ts';
import { draftFinding, itemFinding } from '../differ/draft.ts';
import { replacedFindings } from '../differ/left-items.ts';
import type { Counted, DecideInput, Decision, DesiredItem, KeepRules, Link, Loss } from '../model/kind.ts';
import { idPrefix } from '../model/names.ts';
import { isGone, isReleased, isThere, type Node } from '../model/nodes.ts';
import { isAvailable } from '../model/operation.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import type { ElementHolder, Unreadable } from '../model/reader.ts';
import type { KindDescription, Resource } from '../model/resource.ts';
import { memberOf } from '../values/json-pointer.ts';
import { listOf } from '../values/list-of.ts';
import { compareText } from '../values/text-order.ts';
import { whyFixed } from './reserved-items.ts';
import { correctSet, type Element, elementsIn, identitiesIn, lackingIn } from './set-corrections.ts';
import type { SetElement } from './short-sets.ts';

/** Who has elements of a set, and loses what is removed from it. */
export interface HolderRules {
  readonly noun: NonNullable<Resource['noun']>;
  /** For reviewers of a removal: who is not known. */
  readonly note: string;
}

/** How the items of the kind are known, and what is decided about them by themselves. */
export interface Owners<Live> {
  readonly actions: readonly Action[];
  keyOf(live: Live): string;
  idOf(live: Live): string;
  protectedAs(item: Live): readonly string[];
}

export interface DecidedNamedSet extends Pick<Decision, 'actions' | 'findings'>, Counted {
  readonly links: readonly Link[];
  /** Ids of deletions that must not be planned, because of who has the elements. */
  readonly kept: ReadonlySet<string>;
  /** Why nothing is removed; null if it is known who has the elements. */
  readonly unread: Unreadable | null;
}

type Input<Live> = Pick<DecideInput<object, Live>, 'desired' | 'live' | 'keep' | 'api' | 'watched'>;

/**
 * The elements of a set that is a field of its item, where items of other kinds name them: the scopes of an API, which roles
 * have. An update replaces the set, so it changes in two steps: the first request adds and changes, and the last one
 * removes. What names the elements gets what is new, and gives back what goes, between the two.
 *
 *   declared [read, export]   live [write, read]
 *   ->       add [write, read, export]; remove -> [read, export]
 */
export function decideNamedSet<Live extends object>(
  description: KindDescription,
  name: string,
  holders: HolderRules,
  { desired, live, keep, api, watched = [] }: Input<Live>,
  { actions, keyOf, idOf, protectedAs }: Owners<Live>,
): DecidedNamedSet {
  const { name: kind, noun: kindNoun, operations, resources } = description;
  const { noun = kindNoun, key: [only = ''] = [], fields = {} } = resources[name] ?? {};
  const { update } = operations;
  const nodeOf = (key: string, value: string) => ({ kind, key, below: `${name}/${value}` });
  const partOf = (element: SetElement): Element => {
    const id = String(element[only]);
    return { id, name: id, value: true, element };
  };
  const container: Omit<ContainerKind<object, Element>, 'correct'> = {
    kind,
    unit: { verb: 'remove', ...noun },
    noun: kindNoun,
    partsOf(value) {
      const elements = memberOf(value, name);
      return elements === undefined
        ? null
        : { wanted: (elements as SetElement[]).map(partOf), unwanted: [], pointer: `/${name}` };
    },
    notChecked: (value) => (memberOf(value, name) === undefined ? null : name),
  };
  const present = desired.items.filter(({ state }) => state === 'present');
  const isDeclared = ({ value }: DesiredItem<object>) => memberOf(value, name) !== undefined;
  const population = {
    declared: present.filter(isDeclared).length,
    live: [],
    filtered: false,
    unit: container.unit,
    containers: kindNoun,
  };
  const empty = { actions: [], losses: [], asked: [], gains: [], links: [], population, kept: new Set<string>() };
  if (!live.readable) {
    const { decideUnread } = openParts({ ...container, correct: () => [] }, keep);
    return { ...empty, findings: live.structural ? decideUnread(present).findings : [], unread: null };
  }

  const found = new Map(live.items.map((item) => [keyOf(item), item]));
  const own = new Map(actions.flatMap((action) => (action.action === 'update' ? [] : [[action.key, action]])));
  const updated = new Set(actions.flatMap(({ action, key }) => (action === 'update' ? [key] : [])));
  const findings: Finding[] = [];
  const losses: Loss[] = [];
  const links: Link[] = [];
  const kept = new Set<string>();
  const provide = (id: string, key: string, values: readonly string[]) =>
    links.push({ id, provides: values.map((value) => isThere(nodeOf(key, value))) });
  const remove = (id: string, key: string, values: readonly string[], known: readonly ElementHolder[]) => {
    const { lost, link } = removal(
      id,
      values.map((value) => ({ value, node: nodeOf(key, value) })),
      known,
    );
    losses.push(...lost);
    links.push(link);
  };

  const decideDeletion = (item: DesiredItem<object>, { id }: Action, one: Live): void => {
    const held = live.more?.get(one)?.holders;
    const known = held?.readable ? held.items : [];
    const defined = identitiesIn(elementsIn(fields, memberOf(one, name)), only);
    // One that the item no longer has may still be held.
    const values = [...new Set([...defined, ...known.flatMap(({ elements }) => [...elements])])];
    const why = keptFor(holders, values, known, keep);
    if (held?.readable && why === null) remove(id, item.key, values, known);
    else kept.add(id);
    const message = `on the tenant but declared absent; ${why?.text}`;
    if (why !== null) findings.push(itemFinding(kind, item, 'LIVE_PROTECTED', message));
  };
  const decideSet = (item: DesiredItem<object>, one: Live): DecidedContainer[] => {
    if (update === undefined || !isAvailable(update, api) || whyFixed(description, one, name) !== null) return [];
    const [id, { holders: held = noHolders } = {}] = [idOf(one), live.more?.get(one)];
    const known = held.readable ? held.items : [];
    const elements = elementsIn(fields, memberOf(one, name));
    const wanted = new Set(identitiesIn(memberOf(item.value, name), only));
    const going = identitiesIn(elements, only).filter((value) => !wanted.has(value));
    const why = keptFor(holders, going, known, keep);
    const message = `would be removed: ${listOf(why?.values ?? [])}; ${why?.text}`;
    if (why !== null) findings.push(itemFinding(kind, item, 'LIVE_PROTECTED', message, `/${name}`));
    const odd = (live.odd?.get(one) ?? []).filter(({ field }) => field.startsWith(name));
    const set = { kind, name, only, fields, item, id, elements, odd, isBeside: updated.has(item.key) };
    const requestOf = (body: object) => plannedRequest(update, { params: { id }, body });
    const { decideParts } = openParts(
      { ...container, correct: correctSet(set, requestOf, held.readable ? holders.note : null) },
      keep,
    );
    const parts = elements.map(partOf).filter((part) => !why?.values.includes(part.id));
    const decided = decideParts({ item, id, names: protectedAs(one), parts });
    for (const { id: action, action: does, before, after } of decided.actions) {
      const [old, now] = [before, after].map((side) => identitiesIn(side?.[name], only)) as [string[], string[]];
      if (does === 'add') provide(action, item.key, lackingIn(old, now));
      if (does === 'remove') remove(action, item.key, lackingIn(now, old), known);
    }
    return [decided];
  };

  const decided = desired.items.flatMap((item) => {
    const [one, action] = [found.get(item.key), own.get(item.key)];
    if (action?.action === 'create') provide(action.id, item.key, identitiesIn(memberOf(item.value, name), only));
    if (one !== undefined && action?.action === 'delete') decideDeletion(item, action, one);
    return one !== undefined && item.state === 'present' && isDeclared(item) ? decideSet(item, one) : [];
  });
  const ids = new Map([...found].map(([key, one]) => [key, idOf(one)]));
  const unread = live.items.flatMap((one) => {
    const held = live.more?.get(one)?.holders;
    return held?.readable === false ? [held] : [];
  });
  const unreadFindings = unread.slice(0, 1).map(({ code, message }) => {
    const why = `${message}; no ${noun.one} is removed, because the ${holders.noun.many} that have it are not known`;
    return draftFinding({ code, kind, key: '*', message: why, source: desired.source });
  });
  return {
    ...empty,
    actions: decided.flatMap((set) => set.actions),
    findings: [
      ...unreadFindings,
      ...findings,
      ...replacedFindings(kind, ids, watched),
      ...decided.flatMap((set) => set.findings),
    ],
    losses: [...decided.flatMap((set) => set.losses), ...losses],
    gains: decided.flatMap((set) => set.gains),
    links,
    population: { ...population, live: decided.flatMap((set) => set.live) },
    kept,
    unread: unread[0] ?? null,
  };
}

/** Nobody was asked for, because nothing is removed. */
const noHolders = { readable: false } as const;

/** Holders lose what goes, unless an action takes it from them first, which is a loss of its own: the removal comes after it. */
function removal(
  id: string,
  elements: readonly { readonly value: string; readonly node: Node }[],
  known: readonly ElementHolder[],
): { readonly lost: readonly Loss[]; readonly link: Link } {
  const held = elements.flatMap(({ value, node }) =>
    holding(known, value).map((holder) => {
      const own = { kind: holder.kind, key: idPrefix + holder.id };
      return { value, node, holder, taken: [isReleased(node, own), isGone(own)] };
    }),
  );
  const nodes = elements.map(({ node }) => node);
  return {
    lost: held.map(({ value, node, holder: { kind, id: holderId, name }, taken }) => ({
      id,
      // Several can share a name.
      item: `${kind}/${name} (${holderId})#${value} of ${node.key}`,
      unless: taken,
      holder: { kind, id: holderId, key: name },
      part: value,
    })),
    link: {
      id,
      after: [...held.flatMap(({ taken }) => taken), ...nodes.map((node) => isReleased(node))],
      withdraws: nodes.map(isThere),
    },
  };
}

/** What would go and a protected holder has, which keeps it; null if there is none. */
function keptFor(
  { noun }: HolderRules,
  values: readonly string[],
  known: readonly ElementHolder[],
  keep: KeepRules,
): { readonly values: readonly string[]; readonly text: string } | null {
  const isProtected = ({ kind, id, name }: ElementHolder) => [name, id].some((one) => keep.isProtected(one, kind));
  const held = values.map((value) => ({ value, by: holding(known, value).filter(isProtected) }));
  const kept = held.filter(({ by }) => by.length > 0);
  const names = new Set(kept.flatMap(({ by }) => by.map(({ name }) => name)));
  const text = `kept because a ${noun.one} has it that is protected: ${listOf([...names])}`;
  return kept.length === 0 ? null : { values: kept.map(({ value }) => value), text };
}

/** Those that have this element, by name. */
function holding(known: readonly ElementHolder[], value: string): readonly ElementHolder[] {
  return known
    .filter(({ elements }) => elements.has(value))
    .sort((one, other) => compareText(one.name, other.name) || compareText(one.id, other.id));
}
