import type { IncomingHttpHeaders } from 'node:http';
import { clientLimits } from '../../src/client/client-limits.ts';
import type { Exchange } from '../../src/client/exchange.ts';
import { quotaGate } from '../../src/client/quota/quota-gate.ts';
import { retryBudget } from '../../src/client/quota/retry-budget.ts';
import { retryRules } from '../../src/client/retry-rules.ts';
import { type Sent, sendWithRetries } from '../../src/client/send-with-retries.ts';
import { randomFrom } from './simulate.ts';
import { virtualClock } from './virtual-clock.ts';

export interface Storm {
  /** What a service answers at a time (milliseconds since the start) to the n-th request. */
  readonly answer: (
    ms: number,
    index: number,
    wall: number,
  ) => { readonly status: number; readonly headers: IncomingHttpHeaders };
  readonly requests: number;
  readonly workers: number;
  readonly forMs?: number;
  readonly seed?: number;
}

/** A service that misbehaves, and when it was asked: milliseconds since the start, at sending and at the answer. */
export async function weather({ answer, requests, workers, forMs = Number.POSITIVE_INFINITY, seed = 1 }: Storm) {
  const clock = virtualClock();
  const random = randomFrom(seed);
  const asked: { readonly sentAt: number; readonly at: number; readonly status: number }[] = [];
  const sent: Sent<Exchange>[] = [];
  const stop = new AbortController();
  if (Number.isFinite(forMs)) clock.at(forMs, () => stop.abort(new Error('long enough')));
  const limits = clientLimits();
  const waits: number[] = [];
  const emit = (event: { readonly type: string; readonly ms?: number }) => {
    if (event.type === 'wait') waits.push(event.ms ?? 0);
  };
  const gate = quotaGate({ clock, limits, signal: stop.signal, share: 1, emit, random });
  const terms = {
    operation: 'asked',
    limits,
    clock,
    signal: stop.signal,
    budget: retryBudget(),
    emit,
    rule: retryRules.GET,
  };
  const send = () =>
    new Promise<Exchange>((resolve) => {
      const sentAt = clock.monotonic();
      const index = asked.length;
      asked.push({ sentAt, at: Number.NaN, status: 0 });
      clock.at(sentAt + 100, () => {
        const { status, headers } = answer(clock.monotonic(), index, clock.now());
        asked[index] = { sentAt, at: clock.monotonic(), status };
        resolve({ answered: true, answer: { status, headers, body: { bytes: Buffer.alloc(0), fault: null } } });
      });
    });
  let left = requests;
  const work = async () => {
    while (left-- > 0 && !stop.signal.aborted)
      sent.push(await sendWithRetries(() => gate.pass({ operation: 'asked', group: '' }, send), terms));
  };
  await clock.run(Promise.all(Array.from({ length: workers }, work)));
  return { asked, sent, waits, seen: gate.seen(), ms: clock.monotonic() };
}
