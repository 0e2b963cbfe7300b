import type { Sighting } from './drip-evidence.ts';
import type { ServerClock } from './server-clock.ts';
import type { Request, Seen, Tally } from './tally.ts';

/** What is left of a limit that fills up at once when its reset is reached; also how a limit is read of which nobody knows yet what it is. */
export interface WindowBook {
  /** At least so many requests are let through, never more than there are. */
  level(): number;
  /** The moment of the service at which it opens next; null when nobody knows. */
  resetAt(): number | null;
  /** False from the opening of a window until an answer comes from it: that it has opened is a guess. */
  confirmed(): boolean;
  /** Enters the next window once its time has come. */
  roll(now: number): void;
  /** Milliseconds until the next request, infinite when only an answer can tell. `unknown`: it may be a bucket, so one early probe is due. */
  wait(
    now: number,
    state: { readonly unknown: boolean; readonly leftAt: number; readonly last: Sighting | null },
  ): number;
  /** A request goes that there is no room for: it is the probe. */
  probe(): void;
  isProbe(request: Request): boolean;
  /** Whether the reset had surely not come at a moment; `date` is the service's. */
  isBeforeReset(at: number, date: number | null): boolean;
  granted(request: Request): void;
  see(request: Request, seen: Seen): void;
  /** A refusal: nothing is left until the reset. `last`: the sighting before it. */
  refused(seen: Seen, last: Sighting | null): void;
  /** Counts as empty until a reset, whatever was known. */
  close(resetAt: number | null): void;
  /** Whether a window that is surely open refuses before half of it is used: no window does. */
  isBroken(request: Request): boolean;
}

export interface WindowTerms {
  readonly limit: number;
  /** What is kept for others. */
  readonly reserve: number;
  readonly clock: ServerClock;
  readonly tally: Readonly<Tally>;
  /** Nothing but a moment so long ago lets one request take from the reserve. */
  readonly patienceMs: number;
}

/** A window is entered this long after its reset: what is exactly on the border may fall on its other side. */
const marginMs = 20;
/** With more doubt about the service's clock than this, one request goes first. */
const muchDoubtMs = 200;

export function windowBook({ limit, reserve, clock, tally, patienceMs }: WindowTerms): WindowBook {
  /** The fewest that an answer left in this window. */
  let lowest = Number.POSITIVE_INFINITY;
  let allowed = limit;
  let resetAt: number | null = null;
  let period: number | null = null;
  let openedAt = Number.NEGATIVE_INFINITY;
  let sentBeforeOpening = 0;
  let confirmed = true;
  let trial = 1;
  let probed = false;
  let probe = -1;

  /** Answers come out of order, so what is under way may be in the number already: never more than this, sometimes fewer. */
  const level = () => Math.min(lowest - tally.inFlight, allowed - (tally.sent - sentBeforeOpening));
  const opensAt = (moment: number) => clock.likelyAt(moment).at + marginMs;

  return {
    level,
    resetAt: () => resetAt,
    confirmed: () => confirmed,
    roll(now) {
      if (resetAt === null) return;
      const opens = opensAt(resetAt);
      if (now < opens) return;
      const passed = period === null ? 0 : Math.floor((now - opens) / period);
      openedAt = period === null ? opens : opens + passed * period;
      resetAt = period === null ? null : resetAt + (passed + 1) * period;
      lowest = Number.POSITIVE_INFINITY;
      allowed = limit - tally.inFlight;
      sentBeforeOpening = tally.sent;
      confirmed = false;
      probed = false;
      // Whether it has opened is a guess: one goes first while it may be too early by much, else so many that others keep some.
      trial = clock.likelyAt(0).doubtMs > muchDoubtMs ? 1 : Math.max(2, (limit - reserve) / 2);
    },
    wait(now, { unknown, leftAt, last }) {
      if (level() - reserve >= 1) return !confirmed && tally.inFlight >= trial ? Number.POSITIVE_INFINITY : 0;
      if (resetAt === null) return tally.inFlight === 0 ? 0 : Number.POSITIVE_INFINITY;
      if (level() >= 1 && now - leftAt >= patienceMs) return 0;
      const opens = opensAt(resetAt);
      if (!unknown || probed || tally.inFlight > 0 || last === null) return opens - now;
      const distance = opens - last.at;
      return Math.max(0, Math.min(opens, last.at + Math.min((2.5 * distance) / limit, 0.7 * distance)) - now);
    },
    probe() {
      if (level() - reserve >= 1) return;
      probed = true;
      probe = tally.sent + 1;
    },
    isProbe: ({ ordinal }) => ordinal === probe,
    isBeforeReset: (at, date) =>
      resetAt !== null && ((date !== null && date + 1000 <= resetAt) || at < clock.surelyBefore(resetAt)),
    granted({ sentAt }) {
      if (sentAt >= openedAt) confirmed = true;
    },
    see(request, seen) {
      const next = seen.resetAt !== null && resetAt !== null && seen.resetAt > resetAt;
      if (seen.resetAt !== null && resetAt !== null && seen.resetAt < resetAt && request.sentAt < openedAt) return;
      lowest = seen.resetAt === null || resetAt === null || next ? seen.remaining : Math.min(lowest, seen.remaining);
      if (seen.resetAt === null || next) {
        allowed = limit;
        sentBeforeOpening = tally.sent - tally.inFlight;
      }
      resetAt = seen.resetAt;
      if (next) probed = false;
      if (next || request.sentAt >= openedAt) confirmed = true;
    },
    refused(seen, last) {
      if (last?.resetAt && seen.resetAt !== null && seen.resetAt > last.resetAt)
        period = Math.min(period ?? Number.POSITIVE_INFINITY, seen.resetAt - last.resetAt);
      resetAt = seen.resetAt;
      lowest = 0;
    },
    close(moment) {
      resetAt = moment;
      lowest = 0;
    },
    isBroken: ({ ordinal }) => openedAt > 0 && confirmed && ordinal - sentBeforeOpening < limit / 2,
  };
}
