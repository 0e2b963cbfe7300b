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
  '',
  'reset',
  ':reset',
  '*:explode',
  '*:status',
  '*:status=199',
  '*:status=600',
  '*:delay',
  '*:delay=-1',
  '*:reset=1',
  '*:reset:nth=0',
  '*:reset:times',
  '*:reset:every=x',
  '*:reset:after=never',
  '*:reset:often=3',
  '*:reset:',
])('%s is refused', (text) => {
  expect(parseFault(text)).toBe(
    'expected OPERATION:FAULT[:nth=N][:every=N][:times=N][:after=commit], with one of these faults: status=200 to status=599, delay=MILLISECONDS, reset, cut, html, hang, repeat_cursor, repeat_id, bad_item, drop_item',
  );
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
