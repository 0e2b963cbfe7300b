import type { Ledger } from './ledger.ts';
import { refusals } from './refusals.ts';
import type { ServerClock } from './server-clock.ts';

const marginMs = 20;

/**
 * For refusals that do not say which limit it was: all it can know is that it was too much. Each halves how many may be under way
 * at once and keeps everybody away for a while, longer and longer; then one goes alone, and as many answers without a refusal as may
 * be under way raise the bound by one again.
 */
export function bareLedger(most: number, clock: ServerClock): Omit<Ledger, 'limit'> {
  const refusal = refusals();
  let bound = most;
  let inFlight = 0;
  let inARow = 0;
  let sent = 0;
  let closedAt = Number.NEGATIVE_INFINITY;
  let halfOpen = false;
  let word: number | null = null;

  const granted = () => {
    halfOpen = false;
    word = null;
    refusal.end();
    inARow += 1;
    if (inARow < bound || bound >= most) return;
    bound += 1;
    inARow = 0;
  };
  return {
    wait(now) {
      if (inFlight >= (halfOpen ? 1 : bound)) return Number.POSITIVE_INFINITY;
      return Math.max(0, closedAt - now);
    },
    leave() {
      inFlight += 1;
      sent += 1;
      return sent;
    },
    back(_request, _at, _date, through) {
      inFlight -= 1;
      if (through) granted();
    },
    granted() {
      inFlight -= 1;
      granted();
    },
    refused({ sentAt }, { at, resetAt }, random) {
      inFlight -= 1;
      inARow = 0;
      bound = Math.max(1, Math.floor(bound / 2));
      halfOpen = true;
      word = resetAt;
      const kept = at + refusal.add({ at, sentAt, word: resetAt !== null, random });
      closedAt = resetAt === null ? kept : Math.max(kept, clock.surelyAfter(resetAt) + marginMs);
    },
    refusedUntil: () => word,
    refusedSince: refusal.since,
    describe: () => ({ mode: 'unknown', perSecond: null }),
  };
}
