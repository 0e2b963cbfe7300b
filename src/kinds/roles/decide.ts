import { unreadableDecision } from '../../differ/unreadable-decision.ts';
import type { DecideInput, Decision } from '../../model/kind.ts';
import type { DeclaredRole } from '../../resources/roles/types.generated.ts';
import { decideBlind } from './decide-blind.ts';
import { decideHeld } from './decide-held.ts';
import type { LiveRole } from './live-role.ts';

/** Where no operation reads what roles hold, some of it can still be asked for; where reading failed, nothing is. */
export function decide({ desired, live, keep }: DecideInput<DeclaredRole, LiveRole>): Decision {
  if (live.readable) return decideHeld(desired, live.items, keep);
  return live.structural ? decideBlind(desired, live, keep) : unreadableDecision('roles', desired, live);
}
