import type { Clock } from '../../src/model/clock.ts';

export interface FakeClock extends Clock {
  /** Every requested wait, in milliseconds. */
  readonly waits: readonly number[];
  advance(ms: number): void;
}

/** A clock on which waiting takes no time: `sleep` moves `now` and resolves at once. */
export function startFakeClock(now = Date.UTC(2026, 10, 20, 10, 0, 0)): FakeClock {
  let time = now;
  const waits: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    waits.push(ms);
    time += ms;
  };
  return {
    waits,
    now: () => time,
    monotonic: () => time,
    sleep,
    advance: (ms) => {
      time += ms;
    },
  };
}

/** A clock that never moves: a wait ends only when its signal aborts. `waiting` is called when one begins. */
export function stoppedClock(waiting: () => void): Clock {
  return {
    now: () => 0,
    monotonic: () => 0,
    sleep: (_ms, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        waiting();
      }),
  };
}
