import { expect, describe as group, test } from 'vitest';
import type { DesiredStream } from '../../src/kinds/event-streams/index.ts';
import { eventStreams as kind } from '../../src/kinds/event-streams/index.ts';
import type { DecideInput } from '../../src/model/kind.ts';
import type { FieldChange, Finding } from '../../src/model/plan.generated.ts';
import type { Unreadable } from '../../src/model/reader.ts';
import type { Destination, LiveDestination, LiveStream } from '../../src/service/event-streams/types.generated.ts';
import { buildAction, someState } from '../support/build-action.ts';
import { buildPopulation } from '../support/build-decision.ts';
import { buildFinding } from '../support/build-plan.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';

const endpoint = 'https://crm.example/hook';
const first = { file: 'files.yaml', line: 2, column: 1 };

type Named = readonly [string, DesiredStream];

function declared(name: string, about: Partial<DesiredStream> = {}): Named {
  const destination = {
    type: 'webhook',
    configuration: { webhook_endpoint: endpoint, webhook_authorization: { method: 'basic', username: 'crm' } },
  } as const;
  return [name, { name, subscriptions: [{ event_type: 'user.created' }], destination, ...about }];
}

function live(name: string, about: Partial<LiveStream> = {}): LiveStream {
  const stream = {
    ...structuredClone(declared(name)[1]),
    id: `est_${name}`,
    status: 'enabled',
    created_at: '2026-06-29T10:28:33.962Z',
    ...about,
  };
  return stream as LiveStream;
}

function finding(code: Finding['code'], key: string, about: Partial<Finding> = {}): Finding {
  return buildFinding(code, { kind: 'event_streams', key, message: expect.any(String), ...about });
}

function decide(
  desired: readonly Named[],
  items: readonly LiveStream[],
  about: Partial<DecideInput<DesiredStream, LiveStream>> = {},
) {
  const input = {
    desired: desiredSection(desired),
    live: { readable: true, items, filtered: false },
    keep: keepNothing,
    api: 'full',
    rotate: new Set<string>(),
  };
  const { effectsOf: _effectsOf, ...decision } = kind.decide({ ...input, ...about } as DecideInput<
    DesiredStream,
    LiveStream
  >);
  return decision;
}

const equal: Destination = declared('a')[1].destination;
const bridge: Destination = {
  type: 'eventbridge',
  configuration: { aws_account_id: '123456789012', aws_region: 'us-east-1' },
};
const liveBridge: LiveDestination = {
  ...bridge,
  configuration: { ...bridge.configuration, aws_partner_event_source: 'aws.partner/auth0.com/acme-1/auth0.events' },
};
const call: Destination = { type: 'action', configuration: { action_id: '6018e89f' } };
const liveHook: LiveDestination = { type: 'webhook', configuration: { webhook_endpoint: endpoint } };
const liveCall: LiveDestination = { type: 'action', configuration: { action_id: '6018e89f' } };
const fixed =
  'differs from the files; its destination cannot be changed in place: give the stream another name without renamed_from, and the new one is created before the old one is deleted';

interface Row {
  readonly name: string;
  readonly desired: readonly Named[];
  readonly live: readonly LiveStream[];
  readonly findings: readonly Finding[];
}

const documented: readonly Row[] = [
  { name: 'equal sides, with fields that the server adds', desired: [declared('a')], live: [live('a')], findings: [] },
  {
    name: 'missing',
    desired: [declared('a')],
    live: [],
    findings: [
      finding('LIVE_MISSING', 'a', {
        source: first,
        message: 'declared but missing on the tenant; no available operation can create it',
      }),
    ],
  },
  {
    name: 'undeclared cannot be deleted',
    desired: [],
    live: [live('a', { destination: liveCall })],
    findings: [
      finding('LIVE_UNDELETABLE', 'a', {
        message: 'on the tenant but not declared; no available operation can delete it',
      }),
    ],
  },
  {
    name: 'subscriptions are a set',
    desired: [declared('a', { subscriptions: [{ event_type: 'b' }, { event_type: 'a' }] })],
    live: [live('a', { subscriptions: [{ event_type: 'a' }, { event_type: 'b' }, { event_type: 'a' }] })],
    findings: [],
  },
  {
    name: 'every difference is named',
    desired: [declared('a', { subscriptions: [{ event_type: 'b' }] })],
    live: [
      live('a', { destination: { type: 'webhook', configuration: { webhook_endpoint: 'https://other.example/' } } }),
    ],
    findings: [
      finding('LIVE_DIFFERENT', 'a', {
        source: first,
        message: 'differs from the files; no available operation can change it',
        changes: [
          { field: 'subscriptions', before: ['user.created'], after: ['b'] },
          { field: 'destination.configuration.webhook_endpoint', before: 'https://other.example/', after: endpoint },
          { field: 'destination.configuration.webhook_authorization', after: { method: 'basic', username: 'crm' } },
        ],
      }),
    ],
  },
  {
    name: 'a live stream without subscriptions or destination differs by both',
    desired: [declared('a')],
    live: [{ id: 'est_a', name: 'a' }],
    findings: [
      finding('LIVE_DIFFERENT', 'a', {
        source: first,
        changes: [
          { field: 'subscriptions', before: [], after: ['user.created'] },
          { field: 'destination', after: equal },
        ],
      }),
    ],
  },
  {
    name: 'two live streams of one name, one as declared: the other cannot be deleted',
    desired: [declared('a')],
    live: [live('a'), live('a', { id: 'est_2', subscriptions: [] })],
    findings: [finding('LIVE_UNDELETABLE', 'a', { source: first })],
  },
];

group('with the documented operations every difference is a finding', () => {
  test.each(documented)('$name', ({ desired, live: items, findings }) => {
    const decision = decide(desired, items, { api: 'documented' });
    expect({ actions: decision.actions, findings: decision.findings, losses: decision.losses }).toEqual({
      actions: [],
      findings,
      losses: [],
    });
  });
});

group('with the full operations', () => {
  test.each<[string, Destination]>([
    ['eventbridge', bridge],
    ['an action', call],
  ])('a missing stream to %s is created as declared', (_name, destination) => {
    const item = declared('a', { destination, status: 'disabled' });
    expect(decide([item], [])).toEqual({
      kind: 'event_streams',
      actions: [
        buildAction({
          kind: 'event_streams',
          key: 'a',
          action: 'create',
          reason: 'missing',
          request: { operation: 'create_event_stream', method: 'POST', path: '/event-streams', body: item[1] },
          before: null,
          after: item[1],
          source: first,
        }),
      ],
      findings: [],
      losses: [],
      asked: [],
      gains: ['event_streams/a'],
      unreadable: null,
      population: buildPopulation({ live: [] }),
      names: null,
    });
  });

  test.each<[string, Partial<DesiredStream>, Partial<LiveStream>, object, readonly FieldChange[]]>([
    [
      'subscriptions alone',
      { subscriptions: [{ event_type: 'z' }, { event_type: 'a' }] },
      {},
      { subscriptions: [{ event_type: 'z' }, { event_type: 'a' }] },
      [{ field: 'subscriptions', before: ['user.created'], after: ['a', 'z'] }],
    ],
    [
      'status alone',
      { status: 'disabled' },
      {},
      { status: 'disabled' },
      [{ field: 'status', before: 'enabled', after: 'disabled' }],
    ],
    [
      'subscriptions and status of an eventbridge stream',
      { status: 'enabled', subscriptions: [{ event_type: 'z' }], destination: bridge },
      { status: 'disabled', destination: liveBridge },
      { subscriptions: [{ event_type: 'z' }], status: 'enabled' },
      [
        { field: 'status', before: 'disabled', after: 'enabled' },
        { field: 'subscriptions', before: ['user.created'], after: ['z'] },
      ],
    ],
  ])('a change sends %s', (_name, files, tenant, body, changes) => {
    const item = declared('a', files);
    const decision = decide([item], [live('a', tenant)]);
    expect({ actions: decision.actions, findings: decision.findings }).toEqual({
      actions: [
        buildAction({
          kind: 'event_streams',
          key: 'a',
          action: 'update',
          reason: 'different',
          request: { operation: 'update_event_stream', method: 'PATCH', path: '/event-streams/est_a', body },
          before: live('a', tenant),
          after: item[1],
          changes,
          precondition: someState,
          source: first,
        }),
      ],
      findings: [],
    });
  });

  test.each<[string, Partial<DesiredStream>, Partial<LiveStream>]>([
    ['a status that is not declared', {}, { status: 'disabled' }],
    [
      'an authorization that is not declared',
      { destination: { type: 'webhook', configuration: { webhook_endpoint: endpoint } } },
      {},
    ],
    ['what the server adds', { destination: bridge }, { destination: liveBridge, next_field: true }],
    ['an equal action', { destination: call }, { destination: liveCall }],
  ])('%s is no difference', (_name, files, tenant) => {
    expect(decide([declared('a', files)], [live('a', tenant)])).toMatchObject({ actions: [], findings: [] });
  });

  test.each<[string, Destination, LiveDestination | undefined, readonly FieldChange[]]>([
    [
      'another type',
      call,
      liveBridge,
      [
        { field: 'destination.type', before: 'eventbridge', after: 'action' },
        { field: 'destination.configuration.action_id', after: '6018e89f' },
      ],
    ],
    [
      'an action that becomes a webhook',
      equal,
      liveCall,
      [
        { field: 'destination.type', before: 'action', after: 'webhook' },
        { field: 'destination.configuration.webhook_endpoint', after: endpoint },
        { field: 'destination.configuration.webhook_authorization', after: { method: 'basic', username: 'crm' } },
      ],
    ],
    [
      'another region',
      bridge,
      { type: 'eventbridge', configuration: { aws_account_id: '123456789012', aws_region: 'eu-west-1' } },
      [{ field: 'destination.configuration.aws_region', before: 'eu-west-1', after: 'us-east-1' }],
    ],
    [
      'another action',
      call,
      { type: 'action', configuration: { action_id: 'x' } },
      [{ field: 'destination.configuration.action_id', before: 'x', after: '6018e89f' }],
    ],
    ['no destination', equal, undefined, [{ field: 'destination', after: equal }]],
  ])('a destination that cannot be changed: %s', (_name, destination, stored, changes) => {
    const { destination: _webhook, ...rest } = live('a');
    const decision = decide(
      [declared('a', { destination })],
      [stored === undefined ? rest : { ...rest, destination: stored }],
    );
    expect({ actions: decision.actions, findings: decision.findings }).toEqual({
      actions: [],
      findings: [finding('LIVE_DIFFERENT', 'a', { source: first, message: fixed, changes: [...changes] })],
    });
  });

  test('one finding holds the changes that could have been sent, too', () => {
    const decision = decide([declared('a', { destination: call, status: 'disabled' })], [live('a')]);
    expect(decision.findings.map(({ code, changes }) => [code, changes?.map(({ field }) => field)])).toEqual([
      ['LIVE_DIFFERENT', ['status', 'destination.type', 'destination.configuration.action_id']],
    ]);
  });

  test.each<[string, LiveDestination | undefined, readonly string[] | undefined]>([
    ['a webhook', liveHook, undefined],
    [
      'an action',
      liveCall,
      ['the tenant may also delete its action (action id 6018e89f): check that nothing else uses it'],
    ],
    [
      'an action without its id',
      { type: 'action' },
      ['the tenant may also delete its action (action id unknown): check that nothing else uses it'],
    ],
  ])('an undeclared stream to %s is deleted', (_name, destination, notes) => {
    const item = live('b', { ...(destination !== undefined && { destination }) });
    const action = buildAction({
      kind: 'event_streams',
      key: 'b',
      action: 'delete',
      reason: 'undeclared',
      request: { operation: 'delete_event_stream', method: 'DELETE', path: '/event-streams/est_b' },
      before: item,
      after: null,
      precondition: someState,
      ...(notes !== undefined && { notes: [...notes] }),
    });
    const decision = decide([declared('a')], [live('a'), item]);
    expect(decision).toEqual({
      kind: 'event_streams',
      actions: [action],
      findings: [],
      losses: [{ id: action.id, item: 'event_streams/b#est_b' }],
      asked: [],
      gains: [],
      unreadable: null,
      population: buildPopulation({
        live: [
          { key: 'a', parts: 1 },
          { key: 'b', parts: 1 },
        ],
      }),
      names: null,
    });
  });

  test('a second stream of a name is deleted when one is as declared', () => {
    const decision = decide([declared('a')], [live('a', { id: 'est_2', subscriptions: [] }), live('a')]);
    expect(decision.actions.map(({ id, action, reason }) => [id, action, reason])).toEqual([
      ['event_streams/a#est_2', 'delete', 'duplicate'],
    ]);
  });
});

group('a stream that takes over an event', () => {
  const taking = declared('a')[1];
  const request = { operation: 'o', method: 'PATCH', path: '/event-streams/est_a', body: {} } as const;
  const about = { kind: 'event_streams', key: 'a', after: { ...taking } } as const;
  const body = { ...taking, status: 'enabled' };
  const created = buildAction({ ...about, action: 'create', before: null, request: { ...request, body } });
  const before = { ...live('a', { subscriptions: [{ event_type: 'user.deleted' }] }) };
  const updated = buildAction({ ...about, action: 'update', before, request });
  const stored = live('a', { status: 'disabled' });

  test.each([
    ['that was created is to deliver, as it was sent', created],
    ['that delivered is to deliver', updated],
  ])('%s', (_name, watched) => {
    const { actions } = decide([declared('a')], [stored], { watched: [watched] });
    expect(actions).toMatchObject([{ action: 'update', changes: [{ field: 'status', after: 'enabled' }] }]);
  });

  test('but what the files leave out is left alone, and what they declare counts', () => {
    expect(decide([declared('a')], [stored]).actions).toEqual([]);
    expect(decide([declared('a', { status: 'disabled' })], [stored], { watched: [created] }).actions).toEqual([]);
    expect(decide([declared('b')], [live('b', { status: 'disabled' })], { watched: [created] }).actions).toEqual([]);
  });

  test.each([
    ['that was disabled', { ...before, status: 'disabled' }],
    ['that has the event already', { ...live('a') }],
  ])('one %s may stay as it is', (_name, old) => {
    const watched = [buildAction({ ...about, action: 'update', before: old, request })];
    expect(decide([declared('a')], [stored], { watched }).actions).toEqual([]);
  });
});

group('what keeps a stream', () => {
  test.each(['documented', 'full'] as const)('protect names it (%s)', (api) => {
    const decision = decide([], [live('audit')], { api, keep: keeping({ isProtected: (name) => name === 'audit' }) });
    expect({ actions: decision.actions, findings: decision.findings }).toEqual({
      actions: [],
      findings: [finding('LIVE_PROTECTED', 'audit')],
    });
  });

  test.each([
    ['report', [finding('LIVE_UNDECLARED', 'audit')]],
    ['ignore', []],
  ] as const)('undeclared: %s', (undeclared, findings) => {
    const decision = decide([], [live('audit')], { keep: keeping({ undeclared }) });
    expect({ actions: decision.actions, findings: decision.findings }).toEqual({ actions: [], findings });
  });

  test('a listing that failed: nothing is decided, not even a rotation', () => {
    const why: Unreadable = {
      readable: false,
      structural: false,
      code: 'LIVE_LISTING_INCOMPLETE',
      message: 'page 2 answered 500',
    };
    const authorization = { method: 'bearer', token: '${env:TOKEN}' } as const;
    const destination: Destination = {
      type: 'webhook',
      configuration: { webhook_endpoint: endpoint, webhook_authorization: authorization },
    };
    const decision = decide([declared('a', { destination })], [], { live: why, rotate: new Set(['a']) });
    expect({ actions: decision.actions, findings: decision.findings, unreadable: decision.unreadable }).toEqual({
      actions: [],
      findings: [finding('LIVE_LISTING_INCOMPLETE', '*', { source: { file: 'files.yaml', line: 1, column: 1 } })],
      unreadable: why,
    });
  });
});

group('a stream that is renamed', () => {
  const renamed = (name: string, from: string, about: Partial<DesiredStream> = {}) => {
    const section = desiredSection([declared(name, about)]);
    return { ...section, items: section.items.map((item) => ({ ...item, renamedFrom: from })) };
  };

  test('with other changes is one request, and its name is a part of the precondition', () => {
    const about = { status: 'disabled' } as const;
    const [action] = decide([], [live('a')], { desired: renamed('b', 'a', about) }).actions;
    expect(action?.request.body).toEqual({ name: 'b', status: 'disabled' });
    const [other] = decide([], [live('b', { id: 'est_a' })], { desired: renamed('b', 'a', about) }).actions;
    expect(other?.request.body).toEqual({ status: 'disabled' });
    expect(other?.precondition).not.toBe(action?.precondition);
    // One that is not renamed has the same precondition with and without renames of others.
    const others = {
      ...renamed('b', 'a'),
      items: [...renamed('b', 'a').items, ...desiredSection([declared('c', about)]).items],
    };
    const precondition = (desired: DecideInput<DesiredStream, LiveStream>['desired']) =>
      decide([], [live('c')], { desired }).actions.find(({ key }) => key === 'c')?.precondition;
    expect(precondition(others)).toBe(precondition(desiredSection([declared('c', about)])));
  });

  test('several with the old name are an error', () => {
    const twins = ['est_1', 'est_2'].map((id) => live('a', { id }));
    const { actions, findings } = decide([], twins, { desired: renamed('b', 'a') });
    expect({ actions, codes: findings.map(({ code }) => code) }).toEqual({
      actions: [],
      codes: ['LIVE_RENAME_CONFLICT'],
    });
  });

  const like = (name: string, about: Partial<LiveStream> = {}) => live(name, { destination: liveCall, ...about });

  test.each([
    ['one is deleted that is like it', [like('a')], ['LIVE_NEAR_NAME']],
    ['two are', [like('a'), like('c')], []],
    ['it is another', [like('a', { status: 'disabled', subscriptions: [{ event_type: 'x' }] })], []],
    [
      'too many to be compared',
      Array.from({ length: 10_001 }, (_none, index) =>
        like('a', { name: `s${index}`, id: `est_${index}`, ...(index > 0 && { subscriptions: [] }) }),
      ),
      [],
    ],
  ] as const)('without the line, a new one has a warning only if %s', (_when, streams, codes) => {
    const { findings } = decide([declared('b', { destination: call })], streams);
    expect(findings.map(({ code }) => code)).toEqual(codes);
  });
});
