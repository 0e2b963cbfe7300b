import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../model/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // The platform rejects with an AbortError of its own instead of the signal's reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
