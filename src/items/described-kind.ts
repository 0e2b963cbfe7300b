import type { ListedKind } from '../differ/decide-difference.ts';
import { decideListed } from '../differ/decide-listed.ts';
import { InternalError } from '../model/internal-error.ts';
import type { DecideInput, Decision, DesiredItem, LabelOf, Reading, ResourceKind } from '../model/kind.ts';
import type { Naming, References } from '../model/names.ts';
import type { ApiLevel, Operation } from '../model/operation.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import type { LiveState } from '../model/reader.ts';
import type { KindDescription, Resource, Skip } from '../model/resource.ts';
import { memberOf } from '../values/json-pointer.ts';
import { once } from '../values/memoized.ts';
import { withoutAll } from './all-elements.ts';
import { canonicalFrom } from './canonical-form.ts';
import { checkSets } from './check-sets.ts';
import { comparedFields, comparisonOf, type KindHooks } from './comparison.ts';
import { withoutTwice } from './declared-twice.ts';
import { describeElements, describeItem, itemSummary } from './describe-item.ts';
import { accessLinks, accessOf, accessSets } from './effects/access.ts';
import { countedAccess } from './effects/counted-access.ts';
import { openEffects } from './effects/item-effects.ts';
import { lockedOutBy } from './effects/own-items.ts';
import { canBeNamed, fits } from './fits.ts';
import { headOf } from './head-of.ts';
import { referencesOf } from './item-references.ts';
import { declaredKey, keyFields, openKeys, protectedNames, shortKeys } from './keys.ts';
import { layeringOf } from './layering.ts';
import { checkLists, fileReferences, hasField, listKeys, namedSets, withSets } from './members.ts';
import { openMissing } from './missing-items.ts';
import { openMovedSince } from './moved-since.ts';
import { type DecidedNamedSet, decideNamedSet } from './named-sets.ts';
import { namedElements } from './own-elements.ts';
import { pullItems } from './pull-items.ts';
import { withHolders } from './read-holders.ts';
import { readItems, readSingle } from './read-items.ts';
import { separate } from './reserved-items.ts';
import { shortLists } from './short-sets.ts';
import { withNestedSets, withoutSets } from './with-sets.ts';

/** A kind whose items are a list on the tenant, or the one of a tenant, from its description. A kind replaces what is peculiar to it. */
export function describedKind<Desired extends object, Live extends object>(
  description: KindDescription,
  hooks: KindHooks<Live> = {},
) {
  const { name, section, destroys, operations, resources } = description;
  const { isSame, undeclarable, holders, whyLockedOut } = hooks;
  const [namedSet] = namedSets(description);
  const fields = withSets(description);
  const all = withSets(description, true);
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
  const canonical = canonicalFrom<Desired>(description);

  const layering = layeringOf(all);
  const references = referencesOf(description);
  const effectsOn = openEffects(description, hooks.effects);

  const decide = (given: DecideInput<Desired, Live>): Decision => {
    const { input: possible, findings, reserved } = withoutTwice(description, separate(description, given));
    const input = withoutAll(description, possible);
    const { notCreated, nearFindings } = openMissing(description, input);
    const comparison = { ...comparisonOf(description, name, hooks, input), notCreated };
    const listed = decideListed(comparison, { ...input, desired: withoutSets(input.desired, sets) });
    const named =
      holders === undefined || namedSet === undefined
        ? null
        : decideNamedSet(description, namedSet, holders, input, { ...comparison, actions: listed.actions });
    const decision = withNestedSets(
      named === null ? listed : withNamedSet(listed, named, input.live),
      { description, sets, comparison },
      input,
    );
    const { actions } = decision;
    const links = accessLinks(description, actions);
    const { names, own, live, keep } = input;
    const liveOf = liveItems(description, input);
    const ofItems = countedAccess(description, decision, input, comparison.keyOf);
    const counted = [...(decision.nested ?? []), ...ofItems];
    const isNoted = openNoted(description, input);
    const complete = {
      ...decision,
      findings: [...findings, ...decision.findings.filter(isNoted), ...nearFindings(actions)],
      ...(counted.length > 0 && { nested: counted }),
      names: decision.names && [...decision.names, ...reserved.flatMap(comparison.protectedAs)],
      ...(live.readable && live.isPart && keep.undeclared === 'report' && { unlisted: true }),
      ...(links.length > 0 && { links: [...(decision.links ?? []), ...links] }),
      ...(actions.length > 0 && effectsOn && { effectsOf: effectsOn({ liveOf, names, own }) }),
      ...(whyLockedOut && { lockedOut: lockedOutBy(description, own, liveOf, whyLockedOut) }),
    };
    return description.byId ? withNames(complete, description, comparison, given) : complete;
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
    ...(Object.values(all).some((field) => hasField(field, ({ file }) => file !== undefined)) && {
      fileReferences: (item: unknown) => fileReferences(all, item as object),
    }),
    ...((listKeys(all).length > 0 || hooks.check !== undefined || shortLists(description).size > 0) && {
      check(item: DesiredItem<Desired>, report: Parameters<typeof checkLists>[2], api: ApiLevel) {
        checkLists(all, item, report);
        hooks.check?.(item, report, api);
        checkSets(description, item, report);
      },
    }),
    reading,
    decide,
    movedSince: openMovedSince(description, comparedFields(description, hooks)),
    ...(isSingle && { isSingle }),
    ...(list && { naming: namingOf<Live>(description, list, hooks) }),
    ...(references && { references: references as References<Desired, Live> }),
    describe: (action: Action, labelOf?: LabelOf) =>
      action.action === 'add' || action.action === 'remove'
        ? describeElements(action, resources, labelOf)
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
  description: KindDescription,
  { live }: DecideInput<object, Live>,
): (action: Action) => Live | null {
  const { id } = description;
  const named = namedElements(description);
  const byId = once(() => new Map((live.readable ? live.items : []).map((item) => [memberOf(item, id), item])));
  return ({ before }) => {
    const item = before === null ? undefined : byId().get(memberOf(before, id));
    return item === undefined || !live.readable ? null : named(item, live.more?.get(item)?.nested);
  };
}

/**
 * Where items are read one by one, those that the files leave alone are not read, and another one that the files name by its id
 * may have the old name of a renamed one: a name is not free yet.
 */
function openNoted<Live extends object>(
  { byId, key: [field = ''] }: KindDescription,
  { desired, live }: DecideInput<object, Live>,
): (finding: Finding) => boolean {
  if (!byId) return () => true;
  const names = once(() => new Set((live.readable ? live.items : []).map((item) => memberOf(item, field))));
  const renamed = new Map(desired.items.map(({ key, renamedFrom }) => [key, renamedFrom]));
  return ({ code, key }) => code !== 'LIVE_UNMANAGED' && !(code === 'LIVE_RENAMED' && names().has(renamed.get(key)));
}

/** The name of an item that the files declare by its id, for people. */
function withNames<Desired extends object, Live extends object>(
  decision: Decision,
  { key: [field = ''] }: KindDescription,
  { keyOf }: ListedKind<Desired, Live>,
  { desired, live }: DecideInput<Desired, Live>,
): Decision {
  const found = new Map((live.readable ? live.items : []).map((item) => [keyOf(item), memberOf(item, field)]));
  const byKey = new Map(
    desired.items.flatMap(({ key, value }) => {
      const name = memberOf(value, 'id') === undefined ? undefined : (memberOf(value, field) ?? found.get(key));
      return typeof name === 'string' && name !== key ? [[key, name] as const] : [];
    }),
  );
  if (byKey.size === 0) return decision;
  return {
    ...decision,
    actions: decision.actions.map((action) => {
      const name = byKey.get(action.key);
      const { id: own, kind, key, ...rest } = action;
      return name === undefined ? action : { id: own, kind, key, name, ...rest };
    }),
    findings: decision.findings.map((finding) => {
      const name = byKey.get(finding.key);
      return name === undefined ? finding : { ...finding, name };
    }),
  };
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
