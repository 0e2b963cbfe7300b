interface Refusal {
  readonly at: number;
  /** A request sent before the last refusal arrived belongs to that one. */
  readonly sentAt: number;
  readonly hasReset: boolean;
  /** No request is sent before. */
  readonly notBefore?: number;
  readonly random: number;
}

const shortestMs = 100;
const firstMs = 1000;
const longestMs = 30_000;

/**
 * Refusals in a row, and what follows from them alone:
 *
 *   open ──── refusal ────► closed ── the backoff is over ──► half-open: one request is sent alone
 *    ▲                        ▲                                   │              │
 *    │                        └────────── refused ────────────────┘              │
 *    └─────────────────────────────────── granted ───────────────────────────────┘
 *
 * The service's reset is believed for the first two; from the third on it was wrong twice, so the wait grows regardless
 * of it:
 *
 *   without a reset    1  2  4  8  16  30  30 …   seconds, each with a quarter of jitter
 *   with a reset       0.1  0.1  2  4  8  16  30 …   seconds at least
 */
export function openRefusals() {
  let row = 0;
  let since: number | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let halfOpen = false;
  return {
    /** How long the next request has to wait: infinite while one is sent alone. */
    wait: (now: number, inFlight: number) =>
      halfOpen && inFlight > 0 ? Number.POSITIVE_INFINITY : Math.max(0, closedUntil - now),
    add({ at, sentAt, hasReset, notBefore = at, random }: Refusal): void {
      if (sentAt >= lastAt) row += 1;
      lastAt = at;
      since ??= at;
      halfOpen = true;
      const steps = Math.max(0, hasReset ? row - 2 : row - 1);
      const backoff = Math.min(longestMs, firstMs * 2 ** steps) * (1 - random / 4);
      closedUntil = Math.max(notBefore, at + (hasReset && row < 3 ? shortestMs : backoff));
    },
    /** A request was granted, which ends the row, or makes it shorter by a part of a refusal. */
    grant(part = row): void {
      row = Math.max(0, row - part);
      since = null;
      halfOpen = false;
    },
    isHalfOpen: () => halfOpen,
    /** When the row began; null without one. */
    since: () => since,
  };
}
