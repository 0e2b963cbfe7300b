import type { ServerClock } from './server-clock.ts';

/** What one answer said. Moments of the service, the rest on the monotonic clock. */
export interface Sighting {
  /** Requests sent up to this one, itself included. */
  readonly ordinal: number;
  readonly sentAt: number;
  readonly at: number;
  readonly remaining: number;
  readonly resetAt: number | null;
  readonly date: number | null;
}

/**
 * What a limiter does that fills up at once when its reset is reached never does, and one that drips does all the time:
 *
 *   moved       9 left, reset 12:00:01   then   5 left, reset 12:00:03, while it is still 12:00:00
 *   rose        0 left, reset 12:00:05   then   1 left, sent after the first had arrived, while it is still 12:00:01
 *   not filled  0 left, reset 12:00:01   then   1 left of 10, sent after 12:00:01
 */
export type DripEvidence = 'moved' | 'rose' | 'not filled';

export function dripEvidence(
  earlier: readonly Sighting[],
  after: Sighting,
  sent: number,
  limit: number,
  clock: ServerClock,
): Evidence | null {
  for (const before of earlier) {
    const kind = compare(before, after, sent, limit, clock);
    if (kind !== null) return { kind, before };
  }
  return null;
}

export interface Evidence {
  readonly kind: DripEvidence;
  readonly before: Sighting;
}

function compare(
  before: Sighting,
  after: Sighting,
  sent: number,
  limit: number,
  clock: ServerClock,
): DripEvidence | null {
  const inTurn = after.sentAt >= before.at;
  const reset = before.resetAt;
  if (reset === null)
    return inTurn && after.remaining >= before.remaining && before.remaining < limit - 1 ? 'rose' : null;
  const early = (after.date !== null && after.date + 1000 <= reset) || after.at < clock.surelyBefore(reset);
  if (early && after.resetAt !== null && after.resetAt > reset && after.remaining <= before.remaining) return 'moved';
  if (early && inTurn && after.remaining >= before.remaining) return 'rose';
  const late = after.sentAt >= clock.surelyAfter(reset);
  return late && before.remaining < limit / 4 && after.remaining + sent - before.ordinal < limit / 2
    ? 'not filled'
    : null;
}
