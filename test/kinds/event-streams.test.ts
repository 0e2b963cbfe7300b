import { expect, describe as group, test } from 'vitest';
import { eventStreams as kind } from '../../src/kinds/event-streams/index.ts';
import type { DeclaredEventStream, LiveEventStream } from '../../src/kinds/event-streams/types.generated.ts';
import type { Finding } from '../../src/model/plan.generated.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';

const endpoint = 'https://crm.example/hook';

function declared(name: string, about: Partial<DeclaredEventStream> = {}): readonly [string, DeclaredEventStream] {
  const destination = { type: 'webhook', configuration: { webhook_endpoint: endpoint, webhook_authorization: { method: 'basic', username: 'crm' } } } as const;
  return [name, { name, subscriptions: [{ event_type: 'user.created' }], destination, ...about }];
}

function live(name: string, about: Partial<LiveEventStream> = {}): LiveEventStream {
  return { ...JSON.parse(JSON.stringify(declared(name)[1])), id: `est_${name}`, status: 'enabled', created_at: '2026-06-29T10:28:33.962Z', ...about };
}

function finding(code: string, key: string, about: Partial<Finding> = {}): Finding {
  return { code, kind: 'event_streams', key, message: expect.any(String), source: null, ...about };
}

const first = { file: 'files.yaml', line: 2, column: 1 };

const rows: readonly (readonly [string, readonly (readonly [string, DeclaredEventStream])[], readonly LiveEventStream[], readonly Finding[]])[] = [
  ['equal sides, with fields that the server adds', [declared('a')], [live('a')], []],
  ['missing', [declared('a')], [], [finding('LIVE_MISSING', 'a', { source: first })]],
  ['undeclared cannot be deleted', [], [live('a')], [finding('LIVE_UNDELETABLE', 'a')]],
  [
    'subscriptions are a set',
    [declared('a', { subscriptions: [{ event_type: 'b' }, { event_type: 'a' }] })],
    [live('a', { subscriptions: [{ event_type: 'a' }, { event_type: 'b' }, { event_type: 'a' }] })],
    [],
  ],
  [
    'every difference is named',
    [declared('a', { subscriptions: [] })],
    [live('a', { destination: { type: 'webhook', configuration: { webhook_endpoint: 'https://other.example/' } } })],
    [
      finding('LIVE_DIFFERENT', 'a', {
        source: first,
        changes: [
          { field: 'subscriptions', before: ['user.created'], after: [] },
          { field: 'destination.configuration.webhook_endpoint', before: 'https://other.example/', after: endpoint },
          { field: 'destination.configuration.webhook_authorization', after: { method: 'basic', username: 'crm' } },
        ],
      }),
    ],
  ],
  [
    'a live stream without subscriptions or destination differs by both',
    [declared('a')],
    [{ id: 'est_a', name: 'a' }],
    [
      finding('LIVE_DIFFERENT', 'a', {
        source: first,
        changes: [
          { field: 'subscriptions', before: [], after: ['user.created'] },
          { field: 'destination', after: declared('a')[1].destination },
        ],
      }),
    ],
  ],
  [
    'two live streams of one name, one as declared: the other cannot be deleted',
    [declared('a')],
    [live('a'), live('a', { id: 'est_2', subscriptions: [] })],
    [finding('LIVE_UNDELETABLE', 'a', { source: first })],
  ],
];

test.each(rows)('decide: %s', (_name, desired, items, findings) => {
  const decision = kind.decide({ desired: desiredSection(desired), live: { readable: true, items, filtered: false }, keep: keepNothing });
  expect({ actions: decision.actions, findings: decision.findings, losses: decision.losses }).toEqual({ actions: [], findings, losses: [] });
});

group('what keeps a stream', () => {
  test('protect names it', () => {
    const decision = kind.decide({
      desired: desiredSection([]),
      live: { readable: true, items: [live('audit')], filtered: false },
      keep: keeping({ isProtected: (name) => name === 'audit' }),
    });
    expect(decision.findings).toEqual([finding('LIVE_PROTECTED', 'audit')]);
  });
});

test('read lists every stream', async () => {
  const state = await kind.read?.({ list: async () => ({ ok: true, items: [] }) }, 'a');
  expect(state).toEqual({ readable: true, items: [], filtered: false });
});

test('describe names the stream', () => {
  const action = { id: 'x', kind: 'event_streams', key: 'a', action: 'delete', reason: 'undeclared', before: null, after: null, source: null } as const;
  expect(kind.describe({ ...action, request: { operation: 'x', method: 'DELETE', path: '/x' } })).toEqual({ title: 'a', lines: [] });
});
