import type { Exchange } from '../exchange.ts';
import type { Ticket } from './quota.ts';

/** One who waits for a turn: called with the ticket to go, or with what came of not going. */
export interface Waiting {
  readonly operation: string;
  enter(ticket: Ticket): void;
  turnAway(exchange: Exchange): void;
  fail(error: unknown): void;
}

/** A line for each group of endpoints: who waits for partials does not stand in the way of the others. */
export interface WaitingLines {
  join(group: string, waiting: Waiting): void;
  /** Does nothing for one who is not in the line. */
  leave(group: string, waiting: Waiting): void;
  first(group: string): Waiting | undefined;
  groups(): readonly string[];
  /** Everybody leaves. */
  empty(): readonly Waiting[];
}

export function waitingLines(): WaitingLines {
  const lines = new Map<string, Set<Waiting>>();
  return {
    join(group, waiting) {
      const line = lines.get(group) ?? new Set();
      lines.set(group, line.add(waiting));
    },
    leave: (group, waiting) => lines.get(group)?.delete(waiting),
    first: (group) => lines.get(group)?.values().next().value,
    empty: () => {
      const all = [...lines.values()].flatMap((line) => [...line]);
      lines.clear();
      return all;
    },
    groups: () => [...lines.keys()].filter((group) => (lines.get(group)?.size ?? 0) > 0),
  };
}
