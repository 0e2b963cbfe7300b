import type { Counts, Limit, NumberedRequest, Observation, Sighting } from './limit.ts';
import { openRefusals } from './refusals.ts';
import type { ServerClock } from './server-clock.ts';
import { openTokenBucket, rateByReset } from './token-bucket.ts';
import { openWindow } from './window.ts';

/**
 * A limit that X-RateLimit headers have shown: what is known of it, and how many requests it grants now.
 *
 * Two kinds of limiters send the same three headers, and nothing in the headers distinguishes them:
 *
 *   window    100 left … 3 2 1 0, nothing until the reset, then 100 at once
 *   bucket    100 left … 3 2 1 0 1 0 1 0, one token after the other; the reset is when it is full, or has the next one
 *
 * Waiting for the reset of a large bucket wastes most of the quota. Not waiting for the reset of a window costs a
 * refusal per try. So a limit starts as `unknown`, which waits like a window, and becomes a `bucket` when it does what
 * no window does:
 *
 *   unknown ── the early probe is refused, or shows neither ──► window
 *      │                                                           │
 *      │  the reset moves early, or tokens come back early,        │  the reset moves early,
 *      │  or, without headers, the early probe is granted          │  or tokens come back early
 *      ▼                                                           │
 *   bucket ◄───────────────────────────────────────────────────────┘
 *
 * In every mode, refusals close the limit for a while (`refusals.ts`).
 *
 * The limit is `blind` while only refusals have headers: a refusal shows that nothing is left, and from there the limit
 * counts by itself. A share of the limit is left free for other clients.
 */
export interface AdvertisedLimit extends Limit {
  granted(request: NumberedRequest, observation: Observation): void;
}

export interface AdvertisedLimitOptions {
  readonly limit: number;
  /** Part of the limit that may be used, 0 to 1. */
  readonly share: number;
  readonly clock: ServerClock;
  /** Requests in flight when the limit is first seen. */
  readonly inFlight: number;
}

/** A bucket may refill faster than estimated: after so long without a request, the reserve may be used as well. */
const patienceMs = 30_000;
/** A limit that no response has shown for so long, although there were responses, is not the one that matters. */
const hiddenMs = 3000;
/** Sightings that a new one is compared with. */
const remembered = 32;

export function openAdvertisedLimit({ limit, share, clock, inFlight }: AdvertisedLimitOptions): AdvertisedLimit {
  const reserve = Math.min(limit - 1, Math.round(limit * (1 - share)));
  const counts: Counts = { sent: inFlight, inFlight, reserved: 0, refused: 0, blind: true, lastRefused: null };
  const refusals = openRefusals();
  const window = openWindow(limit, reserve, clock, counts);
  const bucket = openTokenBucket(limit, share, counts);
  let mode: 'unknown' | 'window' | 'bucket' = 'unknown';
  let last: Sighting | null = null;
  let earlier: readonly Sighting[] = [];
  let hidden = false;
  let sentAt = Number.NEGATIVE_INFINITY;

  const becomeBucket = (perMs: number, level: number, now: number) => {
    mode = 'bucket';
    earlier = [];
    bucket.begin(perMs, level, now);
  };
  const advance = (now: number) => {
    if (mode !== 'bucket') window.advance(now);
  };
  const waitForBucket = (now: number): number => {
    const isOver = now - sentAt >= patienceMs;
    return isOver && counts.inFlight === 0 ? 0 : Math.min(patienceMs, bucket.wait(now, isOver ? 0 : reserve));
  };

  const rateBetweenRefusals = (request: NumberedRequest): number | null => {
    const granted = request.ordinal - counts.refused;
    const since = counts.lastRefused;
    counts.lastRefused = { sentAt: request.sentAt, granted };
    if (since === null) return null;
    const ms = request.sentAt - since.sentAt;
    return ms >= 1000 && granted - since.granted >= 3 ? (granted - since.granted) / ms : null;
  };

  /** Concludes the kind of the limiter from a response, while it is not known to be a bucket. */
  const classify = (request: NumberedRequest, sighting: Sighting) => {
    if (mode === 'bucket') return;
    const before = window.isNone(sighting) ? last : null;
    const evidence = before ? { kind: 'rose', before } : bucketEvidence(earlier, sighting, limit, clock);
    earlier = [...earlier, sighting].slice(-remembered);
    if (evidence === null) {
      if (mode === 'unknown' && window.isProbe(request)) mode = 'window';
      return;
    }
    const { kind, before: earlierOne } = evidence;
    const granted = before ? request.ordinal - before.ordinal : 1;
    const ms = Math.max(1, request.sentAt - earlierOne.sentAt);
    const gained = (sighting.remaining - earlierOne.remaining + granted) / ms;
    const byReset = rateByReset(limit, sighting, clock);
    const rate = kind === 'moved' ? byReset : Math.min(gained, byReset || gained);
    becomeBucket(rate, sighting.remaining - counts.inFlight - counts.reserved, sighting.at);
  };

  return {
    wait(now) {
      advance(now);
      const refused = refusals.wait(now, counts.inFlight);
      if (refused > 0 || hidden) return refused;
      return mode === 'bucket' ? waitForBucket(now) : window.wait(now, mode === 'unknown', last);
    },
    take(now) {
      advance(now);
      if (mode === 'unknown') window.markProbe();
      if (mode === 'bucket') bucket.take(now);
      counts.reserved += 1;
    },
    send(now) {
      sentAt = now;
      counts.reserved -= 1;
      counts.inFlight += 1;
      counts.sent += 1;
      return counts.sent;
    },
    giveBack() {
      counts.reserved -= 1;
    },
    returned(request, at, date, granted) {
      counts.inFlight -= 1;
      if (!granted) return;
      refusals.grant();
      // Responses with another limit show the one of which less is left.
      hidden ||= !counts.blind && last !== null && at - last.at > hiddenMs;
      if (mode === 'unknown' && window.isProbe(request) && window.isBeforeReset(at, date) && last !== null)
        becomeBucket(rateByReset(limit, last, clock), 0, at);
    },
    granted(request, observation) {
      counts.inFlight -= 1;
      counts.blind = false;
      if (hidden) bucket.restartMeasuring();
      hidden = false;
      refusals.grant();
      const sighting = { ...observation, ...request };
      classify(request, sighting);
      if (mode === 'bucket') bucket.observe(request, observation);
      else window.observe(observation);
      if (last === null || observation.at >= last.at) last = sighting;
    },
    refused(request, observation, random) {
      const { at, resetAt } = observation;
      counts.inFlight -= 1;
      hidden = false;
      advance(at);
      const isFirst = counts.lastRefused === null || request.sentAt > counts.lastRefused.sentAt;
      counts.refused += 1;
      const grantedRate = rateBetweenRefusals(request);
      const hasReset = resetAt !== null || mode === 'bucket';
      refusals.add({ at, sentAt: request.sentAt, hasReset, random });
      const before = last;
      last = { ...observation, ...request, remaining: 0 };
      if (mode === 'bucket') {
        bucket.refused(request, at, grantedRate, isFirst);
        return;
      }
      if (window.isProbe(request)) mode = 'window';
      window.refused(observation, before);
      earlier = [...earlier, last].slice(-remembered);
    },
    refusedUntil: () => (refusals.isHalfOpen() && mode !== 'bucket' ? window.resetAt() : null),
    refusedSince: refusals.since,
  };
}

/**
 * What a bucket does, and a window never:
 *
 *   moved   9 left, reset 12:00:01   then   5 left, reset 12:00:03, while it is still 12:00:00
 *   rose    0 left, reset 12:00:05   then   1 left, for a request sent after that response, while it is still 12:00:01
 */
export function bucketEvidence(earlier: readonly Sighting[], after: Sighting, limit: number, clock: ServerClock) {
  for (const before of earlier) {
    const kind = compare(before, after, limit, clock);
    if (kind !== null) return { kind, before };
  }
  return null;
}

function compare(before: Sighting, after: Sighting, limit: number, clock: ServerClock): 'moved' | 'rose' | null {
  const isLater = after.sentAt >= before.at;
  const reset = before.resetAt;
  if (reset === null)
    return isLater && after.remaining >= before.remaining && before.remaining < limit - 1 ? 'rose' : null;
  const isEarly = (after.date !== null && after.date + 1000 <= reset) || after.at < clock.surelyBefore(reset);
  if (!isEarly) return null;
  if (after.resetAt !== null && after.resetAt > reset && after.remaining <= before.remaining) return 'moved';
  // As many as before may be a repeated response, unless nothing was left.
  return isLater && (after.remaining > before.remaining || before.remaining === 0) ? 'rose' : null;
}
