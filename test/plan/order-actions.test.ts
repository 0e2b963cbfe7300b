import { expect, test } from 'vitest';
import { orderActions, orderFindings } from '../../src/plan/order-actions.ts';
import { type ActionParts, buildAction } from '../support/build-action.ts';
import { buildFinding } from '../support/build-plan.ts';

const kinds = ['roles', 'event_streams'];

test.each<readonly [string, readonly ActionParts[]]>([
  [
    'stages before kinds, and kinds as they are listed',
    [
      { kind: 'event_streams', action: 'create' },
      { kind: 'roles', action: 'update' },
      { kind: 'event_streams', action: 'update' },
      { kind: 'roles', action: 'delete' },
    ],
  ],
  [
    'a kind before a key',
    [
      { kind: 'roles', key: 'z' },
      { kind: 'event_streams', key: 'a' },
    ],
  ],
  [
    'keys in text order',
    [
      { kind: 'roles', key: 'B' },
      { kind: 'roles', key: 'a' },
      { kind: 'roles', key: 'b' },
    ],
  ],
  [
    'a key before a part',
    [
      { kind: 'roles', key: 'a', part: 'z' },
      { kind: 'roles', key: 'b', part: 'a' },
    ],
  ],
  ['no part first', [{ kind: 'roles' }, { kind: 'roles', part: 'a' }, { kind: 'roles', part: 'b' }]],
])('actions: %s', (_name, parts) => {
  const actions = parts.map((one) => buildAction(one));
  expect(orderActions(actions.toReversed(), kinds)).toEqual(actions);
  expect(orderActions([...actions.slice(1), ...actions.slice(0, 1)], kinds)).toEqual(actions);
});

test('actions: two with the same id are a bug, wherever they are', () => {
  const actions = ['a', 'b', 'c', 'b', 'd'].map((key) => buildAction({ kind: 'roles', key }));
  expect(() => orderActions(actions, kinds)).toThrow('two actions have the id roles/b');
});

test('findings: by kind, of the entire kind first, then by key, code and message', () => {
  const findings = [
    buildFinding('LIVE_UNREADABLE', { kind: 'roles', key: '*' }),
    buildFinding('LIVE_MISSING', { kind: 'roles', key: '!' }),
    buildFinding('LIVE_DIFFERENT', { kind: 'roles', key: 'a', message: 'z' }),
    buildFinding('LIVE_MISSING', { kind: 'roles', key: 'a', message: 'a' }),
    buildFinding('LIVE_MISSING', { kind: 'roles', key: 'a', message: 'b' }),
    buildFinding('LIVE_DIFFERENT', { kind: 'roles', key: 'b' }),
    buildFinding('LIVE_DIFFERENT', { kind: 'event_streams', key: 'a' }),
  ];
  expect(orderFindings(findings.toReversed(), kinds)).toEqual(findings);
  expect(orderFindings([...findings.slice(3), ...findings.slice(0, 3)], kinds)).toEqual(findings);
});
