import type { Features, Limit } from './limit.ts';
import type { ServerClock } from './server-clock.ts';
import { openingMarginMs } from './window.ts';

/**
 * The limit behind refusals that do not name one. Each refusal halves how many requests may be in flight and closes the
 * limit for a while, longer and longer; then one request is sent alone, and as many granted requests as may be in
 * flight raise that number by one.
 */
export function unnamedLimit(mostInFlight: number, clock: ServerClock, features: Features): Limit {
  const backoff = refusalBackoff(features);
  let bound = mostInFlight;
  let inFlight = 0;
  let grantedInARow = 0;
  let sent = 0;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let halfOpen = false;
  let refusedUntil: number | null = null;

  const grant = () => {
    halfOpen = false;
    refusedUntil = null;
    backoff.end();
    grantedInARow += 1;
    if (grantedInARow < bound || bound >= mostInFlight) return;
    bound += 1;
    grantedInARow = 0;
  };
  return {
    wait(now) {
      if (inFlight >= (halfOpen ? 1 : bound)) return Number.POSITIVE_INFINITY;
      return Math.max(0, closedUntil - now);
    },
    send() {
      inFlight += 1;
      sent += 1;
      return sent;
    },
    reserve() {
      inFlight += 1;
    },
    sendReserved() {
      sent += 1;
      return sent;
    },
    cancelReserved() {
      inFlight -= 1;
    },
    returned(_request, _at, _date, granted) {
      inFlight -= 1;
      if (granted) grant();
    },
    refused({ sentAt }, { at, resetAt }, random) {
      inFlight -= 1;
      grantedInARow = 0;
      if (features.halving) bound = Math.max(1, Math.floor(bound / 2));
      halfOpen = features.singleProbe;
      refusedUntil = resetAt;
      const earliest = at + backoff.add({ at, sentAt, hasReset: resetAt !== null, random });
      closedUntil = resetAt === null ? earliest : Math.max(earliest, clock.surelyAfter(resetAt) + openingMarginMs);
    },
    refusedUntil: () => refusedUntil,
    refusedSince: backoff.since,
  };
}

/**
 * Refusals in a row, and how long to wait because of them alone. The service's reset is believed for the first two;
 * from the third on it was wrong twice, so the wait grows regardless of it:
 *
 *   without a reset    1  2  4  8  16  30  30 …   seconds, each with a quarter of jitter
 *   with a reset       0.1  0.1  2  4  8  16  30 …   seconds at least
 */
export interface RefusalBackoff {
  /**
   * `at`: when it arrived; `sentAt`: a request sent before the last refusal arrived belongs to that one. Returns
   * milliseconds.
   */
  add(refusal: {
    readonly at: number;
    readonly sentAt: number;
    readonly hasReset: boolean;
    readonly random: number;
  }): number;
  /** A request was granted. */
  end(): void;
  /** When the row began; null without one. */
  since(): number | null;
}

const shortestMs = 100;
const firstMs = 1000;
const longestMs = 30_000;

export function refusalBackoff(features: Pick<Features, 'backoff' | 'distrustReset'>): RefusalBackoff {
  let row = 0;
  let since: number | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    add({ at, sentAt, hasReset, random }) {
      if (sentAt >= lastAt) row += 1;
      lastAt = at;
      since ??= at;
      if (hasReset && (row < 3 || !features.distrustReset)) return shortestMs;
      const steps = features.backoff ? Math.min(hasReset ? row - 2 : row - 1, 10) : 0;
      return Math.min(longestMs, firstMs * 2 ** steps) * (1 - random / 4);
    },
    end() {
      row = 0;
      since = null;
    },
    since: () => since,
  };
}
