import { dripEvidence, type Sighting } from './drip-evidence.ts';
import { dripLevel } from './drip-level.ts';
import { rateMeter } from './rate-meter.ts';
import { refusals } from './refusals.ts';
import type { ServerClock } from './server-clock.ts';

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

export interface Request {
  /** 0 for one that was under way before the ledger was opened. */
  readonly ordinal: number;
  readonly sentAt: number;
}

/** `resetAt` is null when it is not plausible. */
export type Seen = Omit<Sighting, 'sentAt' | 'ordinal'>;

export interface LedgerTerms {
  readonly limit: number;
  /** Part of the limit that may be used, 0 to 1. */
  readonly share: number;
  readonly clock: ServerClock;
  /** Requests under way when it is opened. */
  readonly inFlight: number;
}

/** A window is entered this long after its reset: what is exactly on the border may fall on its other side. */
const marginMs = 20;
const mostCushion = 3;
/**
 * Others go first, but not for ever: after so long without a request one may be taken from what is kept for them. And a bucket is
 * asked after so long whatever is thought of its rate, because an answer knows better.
 */
const patienceMs = 30_000;
/** No bucket is thought to need longer than this to be full again. */
const slowestFillMs = 3_600_000;
/** A limit that no answer has shown for so long, although there were answers, is not the one that matters. */
const overlookedMs = 3000;
/** Without sight the bucket is never known to be refilling faster, so the rate is raised by so much a second until it is refused. */
const blindGrowth = { guessed: 0.01, measured: 0.003 };
const blindCaution = 0.97;

export function openLedger({ limit, share, clock, inFlight: underWay }: LedgerTerms): Ledger {
  const reserve = Math.min(limit - 1, Math.round(limit * (1 - share)));
  const refusal = refusals();
  const meter = rateMeter();
  let mode: Mode = 'unknown';
  let sent = underWay;
  let inFlight = underWay;
  let refusedCount = 0;
  let last: Sighting | null = null;
  let earlier: readonly Sighting[] = [];
  let blind = true;
  let halfOpen = false;
  let closedAt = Number.NEGATIVE_INFINITY;
  let surprises = 0;
  let overlooked = false;
  let leftAt = Number.NEGATIVE_INFINITY;

  // As a window.
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

  // As a bucket that drips.
  let rate = 0;
  let held = false;
  let drippedTooFast = false;
  let cushion = limit >= 8 ? 1 : 0;
  let measured = false;
  let lastRefused: { readonly sentAt: number; readonly taken: number } | null = null;
  const pace = (now: number) => {
    if (!blind) return rate;
    const growth = measured ? blindGrowth.measured : blindGrowth.guessed;
    return rate * share * (blindCaution + (growth * Math.max(0, now - (lastRefused?.sentAt ?? now))) / 1000);
  };
  const drip = dripLevel(limit, pace);

  const beDrip = (perMs: number, holds: number, now: number) => {
    mode = 'drip';
    rate = Math.max(perMs, limit / slowestFillMs);
    drip.set(holds, now);
    meter.restart();
  };
  /** By a reset that is the moment at which the bucket is full. */
  const rateByReset = ({ remaining, resetAt: full, at }: Seen) => (full === null ? 0 : (limit - remaining) / Math.max(1, clock.surelyAfter(full) - at));

  /** Answers come out of order, so what is under way may be in the number already: never more than this, sometimes fewer. */
  const level = () => Math.min(lowest - inFlight, allowed - (sent - sentBeforeOpening));
  const opensAt = (moment: number) => clock.likelyAt(moment).at + marginMs;

  const roll = (now: number) => {
    if (mode === 'drip' || resetAt === null) return;
    const opens = opensAt(resetAt);
    if (now < opens) return;
    const passed = period === null ? 0 : Math.floor((now - opens) / period);
    openedAt = period === null ? opens : opens + passed * period;
    resetAt = period === null ? null : resetAt + (passed + 1) * period;
    lowest = Number.POSITIVE_INFINITY;
    allowed = limit - inFlight;
    sentBeforeOpening = sent;
    confirmed = false;
    probed = false;
    // Whether it has opened is a guess: one goes first while it may be too early by much, else so many that others keep some.
    trial = clock.likelyAt(0).doubtMs > 200 ? 1 : Math.max(2, (limit - reserve) / 2);
  };

  const waitAsWindow = (now: number): number => {
    if (level() - reserve >= 1) return !confirmed && inFlight >= trial ? Number.POSITIVE_INFINITY : 0;
    if (resetAt === null) return inFlight === 0 ? 0 : Number.POSITIVE_INFINITY;
    if (level() >= 1 && now - leftAt >= patienceMs) return 0;
    const opens = opensAt(resetAt);
    if (mode === 'window' || probed || inFlight > 0 || last === null) return opens - now;
    const distance = opens - last.at;
    return Math.max(0, Math.min(opens, last.at + Math.min((2.5 * distance) / limit, 0.7 * distance)) - now);
  };

  const seeAsWindow = (request: Request, seen: Seen) => {
    const next = seen.resetAt !== null && resetAt !== null && seen.resetAt > resetAt;
    if (seen.resetAt !== null && resetAt !== null && seen.resetAt < resetAt && request.sentAt < openedAt) return;
    lowest = seen.resetAt === null || resetAt === null || next ? seen.remaining : Math.min(lowest, seen.remaining);
    if (seen.resetAt === null || next) {
      allowed = limit;
      sentBeforeOpening = sent - inFlight;
    }
    resetAt = seen.resetAt;
    if (next) probed = false;
    if (next || request.sentAt >= openedAt) confirmed = true;
  };

  const seeAsDrip = (request: Request, seen: Seen) => {
    if (seen.remaining >= limit - 1) {
      // Full, although somebody had to wait: it refills faster than was thought.
      if (held) rate *= drippedTooFast ? 1.05 : 1.5;
      meter.restart();
    }
    held = false;
    const reading = meter.read({ at: request.sentAt, remaining: seen.remaining, taken: request.ordinal - refusedCount });
    if (reading !== null) rate = Math.max(limit / slowestFillMs, rate + (reading.rate - rate) * Math.min(1, reading.spanMs / 8000));
    drip.see({ sentAt: request.sentAt, at: seen.at, remaining: seen.remaining, sentAfter: sent - request.ordinal });
  };

  const letThrough = (request: Request) => {
    halfOpen = false;
    leftAt = Math.max(leftAt, request.sentAt);
    refusal.end();
    surprises *= 0.99;
    cushion = Math.max(limit >= 8 ? 1 : 0, cushion * 0.99);
    if (request.sentAt >= openedAt) confirmed = true;
  };

  const rateBetweenRefusals = (request: Request): number | null => {
    const taken = request.ordinal - refusedCount;
    const since = lastRefused;
    lastRefused = { sentAt: request.sentAt, taken };
    const ms = since === null ? 0 : request.sentAt - since.sentAt;
    return since !== null && ms >= 1000 && taken - since.taken >= 3 ? (taken - since.taken) / ms : null;
  };

  const refusedAsDrip = (request: Request, seen: Seen, between: number | null, fresh: boolean) => {
    if (blind && between !== null) rate = between / share;
    else if (fresh) rate *= 0.92;
    measured ||= blind && between !== null;
    drippedTooFast = true;
    cushion = Math.min(mostCushion, limit / 4, cushion + 1);
    drip.set(Math.min(0, pace(seen.at) * (seen.at - request.sentAt) - (sent - request.ordinal)), seen.at);
    meter.restart();
    // A bucket that refuses three times in a row, although a token should have been there each time, does not drip.
    if (refusal.row() < 3) return;
    mode = 'window';
    lowest = 0;
    resetAt = seen.resetAt;
  };

  const refusedAsWindow = (request: Request, seen: Seen, between: number | null) => {
    const inWindow = request.ordinal - sentBeforeOpening;
    if (blind && mode === 'window' && openedAt > 0 && confirmed && inWindow < limit / 2 && between !== null) {
      beDrip(between, -inFlight, seen.at);
      return;
    }
    if (request.ordinal === probe) mode = 'window';
    if (last?.resetAt && seen.resetAt !== null && seen.resetAt > last.resetAt)
      period = Math.min(period ?? Number.POSITIVE_INFINITY, seen.resetAt - last.resetAt);
    resetAt = seen.resetAt;
    lowest = 0;
  };

  return {
    limit,
    wait(now) {
      roll(now);
      if (halfOpen && inFlight > 0) return Number.POSITIVE_INFINITY;
      if (now < closedAt) return closedAt - now;
      if (overlooked) return 0;
      if (mode !== 'drip') return waitAsWindow(now);
      const patient = now - leftAt < patienceMs;
      if (!patient && inFlight === 0) return 0;
      const kept = patient ? reserve : 0;
      // A small bucket never holds as much as caution would like.
      const missing = Math.min(limit, 1 + (blind ? 0 : cushion) + kept) - drip.at(now);
      if (missing <= 1e-6) return 0;
      held = true;
      return Math.min(missing / pace(now), patienceMs);
    },
    leave(now) {
      roll(now);
      leftAt = now;
      if (mode === 'unknown' && level() - reserve < 1) {
        probed = true;
        probe = sent + 1;
      }
      if (mode === 'drip') drip.leave(now);
      inFlight += 1;
      sent += 1;
      return sent;
    },
    back(request, at, date, granted) {
      inFlight -= 1;
      if (!granted) return;
      // Answers that show another limit show the one of which less is left.
      overlooked ||= !blind && last !== null && at - last.at > overlookedMs;
      letThrough(request);
      const early = resetAt !== null && ((date !== null && date + 1000 <= resetAt) || at < clock.surelyBefore(resetAt));
      if (mode === 'unknown' && request.ordinal === probe && early && last !== null) beDrip(rateByReset(last), 0, at);
    },
    granted(request, seen) {
      if (surprises >= 3) {
        this.back(request, seen.at, seen.date, true);
        return;
      }
      inFlight -= 1;
      blind = false;
      if (overlooked) meter.restart();
      overlooked = false;
      letThrough(request);
      const sighting = { ...seen, ...request };
      const evidence = mode === 'drip' ? null : dripEvidence(earlier, sighting, sent, limit, clock);
      if (evidence !== null) {
        const gained = (seen.remaining - evidence.before.remaining + 1) / Math.max(1, request.sentAt - evidence.before.sentAt);
        const byReset = rateByReset(seen);
        beDrip(evidence.kind === 'moved' ? byReset : Math.min(gained, byReset || gained), seen.remaining - inFlight, seen.at);
      } else if (mode === 'unknown' && request.ordinal === probe) mode = 'window';
      earlier = mode === 'drip' ? [] : [...earlier.slice(-31), sighting];
      if (mode === 'drip') seeAsDrip(request, seen);
      else seeAsWindow(request, seen);
      if (last === null || seen.at >= last.at) last = sighting;
    },
    refused(request, seen, random) {
      inFlight -= 1;
      overlooked = false;
      roll(seen.at);
      const fresh = lastRefused === null || request.sentAt > lastRefused.sentAt;
      if (!blind && (mode === 'drip' ? drip.at(seen.at) : confirmed ? level() : 0) >= 2) surprises += 1;
      if (surprises >= 3) blind = true;
      refusedCount += 1;
      const between = rateBetweenRefusals(request);
      closedAt = seen.at + refusal.add({ at: seen.at, sentAt: request.sentAt, word: seen.resetAt !== null || mode === 'drip', random });
      halfOpen = true;
      if (mode === 'drip') refusedAsDrip(request, seen, between, fresh);
      else refusedAsWindow(request, seen, between);
      last = { ...seen, ...request, remaining: 0 };
      earlier = mode === 'drip' ? [] : [...earlier.slice(-31), last];
    },
    refusedUntil: () => (halfOpen && mode !== 'drip' ? resetAt : null),
    refusedSince: refusal.since,
    describe: () => ({ mode, perSecond: mode === 'drip' ? rate * 1000 : null }),
  };
}
