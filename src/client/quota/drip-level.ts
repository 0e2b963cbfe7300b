/**
 * How much is in a bucket that drips, by the answers of the last moments. If all requests take equally long to arrive, then an answer
 * says what the bucket holds for a request that is sent now:
 *
 *   5 were left for one sent 400 ms ago, 3 were sent after it, 2 a second drip in   ->   5 + 0.8 - 3 = 2.8
 *
 * Requests do not take equally long, so the lowest of the last half second counts. The rest between answers is arithmetic.
 */
export interface DripLevel {
  at(now: number): number;
  leave(now: number): void;
  /** `sentAfter`: requests sent later than the one that was answered. */
  see(answer: {
    readonly sentAt: number;
    readonly at: number;
    readonly remaining: number;
    readonly sentAfter: number;
  }): void;
  /** Forgets what answers said. */
  set(level: number, now: number): void;
}

const horizonMs = 500;

/** `rate`: tokens per millisecond now. */
export function dripLevel(size: number, rate: (now: number) => number): DripLevel {
  let level = size;
  let levelAt = 0;
  let recent: { readonly at: number; readonly estimate: number }[] = [];

  const at = (now: number) => Math.min(size, level + rate(now) * (now - levelAt));
  /** What happens to the bucket happens to every estimate of it. */
  const change = (now: number, taken: number) => {
    const dripped = rate(now) * (now - levelAt);
    recent = recent.map(({ at: seenAt, estimate }) => ({
      at: seenAt,
      estimate: Math.min(size, estimate + dripped) - taken,
    }));
    level = at(now) - taken;
    levelAt = now;
  };
  return {
    at,
    leave: (now) => change(now, 1),
    see({ sentAt, at: now, remaining, sentAfter }) {
      change(now, 0);
      const estimate = Math.min(size, remaining + rate(now) * (now - sentAt)) - sentAfter;
      recent = [...recent.filter(({ at: seenAt }) => now - seenAt <= horizonMs), { at: now, estimate }];
      level = Math.min(...recent.map((one) => one.estimate));
    },
    set(to, now) {
      level = to;
      levelAt = now;
      recent = [];
    },
  };
}
