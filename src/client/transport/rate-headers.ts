import type { IncomingHttpHeaders } from 'node:http';

export type RateHeaders = ReturnType<typeof rateHeaders>;

/**
 * The rate limit headers of a response (service specification 7, public facts 6.2), as far as they can be parsed.
 * Whether a time is plausible is decided by the rate limiter: here `X-RateLimit-Reset: 5` is five seconds after the
 * epoch.
 */
export function rateHeaders(headers: IncomingHttpHeaders) {
  const limit = integerOf(headers['x-ratelimit-limit']);
  return {
    /** Size of the bucket or of the window, at least 1. */
    limit: limit === 0 ? null : limit,
    remaining: integerOf(headers['x-ratelimit-remaining']),
    /** Milliseconds since the epoch, on the service's clock. */
    resetAt: inMs(integerOf(headers['x-ratelimit-reset'])),
    /** Milliseconds. */
    retryAfter: inMs(integerOf(headers['retry-after'])),
    /** `Retry-After` as a date: milliseconds since the epoch, in full seconds, on the service's clock. */
    retryAt: httpDate(headers['retry-after']),
    /** Milliseconds since the epoch, in full seconds, on the service's clock. */
    date: httpDate(headers.date),
  };
}

/**
 * How long the service asks to wait, in milliseconds. A date is on the service's clock, so it is compared with the time
 * on that clock: with the response's own date, where it has one.
 */
export function askedWait({ retryAfter, retryAt, date }: RateHeaders, serviceTime: number): number | null {
  if (retryAfter !== null) return retryAfter;
  return retryAt === null ? null : Math.max(0, retryAt - (date ?? serviceTime));
}

function inMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}

function integerOf(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** Only the one form of an HTTP date: `Date.parse` also accepts "1" as a day in 2001. */
function httpDate(header: string | string[] | undefined): number | null {
  const date = Array.isArray(header) ? header[0] : header;
  if (date === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date)) return null;
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? null : ms;
}
