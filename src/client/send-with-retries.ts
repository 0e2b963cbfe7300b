import type { ClientEvent, ClientLimits } from '../model/client.ts';
import type { Clock } from '../model/clock.ts';
import type { Exchange } from './exchange.ts';
import { retryDelay } from './retry-delay.ts';

/** No request was sent, because there is no token to send it with. */
export interface NoToken {
  readonly answered: false;
  readonly noToken: Error;
}

export type Attempt = Exchange | NoToken;

/** Why there was no further try. `until`: the service asked for a longer wait than is allowed. */
export type Stop =
  | { readonly reason: 'final' }
  | { readonly reason: 'tries_used_up' }
  | { readonly reason: 'stopped' }
  | { readonly reason: 'wait_too_long'; readonly until: number };

/** A request with all its tries. */
export interface Sent<Last extends Attempt = Attempt> {
  readonly last: Last;
  readonly tries: number;
  /** At least one try may have been carried out, although its answer did not say so. */
  readonly ambiguous: boolean;
  readonly stop: Stop;
}

export interface RetryTerms {
  readonly operation: string;
  readonly limits: ClientLimits;
  readonly clock: Clock;
  /** Cuts waits short. */
  readonly signal: AbortSignal;
  readonly emit: (event: ClientEvent) => void;
  readonly mayRetry: (attempt: Exchange) => boolean;
}

/** The one retry layer: whatever is sent, it is sent at most `limits.tries` times. */
export async function sendWithRetries<Last extends Attempt>(once: () => Promise<Last>, terms: RetryTerms): Promise<Sent<Last>> {
  const { limits, clock, signal, operation } = terms;
  let ambiguous = false;
  for (let tries = 1; ; tries += 1) {
    const last = await once();
    ambiguous ||= mayHaveHappened(last);
    const end = (stop: Stop): Sent<Last> => ({ last, tries, ambiguous, stop });
    if ('noToken' in last || !terms.mayRetry(last)) return end({ reason: 'final' });
    if (tries >= limits.tries) return end({ reason: 'tries_used_up' });
    const delay = delayAfter(last, tries, terms);
    if ('until' in delay) return end({ reason: 'wait_too_long', until: delay.until });
    terms.emit({ type: 'wait', operation, ms: delay.ms, reason: last.answered ? `status ${last.answer.status}` : last.failure.code });
    await clock.sleep(delay.ms, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return end({ reason: 'stopped' });
  }
}

function mayHaveHappened(attempt: Attempt): boolean {
  if ('noToken' in attempt) return false;
  return attempt.answered ? attempt.answer.status >= 500 : attempt.failure.opened;
}

function delayAfter(last: Exchange, tries: number, { clock, limits }: RetryTerms) {
  const given = { tries, now: clock.now(), maxWaitMs: limits.maxWaitMs, random: Math.random() };
  if (!last.answered) return retryDelay({ ...given, status: null });
  const { status, headers } = last.answer;
  return retryDelay({ ...given, status, rateLimitReset: one(headers['x-ratelimit-reset']), retryAfter: one(headers['retry-after']), date: one(headers.date) });
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
