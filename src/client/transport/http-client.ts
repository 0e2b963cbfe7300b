import { setImmediate } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import type { ClientLimits } from '../../model/client.ts';
import { connectedLate, type Exchange, type NetworkFailure, networkFailure, type ResponseBody } from './exchange.ts';

/** What may be shown of a request. */
export interface RequestLine {
  readonly method: string;
  /** Absolute, with its query. */
  readonly path: string;
}

export type HttpClient = ReturnType<typeof openHttpClient>;

export interface HttpClientOptions {
  readonly origin: string;
  readonly limits: Pick<ClientLimits, 'timeoutMs' | 'maxResponseBytes' | 'concurrency'>;
  readonly onResponse: () => void;
  /** Called for each request when it is sent; the function that it returns, when it ended. */
  readonly onRequest: (request: RequestLine) => (exchange: Exchange) => void;
  /** `isStillReady` of requests without one of their own. */
  readonly maySend?: (() => boolean) | undefined;
}

const errorBytes = 64 * 1024;

/**
 * Connections to one origin, and the rules for every request on them: a deadline that covers everything from connecting
 * to the last byte of the body, and a bound on what is read.
 *
 * The HTTP client does not know methods. Each transport writes its requests itself, so that GET is the only method in
 * the file of the read transport. Redirects are not followed.
 */
export function openHttpClient({ origin, limits, onResponse, onRequest, maySend }: HttpClientOptions) {
  const { timeoutMs, maxResponseBytes } = limits;
  const pool = new Pool(origin, {
    connections: limits.concurrency,
    connect: { timeout: Math.min(timeoutMs, 10_000) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveMaxTimeout: 30_000,
  });
  const unopened = new WeakSet<Error>();
  pool.on('connectionError', (_origin, _targets, error) => unopened.add(error));
  const fail = (error: unknown): NetworkFailure =>
    networkFailure(error, !(error instanceof Error && unopened.has(error)));

  /**
   * `start` sends the one request. `signal` aborts it; without a signal the request always finishes. `isStillReady` is
   * called when a connection is open, immediately before the first byte is written: nothing is if it returns false.
   */
  const exchange = async (
    request: RequestLine,
    start: (dispatcher: Dispatcher, deadline: AbortSignal) => Promise<Dispatcher.ResponseData>,
    {
      signal,
      isStillReady = maySend,
    }: { signal?: AbortSignal | undefined; isStillReady?: (() => boolean) | undefined },
  ): Promise<Exchange> => {
    const ended = onRequest(request);
    const dispatcher = isStillReady === undefined ? pool : pool.compose(ifReady(isStillReady, unopened));
    const result = await send((deadline) => start(dispatcher, deadline), signal);
    ended(result);
    return result;
  };

  const send = async (
    start: (deadline: AbortSignal) => Promise<Dispatcher.ResponseData>,
    signal: AbortSignal | undefined,
  ): Promise<Exchange> => {
    const deadline = startDeadline(timeoutMs, signal);
    try {
      const { statusCode, headers, body } = await Promise.race([start(deadline.signal), deadline.passed]);
      onResponse();
      const bound = statusCode < 300 ? maxResponseBytes : errorBytes;
      const response = { status: statusCode, headers, body: await readBody(body, bound, fail) };
      // The pool takes a connection for free one turn after its response: a request sent before opens another one.
      await setImmediate();
      return { responded: true, response };
    } catch (error) {
      return { responded: false, failure: fail(error) };
    } finally {
      deadline.end();
    }
  };
  return { exchange, destroy: () => pool.destroy() };
}

/** A request can wait for a connection for seconds. What it relies on may be too old afterwards. */
function ifReady(
  isStillReady: () => boolean,
  unopened: WeakSet<Error>,
): (dispatch: Dispatcher.Dispatch) => Dispatcher.Dispatch {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        if (isStillReady()) return handler.onRequestStart?.(controller, context);
        const late = new Error('the connection took longer than the last reading may be old');
        unopened.add(late);
        controller.abort(Object.assign(late, { code: connectedLate }));
      },
      onRequestUpgrade: (...about) => handler.onRequestUpgrade?.(...about),
      onResponseStart: (...about) => handler.onResponseStart?.(...about),
      onResponseData: (...about) => handler.onResponseData?.(...about),
      onResponseEnd: (...about) => handler.onResponseEnd?.(...about),
      onResponseError: (...about) => handler.onResponseError?.(...about),
    });
}

/** undici ignores the signal of a request that waits for a connection, hence the promise `passed` beside it. */
function startDeadline(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const onTimeout = () =>
    controller.abort(Object.assign(new Error(`no complete response within ${timeoutMs} ms`), { code: 'ETIMEDOUT' }));
  const onAbort = () => controller.abort(Object.assign(new Error('aborted'), { code: 'ABORT_ERR' }));
  const timer = setTimeout(onTimeout, timeoutMs);
  const passed = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  passed.catch(() => {});
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, passed, end };
}

/** Reads by events: an iterator costs an event-loop turn for every chunk, and a listing has a thousand pages. */
function readBody(
  body: Dispatcher.ResponseData['body'],
  bound: number,
  fail: (error: unknown) => NetworkFailure,
): Promise<ResponseBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const finish = (error: ResponseBody['error']) => {
      resolve({ bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks), error });
    };
    // Destroying the stream emits an abort error; by then this promise is resolved.
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
