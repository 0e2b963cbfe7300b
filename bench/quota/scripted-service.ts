import type { IncomingHttpHeaders } from 'node:http';
import { openRateLimiter } from '../../src/client/limits/rate-limiter.ts';
import { retryBudget, retryPolicies } from '../../src/client/retry/retry-policy.ts';
import { openRetries, type SendResult } from '../../src/client/retry/send-with-retries.ts';
import { clientLimits } from '../../src/client/session.ts';
import type { Exchange } from '../../src/client/transport/exchange.ts';
import { randomFrom } from './simulate.ts';
import { virtualClock } from './virtual-clock.ts';

export interface Script {
  /** The response to the n-th request at a time, in milliseconds since the start. */
  readonly respond: (
    ms: number,
    index: number,
    wall: number,
  ) => { readonly status: number; readonly headers: IncomingHttpHeaders };
  readonly requests: number;
  readonly workers: number;
  readonly forMs?: number;
  readonly seed?: number;
}

/**
 * Runs a client against a service that misbehaves. Times of requests are milliseconds since the start, at sending and
 * at the response.
 */
export async function playScript({ respond, requests, workers, forMs = Number.POSITIVE_INFINITY, seed = 1 }: Script) {
  const clock = virtualClock();
  const random = randomFrom(seed);
  const requested: { readonly sentAt: number; readonly at: number; readonly status: number }[] = [];
  const sent: SendResult[] = [];
  const stop = new AbortController();
  if (Number.isFinite(forMs)) clock.at(forMs, () => stop.abort(new Error('the time is over')));
  const limits = clientLimits();
  const waits: number[] = [];
  const emit = (event: { readonly type: string; readonly ms?: number }) => {
    if (event.type === 'wait') waits.push(event.ms ?? 0);
  };
  const limiter = openRateLimiter({ clock, limits, signal: stop.signal, share: 1, emit, random });
  const options = {
    operation: 'scripted',
    limits,
    clock,
    signal: stop.signal,
    budget: retryBudget(),
    emit,
    policy: retryPolicies.GET,
  };
  const send = () =>
    new Promise<Exchange>((resolve) => {
      const sentAt = clock.monotonic();
      const index = requested.length;
      requested.push({ sentAt, at: Number.NaN, status: 0 });
      clock.at(sentAt + 100, () => {
        const { status, headers } = respond(clock.monotonic(), index, clock.now());
        requested[index] = { sentAt, at: clock.monotonic(), status };
        resolve({ responded: true, response: { status, headers, body: { bytes: Buffer.alloc(0), error: null } } });
      });
    });
  let left = requests;
  const work = async () => {
    while (left-- > 0 && !stop.signal.aborted)
      sent.push(await openRetries(() => limiter.run({ operation: 'scripted', group: '' }, send), options)());
  };
  await clock.run(Promise.all(Array.from({ length: workers }, work)));
  return { requested, sent, waits, ms: clock.monotonic() };
}
