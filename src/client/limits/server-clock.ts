export type ServerClock = ReturnType<typeof serverClock>;

/**
 * The service's clock as an offset from ours. Resets are full seconds of the service's clock; waits use a monotonic
 * clock. A Date header shows that the service's clock was in that second at some time between sending and receiving.
 * All of them together narrow the offset (service clock - our clock) to a small interval:
 *
 *   Date 12:00:07, sent at 1000, received at 1100   ->   12:00:07.000 - 1100  <=  offset  <=  12:00:08.000 - 1000
 *
 * A service clock that is an hour off changes nothing. All times in milliseconds. `wallOffset`:
 * local wall clock - monotonic clock, for a service that sends no Date.
 */
export function serverClock(wallOffset: number) {
  let known = false;
  let lowest = wallOffset;
  let highest = wallOffset;
  return {
    /** `date`: the header's time, in full seconds. `sentAt` and `at` on the monotonic clock. */
    observe(date: number, sentAt: number, at: number): void {
      const low = date - at;
      const high = date + 1000 - sentAt;
      const fits = known && low <= highest && high >= lowest;
      // A header that does not fit means that a clock was set: then only the newest header counts.
      lowest = fits ? Math.max(lowest, low) : low;
      highest = fits ? Math.min(highest, high) : high;
      known = true;
    },
    /** True once a Date header has been seen; until then the local wall clock is used. */
    known: () => known,
    /** The monotonic time at which the service's clock has certainly passed a time. */
    surelyAfter: (time: number) => time - lowest,
    /** The monotonic time until which the service's clock has certainly not reached a time. */
    surelyBefore: (time: number) => time - highest,
    /** The monotonic time at which the service's clock most likely reaches a time: the middle of what is possible. */
    likelyAt: (time: number) => time - (lowest + highest) / 2,
    /** The service's most likely time at a monotonic time. */
    timeAt: (at: number) => at + (lowest + highest) / 2,
  };
}
