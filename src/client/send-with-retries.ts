import type { ClientEvent, ClientLimits } from '../model/client.ts';
import type { Clock } from '../model/clock.ts';
import type { Exchange } from './exchange.ts';
import { wasNotSent } from './quota/not-sent.ts';
import { quotaHeaders } from './quota/quota-headers.ts';
import type { RetryBudget } from './quota/retry-budget.ts';
import { retryDelay } from './retry-delay.ts';

/** No request was sent, because there is no token to send it with. */
export interface NoToken {
  readonly answered: false;
  readonly noToken: Error;
}

export type Attempt = Exchange | NoToken;

/** Why there was no further try. `why` is for people. */
export type Stop =
  | { readonly reason: 'final' }
  | { readonly reason: 'tries_used_up' }
  | { readonly reason: 'stopped' }
  | { readonly reason: 'given_up'; readonly why: string };

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
  readonly budget: RetryBudget;
  readonly emit: (event: ClientEvent) => void;
  readonly mayRetry: (attempt: Exchange) => boolean;
}

/**
 * The one retry layer: whatever is sent, it is sent at most `limits.tries` times, within `limits.totalMs`, and as long as the run
 * has retries left. `once` passes the gate: that is where a request which the quota refused waits for its next try.
 */
export async function sendWithRetries<Last extends Attempt>(once: () => Promise<Last>, terms: RetryTerms): Promise<Sent<Last>> {
  const { limits, clock, signal, budget } = terms;
  let ambiguous = false;
  let before: Last | null = null;
  let startedAt: number | null = null;
  for (let tries = 1; ; tries += 1) {
    const last = await once();
    ambiguous ||= mayHaveHappened(last);
    if (before !== null && !('noToken' in last) && !last.answered && wasNotSent(last.failure)) {
      const stop: Stop = signal.aborted ? { reason: 'stopped' } : { reason: 'given_up', why: last.failure.cause.message };
      return { last: before, tries: tries - 1, ambiguous, stop };
    }
    const end = (stop: Stop): Sent<Last> => ({ last, tries, ambiguous, stop });
    if ('noToken' in last || !terms.mayRetry(last)) {
      if (last.answered && last.answer.status < 400) budget.succeed();
      return end({ reason: 'final' });
    }
    if (tries >= limits.tries) return end({ reason: 'tries_used_up' });
    startedAt ??= clock.monotonic();
    const delay = delayAfter(last, tries, terms);
    if ('until' in delay)
      return end({ reason: 'given_up', why: `the service asks to wait until ${new Date(delay.until).toISOString()}, which is longer than allowed` });
    if (clock.monotonic() - startedAt + delay.ms > limits.totalMs)
      return end({ reason: 'given_up', why: `no success within ${limits.totalMs / 1000} seconds` });
    if (!budget.take(timedOut(last))) return end({ reason: 'given_up', why: 'this run has made all the retries it may make' });
    if (delay.ms > 0) await pause(delay.ms, last, terms);
    if (signal.aborted) return end({ reason: 'stopped' });
    before = last;
  }
}

async function pause(ms: number, last: Exchange, { operation, clock, signal, emit }: RetryTerms): Promise<void> {
  emit({ type: 'wait', operation, ms, reason: last.answered ? `status ${last.answer.status}` : last.failure.code });
  await clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function mayHaveHappened(attempt: Attempt): boolean {
  if ('noToken' in attempt) return false;
  return attempt.answered ? attempt.answer.status >= 500 : attempt.failure.opened;
}

function timedOut(last: Exchange): boolean {
  return !last.answered && /TIMEDOUT|TIMEOUT/.test(last.failure.code);
}

function delayAfter(last: Exchange, tries: number, { clock, limits }: RetryTerms) {
  const facts = { tries, now: clock.now(), maxWaitMs: limits.maxWaitMs, random: Math.random() };
  if (!last.answered) return retryDelay({ ...facts, status: null, retryAfter: null, date: null });
  const { status, headers } = last.answer;
  const { retryAfter, date } = quotaHeaders(headers);
  return retryDelay({ ...facts, status, retryAfter, date });
}
