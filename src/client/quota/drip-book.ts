import { dripLevel } from './drip-level.ts';
import { rateMeter } from './rate-meter.ts';
import type { ServerClock } from './server-clock.ts';
import type { Request, Seen, Tally } from './tally.ts';

/** What is left of a bucket into which one drips every so often, and how often. */
export interface DripBook {
  /** Tokens in a millisecond: as last measured over all that is remembered, or as they are thought to be until then. */
  rate(): number;
  level(now: number): number;
  /** From here on it is a bucket that holds so many and refills so fast. */
  begin(perMs: number, holds: number, now: number): void;
  /** Milliseconds until there is one more than `kept`; 0 when there is. */
  wait(now: number, kept: number): number;
  leave(now: number): void;
  granted(): void;
  see(request: Request, seen: Seen): void;
  /** `between`: the rate at which requests were let through since the last refusal; `fresh`: it was sent after that one. */
  refused(request: Request, at: number, about: { readonly between: number | null; readonly fresh: boolean }): void;
  /** What was measured before must not be compared with what comes. */
  forget(): void;
}

export interface DripTerms {
  readonly limit: number;
  readonly share: number;
  readonly tally: Readonly<Tally>;
  /** It is asked after so long whatever is thought of its rate, because an answer knows better. */
  readonly patienceMs: number;
}

const mostCushion = 3;
/** No bucket is thought to need longer than this to be full again. */
const slowestFillMs = 3_600_000;
/** Without sight the bucket is never known to be refilling faster, so the rate is raised by so much a second until it is refused. */
const blindGrowth = { guessed: 0.01, measured: 0.003 };
const blindCaution = 0.97;

/** The rate of a bucket whose reset is the moment at which it is full. */
export function rateByReset(limit: number, { remaining, resetAt: full, at }: Seen, clock: ServerClock): number {
  return full === null ? 0 : (limit - remaining) / Math.max(1, clock.surelyAfter(full) - at);
}

export function dripBook({ limit, share, tally, patienceMs }: DripTerms): DripBook {
  const leastCushion = limit >= 8 ? 1 : 0;
  const slowest = limit / slowestFillMs;
  const meter = rateMeter();
  let rate = 0;
  let held = false;
  let drippedTooFast = false;
  let cushion = leastCushion;
  let measured = false;
  let metered: number | null = null;

  const pace = (now: number) => {
    if (!tally.blind) return rate;
    const growth = measured ? blindGrowth.measured : blindGrowth.guessed;
    return rate * share * (blindCaution + (growth * Math.max(0, now - (tally.lastRefused?.sentAt ?? now))) / 1000);
  };
  const level = dripLevel(limit, pace);

  return {
    rate: () => metered ?? rate,
    level: level.at,
    begin(perMs, holds, now) {
      rate = Math.max(perMs, slowest);
      metered = null;
      level.set(holds, now);
      meter.restart();
    },
    wait(now, kept) {
      // A small bucket never holds as much as caution would like.
      const missing = Math.min(limit, 1 + (tally.blind ? 0 : cushion) + kept) - level.at(now);
      if (missing <= 1e-6) return 0;
      held = true;
      return Math.min(missing / pace(now), patienceMs);
    },
    leave: level.leave,
    granted() {
      cushion = Math.max(leastCushion, cushion * 0.99);
    },
    see(request, seen) {
      if (seen.remaining >= limit - 1) {
        // Full, although somebody had to wait: it refills faster than was thought.
        if (held) rate *= drippedTooFast ? 1.05 : 1.5;
        meter.restart();
      }
      held = false;
      const reading = meter.read({
        at: request.sentAt,
        remaining: seen.remaining,
        taken: request.ordinal - tally.refused,
      });
      if (reading !== null) {
        metered = Math.max(slowest, reading.rate);
        rate = Math.max(slowest, rate + (reading.rate - rate) * Math.min(1, reading.spanMs / 8000));
      }
      level.see({
        sentAt: request.sentAt,
        at: seen.at,
        remaining: seen.remaining,
        sentAfter: tally.sent - request.ordinal,
      });
    },
    refused(request, at, { between, fresh }) {
      if (tally.blind && between !== null) rate = between / share;
      else if (fresh) rate *= 0.92;
      measured ||= tally.blind && between !== null;
      if (tally.blind) metered = null;
      drippedTooFast = true;
      cushion = Math.min(mostCushion, limit / 4, cushion + 1);
      level.set(Math.min(0, pace(at) * (at - request.sentAt) - (tally.sent - request.ordinal)), at);
      meter.restart();
    },
    forget: meter.restart,
  };
}
