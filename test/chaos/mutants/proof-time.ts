/** A reading shows what was written before its response arrived, whenever it began. */
import * as original from '../../../src/snapshot/shared.ts';

export * from '../../../src/snapshot/shared.ts';

export const openShared: typeof original.openShared = (clock) => {
  const shared = original.openShared(clock);
  const known = new WeakSet<object>();
  return {
    ...shared,
    next: (...asked) => {
      const reading = shared.next(...asked);
      if (!known.has(reading)) countFromArrival(reading, clock);
      known.add(reading);
      return reading;
    },
  };
};

function countFromArrival(reading: original.Shared<unknown>, clock: Parameters<typeof original.openShared>[0]): void {
  let began = Number.POSITIVE_INFINITY;
  const arrive = () => {
    began = clock.monotonic();
  };
  reading.result.then(arrive, arrive);
  Object.defineProperty(reading, 'began', { get: () => began });
}
