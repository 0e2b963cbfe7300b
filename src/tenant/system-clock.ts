import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../model/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
  },
};
