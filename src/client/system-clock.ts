import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../model/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // The timer rejects with an error of its own; the contract is the reason that the caller gave.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
