import { resultReference } from '../model/action-identity.ts';
import { InternalError } from '../model/internal-error.ts';
import type { Conclusion, DecideInput, Decision, DesiredItem, KeepRules } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { goneConclusions, replacedFindings } from './conclusions.ts';
import type { Container, ContainerKind, ContainerPart, OwnCorrections } from './container-kind.ts';
import {
  type DecidedContainer,
  decideParts,
  decideUnread,
  declaredParts,
  declaresFields,
  removals,
} from './decide-parts.ts';
import { diffFields } from './diff-items.ts';
import { draftAction, itemFinding } from './draft.ts';
import { oddFinding } from './odd-fields.ts';
import { undeclaredFindings, undeclaredItems } from './undeclared.ts';
import { unreadableDecision } from './unreadable-decision.ts';

/** The decision for a kind of containers: see ContainerKind. */
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
  const undeclared =
    keep.undeclared === 'report'
      ? undeclaredFindings(kind.kind, undeclaredItems(desired.items, live.listed ?? [], kind.idOf), keep)
      : [];
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
      ...replacedFindings(kind.kind, new Map(containers.map(({ item, id }) => [item.key, id])), watched),
      ...decided.flatMap((container) => container.findings),
      ...undeclared,
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
    ...(keep.undeclared === 'report' && live.listed === undefined && { unlisted: true }),
    names,
  };
}

function named({ name }: Container<unknown, unknown>, decided: DecidedContainer): DecidedContainer {
  if (name === undefined) return decided;
  return {
    ...decided,
    actions: decided.actions.map(({ id, kind, key, ...rest }) => ({ id, kind, key, name, ...rest })),
    findings: decided.findings.map((finding) => ({ ...finding, name })),
  };
}

/** Whether anything is declared about a container: its parts, its own fields, or that it must not exist. */
function isManaged<Desired, Live, Part extends ContainerPart>(
  kind: ContainerKind<Desired, Live, Part>,
  item: DesiredItem<Desired>,
): boolean {
  return item.state === 'absent' || declaredParts(kind, item) !== null || declaresFields(kind, item);
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
  const request = kind.own.create(item);
  const create = draftAction({
    kind: kind.kind,
    key: item.key,
    action: 'create',
    reason: 'missing',
    request,
    before: null,
    after: request.body ?? {},
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
  const declared = own.fieldsOf(item);
  const changes = diffFields(fields, declared);
  const [first] = changes;
  if (first === undefined) return null;
  // Another layer may declare the field.
  const [source, place] = [item.at(''), item.at(jsonPointer(first.field))];
  return draftAction({
    kind,
    key: item.key,
    action: 'update',
    reason: 'different',
    request: own.update(container, Object.fromEntries(changes.map(({ field }) => [field, declared[field]]))),
    before: { ...fields },
    after: { ...fields, ...declared },
    changes,
    precondition: fingerprint({ id, fields }),
    source: place.file === source.file ? source : place,
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
    return { ...nothing, findings: [itemFinding(kind, item, 'LIVE_PROTECTED', message)] };
  }
  const action = draftAction({
    kind,
    key: item.key,
    action: 'delete',
    reason: 'absent',
    request: own.delete(container),
    before: { ...own.shown(container) },
    after: null,
    precondition: fingerprint({ id, fields, parts: parts.map((part) => [part.id, part.value]) }),
    source: item.at(''),
  });
  const lost = parts.length === 0 ? [''] : parts.map(({ name }) => `#${name}`);
  return {
    ...nothing,
    actions: [action],
    losses: lost.map((part) => ({ id: action.id, item: `${kind}/${item.key}${part}`, names })),
    conclusions: pages === 1 ? [] : removals(container, parts),
    live: [{ key: item.key, parts: lost.length }],
  };
}
