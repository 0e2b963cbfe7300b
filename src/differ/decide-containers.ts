import { resultReference } from '../model/action-identity.ts';
import { InternalError } from '../model/internal-error.ts';
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
import type { Action, FieldChange, Finding } from '../model/plan.generated.ts';
import type { LiveState, OddField } from '../model/reader.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { listOf } from '../values/list-of.ts';
import { diffFields } from './diff-items.ts';
import { type Corrected, draftAction, draftFinding } from './draft.ts';
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
 *
 * Some containers can be created, changed and deleted themselves (`own`). Parts of a new one are added after it was
 * created, under the id that the create returns.
 */
export interface ContainerKind<Desired, Live, Part extends ContainerPart> {
  readonly kind: string;
  /** The noun for parts when losses are counted, and the noun for containers. */
  readonly unit: LossUnit;
  readonly noun: NonNullable<Population['containers']>;
  /** Null if the item declares no parts: then it is neither read nor changed. */
  partsOf(desired: Desired): DeclaredParts<Part> | null;
  /** Absent if containers always exist: then `absent: true` removes their parts. */
  readonly own?: OwnCorrections<Desired, Part>;
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

/** What can be done to a container itself, beside its parts. */
export interface OwnCorrections<Desired, Part extends ContainerPart> {
  /** The declared fields that are compared with those of the live container; without any, only parts are declared. */
  fieldsOf(desired: Desired): Fields;
  create(item: DesiredItem<Desired>): Corrected;
  update(container: Container<Desired, Part>, changes: readonly FieldChange[]): Corrected;
  delete(container: Container<Desired, Part>): Corrected;
  /** A live container with its parts, for people to read. */
  shown(container: Container<Desired, Part>): Fields;
}

type Fields = Readonly<Record<string, unknown>>;

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
  /** Declared items without a container, which `own` can create. */
  readonly missing?: readonly DesiredItem<Desired>[];
  /** Declarations that do not name exactly one container of their own: these are left out of the plan. */
  readonly findings: readonly Finding[];
  /** Which of them need a second reading if the list of containers has several pages. */
  readonly conclusions?: readonly Conclusion[];
}

export interface Container<Desired, Part> {
  readonly item: DesiredItem<Desired>;
  /** Id of the live container. */
  readonly id: string;
  /** Its name on the tenant, where it is known and the files declare it by its id. */
  readonly name?: string;
  /** Every known name under which patterns of `protect` may cover it. */
  readonly names: readonly string[];
  /** True if it has another name, which is not known. */
  readonly hidesName: boolean;
  /** Live parts, in an order that does not depend on the tenant. */
  readonly parts: readonly Part[];
  /** The live fields of the container itself; absent if they were not read. */
  readonly fields?: Fields;
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
  const managed = desired.items.filter((item) => isManaged(kind, item));
  const names = keep.patterns.length === 0 ? null : kind.namesOf(desired.items, live);
  const isOpen = keep.patterns.some((pattern) => desired.items.every(({ value }) => kind.idOf?.(value) !== pattern));
  if (!live.readable) {
    // Nothing failed where no operation reads the kind; after a reading that failed, nothing is sent.
    const unread = live.structural ? { ...decideUnread(kind, managed, keep, isOpen), names } : undefined;
    return unreadableDecision(kind.kind, desired, live, unread);
  }
  const { containers, missing = [], findings, conclusions = [] } = kind.match(managed, live.items);
  const found = containers.map((container) => named(container, decideFound(kind, container, keep, isOpen)));
  const created = missing.map((item) => decideMissing(kind, item, keep, isOpen));
  const decided = [...found, ...created];
  const isLong = (live.pages ?? 1) > 1;
  const watchedFor = (key: string) => watched.filter((action) => action.key === key);
  const concluded = [
    ...decided.flatMap((container) => container.conclusions),
    ...containers.flatMap(({ item, pages = 1 }, index) =>
      pages === 1 ? [] : goneConclusions(watchedFor(item.key), found[index]?.actions ?? []),
    ),
    ...(isLong ? [...conclusions, ...listConclusions(managed, containers, found, watchedFor)] : []),
  ];
  return {
    kind: kind.kind,
    actions: decided.flatMap(({ actions }) => actions),
    findings: [
      ...findings,
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

function named({ name }: Container<unknown, unknown>, decided: DecidedContainer): DecidedContainer {
  if (name === undefined) return decided;
  const actions = decided.actions.map(({ id, kind, key, ...rest }) => ({ id, kind, key, name, ...rest }));
  return { ...decided, actions };
}

/** Whether anything is declared about a container: its parts, its own fields, or that it must not exist. */
function isManaged<Desired, Live, Part extends ContainerPart>(
  kind: ContainerKind<Desired, Live, Part>,
  item: DesiredItem<Desired>,
): boolean {
  return item.state === 'absent' || declaredParts(kind, item) !== null || declaresFields(kind, item);
}

function declaresFields<Desired, Live, Part extends ContainerPart>(
  { own }: ContainerKind<Desired, Live, Part>,
  { state, value }: DesiredItem<Desired>,
): boolean {
  return state === 'present' && own !== undefined && Object.keys(own.fieldsOf(value)).length > 0;
}

function declaredParts<Desired, Live, Part extends ContainerPart>(
  { partsOf, own }: ContainerKind<Desired, Live, Part>,
  { state, value }: DesiredItem<Desired>,
): DeclaredParts<Part> | null {
  if (state === 'present') return partsOf(value);
  return state === 'absent' && own === undefined ? { wanted: [], unwanted: [], pointer: '' } : null;
}

/**
 * What a list of several pages has to show twice: that a container is there and is deleted, and that one that was
 * deleted is gone.
 */
function listConclusions<Desired, Part extends ContainerPart>(
  managed: readonly DesiredItem<Desired>[],
  containers: readonly Container<Desired, Part>[],
  found: readonly DecidedContainer[],
  watchedFor: (key: string) => readonly Action[],
): Conclusion[] {
  const live = new Set(containers.map(({ item }) => item.key));
  const deleted = containers.filter((_container, index) =>
    found[index]?.actions.some(({ action }) => action === 'delete'),
  );
  return [
    ...deleted.map(({ item: { key }, id }) => ({ key, what: 'undeclared', ids: [id] })),
    ...managed
      .filter(({ state, key }) => state === 'absent' && !live.has(key))
      .flatMap(({ key }) => goneConclusions(watchedFor(key), [])),
  ];
}

type DecidedContainer = Pick<Decision, 'actions' | 'findings' | 'losses' | 'asked' | 'gains'> &
  Required<Pick<Decision, 'conclusions'>> &
  Pick<Population, 'live'>;

function decideFound<Desired, Live, Part extends ContainerPart>(
  kind: ContainerKind<Desired, Live, Part>,
  container: Container<Desired, Part>,
  keep: KeepRules,
  isOpen: boolean,
): DecidedContainer {
  const { own } = kind;
  if (own === undefined) return decideParts(kind, container, keep, isOpen);
  if (container.item.state === 'absent') return decideAbsent(kind, own, container, keep);
  const decided = decideParts(kind, container, keep, isOpen);
  const update = updateOf(kind, own, container);
  return update === null ? decided : { ...decided, actions: [update, ...decided.actions] };
}

/** Creates a container, then adds its parts. */
function decideMissing<Desired, Live, Part extends ContainerPart>(
  kind: ContainerKind<Desired, Live, Part>,
  item: DesiredItem<Desired>,
  keep: KeepRules,
  isOpen: boolean,
): DecidedContainer {
  if (kind.own === undefined) throw new InternalError(`${kind.kind} cannot be created`);
  const { request, notes } = kind.own.create(item);
  const create = draftAction({
    kind: kind.kind,
    key: item.key,
    action: 'create',
    reason: 'missing',
    request,
    before: null,
    after: request.body ?? {},
    ...(notes !== undefined && { notes: [...notes] }),
    precondition: 'absent',
    source: item.at(''),
  });
  const id = resultReference(create.id, 'id');
  const container = { item, id, names: [item.key], hidesName: false, parts: [] };
  const { actions, gains, ...decided } = decideParts(kind, container, keep, isOpen);
  const adding = actions.map((action) => ({ ...action, needs: [create.id, ...action.needs] }));
  return { ...decided, actions: [create, ...adding], gains: [create.id, ...gains] };
}

function updateOf<Desired, Live, Part extends ContainerPart>(
  { kind }: ContainerKind<Desired, Live, Part>,
  own: OwnCorrections<Desired, Part>,
  container: Container<Desired, Part>,
): Action | null {
  const { item, id, fields } = container;
  if (fields === undefined) return null;
  const declared = own.fieldsOf(item.value);
  const changes = diffFields(fields, declared);
  if (changes.length === 0) return null;
  const { request, notes } = own.update(container, changes);
  return draftAction({
    kind,
    key: item.key,
    action: 'update',
    reason: 'different',
    request,
    before: { ...fields },
    after: { ...fields, ...declared },
    changes,
    ...(notes !== undefined && { notes: [...notes] }),
    precondition: fingerprint({ id, fields }),
    source: item.at(''),
  });
}

/** Deletes a container. Each of its parts is a loss; one without parts is a loss itself. */
function decideAbsent<Desired, Live, Part extends ContainerPart>(
  { kind }: ContainerKind<Desired, Live, Part>,
  own: OwnCorrections<Desired, Part>,
  container: Container<Desired, Part>,
  keep: KeepRules,
): DecidedContainer {
  const { item, id, fields = {}, names, parts, pages = 1 } = container;
  const nothing = { actions: [], findings: [], losses: [], asked: [], gains: [], conclusions: [], live: [] };
  if (names.some((name) => keep.isProtected(name))) {
    const message = 'on the tenant but declared absent; kept because it is protected';
    const kept = draftFinding({ code: 'LIVE_PROTECTED', kind, key: item.key, message, source: item.at('') });
    return { ...nothing, findings: [kept] };
  }
  const { request, notes } = own.delete(container);
  const action = draftAction({
    kind,
    key: item.key,
    action: 'delete',
    reason: 'absent',
    request,
    before: { ...own.shown(container) },
    after: null,
    ...(notes !== undefined && { notes: [...notes] }),
    precondition: fingerprint({ id, fields, parts: parts.map((part) => [part.id, part.value]) }),
    source: item.at(''),
  });
  const lost = parts.length === 0 ? [''] : parts.map(({ name }) => `#${name}`);
  return {
    ...nothing,
    actions: [action],
    losses: lost.map((part) => ({ id: action.id, item: `${kind}/${item.key}${part}`, names })),
    conclusions: pages === 1 ? [] : removals(container, parts),
    live: [{ key: item.key, parts: lost.length, left: 0 }],
  };
}

function decideParts<Desired, Live, Part extends ContainerPart>(
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
  const left = parts - removedBy(corrected);
  return {
    actions: corrected.map(({ action, grants }) => (grants ? action : { ...action, needs: granting })),
    findings:
      rule === null || kept.length === 0 ? [] : [keptFinding(kind, item.key, kept, rule, item.at(declared.pointer))],
    losses: corrected.flatMap(({ action, lost }) => lost.map((part) => named(action, part))),
    asked: corrected.flatMap(({ action, asked }) => asked.map((part) => named(action, part))),
    gains: granting,
    conclusions: (container.pages ?? 1) === 1 ? [] : removals(container, [...unwanted, ...undeclared]),
    // A container whose parts are not declared has none that count, but if its own fields are declared, it is left.
    live: [
      ...(declared.wanted === null ? [] : [{ key: item.key, parts, left }]),
      ...(declared.wanted === null && declaresFields(kind, item)
        ? [{ key: item.key, parts: 0, left: 0, stays: true }]
        : []),
    ],
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

function keptFinding<Desired, Live, Part extends ContainerPart>(
  { kind, unit }: ContainerKind<Desired, Live, Part>,
  key: string,
  kept: readonly Part[],
  { code, why }: KeepingRule,
  source: Finding['source'],
): Finding {
  const counted = `${kept.length} ${kept.length === 1 ? unit.one : unit.many}`;
  const message = `${counted} would be removed (${listOf(kept.map(({ name }) => name))}); kept because ${why}`;
  return draftFinding({ code, kind, key, message, source });
}

const undeletable = 'declared absent, but no available operation can read or delete it';

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
    const actions = declaredParts(kind, item) === null ? [] : kind.correctUnread(item);
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
        ...(item.state === 'absent' && kind.own !== undefined
          ? [finding(item, 'LIVE_NOT_CHECKED', undeletable, item.at(''))]
          : []),
      ],
    };
  });
  return {
    actions: decided.flatMap(({ actions }) => actions),
    findings: decided.flatMap(({ findings }) => findings),
    asked: decided.flatMap(({ asked }) => asked),
  };
}
