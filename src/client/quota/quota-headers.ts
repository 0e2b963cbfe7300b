import type { IncomingHttpHeaders } from 'node:http';

/**
 * What the headers of an answer say about the quota (service specification 7, public facts 6.2), as far as they can be read. Whether
 * a moment is plausible is judged elsewhere: here `X-RateLimit-Reset: 5` is five seconds after the epoch.
 */
export interface QuotaHeaders {
  /** Size of the bucket or of the window, at least 1. */
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Milliseconds since the epoch, on the service's clock. */
  readonly resetAt: number | null;
  /** Milliseconds. */
  readonly retryAfter: number | null;
  /** Milliseconds since the epoch, a whole second, on the service's clock. */
  readonly date: number | null;
}

export function quotaHeaders(headers: IncomingHttpHeaders): QuotaHeaders {
  const limit = wholeNumber(headers['x-ratelimit-limit']);
  return {
    limit: limit === 0 ? null : limit,
    remaining: wholeNumber(headers['x-ratelimit-remaining']),
    resetAt: inMs(wholeNumber(headers['x-ratelimit-reset'])),
    retryAfter: inMs(wholeNumber(headers['retry-after'])),
    date: httpDate(headers.date),
  };
}

function inMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}

function wholeNumber(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** Only the one form of an HTTP date: the parser of dates also takes "1" for a day in 2001. */
function httpDate(date: string | undefined): number | null {
  if (date === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date)) return null;
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? null : ms;
}
