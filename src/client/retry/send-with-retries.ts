import type { ClientEvent, ClientLimits } from '../../model/client.ts';
import type { Clock } from '../../model/clock.ts';
import { type Exchange, type NetworkFailure, wasNotSent } from '../transport/exchange.ts';
import { type RetryBudget, type RetryPolicy, retryDelay } from './retry-policy.ts';

/** Why there was no further try. `needs_read`: it is due once a read shows that it may be. `why` is for people. */
export type Stop =
  | { readonly reason: 'final' | 'needs_read' | 'tries_exhausted' | 'aborted' }
  | { readonly reason: 'given_up'; readonly why: string };

/** The result of a request with all its tries. */
export interface SendResult {
  readonly last: Exchange;
  readonly tries: number;
  /** At least one try got a response, whatever it was. */
  readonly reached: boolean;
  /** At least one try may have been carried out, although its response did not confirm it. */
  readonly ambiguous: boolean;
  readonly stop: Stop;
}

export interface RetryOptions {
  readonly operation: string;
  readonly limits: ClientLimits;
  readonly clock: Clock;
  /** Aborts waits. */
  readonly signal: AbortSignal;
  readonly budget: RetryBudget;
  readonly emit: (event: ClientEvent) => void;
  readonly policy: RetryPolicy;
}

/** Sends until the request has a final result, or until only a read can show whether there may be a further try. */
export type Retries = () => Promise<SendResult>;

/**
 * The only retry layer: every request is sent at most `limits.tries` times, within `limits.totalMs`, and as long as the
 * run's retry budget lasts. There is one more try after the first whose response was not complete at its deadline. `once`
 * passes the rate limiter: there a request that was refused with 429 waits for its next try. Called again after a read,
 * it continues with the remaining tries. The wait before the next try comes before the read, so that the read is recent
 * when the request is sent.
 */
export function openRetries(once: () => Promise<Exchange>, options: RetryOptions): Retries {
  const { limits, clock, signal, budget, policy } = options;
  let last: Exchange | null = null;
  let tries = 0;
  let deadlines = 0;
  let reached = false;
  let ambiguous = false;
  let startedAt: number | null = null;
  /** Whether a wait would end after `limits.totalMs`, counted from the first wait; a read in between can take any time. */
  const isTooLate = (ms: number): boolean => {
    startedAt ??= clock.monotonic();
    return clock.monotonic() - startedAt + ms > limits.totalMs;
  };
  const resultAt = (at: Exchange, stop: Stop): SendResult => ({ last: at, tries, reached, ambiguous, stop });
  return async () => {
    startedAt = null;
    for (;;) {
      const before = last;
      const attempt = await once();
      if (before !== null && !attempt.responded && wasNotSent(attempt.failure)) {
        return resultAt(
          before,
          signal.aborted ? { reason: 'aborted' } : { reason: 'given_up', why: attempt.failure.cause.message },
        );
      }
      last = attempt;
      tries += 1;
      reached ||= attempt.responded;
      ambiguous ||= mayBeCarriedOut(attempt);
      if (timeoutOf(attempt)?.opened) deadlines += 1;
      const mayRetry = policy.mayRetry(attempt);
      const needsRead = !mayRetry && policy.mayRetryAfterRead?.(attempt) === true;
      if (!mayRetry && !needsRead) {
        if (attempt.responded && attempt.response.status < 400) budget.succeed();
        return resultAt(attempt, { reason: 'final' });
      }
      const isLast = tries >= limits.tries || deadlines >= mostDeadlines;
      const stop = isLast ? exhausted : await waitAfter(attempt, tries, isTooLate, options);
      if (stop !== null || needsRead) return resultAt(attempt, stop ?? { reason: 'needs_read' });
    }
  };
}

const mostDeadlines = 2;

const exhausted: Stop = { reason: 'tries_exhausted' };

/** The timeout that a try ended with, also in the body of an error; null without one. */
function timeoutOf(attempt: Exchange): NetworkFailure | null {
  const failure = attempt.responded ? attempt.response.body.error : attempt.failure;
  return failure !== null && failure !== 'too_large' && /TIMEDOUT|TIMEOUT/.test(failure.code) ? failure : null;
}

/** Waits until the next try is due; returns why there is none. */
async function waitAfter(
  last: Exchange,
  tries: number,
  isTooLate: (ms: number) => boolean,
  options: RetryOptions,
): Promise<Stop | null> {
  const { limits, clock, signal, budget } = options;
  const { maxWaitMs } = limits;
  const delay = retryDelay(last, { tries, now: clock.now(), maxWaitMs, random: Math.random() });
  if ('until' in delay)
    return {
      reason: 'given_up',
      why: `the service asks to wait until ${new Date(delay.until).toISOString()}, which is longer than allowed`,
    };
  if (isTooLate(delay.ms)) return { reason: 'given_up', why: `no success within ${limits.totalMs / 1000} seconds` };
  if (!budget.take(timeoutOf(last) !== null)) return { reason: 'given_up', why: 'the run has used up its retries' };
  if (delay.ms > 0) await pause(delay.ms, last, options);
  return signal.aborted ? { reason: 'aborted' } : null;
}

async function pause(ms: number, last: Exchange, { operation, clock, signal, emit }: RetryOptions): Promise<void> {
  emit({
    type: 'waiting',
    operation,
    ms,
    reason: last.responded ? `status ${last.response.status}` : last.failure.code,
  });
  await clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function mayBeCarriedOut(attempt: Exchange): boolean {
  return attempt.responded ? attempt.response.status >= 500 : attempt.failure.opened;
}
