import type { Clock } from './clock.ts';
import type { ItemRead } from './kind.ts';
import type { BeforeSending, PerformedAction } from './outcome.ts';
import type { Action } from './plan.generated.ts';
import type { Reader } from './reader.ts';

/** Credentials, with the host that they may be sent to. */
export type Credentials = { readonly token: string } | ClientCredentials;

/**
 * A client with its secret, or with its private key: PEM (PKCS#8 or PKCS#1, not encrypted), which signs an assertion for
 * each token request (RFC 7523). Without an `authUrl` it is the origin of the base URL; without an `audience`, the two usual
 * ones are tried.
 */
export type ClientCredentials = { readonly clientId: string; readonly authUrl?: string; readonly audience?: string } & (
  | { readonly clientSecret: string; readonly privateKey?: undefined }
  | { readonly privateKey: string; readonly clientSecret?: undefined }
);

/**
 * The URLs of proxies for https and for http, with the user and the password if they need one; and the hosts that are
 * reached without one, separated by commas, as in `NO_PROXY`. Loopback never needs to be named.
 */
export interface ProxySettings {
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  readonly exceptions?: string | undefined;
}

/**
 * What the client reports while it reads or waits. `operation` is the id of an operation, or `token`.
 */
export type ClientEvent =
  /** A response to a read: a page of a listing, or one item. `total` counts the items of this listing so far. */
  | { readonly type: 'read'; readonly operation: string; readonly items: number; readonly total: number }
  /** One try of a request. `status` is null without a response; `error` is then the reason. Only with `debug`. */
  | {
      readonly type: 'request';
      readonly method: string;
      readonly path: string;
      readonly status: number | null;
      readonly error: string | null;
      readonly ms: number;
    }
  /** How the run authenticates at the tenant. Only with `debug`. */
  | { readonly type: 'authentication'; readonly method: string }
  /** A request waits up to `ms` milliseconds before it is sent. */
  | { readonly type: 'waiting'; readonly operation: string; readonly ms: number; readonly reason: string };

/** A token and the time until which it is used, in milliseconds. */
export interface KeptToken {
  current: { readonly token: string; readonly scope: string | undefined; readonly until: number } | null;
}

export interface ConnectOptions {
  /** Ends in `/api/v2`; `http` is accepted for loopback only. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** By default, no proxy. */
  readonly proxies?: ProxySettings;
  /** For runs one after the other that use one token. By default, each connection has a token of its own. */
  readonly kept?: KeptToken | undefined;
  readonly clock: Clock;
  /** Aborts waits and reads. A write in flight finishes. */
  readonly signal?: AbortSignal | undefined;
  /** Aborts a write in flight as well; its outcome is then `unknown`. */
  readonly hangUp?: AbortSignal | undefined;
  readonly onEvent?: (event: ClientEvent) => void;
  /** Called with each secret that is sent or received, so that no output shows it. */
  readonly onSecret?: ((secret: string) => void) | undefined;
  /** Whether a text is in the files. Otherwise it may be a secret that the service echoes in another form. */
  readonly isKnownText?: (text: string) => boolean;
  /** Report each request as an event. */
  readonly debug?: boolean;
  readonly userAgent?: string;
  /** Called immediately before a reading or a request for a token is sent; if it returns false, it is not. */
  readonly maySend?: (() => boolean) | undefined;
  readonly limits?: Partial<ClientLimits>;
  /** Part of the tenant's quota that this run may use, 0.05 to 1; by default 0.9, and 0.5 for drift. */
  readonly quotaShare?: number | undefined;
}

export interface ClientLimits {
  /** Tries of one request, the first included. */
  readonly tries: number;
  /** Milliseconds for one try, from sending to the last byte of the body. */
  readonly timeoutMs: number;
  /** Longest single wait, in milliseconds. */
  readonly maxWaitMs: number;
  /** Milliseconds for all tries of one request, waits included; also how long a service may refuse every request. */
  readonly totalMs: number;
  /** Largest response, in bytes. */
  readonly maxResponseBytes: number;
  /** Largest sum of the responses of one listing, in bytes. */
  readonly maxListingBytes: number;
  /** Most pages of one listing. */
  readonly maxPages: number;
  /** Most requests at once. */
  readonly concurrency: number;
}

/** The client that a token was issued to, and the APIs that it is for; null and none if the token does not show them. */
export interface TokenOwner {
  readonly client: string | null;
  readonly apis: readonly string[];
}

/** A tenant that can be read. Its transport has no way to send a write. */
export interface ReadConnection {
  readonly reader: Reader;
  /** True once any HTTP response has arrived. */
  reached(): boolean;
  /** Rejects if there is no token. */
  tokenOwner(): Promise<TokenOwner>;
  close(): Promise<void>;
}

/** A tenant that can be read and changed; only `apply` opens one. */
export interface WriteConnection extends ReadConnection {
  /**
   * Sends the request of an action, and nothing else. Never throws because of the service or the network. `before` is
   * called before every try, and `isStillReady` when its connection is open: if it returns false, the try ends without
   * being sent. `asRead` gets the item of which the request sends parts back, as `before` decides whether it is sent.
   */
  perform(
    action: Action,
    before?: BeforeSending,
    isStillReady?: () => boolean,
    asRead?: (item: ItemRead) => PerformedAction | null,
  ): Promise<PerformedAction>;
  /**
   * Whether an action of unknown outcome may be sent again: its connection broke, or a proxy responded, and it has tries
   * left. After a read has shown that it was not carried out, `perform` continues with these.
   */
  mayResend(id: string): boolean;
  /**
   * The scopes of the token, and those of operations that the service has allowed since; null when neither the token
   * nor its response lists them.
   */
  grantedScopes(): Promise<ReadonlySet<string> | null>;
}
