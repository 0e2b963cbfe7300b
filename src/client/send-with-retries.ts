import type { ClientEvent, ClientLimits } from '../model/client.ts';
import type { Clock } from '../model/clock.ts';
import type { Exchange } from './exchange.ts';
import { wasNotSent } from './quota/not-sent.ts';
import { quotaHeaders } from './quota/quota-headers.ts';
import type { RetryBudget } from './quota/retry-budget.ts';
import { retryDelay } from './retry-delay.ts';
import type { RetryRule } from './retry-rules.ts';

/** No request was sent, because there is no token to send it with. */
export interface NoToken {
  readonly answered: false;
  readonly noToken: Error;
}

export type Attempt = Exchange | NoToken;

/** Why there was no further try. `unclear`: only a reading can tell whether there may be one. `why` is for people. */
export type Stop =
  | { readonly reason: 'final' }
  | { readonly reason: 'unclear' }
  | { readonly reason: 'tries_used_up' }
  | { readonly reason: 'stopped' }
  | { readonly reason: 'given_up'; readonly why: string };

/** A request with all its tries. */
export interface Sent<Last extends Attempt = Attempt> {
  readonly last: Last;
  readonly tries: number;
  /** At least one try was answered, whatever the answer was. */
  readonly reached: boolean;
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
  readonly rule: RetryRule;
}

/** The tries of one request, between which there may be readings. */
export interface Tries<Last extends Attempt> {
  /** Tries on, until it has come to an end or a reading is needed. */
  go(): Promise<Sent<Last>>;
  /** Waits until the next try is due, which then needs no more waiting; answers why there is none. A reading belongs between this and that. */
  ready(): Promise<Stop | null>;
}

/** A request of which no try needs a reading before the next one. */
export function sendWithRetries<Last extends Attempt>(
  once: () => Promise<Last>,
  terms: RetryTerms,
): Promise<Sent<Last>> {
  return startTries(once, terms).go();
}

/**
 * The one retry layer: whatever is sent, it is sent at most `limits.tries` times, within `limits.totalMs`, and as long as the run
 * has retries left, with or without readings in between. `once` passes the gate: that is where a request which the quota refused
 * waits for its next try.
 */
export function startTries<Last extends Attempt>(once: () => Promise<Last>, terms: RetryTerms): Tries<Last> {
  const { limits, signal, budget, rule } = terms;
  let last: Last | null = null;
  let tries = 0;
  let reached = false;
  let ambiguous = false;
  let isReady = true;
  const isTooLate = deadline(terms);
  const soFar = (at: Last, stop: Stop): Sent<Last> => ({ last: at, tries, reached, ambiguous, stop });

  /** Why there is no next try without further ado; null when there may be one. */
  const stopAfter = (attempt: Last): Stop | null => {
    if (!('noToken' in attempt)) {
      if (rule.blindly(attempt)) return null;
      if (rule.afterReading?.(attempt))
        return tries < limits.tries ? { reason: 'unclear' } : { reason: 'tries_used_up' };
      if (attempt.answered && attempt.answer.status < 400) budget.succeed();
    }
    return { reason: 'final' };
  };

  const ready = async (): Promise<Stop | null> => {
    if (isReady || last === null || 'noToken' in last) return null;
    const never = await waitAfter(last, tries, isTooLate, terms);
    isReady = never === null;
    return never;
  };

  const go = async (): Promise<Sent<Last>> => {
    for (;;) {
      const before = last;
      const never = await ready();
      if (before !== null && never !== null) return soFar(before, never);
      isReady = false;
      const attempt = await once();
      if (before !== null && !('noToken' in attempt) && !attempt.answered && wasNotSent(attempt.failure)) {
        return soFar(
          before,
          signal.aborted ? { reason: 'stopped' } : { reason: 'given_up', why: attempt.failure.cause.message },
        );
      }
      last = attempt;
      tries += 1;
      reached ||= attempt.answered;
      ambiguous ||= mayHaveHappened(attempt);
      const stop = stopAfter(attempt);
      if (stop !== null) return soFar(attempt, stop);
    }
  };
  return { go, ready };
}

/** Whether a wait would end after `limits.totalMs`, counted from the first time it is asked. */
function deadline({ clock, limits }: RetryTerms): (ms: number) => boolean {
  let startedAt: number | null = null;
  return (ms) => {
    startedAt ??= clock.monotonic();
    return clock.monotonic() - startedAt + ms > limits.totalMs;
  };
}

/** Waits until the next try is due; answers why there is none. */
async function waitAfter(
  last: Exchange,
  tries: number,
  isTooLate: (ms: number) => boolean,
  terms: RetryTerms,
): Promise<Stop | null> {
  const { limits, signal, budget } = terms;
  if (tries >= limits.tries) return { reason: 'tries_used_up' };
  const delay = delayAfter(last, tries, terms);
  if ('until' in delay)
    return {
      reason: 'given_up',
      why: `the service asks to wait until ${new Date(delay.until).toISOString()}, which is longer than allowed`,
    };
  if (isTooLate(delay.ms)) return { reason: 'given_up', why: `no success within ${limits.totalMs / 1000} seconds` };
  if (!budget.take(timedOut(last))) return { reason: 'given_up', why: 'this run has made all the retries it may make' };
  if (delay.ms > 0) await pause(delay.ms, last, terms);
  return signal.aborted ? { reason: 'stopped' } : null;
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
