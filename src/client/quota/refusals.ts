/**
 * Refusals in a row, and how long to keep away because of them alone. The first two of a row may believe what the service says
 * about the next chance; from the third on its word has been wrong twice, so the wait grows whatever it says:
 *
 *   without a word    1  2  4  8  16  30  30 …   seconds, each with up to a quarter less
 *   with its word     0.1  0.1  2  4  8  16  30 …   seconds at least
 */
export interface Refusals {
  /** `at`: when it arrived; `sentAt`: a request that left before the last refusal arrived belongs to it. Answers milliseconds. */
  add(refusal: {
    readonly at: number;
    readonly sentAt: number;
    readonly word: boolean;
    readonly random: number;
  }): number;
  /** A request was let through. */
  end(): void;
  row(): number;
  /** When the row began; null without one. */
  since(): number | null;
}

const shortestMs = 100;
const firstMs = 1000;
const longestMs = 30_000;

export function refusals(): Refusals {
  let row = 0;
  let since: number | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    add({ at, sentAt, word, random }) {
      if (sentAt >= lastAt) row += 1;
      lastAt = at;
      since ??= at;
      if (word && row < 3) return shortestMs;
      const steps = word ? row - 2 : row - 1;
      return Math.min(longestMs, firstMs * 2 ** Math.min(steps, 10)) * (1 - random / 4);
    },
    end() {
      row = 0;
      since = null;
    },
    row: () => row,
    since: () => since,
  };
}
