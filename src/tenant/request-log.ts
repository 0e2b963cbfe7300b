/** What was asked and answered. Headers and the bodies of token requests are never kept: they carry secrets. */
export interface JournalEntry {
  /** Id of the operation, `token` for the token endpoint, null for anything else. */
  readonly operation: string | null;
  readonly method: string;
  /** From the host on, without the query. */
  readonly path: string;
  /** With its question mark; empty when there is none. */
  readonly query: string;
  /** Null when the connection was broken on purpose. */
  readonly status: number | null;
  /** The decoded body of a write, whether it was accepted or not. */
  readonly body?: unknown;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  add(entry: JournalEntry): void;
}

const longest = 10_000;

/** Keeps the last entries only: `serve` may run for weeks. */
export function createJournal(): Journal {
  const entries: JournalEntry[] = [];
  return {
    entries,
    add(entry) {
      entries.push(entry);
      if (entries.length > longest) entries.shift();
    },
  };
}
