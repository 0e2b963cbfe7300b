import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FaultRule } from '../../src/tenant/fault-rule.ts';
import { parseFault } from '../../src/tenant/parse-fault.ts';
import { propertyRuns } from '../support/thorough.ts';

test.each<[string, FaultRule]>([
  [
    'list_rate_limit_policies:status=503:nth=2',
    { operation: 'list_rate_limit_policies', kind: 'status', status: 503, nth: 2 },
  ],
  [
    'delete_rate_limit_policy:reset:after=commit',
    { operation: 'delete_rate_limit_policy', kind: 'reset', after: 'commit' },
  ],
  ['*:status=429:times=3', { operation: '*', kind: 'status', status: 429, times: 3 }],
  ['token:delay=1500:every=2', { operation: 'token', kind: 'delay', ms: 1500, every: 2 }],
  ['*:hang:after=before', { operation: '*', kind: 'hang', after: 'before' }],
  ['list_event_streams:repeat_id', { operation: 'list_event_streams', kind: 'repeat_id' }],
])('%s', (text, rule) => {
  expect(parseFault(text)).toEqual(rule);
});

test.each([
  ['', '"" is not of the form operation:fault[:option=value…]'],
  ['reset', '"reset" is not of the form operation:fault[:option=value…]'],
  [':reset', '":reset" is not of the form operation:fault[:option=value…]'],
  [
    '*:explode',
    '"explode" is not a fault; expected one of: status, reset, cut, html, hang, repeat_cursor, repeat_id, bad_item, drop_item, delay',
  ],
  ['*:status', 'status needs a number from 200 to 599, as in status=503'],
  ['*:status=199', 'status needs a number from 200 to 599, as in status=503'],
  ['*:status=600', 'status needs a number from 200 to 599, as in status=503'],
  ['*:delay', 'delay needs milliseconds, as in delay=500'],
  ['*:delay=-1', 'delay needs milliseconds, as in delay=500'],
  ['*:reset=1', 'reset takes no value'],
  ['*:reset:nth=0', 'nth needs a whole number from 1 on'],
  ['*:reset:times', 'times needs a whole number from 1 on'],
  ['*:reset:every=x', 'every needs a whole number from 1 on'],
  ['*:reset:after=never', 'after is before or commit'],
  ['*:reset:often=3', '"often" is not an option of a fault; expected one of: nth, every, times, after'],
])('%s is refused', (text, message) => {
  expect(parseFault(text)).toBe(message);
});

test('law: any text is a rule or a message', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom('*', 'status=503', 'reset', 'nth=2', 'after=commit', '__proto__=1', 'constructor'),
  );
  fc.assert(
    fc.property(fc.array(cell), (cells) => {
      const parsed = parseFault(cells.join(':'));
      expect(typeof parsed === 'string' ? parsed.length : parsed.operation.length).toBeGreaterThan(0);
    }),
    propertyRuns(100),
  );
});
