/** One request and its response. Headers and bodies of token requests are never kept: they contain secrets. */
export interface LoggedRequest {
  /** Id of the operation, `token` for the token endpoint, null for any other path. */
  readonly operation: string | null;
  readonly method: string;
  /** Without host and query. */
  readonly path: string;
  /** With its question mark; empty if there is none. */
  readonly query: string;
  /** Null if a fault broke the connection. */
  readonly status: number | null;
  /** The decoded body of a write, valid or not. */
  readonly body?: unknown;
}

export interface RequestLog {
  readonly entries: readonly LoggedRequest[];
  add(entry: LoggedRequest): void;
}

const maxEntries = 10_000;

/** Keeps only the newest entries, because `serve` may run for weeks. */
export function createRequestLog(): RequestLog {
  const entries: LoggedRequest[] = [];
  return {
    entries,
    add(entry) {
      entries.push(entry);
      if (entries.length > maxEntries) entries.shift();
    },
  };
}
