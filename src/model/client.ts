import type { Clock } from './clock.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Perform, ReadyAgain } from './outcome.ts';
import type { Quota } from './quota.ts';
import type { Reader } from './reader.ts';

/** Credentials come from the environment only, together with the host that they may be sent to. */
export type Credentials =
  | { readonly token: string }
  | { readonly clientId: string; readonly clientSecret: string; readonly authUrl: string; readonly audience: string };

/** What a long run may tell while it waits or reads; for progress and for the debug level. */
export type ClientEvent =
  | { readonly type: 'page'; readonly operation: string; readonly items: number; readonly total: number }
  | { readonly type: 'wait'; readonly operation: string; readonly ms: number; readonly reason: string }
  | { readonly type: 'unknown_fields'; readonly operation: string; readonly fields: readonly string[] };

export interface ConnectOptions {
  /** Ends in /api/v2. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** Aborts waits and requests that read; a write in flight is finished. */
  readonly signal?: AbortSignal;
  /** Hangs up on a write in flight as well; its outcome is then unknown. */
  readonly hangUp?: AbortSignal;
  readonly onEvent?: (event: ClientEvent) => void;
  /** Report fields that an answer's schema does not name. */
  readonly debug?: boolean;
  readonly userAgent?: string;
  readonly limits?: Partial<ClientLimits>;
  /** Part of the service's quota that this run may use; the rest is for others. 0.05 to 1, 0.9 unless given. */
  readonly quotaShare?: number;
}

export interface ClientLimits {
  /** Tries of one request, the first included. */
  readonly tries: number;
  /** Milliseconds for one try, from sending to the last byte of the body. */
  readonly timeoutMs: number;
  /** Longest single wait, in milliseconds. */
  readonly maxWaitMs: number;
  /** Milliseconds for all tries of one request, waits included; and for refusals of everything without an end. */
  readonly totalMs: number;
  /** Largest answer, in bytes. */
  readonly maxResponseBytes: number;
  /** Most pages of one listing. */
  readonly maxPages: number;
  /** Most requests at once. */
  readonly concurrency: number;
}

/** A tenant that can be read. Its transport has no way to send a write. */
export interface ReadConnection {
  readonly reader: Reader;
  /** The limits that the service has advertised so far and whose rate is known. */
  quotas(): readonly Quota[];
  /** True once any HTTP answer of the service has arrived. */
  reached(): boolean;
  close(): Promise<void>;
}

/** A tenant that can be read and changed; only `apply` opens one. */
export interface WriteConnection extends ReadConnection {
  readonly perform: Perform;
  /**
   * Waits until an action of unknown outcome may be sent once more: its connection broke, or something in front of the service
   * answered, and it has tries left. Once a reading has shown that it was not carried out, `perform` goes on with its tries.
   */
  readonly readyAgain: ReadyAgain;
  /** The scopes that the token says it has; null when it does not say. */
  grantedScopes(): Promise<ReadonlySet<string> | null>;
  /** When the token ends for good, in milliseconds since the epoch; null when it can be renewed or does not say. */
  tokenEnds(): Promise<number | null>;
}

/** Trouble with the service or the network that ends a run; carries the diagnostic that is printed. */
export interface ServiceTrouble extends Error {
  readonly diagnostic: Diagnostic;
}
