import { memoized } from '../../values/memoized.ts';
import { askedWait, type RateHeaders } from '../transport/rate-headers.ts';
import { type AdvertisedLimit, openAdvertisedLimit } from './advertised-limit.ts';
import { concurrencyLimit } from './concurrency-limit.ts';
import type { Limit, NumberedRequest } from './limit.ts';
import { serverClock } from './server-clock.ts';
import { unnamedLimit } from './unnamed-limit.ts';

/** `ms`: 0 to send now, infinite if it depends on a response. */
export interface Delay {
  readonly ms: number;
  /** The service's time until which it refuses, by its own header. */
  readonly until: number | null;
  /** Nothing was granted since. */
  readonly refusedSince: number | null;
}

/** A request that has taken its part of the limits, and is sent now or later. It is not in flight. */
export type Reservation = ReturnType<HostLimits['reserve']>;

type HostLimits = ReturnType<typeof openHostLimits>;

export interface SentRequest {
  readonly group: string;
  readonly operation: string;
  readonly sentAt: number;
  /** Requests in flight, itself included. */
  readonly inFlight: number;
  readonly ordinals: ReadonlyMap<Limit, number>;
}

/** `status` is null when there was no response. `random` from 0 to 1. */
export interface Result {
  readonly status: number | null;
  readonly headers: RateHeaders | null;
  readonly at: number;
  readonly random: number;
}

export interface HostLimitsOptions {
  readonly share: number;
  readonly mostInFlight: number;
  /** Local wall clock - monotonic clock. */
  readonly wallOffset: number;
  readonly maxWaitMs: number;
}

const plausibleMs = { past: -1100, byDate: 24 * 3_600_000 };

/**
 * The limits of one host, as far as its responses show them: which request may be sent now, and how long the others
 * wait. There are no timers here; times are arguments, in milliseconds on a monotonic clock.
 *
 * Each advertised limit is tracked on its own. A limit that belongs to a group of endpoints (partials: 5 a minute)
 * counts for the requests of that group; a limit that was seen without a group counts for every request.
 *
 *   check('', 0)  { ms: 0 }                       the first request is sent alone: its response shows the limit
 *   check('', 1)  { ms: ∞ }                       the others wait for it
 *   observe(…, limit 10, 9 left)                  now up to four at once, and more while the service keeps up
 */
export function openHostLimits({ share, mostInFlight, wallOffset, maxWaitMs }: HostLimitsOptions) {
  const clock = serverClock(wallOffset);
  const concurrency = concurrencyLimit(mostInFlight);
  const inFlight = new Set<SentRequest>();
  let reserved = 0;
  let hasResponse = false;

  const groupOf = memoized((_name: string) => ({
    unnamed: unnamedLimit(mostInFlight, clock),
    advertised: new Map<number, AdvertisedLimit>(),
  }));
  const limitsOf = (group: string): Limit[] =>
    (group === '' ? [''] : ['', group]).flatMap((name) => {
      const { unnamed, advertised } = groupOf(name);
      return [unnamed, ...advertised.values()];
    });
  /** A limit of all requests is not tracked again for a group. */
  const findLimit = ({ group }: SentRequest, limit: number): AdvertisedLimit | undefined =>
    groupOf('').advertised.get(limit) ?? groupOf(group).advertised.get(limit);
  const limitFor = (request: SentRequest, limit: number): AdvertisedLimit => {
    const known = findLimit(request, limit);
    if (known !== undefined) return known;
    const counted = [...inFlight].filter(({ group }) => request.group === '' || group === request.group).length;
    const opened = openAdvertisedLimit({ limit, share, clock, inFlight: 1 + counted });
    groupOf(request.group).advertised.set(limit, opened);
    return opened;
  };

  /**
   * A reset that has passed, is days away, or is far away only by the local clock is not plausible, and counts as
   * unknown.
   */
  const plausible = (time: number | null, at: number): number | null => {
    if (time === null) return null;
    const distance = time - clock.timeAt(at);
    return distance >= plausibleMs.past && distance <= (clock.known() ? plausibleMs.byDate : maxWaitMs) ? time : null;
  };

  const refuse = (request: SentRequest, headers: RateHeaders, { at, random }: Result): Limit => {
    const { limit, date } = headers;
    const asked = askedWait(headers, clock.timeAt(at));
    const after = asked === null || asked === 0 ? null : clock.timeAt(at) + asked;
    // A number of seconds does not depend on any clock, and neither does a date beside the response's own.
    const isCertain = headers.retryAfter !== null || date !== null;
    const resetAt = plausible(headers.resetAt, at) ?? (isCertain ? after : plausible(after, at));
    const isNamed = limit !== null && (resetAt !== null || findLimit(request, limit) !== undefined);
    const refusing = isNamed ? limitFor(request, limit) : groupOf(request.group).unnamed;
    refusing.refused(requestOf(request, refusing), { at, remaining: 0, resetAt, date }, random);
    return refusing;
  };

  const grant = (request: SentRequest, headers: RateHeaders, { at }: Result): AdvertisedLimit | null => {
    const { limit, remaining, date } = headers;
    if (limit === null || remaining === null || remaining > limit) return null;
    const granting = limitFor(request, limit);
    granting.granted(requestOf(request, granting), { at, remaining, resetAt: plausible(headers.resetAt, at), date });
    return granting;
  };

  return {
    check(group: string, now: number): Delay {
      const { limit, ms } = limitsOf(group)
        .map((one) => ({ limit: one, ms: one.wait(now) }))
        .reduce((longest, one) => (one.ms > longest.ms ? one : longest));
      // The first request is sent alone.
      const mustWait = inFlight.size >= (hasResponse ? concurrency.current() : 1);
      return {
        ms: mustWait ? Number.POSITIVE_INFINITY : ms,
        until: limit.refusedUntil(),
        refusedSince: limit.refusedSince(),
      };
    },
    observe(request: SentRequest, result: Result): void {
      const { status, headers, at } = result;
      const { operation, sentAt } = request;
      inFlight.delete(request);
      if (headers !== null && headers.date !== null) clock.observe(headers.date, sentAt, at);
      if (status !== null) hasResponse = true;
      const refused = status === 429;
      if (!refused) {
        const ok = status !== null && status < 500;
        concurrency.observe({ operation, ok, ms: at - sentAt, inFlight: request.inFlight, at });
      }
      const shown =
        headers === null ? null : refused ? refuse(request, headers, result) : grant(request, headers, result);
      for (const limit of limitsOf(request.group)) {
        if (limit !== shown)
          limit.returned(requestOf(request, limit), at, headers?.date ?? null, status !== null && !refused);
      }
    },
    reserve(group: string, now: number, operation = '') {
      const limits = new Set(limitsOf(group));
      for (const limit of limits) limit.take(now);
      reserved += 1;
      return {
        send(sentAt: number): SentRequest {
          reserved -= 1;
          const ordinals = new Map<Limit, number>();
          for (const limit of limitsOf(group)) {
            // A limit that has become known meanwhile does not count it yet.
            if (!limits.has(limit)) limit.take(sentAt);
            ordinals.set(limit, limit.send(sentAt));
          }
          const request = { group, operation, sentAt, inFlight: inFlight.size + 1, ordinals };
          inFlight.add(request);
          return request;
        },
        /** It is not sent. */
        cancel(): void {
          reserved -= 1;
          for (const limit of limits) limit.giveBack();
        },
      };
    },
    /** Number of reserved requests. */
    reserved: () => reserved,
  };
}

function requestOf({ ordinals, sentAt }: SentRequest, limit: Limit): NumberedRequest {
  return { ordinal: ordinals.get(limit) ?? 0, sentAt };
}
