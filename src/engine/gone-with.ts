import type { Desired } from '../model/desired.ts';
import type { AnyKind, Decision, DesiredSection, KindName } from '../model/kind.ts';
import type { ApiLevel, Operation } from '../model/operation.ts';
import type { LiveState } from '../model/reader.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { deletedIds, type LiveReferrers, withGone } from '../plan/gone-with.ts';
import { keepRules, noReadOperation, readingOf } from './kind-rules.ts';
import type { NameReadings } from './read-names.ts';

/** A kind with its decision, and the live state that it is for. */
export interface DecidedKind {
  readonly kind: AnyKind;
  readonly decision: Decision;
  readonly live: LiveState<unknown>;
}

interface GoneInput {
  readonly kinds: readonly AnyKind[];
  readonly desired: Desired;
  readonly api: ApiLevel;
  readonly snapshot: Snapshot;
  readonly names: NameReadings;
}

/**
 * The decisions with what the service does to items when those that they name are deleted. Such items are read for that, also
 * where the files have no section for them. `reads`: the operations that this took.
 */
export async function withGoneItems(
  decided: readonly DecidedKind[],
  { kinds, desired, api, snapshot, names }: GoneInput,
): Promise<{ readonly decisions: readonly Decision[]; readonly reads: readonly Operation[] }> {
  const deleting = new Set(decided.filter(deletes).map(({ kind }) => kind.name));
  const affected = kinds.filter(({ references }) => references?.goneWith?.some((name) => deleting.has(name)));
  if (affected.length === 0) return { decisions: decided.map(({ decision }) => decision), reads: [] };
  const readAll = async (kind: AnyKind): Promise<LiveState<unknown>> => {
    const reading = readingOf(kind, api);
    if (reading === null) return noReadOperation(kind, api);
    const keep = keepRules(kind, desired.tenant);
    const ask = { desired: nothing, only: null, keep, isSelected: () => false };
    const { names: known, unread } = await names.forKind(kind, []);
    return unread ?? names.settled(kind, () => reading.read(snapshot, { ...ask, names: known }));
  };
  const referrers = await Promise.all(
    affected.map(async (kind): Promise<LiveReferrers> => {
      const own = decided.find((one) => one.kind === kind);
      const isWhole = own?.live.readable === true && !own.live.filtered;
      const live = isWhole ? own.live : await readAll(kind);
      const { names: known } = await names.forKind(kind, []);
      const deleted = new Set(own === undefined ? [] : deletedIds(own.decision, kind.operations).values());
      // A tenant that does not have the kind has no items of it.
      const isNone = !live.readable && live.code === 'LIVE_NOT_ON_TENANT';
      return { kind, live: isNone ? none : live, keep: keepRules(kind, desired.tenant), names: known, deleted };
    }),
  );
  const affectedBy = (name: KindName) =>
    referrers.filter(({ kind }) => kind.references?.goneWith?.includes(name) === true);
  return {
    decisions: decided.map(({ kind, decision }) =>
      deleting.has(kind.name) ? withGone(decision, kind, affectedBy(kind.name)) : decision,
    ),
    reads: affected.flatMap((kind) => [...(kind.reading?.operations ?? []), ...names.operationsFor(kind, [])]),
  };
}

function deletes({ decision }: DecidedKind): boolean {
  return decision.actions.some(({ action }) => action === 'delete');
}

const nothing: DesiredSection = { items: [], source: { file: '', line: 1, column: 1 } };
const none: LiveState<unknown> = { readable: true, filtered: false, items: [] };
