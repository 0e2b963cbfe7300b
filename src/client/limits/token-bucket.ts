import type { Counts, NumberedRequest, Observation } from './limit.ts';
import type { ServerClock } from './server-clock.ts';

const mostCushion = 3;
/** A bucket is never estimated to take longer than this to refill. */
const slowestFillMs = 3_600_000;
/**
 * Without headers, nothing shows that a bucket refills faster, so the rate grows by this part per second until a
 * refusal.
 */
const blindGrowth = { guessed: 0.01, measured: 0.003 };
const blindCaution = 0.97;

/** The rate of a bucket whose reset is the time at which it is full. */
export function rateByReset(limit: number, { remaining, resetAt: full, at }: Observation, clock: ServerClock): number {
  return full === null ? 0 : (limit - remaining) / Math.max(1, clock.surelyAfter(full) - at);
}

/** What is left of a limit that refills token by token, and how fast it refills. `share` of it may be used. */
export function openTokenBucket(limit: number, share: number, counts: Readonly<Counts>) {
  const leastCushion = limit >= 8 ? 1 : 0;
  const slowest = limit / slowestFillMs;
  const meter = rateMeter();
  let rate = 0;
  /** The rate is concluded from headers, in full seconds: it can be a tenth of the real one. */
  let isGuess = true;
  let requestsWaited = false;
  let wasRefused = false;
  /** Tokens that are kept after refusals. */
  let cushion = leastCushion;
  let isMeasuredBlind = false;

  const currentRate = (now: number) => {
    if (!counts.blind) return rate;
    const growth = isMeasuredBlind ? blindGrowth.measured : blindGrowth.guessed;
    const elapsedMs = Math.max(0, now - (counts.lastRefused?.sentAt ?? now));
    return rate * share * (blindCaution + (growth * elapsedMs) / 1000);
  };
  const level = bucketLevel(limit, currentRate);

  return {
    /** From now on the limit is a bucket with this level and this rate. */
    begin(perMs: number, initial: number, now: number): void {
      rate = Math.max(perMs, slowest);
      isGuess = true;
      level.set(initial, now);
    },
    /** Milliseconds until there is one token more than `reserve`; 0 when there is. */
    wait(now: number, reserve: number): number {
      const kept = reserve + (counts.blind ? 0 : cushion);
      // The capacity of a small bucket may be below the cushion.
      const missing = Math.min(limit, 1 + kept) - level.at(now);
      if (missing <= 1e-6) return 0;
      requestsWaited = true;
      return missing / currentRate(now);
    },
    take: level.take,
    observe({ sentAt, ordinal }: NumberedRequest, { at, remaining }: Observation): void {
      cushion = Math.max(leastCushion, cushion * 0.99);
      if (remaining >= limit - 1) {
        // Full, although requests waited: it refills faster than estimated.
        if (requestsWaited) rate *= wasRefused ? 1.05 : 1.5;
        meter.restart();
      }
      requestsWaited = false;
      const measured = meter.measure({ at: sentAt, remaining, granted: ordinal - counts.refused });
      if (measured !== null) {
        const weight = isGuess ? 1 : Math.min(1, measured.spanMs / 8000);
        rate = Math.max(slowest, rate + (measured.rate - rate) * weight);
        isGuess = false;
      }
      level.observe({ sentAt, at, remaining, sentAfter: counts.sent - ordinal });
      // A wait at a guessed rate can take seconds, so it begins with what is certain.
      if (isGuess && counts.inFlight === 0) level.settle();
    },
    /**
     * `grantedRate`: the rate at which requests were granted since the last refusal; `isFirst`: it was sent after that
     * refusal.
     */
    refused(request: NumberedRequest, at: number, grantedRate: number | null, isFirst: boolean): void {
      if (counts.blind && grantedRate !== null) {
        rate = grantedRate / share;
        isMeasuredBlind = true;
      } else if (isFirst) rate *= 0.92;
      wasRefused = true;
      cushion = Math.min(mostCushion, limit / 4, cushion + 1);
      level.set(Math.min(0, currentRate(at) * (at - request.sentAt) - (counts.sent - request.ordinal)), at);
      meter.restart();
    },
    /** Earlier measurements must not be compared with later ones. */
    restartMeasuring: meter.restart,
  };
}

/**
 * The level of a bucket by the responses of the last half second. If all requests take equally long to arrive, a
 * response shows how many tokens remain for a request that is sent now:
 *
 *   5 left for a request sent 400 ms ago, 3 sent after it, 2 tokens a second come back   ->   5 + 0.8 - 3 = 2.8
 *
 * Requests do not take equally long, so the lowest estimate counts. Between responses the level is calculated.
 */
function bucketLevel(size: number, rate: (now: number) => number) {
  const horizonMs = 500;
  let level = size;
  let levelAt = 0;
  let recent: { readonly at: number; readonly estimate: number; readonly remaining: number }[] = [];
  const lowest = () => Math.min(...recent.map(({ estimate }) => estimate));

  const at = (now: number) => Math.min(size, level + rate(now) * (now - levelAt));
  /** What happens to the bucket happens to every estimate of it. */
  const change = (now: number, taken: number) => {
    const refilled = rate(now) * (now - levelAt);
    recent = recent.map((one) => ({ ...one, estimate: Math.min(size, one.estimate + refilled) - taken }));
    level = at(now) - taken;
    levelAt = now;
  };
  return {
    at,
    take: (now: number) => change(now, 1),
    /** `sentAfter`: requests sent later than the one of the response. */
    observe(response: Pick<Observation, 'at' | 'remaining'> & { readonly sentAt: number; readonly sentAfter: number }) {
      const { at: now, remaining, sentAt, sentAfter } = response;
      change(now, 0);
      const estimate = Math.min(size, remaining + rate(now) * (now - sentAt)) - sentAfter;
      recent = [...recent.filter(({ at: seenAt }) => now - seenAt <= horizonMs), { at: now, estimate, remaining }];
      level = lowest();
    },
    /** Every request has its response: the service counted one of them last, and at least the lowest `remaining` is left. */
    settle(): void {
      recent = recent.map((one) => ({ ...one, estimate: Math.max(one.estimate, one.remaining) }));
      level = lowest();
    },
    /** Forgets what responses showed. */
    set(to: number, now: number) {
      level = to;
      levelAt = now;
      recent = [];
    },
  };
}

/** `granted`: requests sent and not refused so far. */
interface RateMark {
  readonly at: number;
  readonly remaining: number;
  readonly granted: number;
}

const markEveryMs = 500;
const longestSpanMs = 20_000;
const shortestSpanMs = 700;
const fewestTokens = 3;

/**
 * How fast a bucket refills, from what was left at two times and what was granted in between:
 *
 *   3 left at 10.0 s, 5 left at 14.0 s, 30 granted meanwhile   ->   32 in 4 s, so 8 a second
 *
 * Times are those of sending, which is when a request counts if all take equally long to arrive.
 */
export function rateMeter() {
  let marks: RateMark[] = [];
  return {
    /** Null until there is enough to measure. `rate` in tokens per millisecond. */
    measure(mark: RateMark): { readonly rate: number; readonly spanMs: number } | null {
      const last = marks.at(-1);
      const first = marks[0];
      if (last !== undefined && mark.at <= last.at) return null;
      if (last === undefined || mark.at - last.at >= markEveryMs) {
        marks = marks.filter(({ at }) => mark.at - at <= longestSpanMs);
        marks.push(mark);
      }
      if (first === undefined) return null;
      const spanMs = mark.at - first.at;
      const refilled = mark.remaining - first.remaining + mark.granted - first.granted;
      return spanMs >= shortestSpanMs && refilled >= fewestTokens ? { rate: refilled / spanMs, spanMs } : null;
    },
    /** Earlier marks must not be compared with later ones: the bucket was full, or it refused. */
    restart(): void {
      marks = [];
    },
  };
}
