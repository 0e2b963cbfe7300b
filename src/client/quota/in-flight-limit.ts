/**
 * How many requests may be under way at once: few at the start, one more for every answer that came while half of the places were taken,
 * and a third fewer when answers become slow or do not come at all. Refusals by the quota do not count here: they say nothing about
 * how much the service can do at once.
 */
export interface InFlightLimit {
  /** A whole number, at least 1. */
  most(): number;
  /**
   * `inFlight`: how many were under way when it was sent, itself included. `ms`: how long it took. `well`: an answer below 500.
   * `operation`: what was asked for; one that always takes long is not slow.
   */
  learn(answer: {
    readonly operation: string;
    readonly well: boolean;
    readonly ms: number;
    readonly inFlight: number;
    readonly at: number;
  }): void;
}

const atStart = 4;
/** Slower than this many times the fastest answer to the same operation, and by more than the margin, is slow. */
const slowTimes = 4;
const slowMarginMs = 250;

export function inFlightLimit(highest: number): InFlightLimit {
  let limit = Math.min(atStart, highest);
  const fastest = new Map<string, number>();
  let loweredAt = Number.NEGATIVE_INFINITY;
  return {
    most: () => Math.max(1, Math.floor(limit)),
    learn({ operation, well, ms, inFlight, at }) {
      const best = Math.min(fastest.get(operation) ?? Number.POSITIVE_INFINITY, ms);
      if (well) fastest.set(operation, best);
      const trouble = !well || ms > best * slowTimes + slowMarginMs;
      // What was sent before the limit was lowered has nothing new to say.
      if (trouble && at - ms >= loweredAt) {
        limit = Math.max(1, limit * 0.67);
        loweredAt = at;
      } else if (!trouble && inFlight * 2 >= Math.floor(limit)) {
        limit = Math.min(highest, limit + 1);
      }
    },
  };
}
