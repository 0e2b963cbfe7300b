import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/model/clock.ts';

/** Time that jumps from event to event; promises are run before the next jump. */
export interface VirtualClock extends Clock {
  at(ms: number, run: () => void): void;
  /** Runs until the work is done or no event is left. Returns the number of events. */
  run(work: Promise<unknown>): Promise<number>;
}

interface Event {
  readonly ms: number;
  readonly order: number;
  readonly run: () => void;
}

/** `start`: milliseconds since the epoch. */
export function virtualClock(start = Date.UTC(2026, 10, 20, 10, 0, 0)): VirtualClock {
  const heap: Event[] = [];
  let time = 0;
  let order = 0;
  const earlier = (a: Event, b: Event) => a.ms < b.ms || (a.ms === b.ms && a.order < b.order);
  const push = (event: Event) => {
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !earlier(event, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = event;
  };
  const pop = (): Event | undefined => {
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && earlier(right, left)) child += 1;
      const smaller = heap[child];
      if (smaller === undefined || !earlier(smaller, last)) break;
      heap[index] = smaller;
      index = child;
    }
    heap[index] = last;
    return top;
  };
  const at = (ms: number, run: () => void) => push({ ms: Math.max(ms, time), order: order++, run });

  return {
    now: () => start + time,
    monotonic: () => time,
    at,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        at(time + ms, resolve);
      }),
    async run(work) {
      let done = false;
      const finish = () => {
        done = true;
      };
      work.then(finish, finish);
      for (let events = 0; ; events += 1) {
        await setImmediate();
        const event = done ? undefined : pop();
        if (event === undefined) return events;
        time = event.ms;
        event.run();
      }
    },
  };
}
