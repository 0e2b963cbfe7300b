import { type Dispatcher, Pool } from 'undici';
import type { ClientLimits } from '../model/client.ts';
import type { AnswerBody, Exchange, NetworkFailure } from './exchange.ts';
import { networkFailure } from './network-failure.ts';

/**
 * Connections to one origin, and the rules that hold for every request on them: a deadline that covers everything from
 * connecting to the last byte of the body, and a bound on what is read.
 *
 * A line does not know methods. Whoever opens one writes the request out, so that the reading wire can be a file in which
 * GET is the only method there is. Redirects are not followed: nothing here knows how.
 */
export interface Line {
  /** `start` sends the one request. `signal` hangs up; without it the request is finished. */
  exchange(
    start: (pool: Pool, deadline: AbortSignal) => Promise<Dispatcher.ResponseData>,
    signal?: AbortSignal,
  ): Promise<Exchange>;
  /** Hangs up. */
  destroy(): Promise<void>;
  /** Lets requests in flight finish. */
  close(): Promise<void>;
}

export interface LineTerms {
  readonly origin: string;
  readonly limits: ClientLimits;
  readonly onAnswer: () => void;
}

const errorBytes = 64 * 1024;

export function openLine({ origin, limits, onAnswer }: LineTerms): Line {
  const { timeoutMs, maxAnswerBytes } = limits;
  const pool = new Pool(origin, {
    connections: limits.concurrency,
    connectTimeout: Math.min(timeoutMs, 10_000),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveMaxTimeout: 30_000,
  });
  const unopened = new WeakSet<Error>();
  pool.on('connectionError', (_origin, _targets, error) => unopened.add(error));
  const fail = (error: unknown): NetworkFailure =>
    networkFailure(error, !(error instanceof Error && unopened.has(error)));

  const exchange: Line['exchange'] = async (start, signal) => {
    const deadline = startDeadline(timeoutMs, signal);
    try {
      const { statusCode, headers, body } = await Promise.race([start(pool, deadline.signal), deadline.passed]);
      onAnswer();
      const bound = statusCode < 300 ? maxAnswerBytes : errorBytes;
      return { answered: true, answer: { status: statusCode, headers, body: await readBody(body, bound, fail) } };
    } catch (error) {
      return { answered: false, failure: fail(error) };
    } finally {
      deadline.end();
    }
  };
  return { exchange, destroy: () => pool.destroy(), close: () => pool.close() };
}

/** A request that waits for a connection does not hear its signal, hence `passed` beside it. */
function startDeadline(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const late = () =>
    controller.abort(Object.assign(new Error(`no complete answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' }));
  const cancel = () => controller.abort(Object.assign(new Error('stopped'), { code: 'ABORT_ERR' }));
  const timer = setTimeout(late, timeoutMs);
  const passed = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  passed.catch(() => {});
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  };
  return { signal: controller.signal, passed, end };
}

/** Reads by events: an iterator costs a turn for every chunk, and a listing has a thousand pages. */
function readBody(
  body: Dispatcher.ResponseData['body'],
  bound: number,
  fail: (error: unknown) => NetworkFailure,
): Promise<AnswerBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const finish = (fault: AnswerBody['fault']) => {
      resolve({ bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks), fault });
    };
    // Destroying the stream makes it report that it was aborted; by then this promise is settled.
    body.on('error', (error) => finish(fail(error)));
    body.on('end', () => finish(null));
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bound) {
        chunks.push(chunk);
        return;
      }
      finish('too_large');
      body.destroy();
    });
  });
}
