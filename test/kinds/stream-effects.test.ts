// Who receives events that it does not receive now, and who stops receiving them.
import { describe, expect, test } from 'vitest';
import { eventStreams } from '../../src/kinds/event-streams/index.ts';
import { effectsOf } from '../support/effects-of.ts';

interface Short {
  readonly events?: readonly string[];
  readonly to?: string;
  readonly status?: string;
}

const streamOf = (name: string, { events = ['user.created'], to = 'a.example', status }: Short) => ({
  name,
  subscriptions: events.map((event_type) => ({ event_type })),
  ...(status !== undefined && { status }),
  destination: {
    type: 'webhook',
    configuration: {
      webhook_endpoint: `https://user:pass@${to}/hook?token=t`,
      webhook_authorization: { method: 'basic', username: 'crm' },
    },
  },
});
const live = (streams: Readonly<Record<string, Short>>) =>
  Object.entries(streams).map(([name, short], index) => ({
    id: `est_${index}`,
    status: 'enabled',
    ...streamOf(name, short),
  }));

type Streams = Readonly<Record<string, Short>>;
const bridge = { type: 'eventbridge', configuration: { aws_account_id: '123456789012', aws_region: 'us-east-1' } };
const call = { type: 'action', configuration: { action_id: 'act_1' } };

function effects(before: Streams, after: Streams, about = {}): string[] {
  const desired = Object.entries(after).map(([name, short]) => [name, streamOf(name, short)] as const);
  return effectsOf(eventStreams, desired, live(before), about).map(
    ({ code, severity, key, message }) => `${code} ${severity} ${key}: ${message}`,
  );
}

test.each<readonly [string, Streams, Streams, readonly string[]]>([
  ['the same', { s: {} }, { s: {} }, []],
  [
    'another host',
    { s: {} },
    { s: { to: 'b.example' } },
    [
      'STREAM_NEW_RECEIVER critical s: delivers to b.example (now: a.example)',
      'STREAM_SECRET_MOVED critical s: sends its stored secret to a new address at b.example',
    ],
  ],
  [
    'disabled',
    { s: {} },
    { s: { status: 'disabled' } },
    ['STREAM_DISABLED warning s: is disabled: a.example no longer receives user.created'],
  ],
  [
    'enabled',
    { s: { status: 'disabled', events: ['b', 'a'] } },
    { s: { status: 'enabled', events: ['b', 'a'] } },
    ['STREAM_NEW_RECEIVER critical s: begins to deliver to a.example: a, b'],
  ],
  [
    'enabled for more events, at another host',
    { s: { status: 'disabled', events: ['a'] } },
    { s: { status: 'enabled', events: ['a', 'b'], to: 'b.example' } },
    [
      'STREAM_NEW_RECEIVER critical s: begins to deliver to b.example: a, b',
      'STREAM_SECRET_MOVED critical s: sends its stored secret to a new address at b.example',
    ],
  ],
  [
    'deleted',
    { s: { events: ['b', 'a'] } },
    {},
    ['STREAM_DELETED warning s: is deleted: a.example no longer receives a, b'],
  ],
  ['deleted while disabled', { s: { status: 'disabled' } }, {}, []],
  [
    'fewer subscriptions',
    { s: { events: ['a', 'b', 'c'] } },
    { s: { events: ['d', 'b'] } },
    ['STREAM_EVENTS_REMOVED warning s: has fewer subscriptions: a.example no longer receives a, c'],
  ],
  ['more subscriptions', { s: { events: ['a'] } }, { s: { events: ['a', 'c', 'b'] } }, []],
  [
    'another address at the same host',
    { s: { to: 'a.example/services/A' } },
    { s: { to: 'a.example/services/B' } },
    ['STREAM_SECRET_MOVED warning s: sends its stored secret to a new address at a.example'],
  ],
  [
    'to a host that another stream delivers to already: its secret is new there, its events are not',
    { s: {}, t: { to: 'b.example' } },
    { s: { to: 'b.example' }, t: { to: 'b.example' } },
    [
      'STREAM_NEW_RECEIVER warning s: delivers to b.example (now: a.example)',
      'STREAM_SECRET_MOVED critical s: sends its stored secret to a new address at b.example',
    ],
  ],
  ['created without delivering', {}, { s: { status: 'disabled' } }, []],
  [
    'two streams of one destination become one',
    { s: { events: ['a'] }, t: { events: ['b', 'a'] } },
    { s: { events: ['a'] } },
    ['STREAM_DELETED warning t: is deleted: a.example no longer receives b'],
  ],
  [
    'another stream still delivers',
    { s: { events: ['a'] }, t: { events: ['a'] } },
    { s: { events: ['a'] } },
    ['STREAM_DELETED note t: is deleted; another stream still delivers its events to a.example'],
  ],
])('%s', (_name, before, after, expected) => {
  expect(effects(before, after)).toEqual(expected);
});

test('a stream that was read alone is not compared with others', () => {
  const filtered = { live: { readable: true, items: live({ s: {} }), filtered: true } };
  expect(effects({}, {}, filtered)).toEqual([
    'STREAM_DELETED warning s: is deleted: a.example no longer receives user.created',
  ]);
});

test.each([
  ['eventbridge', bridge, 'the AWS account 123456789012 in us-east-1'],
  ['an action', call, 'the action act_1'],
  ['a type that is not known', { type: 'queue' }, 'queue'],
  ['a webhook without an endpoint', { type: 'webhook' }, 'a webhook'],
])('a stream to %s', (_name, destination, receiver) => {
  const item = { ...streamOf('s', {}), destination };
  expect(effectsOf(eventStreams, [], [{ id: 'est_1', ...item }]).map(({ message }) => message)).toEqual([
    `is deleted: ${receiver} no longer receives user.created`,
  ]);
});

test('a new stream shows its receiver', () => {
  expect(effectsOf(eventStreams, [['s', { ...streamOf('s', {}), destination: bridge }]], [])).toEqual([
    {
      code: 'STREAM_NEW_RECEIVER',
      severity: 'critical',
      kind: 'event_streams',
      key: 's',
      message: 'delivers to the AWS account 123456789012 in us-east-1',
    },
  ]);
});

test.each([
  ['enabled', 'note'],
  ['disabled', 'critical'],
] as const)('a new stream to where an %s one delivers: %s', (status, severity) => {
  const stream = (name: string) => ({ ...streamOf(name, { status }), destination: bridge });
  const desired = [
    ['t', stream('t')],
    ['s', { ...stream('s'), status: 'enabled' }],
  ] as const;
  expect(effectsOf(eventStreams, desired, [{ id: 'est_1', ...stream('t') }])).toMatchObject([{ key: 's', severity }]);
});

test('a stream whose status is not declared keeps it', () => {
  // It delivers nothing, but the next change of its status would.
  expect(effects({ s: { status: 'disabled' } }, { s: { to: 'b.example', events: ['x'] } })).toEqual([
    'STREAM_SECRET_MOVED critical s: sends its stored secret to a new address at b.example',
  ]);
});

describe('a secret from the environment', () => {
  const destinationAt = (path: string, password?: string) => ({
    type: 'webhook',
    configuration: {
      webhook_endpoint: `https://a.example${path}`,
      webhook_authorization: { method: 'basic', username: 'crm', ...(password !== undefined && { password }) },
    },
  });
  const desired = { ...streamOf('s', {}), destination: destinationAt('/new', '${env:TENANT_VAR_CRM}') };
  const moved = {
    code: 'STREAM_SECRET_MOVED',
    severity: 'warning',
    kind: 'event_streams',
    key: 's',
    message: 'sends the secret TENANT_VAR_CRM to a new address at a.example',
  };
  const liveAt = (path: string, events = ['user.created']) => [
    { id: 'est_1', status: 'enabled', ...streamOf('s', { events }), destination: destinationAt(path) },
  ];

  test('goes to another path of the same host', () => {
    expect(effectsOf(eventStreams, [['s', desired]], liveAt('/old'))).toEqual([moved]);
  });

  test('goes to a new stream', () => {
    const found = effectsOf(eventStreams, [['s', desired]], []);
    expect(found).toContainEqual({ ...moved, severity: 'critical' });
  });

  test('stays at its address when other fields change', () => {
    expect(effectsOf(eventStreams, [['s', desired]], liveAt('/new', ['user.created', 'x']))).not.toContainEqual(moved);
  });
});
