import type { Limit } from './limit.ts';
import { openRefusals } from './refusals.ts';
import type { ServerClock } from './server-clock.ts';
import { openingMarginMs } from './window.ts';

/** So many times as many granted requests as may be in flight raise that number by one. */
const patience = 8;

/**
 * The limit behind refusals that do not name one. Each refusal halves how many requests may be in flight and closes the
 * limit for a while, longer and longer; granted requests undo both, slowly, because nothing else shows how fast the
 * service refills: about one request in ten is refused.
 */
export function unnamedLimit(mostInFlight: number, clock: ServerClock): Limit {
  const refusals = openRefusals();
  let bound = mostInFlight;
  let inFlight = 0;
  let grantedInARow = 0;
  let sent = 0;
  let refusedUntil: number | null = null;

  const grant = () => {
    refusedUntil = null;
    refusals.grant(0.1);
    grantedInARow += 1;
    if (grantedInARow < bound * patience || bound >= mostInFlight) return;
    bound += 1;
    grantedInARow = 0;
  };
  return {
    wait: (now) => (inFlight >= bound ? Number.POSITIVE_INFINITY : refusals.wait(now, inFlight)),
    take() {},
    send() {
      inFlight += 1;
      sent += 1;
      return sent;
    },
    giveBack() {},
    returned(_request, _at, _date, granted) {
      inFlight -= 1;
      if (granted) grant();
    },
    refused({ sentAt }, { at, resetAt }, random) {
      inFlight -= 1;
      grantedInARow = 0;
      bound = Math.max(1, Math.floor(bound / 2));
      refusedUntil = resetAt;
      const notBefore = resetAt === null ? at : clock.surelyAfter(resetAt) + openingMarginMs;
      refusals.add({ at, sentAt, hasReset: resetAt !== null, notBefore, random });
    },
    refusedUntil: () => refusedUntil,
    refusedSince: refusals.since,
  };
}
