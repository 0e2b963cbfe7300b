import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';

describe('the system clock', () => {
  test('tells the time and waits', async () => {
    const before = systemClock.now();
    await systemClock.sleep(20);
    expect(systemClock.now() - before).toBeGreaterThanOrEqual(18);
    expect(Math.abs(before - Date.now())).toBeLessThan(10_000);
  });

  test('ends a wait with the reason of the signal', async () => {
    const stop = new AbortController();
    const wait = systemClock.sleep(60_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(wait).rejects.toThrow('enough');
    await expect(systemClock.sleep(1, stop.signal)).rejects.toThrow('enough');
  });
});
