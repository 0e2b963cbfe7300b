import type { Clock } from '../model/clock.ts';

/** A reading that was asked for at `began`, by the monotonic clock, and that others may use. */
export interface Shared<Result> {
  readonly began: number;
  readonly result: Promise<Result>;
}

/** The last one, and the one before it, which it is compared with. */
const mostKept = 2;

/** Readings by path, the last few of each. */
export function openShared(clock: Pick<Clock, 'monotonic'>) {
  const byPath = new Map<string, readonly Shared<unknown>[]>();
  /** The last readings of a path that began at `since` or later. */
  const known = <Result>(path: string, since: number): readonly Shared<Result>[] =>
    ((byPath.get(path) ?? []) as readonly Shared<Result>[]).filter(({ began }) => began >= since);
  return {
    known,
    /** A reading after `previous`, the last one that is known; sent if nobody else has asked for one since. */
    next<Result>(
      path: string,
      since: number,
      previous: Shared<Result> | null,
      send: () => Promise<Result>,
    ): Shared<Result> {
      const last = known<Result>(path, since).at(-1);
      if (last !== undefined && last !== previous) return last;
      const reading = { began: clock.monotonic(), result: send() };
      byPath.set(path, [...(byPath.get(path) ?? []).slice(1 - mostKept), reading]);
      // Whoever asked receives the error.
      reading.result.catch(() => {
        byPath.set(
          path,
          known(path, Number.NEGATIVE_INFINITY).filter((one) => one !== reading),
        );
      });
      return reading;
    },
  };
}
