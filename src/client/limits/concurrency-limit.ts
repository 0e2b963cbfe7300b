interface Response {
  /** Responses are compared per operation, so one that always takes long is not slow. */
  readonly operation: string;
  /** Below 500. */
  readonly ok: boolean;
  /** How long it took. */
  readonly ms: number;
  /** Requests in flight when it was sent, itself included. */
  readonly inFlight: number;
  readonly at: number;
}

const initial = 4;
/** A response that takes longer than this many times the operation's fastest, and the margin, is slow. */
const slowFactor = 4;
const slowMarginMs = 250;

/**
 * How many requests may be in flight: few at the start, one more for every response that came while at least half of
 * the limit was used, and a third fewer when responses become slow or do not come. A 429 does not count here: it does
 * not show how much the service can do at once.
 */
export function concurrencyLimit(highest: number) {
  let limit = Math.min(initial, highest);
  const fastest = new Map<string, number>();
  let loweredAt = Number.NEGATIVE_INFINITY;
  return {
    /** An integer, at least 1. */
    current: () => Math.max(1, Math.floor(limit)),
    observe({ operation, ok, ms, inFlight, at }: Response): void {
      const best = Math.min(fastest.get(operation) ?? Number.POSITIVE_INFINITY, ms);
      if (ok) fastest.set(operation, best);
      const overloaded = !ok || ms > best * slowFactor + slowMarginMs;
      // Requests sent before the limit was lowered do not measure the lower one.
      if (overloaded && at - ms >= loweredAt) {
        limit = Math.max(1, limit * 0.67);
        loweredAt = at;
      } else if (!overloaded && inFlight * 2 >= Math.floor(limit)) {
        limit = Math.min(highest, limit + 1);
      }
    },
  };
}
