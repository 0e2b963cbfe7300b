import { expect, test } from 'vitest';
import { askedWait, rateHeaders } from '../../../src/client/transport/rate-headers.ts';

const moment = Date.UTC(2026, 10, 20, 10, 0, 0);

test('rate limit headers are parsed strictly', () => {
  const none = { limit: null, remaining: null, resetAt: null, retryAfter: null, retryAt: null, date: null };
  expect(rateHeaders({})).toEqual(none);
  expect(
    rateHeaders({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': ['0', '1'],
      'x-ratelimit-reset': '7',
      'retry-after': '2',
      date: new Date(moment).toUTCString(),
    }),
  ).toEqual({ limit: 10, remaining: 0, resetAt: 7000, retryAfter: 2000, retryAt: null, date: moment });
  expect(
    rateHeaders({
      'x-ratelimit-limit': '0',
      'x-ratelimit-remaining': '-1',
      'retry-after': '1.5',
      date: 'Xxx, 99 Yyy 2026 99:00:00 GMT',
    }),
  ).toEqual(none);
  expect(rateHeaders({ date: '1' })).toEqual(none);
});

test('Retry-After as a date is a time on the clock of the service', () => {
  const asked = rateHeaders({
    'retry-after': new Date(moment + 9000).toUTCString(),
    date: new Date(moment).toUTCString(),
  });
  expect(asked).toMatchObject({ retryAfter: null, retryAt: moment + 9000 });
  expect(askedWait(asked, 0)).toBe(9000);
  expect(askedWait({ ...asked, date: null }, moment + 2000)).toBe(7000);
  expect(askedWait(rateHeaders({ 'retry-after': new Date(moment).toUTCString() }), moment + 1)).toBe(0);
  expect(askedWait(rateHeaders({ 'retry-after': '3' }), moment)).toBe(3000);
  expect(askedWait(rateHeaders({ 'retry-after': 'tomorrow' }), moment)).toBeNull();
});
