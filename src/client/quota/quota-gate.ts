import type { ClientEvent, ClientLimits } from '../../model/client.ts';
import type { Clock } from '../../model/clock.ts';
import type { Exchange } from '../exchange.ts';
import { notSent } from './not-sent.ts';
import { openQuota, type SeenLimit, type Ticket, type Verdict } from './quota.ts';
import { quotaHeaders } from './quota-headers.ts';
import { type Waiting, waitingLines } from './waiting-lines.ts';

/** All requests to one host pass one gate: what one of them learns about the quota holds for all. */
export interface QuotaGate {
  /**
   * Waits for its turn, sends, and learns from what comes back, whatever it is. Those of one group go in the order in which they came.
   * A request that may not be sent comes back as a failure made by `notSent`: stopped by the signal, or refused for too long.
   */
  pass(request: GatedRequest, send: () => Promise<Exchange>): Promise<Exchange>;
  /** The limits that were advertised so far. */
  seen(): readonly SeenLimit[];
}

export interface GatedRequest {
  readonly operation: string;
  /** Group of endpoints with limits of their own; '' for the others. */
  readonly group: string;
}

export interface GateTerms {
  readonly clock: Clock;
  readonly limits: Pick<ClientLimits, 'concurrency' | 'maxWaitMs' | 'totalMs'>;
  /** Turns away everybody who waits. */
  readonly signal: AbortSignal;
  /** Part of every limit that may be used, 0.05 to 1. */
  readonly share: number;
  readonly emit: (event: ClientEvent) => void;
  /** Answers with 0 to 1. */
  readonly random?: () => number;
}

/** Pauses shorter than this keep the pace, and nobody wants to read about them. */
const toldMs = 1000;

const stopped = notSent('stopped before it was sent');

export function quotaGate({ clock, limits, signal, share, emit, random = Math.random }: GateTerms): QuotaGate {
  const { concurrency, maxWaitMs, totalMs } = limits;
  const quota = openQuota({ share, mostInFlight: concurrency, wallOffset: clock.now() - clock.monotonic(), maxWaitMs });
  const lines = waitingLines();
  let alarm: { readonly at: number; readonly off: AbortController } | null = null;

  /** Why there is no sense in waiting; null when there is. */
  const hopeless = ({ ms, until, refusedSince }: Verdict, now: number): string | null => {
    if (Number.isFinite(ms) && ms > maxWaitMs && until !== null)
      return `the service asks to wait until ${new Date(until).toISOString()}, which is longer than allowed`;
    const refusedMs = refusedSince === null ? 0 : now - refusedSince;
    return refusedMs > totalMs
      ? `the service has refused every request for ${Math.round(refusedMs / 1000)} seconds`
      : null;
  };

  /** Lets in whom it may, and sets the alarm for the next one. */
  const letIn = () => {
    const now = clock.monotonic();
    let next: { readonly verdict: Verdict; readonly first: Waiting } | null = null;
    for (const group of lines.groups()) {
      for (let first = lines.first(group); first !== undefined; first = lines.first(group)) {
        const verdict = quota.ask(group, now);
        const why = hopeless(verdict, now);
        if (why === null && verdict.ms > 0) {
          if (next === null || verdict.ms < next.verdict.ms) next = { verdict, first };
          break;
        }
        lines.leave(group, first);
        if (why === null) first.enter(quota.leave(group, now, first.operation));
        else first.turnAway(notSent(why));
      }
    }
    if (next === null) silence();
    else if (Number.isFinite(next.verdict.ms)) setAlarm(now, next.verdict, next.first);
  };

  const silence = () => {
    alarm?.off.abort();
    alarm = null;
  };
  const setAlarm = (now: number, { ms, why }: Verdict, { operation, fail }: Waiting) => {
    const at = now + ms;
    // One that rings too early finds out by asking again.
    if (alarm !== null && alarm.at <= at) return;
    silence();
    const off = new AbortController();
    alarm = { at, off };
    if (ms >= toldMs || why !== 'quota') emit({ type: 'wait', operation, ms: Math.ceil(ms), reason: why });
    const ring = () => {
      if (off.signal.aborted) return;
      alarm = null;
      letIn();
    };
    clock.sleep(Math.ceil(ms), off.signal).then(ring, (error: unknown) => {
      if (!off.signal.aborted) fail(error);
    });
  };

  const turn = ({ operation, group }: GatedRequest) =>
    new Promise<Ticket | Exchange>((resolve, reject) => {
      if (signal.aborted) return resolve(stopped);
      const fail = (error: unknown) => {
        lines.leave(group, waiting);
        reject(error);
      };
      const waiting: Waiting = { operation, enter: resolve, turnAway: resolve, fail };
      lines.join(group, waiting);
      letIn();
    });

  // One listener for all: a run can have a thousand requests that wait.
  const stop = () => {
    silence();
    for (const waiting of lines.empty()) waiting.turnAway(stopped);
  };
  signal.addEventListener('abort', stop, { once: true });

  const learn = (ticket: Ticket, exchange: Exchange | null) => {
    const answer = exchange?.answered ? exchange.answer : null;
    quota.learn(ticket, {
      status: answer?.status ?? null,
      headers: answer === null ? null : quotaHeaders(answer.headers),
      at: clock.monotonic(),
      random: random(),
    });
    letIn();
  };

  return {
    async pass(request, send) {
      const ticket = await turn(request);
      if ('answered' in ticket) return ticket;
      let exchange: Exchange | null = null;
      try {
        exchange = await send();
        return exchange;
      } finally {
        learn(ticket, exchange);
      }
    },
    seen: quota.seen,
  };
}
