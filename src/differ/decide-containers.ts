import type {
  Conclusion,
  DecideInput,
  Decision,
  DesiredItem,
  KeepRules,
  Loss,
  LossUnit,
  Population,
} from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import type { LiveState, OddField } from '../model/reader.ts';
import { draftFinding } from './draft.ts';
import { goneConclusions } from './gone.ts';
import { oddFinding } from './odd-fields.ts';
import { type UnreadParts, unreadableDecision } from './unreadable-decision.ts';

/**
 * The decision for a kind whose items are named containers of parts: a role with permissions, a prompt with texts.
 *
 * Parts are compared as a map. A set is a map whose values are all equal. A live part that is not declared is removed
 * and is a loss, unless `protect` or `keep_undeclared` covers it; a part that is declared absent is removed and is no
 * loss, because the files name exactly that part.
 *
 *   declared { a: 1, b: 2 }, absent [x]
 *   live     { b: 3, c: 4, x: 5 }
 *   ->       missing [a], changed [b], unwanted [x], undeclared [c]
 */
export interface ContainerKind<Desired, Live, Part extends ContainerPart> {
  readonly kind: string;
  /** The noun for parts when losses are counted, and the noun for containers. */
  readonly unit: LossUnit;
  readonly noun: NonNullable<Population['containers']>;
  /** Null if the item declares no parts: then it is neither read nor changed. */
  partsOf(desired: Desired): DeclaredParts<Part> | null;
  /** True if containers always exist: then `absent: true` removes their parts. */
  readonly emptyIfAbsent?: boolean;
  /** Pairs declared items with live containers. */
  match(items: readonly DesiredItem<Desired>[], live: readonly Live[]): Matched<Desired, Part>;
  /** The requests that bring the live parts to the declared ones. */
  correct(change: ContainerChange<Desired, Part>): readonly ContainerAction<Part>[];
  /** Requests that can be sent although no operation reads the kind. */
  correctUnread(item: DesiredItem<Desired>): readonly Action[];
  /** What is then neither compared nor sent; null if nothing. */
  notChecked?(item: DesiredItem<Desired>): Pick<Finding, 'message' | 'source'> | null;
  /** Every name that a pattern of `protect` may mean; null if they are not all known. */
  namesOf(items: readonly DesiredItem<Desired>[], live: LiveState<Live>): readonly string[] | null;
  /**
   * The id by which the files declare a container that also has a name; null if they declare it by its name. Absent if
   * containers have no name besides their key.
   */
  idOf?(desired: Desired): string | null;
}

export interface ContainerPart {
  /** Distinguishes the parts of a container. */
  readonly id: string;
  /** In words, for findings and losses. */
  readonly name: string;
  readonly value: unknown;
}

export interface DeclaredParts<Part> {
  /** The complete set; null if only absent parts are declared. */
  readonly wanted: readonly Part[] | null;
  /** Parts that must not be live. */
  readonly unwanted: readonly Part[];
  /** JSON pointer from the item to its parts, for findings about them. */
  readonly pointer: string;
}

export interface Matched<Desired, Part> {
  readonly containers: readonly Container<Desired, Part>[];
  /** Declarations that do not name exactly one container of their own: these are left out of the plan. */
  readonly findings: readonly Finding[];
  /** Which of them need a second reading if the list of containers has several pages. */
  readonly conclusions?: readonly Conclusion[];
}

export interface Container<Desired, Part> {
  readonly item: DesiredItem<Desired>;
  /** Id of the live container. */
  readonly id: string;
  /** Every known name under which patterns of `protect` may cover it. */
  readonly names: readonly string[];
  /** True if it has another name, which is not known. */
  readonly hidesName: boolean;
  /** Live parts, in an order that does not depend on the tenant. */
  readonly parts: readonly Part[];
  /** Number of pages that its parts were read from; default: 1. */
  readonly pages?: number;
  /** Fields of the container or its parts that are not as their schema describes them. */
  readonly odd?: readonly OddField[];
}

/** How the live parts differ from the declared ones; no part is in two of the lists. */
export interface ContainerChange<Desired, Part> {
  readonly container: Container<Desired, Part>;
  readonly declared: DeclaredParts<Part>;
  readonly missing: readonly Part[];
  /** Declared, and live with another value. */
  readonly changed: readonly Part[];
  /** Live although declared absent. */
  readonly unwanted: readonly Part[];
  /** Live and not declared. */
  readonly undeclared: readonly Part[];
  /** Live, to be removed by the files, and kept by a rule. */
  readonly kept: readonly Part[];
}

export interface ContainerAction<Part> {
  readonly action: Action;
  /** Undeclared parts that it removes, and parts whose value it empties. */
  readonly lost: readonly Part[];
  /** Parts that it removes because they are declared absent. */
  readonly asked: readonly Part[];
  /** True if the action adds parts. Other actions of the container need the ones that do. */
  readonly grants: boolean;
}

export function decideContainers<Desired, Live, Part extends ContainerPart>(
  kind: ContainerKind<Desired, Live, Part>,
  { desired, live, keep, watched = [] }: DecideInput<Desired, Live>,
): Decision {
  const managed = desired.items.filter((item) => declaredParts(kind, item) !== null);
  const names = keep.patterns.length === 0 ? null : kind.namesOf(desired.items, live);
  const isOpen = keep.patterns.some((pattern) => desired.items.every(({ value }) => kind.idOf?.(value) !== pattern));
  if (!live.readable) {
    // Nothing failed where no operation reads the kind; after a reading that failed, nothing is sent.
    if (!live.structural) return unreadableDecision(kind.kind, desired, live);
    const { findings, ...unread } = decideUnread(kind, managed, keep, isOpen);
    const absent = undeletable(kind, desired.items, 'LIVE_NOT_CHECKED', 'read or delete');
    return unreadableDecision(kind.kind, desired, live, { ...unread, findings: [...findings, ...absent], names });
  }
  const { containers, findings, conclusions = [] } = kind.match(managed, live.items);
  const decided = containers.map((container) => decideContainer(kind, container, keep, isOpen));
  const concluded = [
    ...decided.flatMap((container) => container.conclusions),
    ...containers.flatMap(({ item, pages = 1 }, index) => {
      const ofItem = pages === 1 ? [] : watched.filter(({ key }) => key === item.key);
      return goneConclusions(ofItem, decided[index]?.actions ?? []);
    }),
    ...((live.pages ?? 1) > 1 ? conclusions : []),
  ];
  return {
    kind: kind.kind,
    actions: decided.flatMap(({ actions }) => actions),
    findings: [
      ...findings,
      ...undeletable(kind, desired.items, 'LIVE_UNDELETABLE', 'delete'),
      ...decided.flatMap((container) => container.findings),
      ...containers.flatMap(({ item, odd = [] }) =>
        odd.length === 0 ? [] : [oddFinding(kind.kind, item.key, odd, item)],
      ),
    ],
    losses: decided.flatMap(({ losses }) => losses),
    asked: decided.flatMap(({ asked }) => asked),
    gains: decided.flatMap(({ gains }) => gains),
    ...(concluded.length > 0 && { conclusions: concluded }),
    unreadable: null,
    population: {
      declared: managed.filter(({ state }) => state === 'present').length,
      live: decided.flatMap(({ live: counted }) => counted),
      filtered: false,
      unit: kind.unit,
      containers: kind.noun,
    },
    names,
  };
}

function declaredParts<Desired, Live, Part extends ContainerPart>(
  { partsOf, emptyIfAbsent = false }: ContainerKind<Desired, Live, Part>,
  { state, value }: DesiredItem<Desired>,
): DeclaredParts<Part> | null {
  if (state === 'present') return partsOf(value);
  return state === 'absent' && emptyIfAbsent ? { wanted: [], unwanted: [], pointer: '' } : null;
}

type DecidedContainer = Pick<Decision, 'actions' | 'findings' | 'losses' | 'asked' | 'gains'> &
  Required<Pick<Decision, 'conclusions'>> &
  Pick<Population, 'live'>;

function decideContainer<Desired, Live, Part extends ContainerPart>(
  kind: ContainerKind<Desired, Live, Part>,
  container: Container<Desired, Part>,
  keep: KeepRules,
  isOpen: boolean,
): DecidedContainer {
  const { item } = container;
  const declared = declaredParts(kind, item) ?? { wanted: null, unwanted: [], pointer: '' };
  const difference = compareParts(declared, container.parts);
  const rule = keepingRule(container, keep, isOpen);
  const keptParts = new Set(rule?.keeps(difference));
  const kept = container.parts.filter((part) => keptParts.has(part));
  const removed = (parts: readonly Part[]) => parts.filter((part) => !keptParts.has(part));
  const [unwanted, undeclared] = [removed(difference.unwanted), removed(difference.undeclared)];
  const corrected = kind.correct({ container, declared, ...difference, unwanted, undeclared, kept });
  const named = ({ id, key }: Action, { name }: Part): Loss => ({
    id,
    item: `${kind.kind}/${key}#${name}`,
    names: container.names,
  });
  const parts = container.parts.length - kept.length;
  const granting = corrected.filter(({ grants }) => grants).map(({ action }) => action.id);
  return {
    actions: corrected.map(({ action, grants }) => (grants ? action : { ...action, needs: granting })),
    findings:
      rule === null || kept.length === 0 ? [] : [keptFinding(kind, item.key, kept, rule, item.at(declared.pointer))],
    losses: corrected.flatMap(({ action, lost }) => lost.map((part) => named(action, part))),
    asked: corrected.flatMap(({ action, asked }) => asked.map((part) => named(action, part))),
    gains: granting,
    conclusions: (container.pages ?? 1) === 1 ? [] : removals(container, [...unwanted, ...undeclared]),
    // A container whose parts are not declared is not counted.
    live: declared.wanted === null ? [] : [{ key: item.key, parts, left: parts - removedBy(corrected) }],
  };
}

function removedBy(corrected: readonly ContainerAction<unknown>[]): number {
  return corrected.reduce((sum, { lost, asked }) => sum + lost.length + asked.length, 0);
}

/** That parts are removed. An add changes nothing if the container has the part. */
function removals<Desired, Part extends ContainerPart>(
  { item: { key }, id }: Container<Desired, Part>,
  removed: readonly Part[],
): Conclusion[] {
  return removed.map((part) => ({ key, what: 'removed', ids: [id, part.id] }));
}

type PartDifference<Part> = Pick<ContainerChange<never, Part>, 'missing' | 'changed' | 'unwanted' | 'undeclared'>;

function compareParts<Part extends ContainerPart>(
  { wanted, unwanted }: DeclaredParts<Part>,
  live: readonly Part[],
): PartDifference<Part> {
  const held = new Map(live.map((part) => [part.id, part.value]));
  const declared = new Set(wanted?.map(({ id }) => id));
  const absent = new Set(unwanted.map(({ id }) => id));
  const present = (wanted ?? []).filter(({ id }) => !absent.has(id));
  return {
    missing: present.filter(({ id }) => !held.has(id)),
    changed: present.filter(({ id, value }) => held.has(id) && held.get(id) !== value),
    unwanted: live.filter(({ id }) => absent.has(id)),
    undeclared: wanted === null ? [] : live.filter(({ id }) => !declared.has(id) && !absent.has(id)),
  };
}

interface KeepingRule {
  readonly code: Finding['code'];
  readonly why: string;
  keeps<Part>(difference: PartDifference<Part>): readonly Part[];
}

const protectedRule: KeepingRule = {
  code: 'LIVE_PROTECTED',
  why: 'it is protected',
  keeps: ({ unwanted, undeclared }) => [...unwanted, ...undeclared],
};

const hiddenNameRule: KeepingRule = {
  ...protectedRule,
  why: 'its name is not known and a pattern under protect may mean it; ids under protect are exact',
};

const undeclaredRule: KeepingRule = {
  code: 'LIVE_UNDECLARED',
  why: 'keep_undeclared includes its kind',
  keeps: ({ undeclared }) => undeclared,
};

/** `isOpen`: a pattern under `protect` is not just the id of a declared container, so it may mean a hidden name. */
function keepingRule(
  { names, hidesName }: Pick<Container<unknown, unknown>, 'names' | 'hidesName'>,
  keep: KeepRules,
  isOpen: boolean,
): KeepingRule | null {
  if (names.some((name) => keep.isProtected(name))) return protectedRule;
  if (hidesName && isOpen) return hiddenNameRule;
  return keep.keepUndeclared ? undeclaredRule : null;
}

/** Containers that are declared absent, and that nothing can delete. */
function undeletable<Desired, Live, Part extends ContainerPart>(
  { kind, emptyIfAbsent = false }: ContainerKind<Desired, Live, Part>,
  items: readonly DesiredItem<Desired>[],
  code: Finding['code'],
  verb: string,
): Finding[] {
  if (emptyIfAbsent) return [];
  const message = `declared absent, but no available operation can ${verb} it`;
  return items
    .filter(({ state }) => state === 'absent')
    .map(({ key, at }) => draftFinding({ code, kind, key, message, source: at('') }));
}

const mostNames = 10;

function keptFinding<Desired, Live, Part extends ContainerPart>(
  { kind, unit }: ContainerKind<Desired, Live, Part>,
  key: string,
  kept: readonly Part[],
  { code, why }: KeepingRule,
  source: Finding['source'],
): Finding {
  const names = kept.slice(0, mostNames).map(({ name }) => name);
  const list = kept.length > mostNames ? `${names.join(', ')} and ${kept.length - mostNames} more` : names.join(', ');
  const counted = `${kept.length} ${kept.length === 1 ? unit.one : unit.many}`;
  const message = `${counted} would be removed (${list}); kept because ${why}`;
  return draftFinding({ code, kind, key, message, source });
}

/** Plans what can be sent without reading, except to protected containers, and reports what cannot be checked. */
function decideUnread<Desired, Live, Part extends ContainerPart>(
  kind: ContainerKind<Desired, Live, Part>,
  items: readonly DesiredItem<Desired>[],
  keep: KeepRules,
  isOpen: boolean,
): UnreadParts {
  const finding = (item: DesiredItem, code: Finding['code'], message: string, source: Finding['source']) =>
    draftFinding({ code, kind: kind.kind, key: item.key, message, source });
  const decided = items.map((item) => {
    const actions = kind.correctUnread(item);
    const rule = keepingRule(
      { names: [item.key], hidesName: (kind.idOf?.(item.value) ?? null) !== null },
      keep,
      isOpen,
    );
    const isKept = rule?.code === 'LIVE_PROTECTED' && actions.length > 0;
    const notChecked = kind.notChecked?.(item) ?? null;
    return {
      actions: isKept ? [] : actions,
      asked: isKept ? [] : actions.map(({ id, key }) => ({ id, item: `${kind.kind}/${key}`, names: [key] })),
      findings: [
        ...(isKept
          ? [
              finding(
                item,
                'LIVE_PROTECTED',
                `its live state cannot be read; not changed because ${rule.why}`,
                actions[0]?.source ?? null,
              ),
            ]
          : []),
        ...(notChecked === null ? [] : [finding(item, 'LIVE_NOT_CHECKED', notChecked.message, notChecked.source)]),
      ],
    };
  });
  return {
    actions: decided.flatMap(({ actions }) => actions),
    findings: decided.flatMap(({ findings }) => findings),
    asked: decided.flatMap(({ asked }) => asked),
  };
}
