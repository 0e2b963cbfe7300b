import { resultReference } from '../model/action-identity.ts';
import { InternalError } from '../model/internal-error.ts';
import type { DecideInput, Decision, DesiredItem } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import type { Container, ContainerKind, ContainerPart, OwnCorrections } from './container-kind.ts';
import { type DecidedContainer, openParts } from './decide-parts.ts';
import { diffFields } from './diff-items.ts';
import { draftAction, itemFinding } from './draft.ts';
import { renamedFindings, replacedFindings } from './left-items.ts';
import { oddFinding } from './odd-fields.ts';
import { undeclaredFindings, undeclaredItems } from './undeclared.ts';
import { unreadableDecision } from './unreadable-decision.ts';

/** The decision for a kind of containers: see ContainerKind. */
export function decideContainers<Desired, Live, Part extends ContainerPart>(
  kind: ContainerKind<Desired, Live, Part>,
  { desired, live, keep, watched = [] }: DecideInput<Desired, Live>,
): Decision {
  const { own } = kind;
  const isOpen = keep.patterns.some((pattern) => desired.items.every(({ value }) => kind.idOf?.(value) !== pattern));
  const { decideParts, decideUnread, declaredParts, declaresFields } = openParts(kind, keep, isOpen);
  // Of the others nothing is declared: no parts, no fields of their own, and not that they must not exist.
  const managed = desired.items.filter(
    (item) => item.state === 'absent' || declaredParts(item) !== null || declaresFields(item),
  );
  const names = keep.patterns.length === 0 ? null : kind.namesOf(desired.items, live);
  if (!live.readable) {
    // Nothing failed where no operation reads the kind; after a reading that failed, nothing is sent.
    const unread = live.structural ? { ...decideUnread(managed), names } : undefined;
    return unreadableDecision(kind.kind, desired, live, unread);
  }

  const decideFound = (container: Container<Desired, Part>): DecidedContainer => {
    if (own === undefined) return decideParts(container);
    if (container.item.state !== 'absent') {
      const decided = decideParts(container);
      return { ...decided, actions: [...updatesOf(kind.kind, own, container), ...decided.actions] };
    }
    if (!container.names.some((name) => keep.isProtected(name))) return decideAbsent(kind.kind, own, container);
    const message = 'on the tenant but declared absent; kept because it is protected';
    return { ...nothing, findings: [itemFinding(kind.kind, container.item, 'LIVE_PROTECTED', message)] };
  };
  /** Creates a container, then adds its parts. */
  const decideMissing = (item: DesiredItem<Desired>): DecidedContainer => {
    if (own === undefined) throw new InternalError(`${kind.kind} cannot be created`);
    const request = own.create(item);
    const create = draftAction({
      kind: kind.kind,
      key: item.key,
      action: 'create',
      reason: 'missing',
      request,
      before: null,
      after: { ...request.body },
      precondition: 'absent',
      source: item.at(''),
    });
    const id = resultReference(create.id, 'id');
    const { actions, gains, ...decided } = decideParts({ item, id, names: [item.key], hidesName: false, parts: [] });
    const adding = actions.map((action) => ({ ...action, needs: [create.id, ...action.needs] }));
    return { ...decided, actions: [create, ...adding], gains: [create.id, ...gains] };
  };

  const { containers, missing = [], findings } = kind.match(managed, live.items);
  const found = containers.map((container) => named(container, decideFound(container)));
  const decided = [...found, ...missing.map(decideMissing)];
  const reports = keep.undeclared === 'report';
  return {
    kind: kind.kind,
    actions: decided.flatMap(({ actions }) => actions),
    findings: [
      ...findings,
      ...replacedFindings(kind.kind, new Map(containers.map(({ item, id }) => [item.key, id])), watched),
      ...renamedFindings(kind.kind, live.known ?? [], watched),
      ...decided.flatMap((container) => container.findings),
      ...(reports
        ? undeclaredFindings(kind.kind, undeclaredItems(desired.items, live.listed ?? [], kind.idOf), keep)
        : []),
      ...containers.flatMap(({ item, odd = [] }) =>
        odd.length === 0 ? [] : [oddFinding(kind.kind, item.key, odd, item)],
      ),
    ],
    losses: decided.flatMap(({ losses }) => losses),
    asked: decided.flatMap(({ asked }) => asked),
    gains: decided.flatMap(({ gains }) => gains),
    unreadable: null,
    population: {
      declared: managed.filter(({ state }) => state === 'present').length,
      live: decided.flatMap(({ live: counted }) => counted),
      filtered: false,
      unit: kind.unit,
      containers: kind.noun,
    },
    ...(reports && live.listed === undefined && { unlisted: true }),
    names,
  };
}

const nothing: DecidedContainer = { actions: [], findings: [], losses: [], asked: [], gains: [], live: [] };

function named({ name }: Container<unknown, unknown>, decided: DecidedContainer): DecidedContainer {
  if (name === undefined) return decided;
  return {
    ...decided,
    actions: decided.actions.map(({ id, kind, key, ...rest }) => ({ id, kind, key, name, ...rest })),
    findings: decided.findings.map((finding) => ({ ...finding, name })),
  };
}

/** One, or none if no declared field differs. */
function updatesOf<Desired, Part extends ContainerPart>(
  kind: string,
  own: OwnCorrections<Desired, Part>,
  container: Container<Desired, Part>,
): Action[] {
  const { item, id, fields } = container;
  const declared = own.fieldsOf(item);
  const changes = fields === undefined ? [] : diffFields(fields, declared);
  const [first] = changes;
  if (first === undefined) return [];
  // Another layer may declare the field.
  const [source, place] = [item.at(''), item.at(jsonPointer(first.field))];
  const update = draftAction({
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
  return [update];
}

/** Deletes a container. Each of its parts is a loss; one without parts is a loss itself. */
function decideAbsent<Desired, Part extends ContainerPart>(
  kind: string,
  own: OwnCorrections<Desired, Part>,
  container: Container<Desired, Part>,
): DecidedContainer {
  const { item, id, fields = {}, parts } = container;
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
    losses: lost.map((part) => ({ id: action.id, item: `${kind}/${item.key}${part}` })),
    live: [{ key: item.key, parts: lost.length }],
  };
}
