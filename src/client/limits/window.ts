import type { Counts, NumberedRequest, Observation } from './limit.ts';
import type { ServerClock } from './server-clock.ts';

/** A window is entered this long after its reset: a request exactly at the reset may still fall into the old window. */
export const openingMarginMs = 20;

/** The part of a window that comes back when it opens; other clients may have taken the rest by then. */
const filled = 0.75;

/** A Date header is exact to a second, so later ones may correct the time of a reset by as much. */
const fullSecondMs = 1000;

/**
 * What is left of a limit that refills completely at its reset; also used while the kind of a limit is unknown.
 * `reserve` is left free for other clients.
 */
export function openWindow(limit: number, reserve: number, clock: ServerClock, counts: Readonly<Counts>) {
  /** The lowest `remaining` of a response in this window. */
  let lowest = Number.POSITIVE_INFINITY;
  /**
   * Whether a window was full when it opened. A bucket whose reset is its next token is not: until a response shows which it is,
   * there is no more than the window before had left.
   */
  let isKnownToFill = false;
  let leftBefore = Number.POSITIVE_INFINITY;
  let inFlightBefore = 0;
  let resetAt: number | null = null;
  /** The reset after which this window opened. */
  let openedAt = Number.NEGATIVE_INFINITY;
  let lengthMs: number | null = null;
  let sentBeforeOpening = 0;
  let probed = false;
  let probe = -1;

  /**
   * Responses arrive out of order, so `lowest` may or may not count what is in flight: the level is a lower bound. What is
   * reserved does not count until a response of the window is there: it may wait for a read.
   */
  const isSomethingLeft = () => {
    const left = Number.isFinite(lowest) ? lowest : leftBefore;
    return Math.min(left - counts.inFlight - counts.reserved, limit - (counts.sent - sentBeforeOpening)) - reserve >= 1;
  };

  /** When the reset is, by the clock that announced it: a proxy with another one may answer in between. */
  let expectedAt = 0;
  const opensAt = (reset: number) =>
    Math.min(Math.max(clock.likelyAt(reset), expectedAt - fullSecondMs), expectedAt + fullSecondMs) + openingMarginMs;
  const announce = (reset: number | null) => {
    resetAt = reset;
    expectedAt = reset === null ? 0 : clock.likelyAt(reset);
  };

  return {
    /** The service's time of the next opening; null when it is unknown. */
    resetAt: () => resetAt,
    /** Enters the next window once its time has come. */
    advance(now: number): void {
      if (resetAt === null || now < opensAt(resetAt)) return;
      const passed = lengthMs === null ? 0 : Math.floor((now - opensAt(resetAt)) / lengthMs);
      openedAt = resetAt + passed * (lengthMs ?? 0);
      if (lengthMs !== null) expectedAt += openedAt + lengthMs - resetAt;
      resetAt = lengthMs === null ? null : openedAt + lengthMs;
      if (isKnownToFill || counts.blind) leftBefore = Number.POSITIVE_INFINITY;
      else if (Number.isFinite(lowest)) leftBefore = lowest;
      inFlightBefore = counts.inFlight;
      lowest = Number.POSITIVE_INFINITY;
      sentBeforeOpening = counts.sent;
      probed = false;
    },
    /** Milliseconds until the next request, infinite if it depends on a response. `last`: the last observation. */
    wait(now: number, mayBeBucket: boolean, last: Observation | null): number {
      if (isSomethingLeft()) return 0;
      // A window that has opened is entered by one request, whatever the one before it had left.
      const isNew = !Number.isFinite(lowest) && counts.sent === sentBeforeOpening;
      if (resetAt === null || isNew) return counts.inFlight === 0 ? 0 : Number.POSITIVE_INFINITY;
      const opens = opensAt(resetAt);
      if (!mayBeBucket || probed || counts.inFlight > 0 || last === null) return opens - now;
      const distance = opens - last.at;
      return Math.max(0, Math.min(opens, last.at + Math.min((2.5 * distance) / limit, 0.7 * distance)) - now);
    },
    /** If nothing is left, the next request is the early probe. */
    markProbe(): void {
      if (isSomethingLeft()) return;
      probed = true;
      probe = counts.sent + 1;
    },
    isProbe: ({ ordinal }: NumberedRequest) => ordinal === probe,
    /** Whether a response shows that the limit is no window: much of what was used did not come back when it opened. */
    isNone({ remaining, resetAt: shown }: Observation): boolean {
      if (!Number.isFinite(leftBefore) || shown === null || shown <= openedAt) return false;
      // At most so many requests have counted since.
      const most = remaining + counts.sent - sentBeforeOpening + inFlightBefore;
      return most - leftBefore < filled * (limit - leftBefore);
    },
    /** Whether the reset was certainly still ahead at a time; `date` is the service's. */
    isBeforeReset: (at: number, date: number | null) =>
      resetAt !== null && ((date !== null && date + 1000 <= resetAt) || at < clock.surelyBefore(resetAt)),
    observe({ remaining, resetAt: shown }: Observation): void {
      // An earlier window, or a repeated response from it.
      if (shown !== null && shown <= openedAt) return;
      isKnownToFill ||= Number.isFinite(leftBefore) && remaining + 1 - leftBefore >= filled * (limit - leftBefore);
      const isNext = shown !== null && resetAt !== null && shown > resetAt;
      lowest = shown === null || resetAt === null || isNext ? remaining : Math.min(lowest, remaining);
      if (shown === null || isNext) sentBeforeOpening = counts.sent - counts.inFlight;
      announce(shown);
      if (isNext) probed = false;
    },
    /** A refusal: nothing is left until the reset. `last`: the observation before it. */
    refused({ resetAt: shown }: Observation, last: Observation | null): void {
      if (last?.resetAt && shown !== null && shown > last.resetAt)
        lengthMs = Math.min(lengthMs ?? Number.POSITIVE_INFINITY, shown - last.resetAt);
      announce(shown);
      lowest = 0;
    },
  };
}
