/**
 * How long to wait before a request is sent again: pure, so that every header a server can think of is a line in a table.
 *
 * The service names the moment of the reset in UNIX seconds of its own clock (service specification 7). Read against the local
 * clock, a skew of an hour is an hour of sleep or a hot loop. So it is read against the Date header of the same answer:
 *
 *   Date: … 10:00:00, X-RateLimit-Reset: … 10:00:07, local clock 11:23:45   ->  7 s, and a margin for the cut fractions
 *
 * What is not plausible is unknown, and unknown means exponential backoff with jitter, never "now" and never "for ever".
 */
export interface RetryFacts {
  /** Tries made so far, at least 1. */
  readonly tries: number;
  /** Status of the last try; null when there was no answer. */
  readonly status: number | null;
  readonly rateLimitReset?: string | undefined;
  readonly retryAfter?: string | undefined;
  readonly date?: string | undefined;
  /** The local clock, in milliseconds. */
  readonly now: number;
  readonly maxWaitMs: number;
  /** 0 to 1. */
  readonly random: number;
}

/** `until` (milliseconds since the epoch, the service's clock): the service asks for a longer wait than the bound allows. */
export type RetryDelay = { readonly ms: number } | { readonly until: number };

const shortestMs = 100;
const marginMs = 250;
const firstBackoffMs = 500;
const longestBackoffMs = 20_000;
const plausibleByDateMs = 24 * 3_600_000;
const plausibleByLocalClockMs = 3_600_000;

export function retryDelay(facts: RetryFacts): RetryDelay {
  const asked = untilReset(facts) ?? afterSeconds(facts);
  if (asked === null) return { ms: bounded(backoff(facts), facts) };
  if (asked > facts.maxWaitMs) return { until: (serverNow(facts.date) ?? facts.now) + asked };
  return { ms: bounded(asked + marginMs, facts) };
}

function untilReset({ status, rateLimitReset, date, now }: RetryFacts): number | null {
  const reset = status === 429 ? wholeNumber(rateLimitReset) : null;
  if (reset === null) return null;
  const server = serverNow(date);
  const ms = reset * 1000 - (server ?? now);
  return ms > 0 && ms <= (server === null ? plausibleByLocalClockMs : plausibleByDateMs) ? ms : null;
}

function afterSeconds({ status, retryAfter }: RetryFacts): number | null {
  const seconds = status === 429 || status === 503 ? wholeNumber(retryAfter) : null;
  return seconds !== null && seconds > 0 && seconds * 1000 <= plausibleByDateMs ? seconds * 1000 : null;
}

function backoff({ tries, random }: RetryFacts): number {
  const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tries - 1));
  return ceiling * (0.5 + random / 2);
}

function bounded(ms: number, { maxWaitMs }: RetryFacts): number {
  return Math.max(shortestMs, Math.min(Math.ceil(ms), maxWaitMs));
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** Only the one form of an HTTP date: the parser of dates also takes "1" for a day in 2001. */
function serverNow(date: string | undefined): number | null {
  if (date === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date)) return null;
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? null : ms;
}
