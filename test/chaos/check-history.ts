import { grantsFirst, noLostPermission } from './checks/access.ts';
import { freshKnowledge, onlyRealConflicts, readKnowledge, verifiedAtTheEnd } from './checks/freshness.ts';
import { bounded, gateCloses, noSecret } from './checks/limits.ts';
import { readAfterResponses, undisturbedIsDone } from './checks/proofs.ts';
import { eventsAreHandedOver, fallbacksAreMeant, usersKeepAccess } from './checks/replaced.ts';
import { honestReport } from './checks/report.ts';
import type { Check } from './checks/steps-and-items.ts';
import {
  intentsComeFirst,
  nothingBeforeTime,
  nothingLiveIsCreated,
  oneEffectEach,
  onlyMeantLosses,
  onlyPlannedWrites,
} from './checks/writes.ts';
import type { History, Violation } from './history.ts';

const checks: readonly Check[] = [
  onlyPlannedWrites,
  noLostPermission,
  onlyMeantLosses,
  oneEffectEach,
  honestReport,
  noSecret,
  bounded,
  nothingBeforeTime,
  grantsFirst,
  usersKeepAccess,
  fallbacksAreMeant,
  eventsAreHandedOver,
  intentsComeFirst,
  nothingLiveIsCreated,
  gateCloses,
  freshKnowledge,
  readKnowledge,
  onlyRealConflicts,
  verifiedAtTheEnd,
  readAfterResponses,
  undisturbedIsDone,
];

/** Every broken invariant of one run; docs/internals/chaos.md says what they are. */
export function checkHistory(history: History): Violation[] {
  return checks.flatMap((check) => check(history));
}
