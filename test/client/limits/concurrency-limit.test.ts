import { expect, test } from 'vitest';
import { concurrencyLimit } from '../../../src/client/limits/concurrency-limit.ts';

test('more requests in flight while the service keeps up, fewer when it does not', () => {
  const limit = concurrencyLimit(16);
  const respond = (ms: number, at: number, ok = true, operation = 'read') =>
    limit.observe({ operation, ok, ms, inFlight: limit.current(), at });
  expect(limit.current()).toBe(4);
  for (let at = 1; at <= 20; at += 1) respond(100, at * 10);
  expect(limit.current()).toBe(16);
  respond(2000, 3000);
  expect(limit.current()).toBe(10);
  respond(2500, 3100);
  expect(limit.current()).toBe(10);
  respond(50, 3200, false);
  expect(limit.current()).toBe(7);
  // What always takes long is not slow.
  for (let at = 1; at <= 40; at += 1) respond(3000, 4000 + at * 10, true, 'write');
  expect(limit.current()).toBe(16);
  expect(concurrencyLimit(1).current()).toBe(1);
});
