import type { Socket } from 'node:net';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { ClientLimits } from '../../model/client.ts';
import { connectedLate, type Exchange, type NetworkFailure, networkFailure, type ResponseBody } from './exchange.ts';

/**
 * Connections to one origin, and the rules for every request on them: a deadline that covers everything from connecting
 * to the last byte of the body, and a bound on what is read.
 *
 * The HTTP client does not know methods. Each transport writes its requests itself, so that GET is the only method in
 * the file of the read transport. Redirects are not followed.
 */
export interface HttpClient {
  /**
   * `start` sends the one request. `signal` aborts it; without a signal the request always finishes. `isStillReady` is
   * called when a connection is open, immediately before the first byte is written: nothing is if it returns false.
   */
  exchange(
    request: RequestLine,
    start: (dispatcher: Dispatcher, deadline: AbortSignal) => Promise<Dispatcher.ResponseData>,
    about?: { readonly signal?: AbortSignal | undefined; readonly isStillReady?: (() => boolean) | undefined },
  ): Promise<Exchange>;
  /** Breaks open connections. */
  destroy(): Promise<void>;
  /** Lets requests in flight finish. */
  close(): Promise<void>;
}

/** What may be shown of a request. */
export interface RequestLine {
  readonly method: string;
  /** Absolute, with its query. */
  readonly path: string;
}

export interface HttpClientOptions {
  readonly origin: string;
  readonly limits: ClientLimits;
  readonly onResponse: () => void;
  /** Called for each request when it is sent; the function that it returns, when it ended. */
  readonly onRequest: (request: RequestLine) => (exchange: Exchange) => void;
}

const errorBytes = 64 * 1024;

export function openHttpClient({ origin, limits, onResponse, onRequest }: HttpClientOptions): HttpClient {
  const { timeoutMs, maxResponseBytes } = limits;
  const pool = new Pool(origin, {
    connections: limits.concurrency,
    connect: connectorOf(Math.min(timeoutMs, 10_000)),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveMaxTimeout: 30_000,
  });
  const unopened = new WeakSet<Error>();
  pool.on('connectionError', (_origin, _targets, error) => unopened.add(error));
  const fail = (error: unknown): NetworkFailure =>
    networkFailure(error, !(error instanceof Error && unopened.has(error)));

  const exchange: HttpClient['exchange'] = async (request, start, { signal, isStillReady } = {}) => {
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
      return { responded: true, response: { status: statusCode, headers, body: await readBody(body, bound, fail) } };
    } catch (error) {
      return { responded: false, failure: fail(error) };
    } finally {
      deadline.end();
    }
  };
  return { exchange, destroy: () => pool.destroy(), close: () => pool.close() };
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

function connectorOf(timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout });
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0] === null) ignoreContinue(result[1]);
      callback(...result);
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

/**
 * A server may send responses with a status of 1xx before the final one, and a client ignores them (RFC 9110, 15.2).
 * The HTTP library does, except for 100 (Continue), which it takes for an error. So on its way to the library, a 100
 * becomes a 102, which is ignored.
 */
function ignoreContinue(socket: Socket): void {
  const { read, write } = socket;
  const responses = openInterimResponses();
  socket.read = (...args) => {
    const chunk: unknown = Reflect.apply(read, socket, args);
    if (Buffer.isBuffer(chunk)) responses.received(chunk);
    return chunk;
  };
  socket.write = (...args: unknown[]) => {
    responses.sent();
    return Reflect.apply(write, socket, args) as boolean;
  };
}

const interim = Buffer.from('HTTP/1.1 10');
const endOfHead = Buffer.from('\r\n\r\n');

/**
 * Finds the heads of interim responses in what is received after a request, wherever the chunks are cut, and changes a
 * 100 in place. The rest, from the head of the final response on, is not looked at.
 */
export function openInterimResponses() {
  /** What the next byte belongs to: a status line, the rest of an interim head, or the final response. */
  let part: 'status' | 'head' | 'final' = 'status';
  /** Bytes that match `interim`, or `endOfHead`. */
  let matched = 0;

  const readStatus = (chunk: Buffer, at: number): void => {
    if (matched === interim.length) {
      if (chunk[at] === 0x30) chunk[at] = 0x32;
      part = 'head';
      matched = 0;
    } else if (chunk[at] === interim[matched]) matched += 1;
    else part = 'final';
  };
  const readHead = (chunk: Buffer, at: number): void => {
    if (chunk[at] === endOfHead[matched]) matched += 1;
    else matched = chunk[at] === endOfHead[0] ? 1 : 0;
    if (matched < endOfHead.length) return;
    part = 'status';
    matched = 0;
  };
  return {
    /** A request is sent only after the response to the one before it is complete. */
    sent(): void {
      if (part !== 'final') return;
      part = 'status';
      matched = 0;
    },
    received(chunk: Buffer): void {
      for (let at = 0; at < chunk.length && part !== 'final'; at += 1)
        if (part === 'status') readStatus(chunk, at);
        else readHead(chunk, at);
    },
  };
}
