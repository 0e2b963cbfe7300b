import type { Session } from '../../src/engine/connected.ts';
import { type PlanParts, planFor } from '../../src/engine/make-plan.ts';
import type { Desired } from '../../src/model/desired.ts';
import type { Plan, Selection } from '../../src/model/plan.generated.ts';
import type { Reader } from '../../src/model/reader.ts';
import { everything } from '../../src/plan/selection.ts';
import { kinds } from './all-kinds.ts';
import { startFakeClock } from './fake-clock.ts';
import { snapshotOf } from './snapshot-of.ts';

interface PlanOf extends Omit<PlanParts, 'snapshot'> {
  readonly desired: Desired;
  readonly reader: Reader;
  readonly selection?: Selection;
  readonly baseUrl?: string;
}

/** The plan that one reader of a tenant shows, without a run around it. */
export function planOf({
  desired,
  selection = everything,
  baseUrl = someUrl,
  reader,
  ...parts
}: PlanOf): Promise<Plan> {
  const options = { kinds, clock: startFakeClock(Date.parse('2026-11-20T10:00:00Z')), toolVersion: '0.0.0' };
  const session = { options, loaded: { desired }, baseUrl };
  return planFor(session as unknown as Session, selection, { ...parts, snapshot: snapshotOf(reader) });
}

const someUrl = 'https://login.acme.example/api/v2';
