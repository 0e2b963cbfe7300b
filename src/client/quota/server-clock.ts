/**
 * The service's clock, seen from ours. Resets are given on the service's clock in whole seconds; waits are made on a monotonic clock
 * that has nothing to do with it. Every Date header says that the service's clock stood somewhere in that second at some moment
 * between sending and receiving, and all of them together leave a narrow interval for the difference (service clock - our clock):
 *
 *   Date 12:00:07, sent at 1000, received at 1100   ->   12:00:07.000 - 1100  <=  difference  <=  12:00:08.000 - 1000
 *
 * A clock that is an hour off is then as good as any other. All times in milliseconds.
 */
export interface ServerClock {
  /** `date`: the header's moment, a whole second. `sentAt` and `at` on the monotonic clock. */
  learn(date: number, sentAt: number, at: number): void;
  /** True once a Date header has been seen; before that the local wall clock stands in. */
  known(): boolean;
  /** The monotonic time at which the service's clock has passed `moment` for certain. */
  surelyAfter(moment: number): number;
  /** The monotonic time until which the service's clock has not reached `moment` for certain. */
  surelyBefore(moment: number): number;
  /** The monotonic time at which it most likely reaches `moment`, and how wide the doubt is. */
  likelyAt(moment: number): { readonly at: number; readonly doubtMs: number };
  /** The moment that the service's clock shows at a monotonic time: the middle of what is possible. */
  momentOf(at: number): number;
}

/** `wallOffset`: local wall clock - monotonic clock, for a service that never tells its time. */
export function serverClock(wallOffset: number): ServerClock {
  let known = false;
  let lowest = wallOffset;
  let highest = wallOffset;
  return {
    learn(date, sentAt, at) {
      const low = date - at;
      const high = date + 1000 - sentAt;
      const fits = known && low <= highest && high >= lowest;
      // What does not fit what was known is a clock that was set: then only the newest header counts.
      lowest = fits ? Math.max(lowest, low) : low;
      highest = fits ? Math.min(highest, high) : high;
      known = true;
    },
    known: () => known,
    surelyAfter: (moment) => moment - lowest,
    surelyBefore: (moment) => moment - highest,
    likelyAt: (moment) => ({ at: moment - (lowest + highest) / 2, doubtMs: highest - lowest }),
    momentOf: (at) => at + (lowest + highest) / 2,
  };
}
