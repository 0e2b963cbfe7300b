import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import { parseFault } from '../../src/embedded-tenant/faults/fault-rule.ts';
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
  ['', '"" does not have the form OPERATION:FAULT[:OPTION=VALUE…]'],
  ['reset', '"reset" does not have the form OPERATION:FAULT[:OPTION=VALUE…]'],
  [':reset', '":reset" does not have the form OPERATION:FAULT[:OPTION=VALUE…]'],
  [
    '*:explode',
    'unknown fault "explode", expected one of: status, reset, cut, html, hang, repeat_cursor, repeat_id, bad_item, drop_item, delay',
  ],
  ['*:status', 'status needs a number from 200 to 599, as in status=503'],
  ['*:status=199', 'status needs a number from 200 to 599, as in status=503'],
  ['*:status=600', 'status needs a number from 200 to 599, as in status=503'],
  ['*:delay', 'delay needs a number of milliseconds, as in delay=500'],
  ['*:delay=-1', 'delay needs a number of milliseconds, as in delay=500'],
  ['*:reset=1', 'reset takes no value'],
  ['*:reset:nth=0', 'nth needs an integer of at least 1, as in nth=2'],
  ['*:reset:times', 'times needs an integer of at least 1, as in times=2'],
  ['*:reset:every=x', 'every needs an integer of at least 1, as in every=2'],
  ['*:reset:after=never', 'after must be before or commit'],
  ['*:reset:often=3', 'unknown fault option "often", expected one of: nth, every, times, after'],
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
