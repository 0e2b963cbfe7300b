/**
 * The service's clock as an offset from ours. Resets are full seconds of the service's clock; waits use a monotonic
 * clock. A Date header shows that the service's clock was in that second at some time between sending and receiving.
 * All of them together narrow the offset (service clock - our clock) to a small interval:
 *
 *   Date 12:00:07, sent at 1000, received at 1100   ->   12:00:07.000 - 1100  <=  offset  <=  12:00:08.000 - 1000
 *
 * A service clock that is an hour off changes nothing. All times in milliseconds.
 */
export interface ServerClock {
  /** `date`: the header's time, in full seconds. `sentAt` and `at` on the monotonic clock. */
  observe(date: number, sentAt: number, at: number): void;
  /** True once a Date header has been seen; until then the local wall clock is used. */
  known(): boolean;
  /** The monotonic time at which the service's clock has certainly passed a time. */
  surelyAfter(time: number): number;
  /** The monotonic time until which the service's clock has certainly not reached a time. */
  surelyBefore(time: number): number;
  /** The monotonic time at which the service's clock most likely reaches a time: the middle of what is possible. */
  likelyAt(time: number): number;
  /** The service's most likely time at a monotonic time. */
  timeAt(at: number): number;
}

/** `wallOffset`: local wall clock - monotonic clock, for a service that sends no Date. */
export function serverClock(wallOffset: number): ServerClock {
  let known = false;
  let lowest = wallOffset;
  let highest = wallOffset;
  return {
    observe(date, sentAt, at) {
      const low = date - at;
      const high = date + 1000 - sentAt;
      const fits = known && low <= highest && high >= lowest;
      // A header that does not fit means that a clock was set: then only the newest header counts.
      lowest = fits ? Math.max(lowest, low) : low;
      highest = fits ? Math.min(highest, high) : high;
      known = true;
    },
    known: () => known,
    surelyAfter: (time) => time - lowest,
    surelyBefore: (time) => time - highest,
    likelyAt: (time) => time - (lowest + highest) / 2,
    timeAt: (at) => at + (lowest + highest) / 2,
  };
}
