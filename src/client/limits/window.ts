import type { Counts, Features, NumberedRequest, Observation } from './limit.ts';
import type { ServerClock } from './server-clock.ts';

/** What is left of a limit that refills completely at its reset; also used while the kind of a limit is unknown. */
export interface Window {
  /** At least so many requests are granted; never more than there are. */
  level(): number;
  /** The service's time of the next opening; null when it is unknown. */
  resetAt(): number | null;
  /** False from the opening of a window until a response from it: that it has opened is a guess. */
  confirmed(): boolean;
  /** Enters the next window once its time has come. */
  advance(now: number): void;
  /** Milliseconds until the next request, infinite if it depends on a response. */
  wait(
    now: number,
    state: { readonly mayBeBucket: boolean; readonly sentAt: number; readonly last: Observation | null },
  ): number;
  /** The next request is sent although nothing is left: it is the early probe. */
  markProbe(): void;
  isProbe(request: NumberedRequest): boolean;
  /** Whether the reset was certainly still ahead at a time; `date` is the service's. */
  isBeforeReset(at: number, date: number | null): boolean;
  granted(request: NumberedRequest): void;
  observe(request: NumberedRequest, observation: Observation): void;
  /** A refusal: nothing is left until the reset. `last`: the observation before it. */
  refused(observation: Observation, last: Observation | null): void;
}

export interface WindowOptions {
  readonly limit: number;
  /** What is left free for other clients. */
  readonly reserve: number;
  readonly clock: ServerClock;
  readonly counts: Readonly<Counts>;
  readonly features: Features;
  /** After so long without a request, one may be taken from the reserve. */
  readonly starvationMs: number;
}

/** A window is entered this long after its reset: a request exactly at the reset may still fall into the old window. */
export const openingMarginMs = 20;

export function openWindow({ limit, reserve, clock, counts, features, starvationMs }: WindowOptions): Window {
  /** The lowest `remaining` of a response in this window. */
  let lowest = Number.POSITIVE_INFINITY;
  let resetAt: number | null = null;
  let lengthMs: number | null = null;
  let openedAt = Number.NEGATIVE_INFINITY;
  let sentBeforeOpening = 0;
  let confirmed = true;
  let probed = false;
  let probe = -1;
  const trial = Math.max(2, (limit - reserve) / 2);

  /** Responses arrive out of order, so `lowest` may or may not count what is in flight: the level is a lower bound. */
  const level = () => Math.min(lowest - counts.inFlight, limit - (counts.sent - sentBeforeOpening));

  const opensAt = (reset: number) => clock.likelyAt(reset) + (features.openingMargin ? openingMarginMs : 0);

  return {
    level,
    resetAt: () => resetAt,
    confirmed: () => confirmed,
    advance(now) {
      if (resetAt === null) return;
      const opens = opensAt(resetAt);
      if (now < opens) return;
      const passed = lengthMs === null ? 0 : Math.floor((now - opens) / lengthMs);
      openedAt = lengthMs === null ? opens : opens + passed * lengthMs;
      resetAt = lengthMs === null ? null : resetAt + (passed + 1) * lengthMs;
      lowest = Number.POSITIVE_INFINITY;
      sentBeforeOpening = counts.sent;
      confirmed = false;
      probed = false;
    },
    wait(now, { mayBeBucket, sentAt, last }) {
      if (level() - reserve >= 1)
        return features.openingTrial && !confirmed && counts.inFlight >= trial ? Number.POSITIVE_INFINITY : 0;
      if (resetAt === null) return counts.inFlight === 0 ? 0 : Number.POSITIVE_INFINITY;
      if (features.starvation && level() >= 1 && now - sentAt >= starvationMs) return 0;
      const opens = opensAt(resetAt);
      if (!features.earlyProbe || !mayBeBucket || probed || counts.inFlight > 0 || last === null) return opens - now;
      const distance = opens - last.at;
      return Math.max(0, Math.min(opens, last.at + Math.min((2.5 * distance) / limit, 0.7 * distance)) - now);
    },
    markProbe() {
      if (level() - reserve >= 1) return;
      probed = true;
      probe = counts.sent + 1;
    },
    isProbe: ({ ordinal }) => ordinal === probe,
    isBeforeReset: (at, date) =>
      resetAt !== null && ((date !== null && date + 1000 <= resetAt) || at < clock.surelyBefore(resetAt)),
    granted({ sentAt }) {
      if (sentAt >= openedAt) confirmed = true;
    },
    observe(request, { remaining, resetAt: shown }) {
      const isNext = shown !== null && resetAt !== null && shown > resetAt;
      if (shown !== null && resetAt !== null && shown < resetAt && request.sentAt < openedAt) return;
      lowest = shown === null || resetAt === null || isNext ? remaining : Math.min(lowest, remaining);
      if (shown === null || isNext) sentBeforeOpening = counts.sent - counts.inFlight;
      resetAt = shown;
      if (isNext) probed = false;
      if (isNext || request.sentAt >= openedAt) confirmed = true;
    },
    refused({ resetAt: shown }, last) {
      if (features.windowLength && last?.resetAt && shown !== null && shown > last.resetAt)
        lengthMs = Math.min(lengthMs ?? Number.POSITIVE_INFINITY, shown - last.resetAt);
      resetAt = shown;
      lowest = 0;
    },
  };
}
