import { setMaxListeners } from 'node:events';
import { proxySecrets } from '../contract/proxies.ts';
import { tokenEndpoint } from '../contract/token-endpoint.ts';
import type { ClientEvent, ClientLimits, ConnectOptions } from '../model/client.ts';
import type { Clock } from '../model/clock.ts';
import { withoutFinal } from '../values/line-ends.ts';
import { openRateLimiter, type RateLimiter } from './limits/rate-limiter.ts';
import { type RetryBudget, retryBudget } from './retry/retry-policy.ts';
import { clientAuthentication } from './token/client-authentication.ts';
import { openTokenTransport, tokenRequester } from './token/request-token.ts';
import { clientCredentials, staticToken, type TokenSource } from './token/token-source.ts';
import { type HttpClient, type HttpClientOptions, openHttpClient } from './transport/http-client.ts';
import type { TransportOptions } from './transport/read-transport.ts';
import { openSanitizer, type Sanitizer } from './transport/sanitizer.ts';

/** What the reading and the writing side of one connection share. */
export interface Session {
  readonly host: string;
  /** Path of the base URL. */
  readonly basePath: string;
  readonly limits: ClientLimits;
  readonly clock: Clock;
  /** The caller's signal, or the end of the connection. */
  readonly signal: AbortSignal;
  readonly sanitizer: Sanitizer;
  readonly tokens: TokenSource;
  /** The scopes of operations that the service has allowed in this run, whatever the token's claims list. */
  readonly allowedScopes: Set<string>;
  /** For every request to the base URL. */
  readonly limiter: RateLimiter;
  readonly budget: RetryBudget;
  /** For every transport to the base URL's origin. */
  readonly transportOptions: TransportOptions;
  emit(event: ClientEvent): void;
  reached(): boolean;
  /** Aborts waits and reads, and closes the connections. By then no write is in flight. */
  end(): Promise<void>;
}

export function openSession(options: ConnectOptions): Session {
  const url = new URL(options.baseUrl);
  const limits = clientLimits(options.limits);
  const sanitizer = openSanitizer(options);
  const ended = new AbortController();
  const signal = options.signal === undefined ? ended.signal : AbortSignal.any([options.signal, ended.signal]);
  // Every request in flight listens to it, and every action that waits for what a service shows late.
  setMaxListeners(0, signal, options.signal ?? signal);
  let reached = false;
  const onResponse = () => {
    reached = true;
  };
  const emit = options.onEvent ?? (() => {});
  const onRequest = options.debug ? requestEvents(options.clock, emit) : () => () => {};
  const base = { limits, clock: options.clock, signal, sanitizer, emit, budget: retryBudget(), reached: () => reached };
  const share = Math.min(1, Math.max(0.05, options.quotaShare ?? 0.9));
  const { maySend, proxies, userAgent = 'tenant-sync' } = options;
  for (const secret of proxySecrets(proxies)) sanitizer.hide(secret);
  const clients = new Map<string, HttpClient>();
  /** Tokens mostly come from the origin that is then read: they share its connections. */
  const connectTo = ({ origin }: URL): TransportOptions => {
    const http = clients.get(origin) ?? openHttpClient({ origin, limits, proxies, onResponse, onRequest, maySend });
    clients.set(origin, http);
    return { http, signal, userAgent };
  };
  const tokens = openTokens(options, base, connectTo);
  const limiter = openRateLimiter({ ...base, share });
  return {
    ...base,
    host: url.host,
    basePath: withoutFinal(url.pathname, '/'),
    tokens,
    allowedScopes: new Set(),
    limiter,
    transportOptions: connectTo(url),
    end: async () => {
      ended.abort(new Error('the connection was closed'));
      await Promise.all([...clients.values()].map(({ destroy }) => destroy()));
    },
  };
}

/** An event for each request, with the time from sending to the last byte. */
function requestEvents(clock: Clock, emit: (event: ClientEvent) => void): HttpClientOptions['onRequest'] {
  return ({ method, path }) => {
    const start = clock.monotonic();
    return (exchange) => {
      const ms = Math.round(clock.monotonic() - start);
      const end = exchange.responded
        ? { status: exchange.response.status, error: null }
        : { status: null, error: exchange.failure.code };
      // A cursor is a text of the service, which may repeat what it was sent.
      emit({ type: 'request', method, path: path.replace(/([?&]from=)[^&]*/, '$1[…]'), ...end, ms });
    };
  };
}

function openTokens(
  { credentials, baseUrl, kept, debug = false }: ConnectOptions,
  base: Pick<Session, 'limits' | 'clock' | 'signal' | 'sanitizer' | 'emit' | 'budget' | 'reached'>,
  connectTo: (url: URL) => TransportOptions,
): TokenSource {
  const announce = (method: string) => debug && base.emit({ type: 'authentication', method });
  if ('token' in credentials) {
    announce('access token');
    base.sanitizer.hide(credentials.token);
    return staticToken(credentials.token);
  }
  const { authUrl = new URL(baseUrl).origin, audience } = credentials;
  const authentication = clientAuthentication({ ...credentials, authUrl }, base);
  announce(authentication.method);
  const transport = openTokenTransport({ ...connectTo(new URL(authUrl)), authUrl });
  const audiences =
    audience === undefined ? [`${withoutFinal(baseUrl, '/')}/`, tokenEndpoint.bareAudience] : [audience];
  // The token endpoint is another host with another clock and other limits, so it has a rate limiter of its own.
  const limiter = openRateLimiter({ ...base, share: 1 });
  const { host } = new URL(authUrl);
  const request = tokenRequester({ ...base, limiter, transport, authentication, audiences, host });
  if (kept?.current) base.sanitizer.hide(kept.current.token);
  return clientCredentials(request, base.clock, kept);
}

const defaults: ClientLimits = {
  tries: 5,
  timeoutMs: 30_000,
  maxWaitMs: 120_000,
  totalMs: 600_000,
  maxResponseBytes: 4 * 1024 * 1024,
  maxListingBytes: 128 * 1024 * 1024,
  maxPages: 10_000,
  concurrency: 16,
};

export function clientLimits(given: Partial<ClientLimits> = {}): ClientLimits {
  return { ...defaults, ...given };
}
