import type { ClientEvent, ClientLimits } from '../../model/client.ts';
import type { Clock } from '../../model/clock.ts';
import { type Exchange, notSent } from '../transport/exchange.ts';
import { rateHeaders } from '../transport/rate-headers.ts';
import { type Delay, openHostLimits, type Reservation, type SentRequest } from './host-limits.ts';

export type RateLimiter = ReturnType<typeof openRateLimiter>;

export interface LimitedRequest {
  readonly operation: string;
  /** Group of endpoints with limits of their own; '' for the others. */
  readonly group: string;
  /** Goes before the writes of its group, which may wait for what it reads. */
  readonly isRead?: boolean;
  /** An abort takes the request out of the queue. */
  readonly signal?: AbortSignal;
}

/**
 * Called when the limits allow the request; false if it must not be sent. While it is awaited, the request keeps its
 * place in the limits: a write waits for a quota first and for a reading last, so that no quota is too small for a write
 * that needs a recent reading.
 */
export type Ready = () => boolean | Promise<boolean>;

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly limits: Pick<ClientLimits, 'concurrency' | 'maxWaitMs' | 'totalMs'>;
  /** Empties the queue. */
  readonly signal: AbortSignal;
  /** Part of every limit that may be used, 0.05 to 1. */
  readonly share: number;
  readonly emit: (event: ClientEvent) => void;
  /** Returns 0 to 1. */
  readonly random?: () => number;
}

/** The requests of a group. Reads are granted first. */
interface Queue {
  readonly reads: Set<QueuedRequest>;
  readonly writes: Set<QueuedRequest>;
}

interface QueuedRequest {
  readonly operation: string;
  /** The limits allow it. */
  grant(now: number): void;
  settle(result: Grant | Promise<never>): void;
}

/** The request as it is sent, or the reason why it is not. */
type Grant = SentRequest | Exchange;

/** Shorter waits only pace the requests and are not reported. */
const reportedMs = 1000;

/** Most requests that wait for a reading. */
const mostReserved = 4;

const aborted = notSent('interrupted before it was sent');
const notReady = notSent('not sent, because it must not be sent any more');
const starved = notSent('not sent, because the service has refused every write for too long');

/** Sends all requests to one host within its limits: what one response shows applies to all requests. */
export function openRateLimiter(options: RateLimiterOptions) {
  const { clock, limits, signal, share, emit, random = Math.random } = options;
  const { concurrency: mostInFlight, maxWaitMs, totalMs } = limits;
  const wallOffset = clock.now() - clock.monotonic();
  const hostLimits = openHostLimits({ share, mostInFlight, wallOffset, maxWaitMs });
  /** A queue for each group: requests that wait for partials do not hold up the others. */
  const queues = new Map<string, Queue>();
  const starvation = openStarvation(totalMs);
  let timer: { readonly at: number; readonly cancel: AbortController } | null = null;

  /** Why the request is not sent at all; null when it may wait. */
  const whyNever = ({ ms, until, refusedSince }: Delay, now: number): string | null => {
    if (Number.isFinite(ms) && ms > maxWaitMs && until !== null)
      return `the service asks to wait until ${new Date(until).toISOString()}, which is longer than allowed`;
    const refusedMs = refusedSince === null ? 0 : now - refusedSince;
    return refusedMs + (refusedMs > 0 && Number.isFinite(ms) ? ms : 0) > totalMs
      ? `the service has refused every request for ${Math.round(refusedMs / 1000)} seconds`
      : null;
  };

  /** Sends the requests that may be sent, and sets the timer for the next one. */
  const sendQueued = () => {
    const now = clock.monotonic();
    let next: { readonly delay: Delay; readonly first: QueuedRequest } | null = null;
    for (const [group, queue] of queues) {
      for (const first of inOrder(queue)) {
        // What they wait for takes quota as well.
        if (hostLimits.reserved() >= mostReserved && queue.writes.has(first)) break;
        const delay = hostLimits.check(group, now);
        const why = whyNever(delay, now);
        if (why === null && delay.ms > 0) {
          if (next === null || delay.ms < next.delay.ms) next = { delay, first };
          break;
        }
        remove(queue, first);
        if (why === null) first.grant(now);
        else first.settle(notSent(why));
      }
    }
    if (next === null) cancelTimer();
    else if (Number.isFinite(next.delay.ms)) setTimer(now, next.delay, next.first);
  };

  const cancelTimer = () => {
    timer?.cancel.abort();
    timer = null;
  };
  const setTimer = (now: number, { ms, refusedSince }: Delay, first: QueuedRequest) => {
    const at = now + ms;
    // A timer may fire early: the limits are checked again.
    if (timer !== null && timer.at <= at) return;
    cancelTimer();
    const cancel = new AbortController();
    timer = { at, cancel };
    const reason = refusedSince === null ? 'quota' : 'status 429';
    if (ms >= reportedMs || refusedSince !== null)
      emit({ type: 'waiting', operation: first.operation, ms: Math.ceil(ms), reason });
    const onTime = () => {
      if (cancel.signal.aborted) return;
      timer = null;
      sendQueued();
    };
    clock.sleep(Math.ceil(ms), cancel.signal).then(onTime, (error: unknown) => {
      if (cancel.signal.aborted) return;
      for (const queue of queues.values()) remove(queue, first);
      first.settle(Promise.reject(error));
    });
  };

  const enqueue = ({ operation, group, isRead = false, signal: own }: LimitedRequest, ready: Ready | undefined) =>
    new Promise<Grant>((resolve) => {
      if (signal.aborted || own?.aborted) return resolve(aborted);
      const queue = queues.get(group) ?? { reads: new Set(), writes: new Set() };
      queues.set(group, queue);
      const granted = async (now: number): Promise<Grant> => {
        if (ready !== undefined && starvation.isLasting(now)) return starved;
        const isReady = ready?.() ?? true;
        if (isReady === false) return notReady;
        const reservation = hostLimits.reserve(group, now, operation);
        return isReady === true ? reservation.send(now) : whenReady(reservation, isReady);
      };
      const leave = () => {
        remove(queue, queued);
        settle(aborted);
      };
      // A listing has one signal for thousands of requests.
      const settle = (grant: Grant | Promise<Grant>) => {
        own?.removeEventListener('abort', leave);
        resolve(grant);
      };
      const queued = { operation, grant: (now: number) => settle(granted(now)), settle };
      queue[isRead ? 'reads' : 'writes'].add(queued);
      if (own !== signal) own?.addEventListener('abort', leave);
      sendQueued();
    });

  // One listener for all: a run can have a thousand queued requests.
  const onAbort = () => {
    cancelTimer();
    const all = [...queues.values()].flatMap((queue) => [...inOrder(queue)]);
    queues.clear();
    for (const queued of all) queued.settle(aborted);
  };
  signal.addEventListener('abort', onAbort, { once: true });

  const observe = (request: SentRequest, exchange: Exchange | null) => {
    const response = exchange?.responded ? exchange.response : null;
    hostLimits.observe(request, {
      status: response?.status ?? null,
      headers: response === null ? null : rateHeaders(response.headers),
      at: clock.monotonic(),
      random: random(),
    });
    sendQueued();
  };

  /** Awaits the reading with its part of the limits. */
  const whenReady = async (reservation: Reservation, isReady: Promise<boolean>): Promise<Grant> => {
    let why: Exchange | null = notReady;
    try {
      if (await isReady) why = signal.aborted ? aborted : null;
    } finally {
      if (why !== null) reservation.cancel();
      sendQueued();
    }
    return why ?? reservation.send(clock.monotonic());
  };

  return {
    /**
     * Queues the request, sends it when the limits allow it, and learns from the response. Requests of one group are sent
     * in order, reads first. A request that may not be sent returns a failure made by `notSent`: the signal aborted, the
     * service refused for too long, or `ready` is false.
     */
    async run(request: LimitedRequest, send: () => Promise<Exchange>, ready?: Ready): Promise<Exchange> {
      const sent = await enqueue(request, ready);
      if ('responded' in sent) return sent;
      let exchange: Exchange | null = null;
      try {
        exchange = await send();
        return exchange;
      } finally {
        observe(sent, exchange);
        if (ready !== undefined && exchange?.responded === true) {
          if (exchange.response.status === 429) starvation.readForNothing(clock.monotonic());
          else starvation.end();
        }
      }
    },
  };
}

const fewestReadings = 5;

/**
 * Writes that were read for but not accepted, since one was. If that lasts, the remaining ones are not read for: each
 * of them can take minutes, and there may be hundreds.
 */
function openStarvation(longestMs: number) {
  let [since, readings] = [0, 0];
  return {
    readForNothing(now: number) {
      if (readings === 0) since = now;
      readings += 1;
    },
    end() {
      readings = 0;
    },
    isLasting: (now: number) => readings >= fewestReadings && now - since > longestMs,
  };
}

function* inOrder({ reads, writes }: Queue): Generator<QueuedRequest> {
  yield* reads;
  yield* writes;
}

function remove({ reads, writes }: Queue, request: QueuedRequest): void {
  reads.delete(request);
  writes.delete(request);
}
