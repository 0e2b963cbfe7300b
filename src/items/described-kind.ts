import type { ListedKind } from '../differ/decide-difference.ts';
import { decideListed } from '../differ/decide-listed.ts';
import { resultReference } from '../model/action-identity.ts';
import { InternalError } from '../model/internal-error.ts';
import type { DecideInput, Decision, DesiredItem, Reading, ResourceKind } from '../model/kind.ts';
import type { Naming, References } from '../model/names.ts';
import type { Operation } from '../model/operation.ts';
import type { Action } from '../model/plan.generated.ts';
import type { LiveState } from '../model/reader.ts';
import type { KindDescription, Resource, Skip } from '../model/resource.ts';
import { memberOf } from '../values/json-pointer.ts';
import { once } from '../values/memoized.ts';
import { withoutAll } from './all-elements.ts';
import { comparedFields, comparisonOf, type KindHooks } from './comparison.ts';
import { withoutTwice } from './declared-twice.ts';
import { describeElements, describeItem, itemSummary } from './describe-item.ts';
import { accessLinks, accessOf, accessSets } from './effects/access.ts';
import { countedAccess } from './effects/counted-access.ts';
import { openEffects } from './effects/item-effects.ts';
import { lockedOutBy } from './effects/own-items.ts';
import { canBeNamed, fits } from './fits.ts';
import { headOf } from './head-of.ts';
import { canonicalFrom } from './identity.ts';
import { referencesOf } from './item-references.ts';
import { declaredKey, keyFields, openKeys, protectedNames, shortKeys } from './keys.ts';
import { layeringOf } from './layering.ts';
import { checkLists, fileReferences, hasField, listKeys, namedSets, withSets } from './members.ts';
import { openMovedSince } from './moved-since.ts';
import { type DecidedNamedSet, decideNamedSet } from './named-sets.ts';
import { decideSets, type Owner } from './nested-set.ts';
import { pullItems } from './pull-items.ts';
import { withHolders } from './read-holders.ts';
import { readItems, readSingle } from './read-items.ts';
import { separate } from './reserved-items.ts';

/** A kind whose items are a list on the tenant, or the one of a tenant, from its description. A kind replaces what is peculiar to it. */
export function describedKind<Desired extends object, Live extends object>(
  description: KindDescription,
  hooks: KindHooks<Live> = {},
) {
  const { name, noun, section, destroys, operations, resources } = description;
  const { isSame, undeclarable, holders, whyLockedOut } = hooks;
  const [namedSet] = namedSets(description);
  const fields = withSets(description);
  const { list } = operations;
  const isSingle = description.at === 'single';
  if (list === undefined && !isSingle) throw new InternalError(`${name} has no list`);
  const nameOf = (item: unknown) => declaredKey(description, item);
  const { summaryOf = itemSummary({ fields, resources }) } = hooks;
  const sets = Object.entries(resources).filter(([, { in: isField }]) => !isField);
  const hasLists = sets.some(([, set]) => set.operations.list !== undefined);
  const readingOfItems =
    list === undefined
      ? readingOfSingle<Live>(description)
      : readItems<Live>(
          description,
          list,
          (live, isDeclared, { keep, names }) =>
            (isDeclared || keep.undeclared === 'delete') &&
            !protectedNames(description, hooks, names)(live).some((name) => keep.isProtected(name)) &&
            (undeclarable?.(live) ?? null) === null,
        );
  const reading =
    holders === undefined || namedSet === undefined
      ? readingOfItems
      : withHolders(readingOfItems, description, namedSet, holders);
  const canonical = canonicalFrom<Desired>(withSets(description, true), description.key);

  const layering = layeringOf(withSets(description, true));
  const references = referencesOf(description);
  const effectsOn = openEffects(description);

  const decide = (given: DecideInput<Desired, Live>): Decision => {
    const { input: possible, findings, reserved } = withoutTwice(description, separate(description, given));
    const input = withoutAll(description, possible);
    const comparison = comparisonOf(description, name, hooks, input);
    const listed = decideListed(comparison, input);
    const named =
      holders === undefined || namedSet === undefined
        ? null
        : decideNamedSet(description, namedSet, holders, input, { ...comparison, actions: listed.actions });
    const decision = named === null ? listed : withNamedSet(listed, named, input.live);
    const nested = sets.map(([set, resource]) =>
      decideSets(name, noun, set, resource, ownersOf(comparison, set, decision.actions, input), input),
    );
    const actions = [...decision.actions, ...nested.flatMap((set) => set.actions)];
    const links = accessLinks(description, actions);
    const { names, own } = input;
    const liveOf = liveItems(description, input);
    const ofItems = countedAccess(description, decision, input, comparison.keyOf);
    const counted = [...(decision.nested ?? []), ...nested, ...ofItems];
    return {
      ...decision,
      actions,
      findings: [...findings, ...decision.findings, ...nested.flatMap((set) => set.findings)],
      unreadable: decision.unreadable ?? nested.flatMap(({ unread }) => unread)[0] ?? null,
      ...(counted.length > 0 && { nested: counted }),
      names: decision.names && [...decision.names, ...reserved.flatMap(comparison.protectedAs)],
      ...(links.length > 0 && { links: [...(decision.links ?? []), ...links] }),
      ...(actions.length > 0 && effectsOn && { effectsOf: effectsOn({ liveOf, names, own }) }),
      ...(whyLockedOut && { lockedOut: lockedOutBy(description, own, liveOf, whyLockedOut) }),
    };
  };

  return {
    ...headOf(description),
    ...shortKeys(description),
    ...(destroys !== undefined && { destroys }),
    ...(description.own !== undefined && { isAboutOwn: true }),
    operations: operationsOf(description),
    ...(section && { section }),
    identity: keyFields(description),
    keyOf: nameOf,
    layering: () => layering,
    ...(canonical && { canonical }),
    ...(Object.values(fields).some((field) => hasField(field, ({ file }) => file !== undefined)) && {
      fileReferences: (item: unknown) => fileReferences(fields, item as object),
    }),
    ...(listKeys(fields).length > 0 && {
      check: (item: DesiredItem<Desired>, report: Parameters<typeof checkLists>[2]) => checkLists(fields, item, report),
    }),
    reading,
    decide,
    movedSince: openMovedSince(description, comparedFields(description, hooks)),
    ...(isSingle && { isSingle }),
    ...(list && { naming: namingOf<Live>(description, list, hooks) }),
    ...(references && { references: references as References<Desired, Live> }),
    describe: (action: Action) =>
      action.action === 'add' || action.action === 'remove'
        ? describeElements(action, resources)
        : describeItem(action, summaryOf),
    ...(accessSets(description).length > 0 && { access: (action: Action) => accessOf(description, action) }),
    pull: pullItems<Live>(description, { isSame, protectedAs: hooks.protectedAs, ...(hasLists && { reading }) }),
  } satisfies ResourceKind<Desired, Live>;
}

/** What every tenant has at most once is a list of one item or none. */
function readingOfSingle<Live extends object>(description: KindDescription): Reading<object, Live> {
  const { get } = description.operations;
  return {
    operations: get === undefined ? [] : [get],
    each: true,
    read: (snapshot) => readSingle<Live>(snapshot, description),
  };
}

/** How items of other kinds name those of this one, and the nodes below them, such as the scopes of an API. */
function namingOf<Live extends object>(
  description: KindDescription,
  list: NonNullable<KindDescription['operations']['list']>,
  hooks: Pick<KindHooks<Live>, 'protectedAs'>,
): Naming<Live> {
  const { skip = [], ...named } = description;
  const { id, unique, resources, writable } = named;
  const kept: readonly Skip[] = [...skip, ...(writable === undefined ? [] : [writable])];
  const sets = Object.entries(resources).filter(([, { in: isField }]) => isField);
  return {
    list,
    idField: id,
    nameOf: (live, names) => openKeys<Live>(named, { items: [], live: [], names })(live) || null,
    ...(unique === false && { isUnique: false }),
    protectedAs: (live, names) => protectedNames(description, hooks, names)(live),
    ...(kept.length > 0 && {
      canBeNamed: (live, declared, names) => canBeNamed(description, live, declared, names),
      isKept: (live: Live, isDeclared) =>
        kept.some((rule) => !(isDeclared && rule.unless === 'declared') && fits(rule, live, description, undefined)),
    }),
    nodesOf: (live) =>
      sets.flatMap(
        ([
          name,
          {
            key: [only = ''],
            scalar,
          },
        ]) => {
          const elements = memberOf(live, name);
          const nameOf = (element: unknown) => (scalar === undefined ? memberOf(element, only) : element);
          return Array.isArray(elements)
            ? elements.map((element: unknown) => `${name}/${String(nameOf(element))}`)
            : [];
        },
      ),
  };
}

/** The live item that an action is about. */
function liveItems<Live extends object>(
  { id }: KindDescription,
  { live }: DecideInput<object, Live>,
): (action: Action) => Live | null {
  const byId = once(() => new Map((live.readable ? live.items : []).map((item) => [memberOf(item, id), item])));
  return ({ before }) => (before === null ? undefined : byId().get(memberOf(before, id))) ?? null;
}

/** Declared items that have a set, on the tenant or about to be. */
function ownersOf<Desired extends object, Live extends object>(
  { keyOf, idOf, idField = 'id', protectedAs }: ListedKind<Desired, Live>,
  set: string,
  actions: readonly Action[],
  { desired, live }: DecideInput<Desired, Live>,
): Owner[] {
  if (!live.readable) return [];
  const byKey = new Map(live.items.map((item) => [keyOf(item), item]));
  const creating = new Map(actions.map((action) => [action.key, action]));
  return desired.items.flatMap((item): Owner[] => {
    if (item.state !== 'present' || memberOf(item.value, set) === undefined) return [];
    const found = byKey.get(item.key) ?? byKey.get(item.renamedFrom ?? '');
    const names = protectedAs(found ?? item.value);
    if (found !== undefined) {
      const elements = live.more?.get(found)?.nested[set];
      return elements === undefined ? [] : [{ item, id: idOf(found), needs: [], names, elements }];
    }
    const create = creating.get(item.key);
    if (create?.action !== 'create') return [];
    return [{ item, id: resultReference(create.id, idField), needs: [create.id], names, elements: null }];
  });
}

/** A decision with what follows from a set that others name; without deletions that those who have its elements keep. */
function withNamedSet<Live>(decision: Decision, set: DecidedNamedSet, live: LiveState<Live>): Decision {
  const isPlanned = ({ id }: { readonly id: string }) => !set.kept.has(id);
  return {
    ...decision,
    actions: [...decision.actions.filter(isPlanned), ...set.actions],
    findings: [...decision.findings, ...set.findings],
    losses: decision.losses.filter(isPlanned),
    nested: [set],
    links: set.links,
    holders: partsOfHolders(live),
    unreadable: decision.unreadable ?? set.unread,
  };
}

/** How many elements those have in all that have any. */
function partsOfHolders<Live>(live: LiveState<Live>): ReadonlyMap<string, number> {
  const held = live.readable ? [...(live.more?.values() ?? [])].map(({ holders }) => holders) : [];
  const known = held.flatMap((one) => (one?.readable ? one.items : []));
  return new Map(known.flatMap(({ id, parts }) => (parts > 0 ? [[id, parts] as const] : [])));
}

export function operationsOf({ operations, resources }: Resource): Operation[] {
  const own = Object.values(operations).filter((operation): operation is Operation => operation !== undefined);
  return [...own, ...Object.values(resources).flatMap(operationsOf)];
}
