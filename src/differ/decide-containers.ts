import type { DecideInput, Decision } from '../model/kind.ts';
import type { ContainerPart, ContainersOnly } from './container-kind.ts';
import { openParts } from './decide-parts.ts';
import { replacedFindings } from './left-items.ts';
import { oddFinding } from './odd-fields.ts';
import { undeclaredFinding } from './undeclared.ts';
import { unreadableDecision } from './unreadable-decision.ts';

/** The decision for a kind of containers: see ContainersOnly. */
export function decideContainers<Desired, Live, Part extends ContainerPart>(
  kind: ContainersOnly<Desired, Live, Part>,
  { desired, live, keep, watched = [] }: DecideInput<Desired, Live>,
): Decision {
  const { decideParts, decideUnread, declaredParts } = openParts(kind, keep);
  // Of the others nothing is declared: no parts, and not that they must not exist.
  const managed = desired.items.filter((item) => item.state === 'absent' || declaredParts(item) !== null);
  const names = keep.patterns.length === 0 ? null : kind.namesOf(desired.items, live);
  if (!live.readable) {
    // Nothing failed where no operation reads the kind; after a reading that failed, nothing is sent.
    const unread = live.structural ? { ...decideUnread(managed), names } : undefined;
    return unreadableDecision(kind.kind, desired, live, unread);
  }
  const reports = keep.undeclared === 'report';
  const { containers, findings } = kind.match(managed, live.items);
  const decided = containers.map((container) => decideParts(container));
  return {
    kind: kind.kind,
    actions: decided.flatMap(({ actions }) => actions),
    findings: [
      ...findings,
      ...replacedFindings(kind.kind, new Map(containers.map(({ item, id }) => [item.key, id])), watched),
      ...decided.flatMap((container) => container.findings),
      ...(reports ? (live.undeclared ?? []).map((key) => undeclaredFinding(kind.kind, key, keep)) : []),
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
    ...(reports && live.undeclared === undefined && { unlisted: true }),
    names,
  };
}
