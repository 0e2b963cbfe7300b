import { setImmediate } from 'node:timers/promises';
import { type buildConnector, type Dispatcher, Pool } from 'undici';
import { type HttpProxy, proxyFor, whyDirect } from '../../contract/proxies.ts';
import type { ClientLimits, ProxySettings } from '../../model/client.ts';
import {
  connectedLate,
  type Exchange,
  type NetworkFailure,
  networkFailure,
  proxyRefusal,
  type ResponseBody,
} from './exchange.ts';

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
  readonly proxies?: ProxySettings | undefined;
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
export function openHttpClient({ origin, limits, proxies, onResponse, onRequest, maySend }: HttpClientOptions) {
  const { timeoutMs, maxResponseBytes } = limits;
  const proxy = proxyFor(origin, proxies);
  const way = proxy === null ? { whyDirect: whyDirect(origin, proxies) } : { proxy: shownProxy(proxy) };
  const timeout = Math.min(timeoutMs, 10_000);
  const pool = new Pool(origin, {
    connections: limits.concurrency,
    connect: proxy === null ? { timeout } : through(proxy, timeout),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveMaxTimeout: 30_000,
  });
  const unopened = new WeakSet<Error>();
  pool.on('connectionError', (_origin, _targets, error) => unopened.add(error));
  const fail = (error: unknown): NetworkFailure =>
    networkFailure(error, !(error instanceof Error && unopened.has(error)), way);
  const direct = proxy === null || origin.startsWith('https:') ? pool : pool.compose(inAbsoluteForm(origin, proxy));

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
    const dispatcher = isStillReady === undefined ? direct : direct.compose(ifReady(isStillReady, unopened));
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
      // Of the proxy, not of the service (RFC 9110, 15.5.8).
      if (proxy !== null && statusCode === 407) {
        body.on('error', () => {}).destroy();
        const refusal = proxyRefusal(statusCode, headers);
        unopened.add(refusal);
        throw refusal;
      }
      onResponse();
      const bound = statusCode < 300 ? maxResponseBytes : errorBytes;
      const read = await readBody(body, bound, fail);
      const response = { status: statusCode, headers, body: read, proxy: proxy?.url.host };
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

/** What may be shown of a proxy. */
function shownProxy({ url, authorization }: HttpProxy) {
  return { host: url.host, isSecure: url.protocol === 'https:', hasUser: authorization !== undefined };
}

/** Loads what opens connections through a proxy, which most runs do not need. */
function through(proxy: HttpProxy, timeout: number): buildConnector.connector {
  let connector: Promise<buildConnector.connector> | undefined;
  return (target, callback) => {
    connector ??= import('./proxied.ts').then(({ proxyConnector }) => proxyConnector(proxy, timeout));
    void connector.then((connect) => connect(target, callback));
  };
}

/** An http proxy finds the target of a request in its path (RFC 9112, 3.2.2). */
function inAbsoluteForm(origin: string, { authorization }: HttpProxy): Dispatcher.DispatcherComposeInterceptor {
  const added = authorization === undefined ? {} : { 'proxy-authorization': authorization };
  return (dispatch) => (options, handler) => {
    const headers = { ...(options.headers as object), ...added };
    return dispatch({ ...options, path: origin + options.path, headers }, handler);
  };
}

/** A request can wait for a connection for seconds. What it relies on may be too old afterwards. */
function ifReady(isStillReady: () => boolean, unopened: WeakSet<Error>): Dispatcher.DispatcherComposeInterceptor {
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
