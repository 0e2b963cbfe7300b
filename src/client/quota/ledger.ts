import { dripBook, rateByReset } from './drip-book.ts';
import { dripEvidence, type Sighting } from './drip-evidence.ts';
import { refusals } from './refusals.ts';
import type { ServerClock } from './server-clock.ts';
import type { Request, Seen, Tally } from './tally.ts';
import { windowBook } from './window-book.ts';

/**
 * What is known of one advertised limit, and how many requests it lets through now.
 *
 * Two kinds of limiters stand behind the same three headers, and nothing in them says which:
 *
 *   window   100 left … 3 2 1 0, nothing until the reset, then 100 at once
 *   drip     100 left … 3 2 1 0 1 0 1 0: one comes back every so often, and the reset is when the bucket is full, or the next one
 *
 * Waiting for the reset of a large drip bucket wastes most of the quota; not waiting for that of a window is a refusal for every
 * try. So a ledger starts as `unknown`, which waits like a window, and is `drip` once it has seen what no window does. An unknown
 * one that is used up sends one early probe to find out; when that is refused, it is a `window`.
 *
 * Where only refusals have headers the ledger is blind: a refusal says that nothing was left, and from there it counts by itself.
 * A part of the limit is kept free for others. Times are milliseconds on the monotonic clock, or moments of the service.
 */
export interface Ledger {
  readonly limit: number;
  /** How long the next request has to wait: 0 to go now, infinite when only an answer can tell. */
  wait(now: number): number;
  /** A request goes; answers its number in this ledger. */
  leave(now: number): number;
  /** It came back without the headers of this ledger; `granted` is false when there was no answer, or when another limit refused it. */
  back(request: Request, at: number, date: number | null, granted: boolean): void;
  granted(request: Request, seen: Seen): void;
  /** `random` from 0 to 1. */
  refused(request: Request, seen: Seen, random: number): void;
  /** The moment that a refusal named and that has not been reached; null when none. */
  refusedUntil(): number | null;
  /** When the refusals began that have had no end since. */
  refusedSince(): number | null;
  describe(): { readonly mode: Mode; readonly perSecond: number | null };
}

export type Mode = 'unknown' | 'window' | 'drip';

export interface LedgerTerms {
  readonly limit: number;
  /** Part of the limit that may be used, 0 to 1. */
  readonly share: number;
  readonly clock: ServerClock;
  /** Requests under way when it is opened. */
  readonly inFlight: number;
}

/**
 * Others go first, but not for ever: after so long without a request one may be taken from what is kept for them. And a bucket is
 * asked after so long whatever is thought of its rate, because an answer knows better.
 */
const patienceMs = 30_000;
/** A limit that no answer has shown for so long, although there were answers, is not the one that matters. */
const overlookedMs = 3000;
/** So many refusals while something should have been left, and what answers show is not believed any more. */
const mostSurprises = 3;
/** Sightings that are compared with a new one. */
const remembered = 31;

export function openLedger({ limit, share, clock, inFlight: underWay }: LedgerTerms): Ledger {
  const reserve = Math.min(limit - 1, Math.round(limit * (1 - share)));
  const tally: Tally = { sent: underWay, inFlight: underWay, refused: 0, blind: true, lastRefused: null };
  const refusal = refusals();
  const window = windowBook({ limit, reserve, clock, tally, patienceMs });
  const drip = dripBook({ limit, share, tally, patienceMs });
  let mode: Mode = 'unknown';
  let last: Sighting | null = null;
  let earlier: readonly Sighting[] = [];
  let halfOpen = false;
  let closedAt = Number.NEGATIVE_INFINITY;
  let surprises = 0;
  let overlooked = false;
  let leftAt = Number.NEGATIVE_INFINITY;

  const beDrip = (perMs: number, holds: number, now: number) => {
    mode = 'drip';
    drip.begin(perMs, holds, now);
  };
  const roll = (now: number) => {
    if (mode !== 'drip') window.roll(now);
  };
  const remember = (sighting: Sighting) => {
    earlier = mode === 'drip' ? [] : [...earlier.slice(-remembered), sighting];
  };
  const letThrough = (request: Request) => {
    halfOpen = false;
    leftAt = Math.max(leftAt, request.sentAt);
    refusal.end();
    surprises *= 0.99;
    drip.granted();
    window.granted(request);
  };
  const backWithout = (request: Request, at: number, date: number | null) => {
    // Answers that show another limit show the one of which less is left.
    overlooked ||= !tally.blind && last !== null && at - last.at > overlookedMs;
    letThrough(request);
    if (mode === 'unknown' && window.isProbe(request) && window.isBeforeReset(at, date) && last !== null)
      beDrip(rateByReset(limit, last, clock), 0, at);
  };

  const rateBetweenRefusals = (request: Request): number | null => {
    const taken = request.ordinal - tally.refused;
    const since = tally.lastRefused;
    tally.lastRefused = { sentAt: request.sentAt, taken };
    const ms = since === null ? 0 : request.sentAt - since.sentAt;
    return since !== null && ms >= 1000 && taken - since.taken >= 3 ? (taken - since.taken) / ms : null;
  };

  /** What an answer says of the kind of limiter, where that is not known yet. */
  const classify = (request: Request, sighting: Sighting) => {
    const evidence = mode === 'drip' ? null : dripEvidence(earlier, sighting, tally.sent, limit, clock);
    if (evidence === null) {
      if (mode === 'unknown' && window.isProbe(request)) mode = 'window';
      return;
    }
    const gained =
      (sighting.remaining - evidence.before.remaining + 1) / Math.max(1, request.sentAt - evidence.before.sentAt);
    const byReset = rateByReset(limit, sighting, clock);
    beDrip(
      evidence.kind === 'moved' ? byReset : Math.min(gained, byReset || gained),
      sighting.remaining - tally.inFlight,
      sighting.at,
    );
  };

  const refusedAsWindow = (request: Request, seen: Seen, between: number | null) => {
    if (tally.blind && mode === 'window' && window.isBroken(request) && between !== null) {
      beDrip(between, -tally.inFlight, seen.at);
      return;
    }
    if (window.isProbe(request)) mode = 'window';
    window.refused(seen, last);
  };

  return {
    limit,
    wait(now) {
      roll(now);
      if (halfOpen && tally.inFlight > 0) return Number.POSITIVE_INFINITY;
      if (now < closedAt) return closedAt - now;
      if (overlooked) return 0;
      if (mode !== 'drip') return window.wait(now, { unknown: mode === 'unknown', leftAt, last });
      const patient = now - leftAt < patienceMs;
      return !patient && tally.inFlight === 0 ? 0 : drip.wait(now, patient ? reserve : 0);
    },
    leave(now) {
      roll(now);
      leftAt = now;
      if (mode === 'unknown') window.probe();
      if (mode === 'drip') drip.leave(now);
      tally.inFlight += 1;
      tally.sent += 1;
      return tally.sent;
    },
    back(request, at, date, granted) {
      tally.inFlight -= 1;
      if (granted) backWithout(request, at, date);
    },
    granted(request, seen) {
      tally.inFlight -= 1;
      if (surprises >= mostSurprises) {
        backWithout(request, seen.at, seen.date);
        return;
      }
      tally.blind = false;
      if (overlooked) drip.forget();
      overlooked = false;
      letThrough(request);
      const sighting = { ...seen, ...request };
      classify(request, sighting);
      remember(sighting);
      if (mode === 'drip') drip.see(request, seen);
      else window.see(request, seen);
      if (last === null || seen.at >= last.at) last = sighting;
    },
    refused(request, seen, random) {
      tally.inFlight -= 1;
      overlooked = false;
      roll(seen.at);
      const fresh = tally.lastRefused === null || request.sentAt > tally.lastRefused.sentAt;
      const thoughtLeft = mode === 'drip' ? drip.level(seen.at) : window.confirmed() ? window.level() : 0;
      if (!tally.blind && thoughtLeft >= 2) surprises += 1;
      if (surprises >= mostSurprises) tally.blind = true;
      tally.refused += 1;
      const between = rateBetweenRefusals(request);
      closedAt =
        seen.at +
        refusal.add({ at: seen.at, sentAt: request.sentAt, word: seen.resetAt !== null || mode === 'drip', random });
      halfOpen = true;
      if (mode !== 'drip') refusedAsWindow(request, seen, between);
      else {
        drip.refused(request, seen.at, { between, fresh });
        // A bucket that refuses three times in a row, although a token should have been there each time, does not drip.
        if (refusal.row() >= 3) {
          mode = 'window';
          window.close(seen.resetAt);
        }
      }
      last = { ...seen, ...request, remaining: 0 };
      remember(last);
    },
    refusedUntil: () => (halfOpen && mode !== 'drip' ? window.resetAt() : null),
    refusedSince: refusal.since,
    describe: () => ({ mode, perSecond: mode === 'drip' ? drip.rate() * 1000 : null }),
  };
}
