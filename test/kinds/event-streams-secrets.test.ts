// Secrets of webhooks: references in files and plans, never a value, and never compared.
import { describe, expect, test } from 'vitest';
import type { DesiredStream } from '../../src/kinds/event-streams/index.ts';
import { eventStreams as kind } from '../../src/kinds/event-streams/index.ts';
import type { ApiLevel } from '../../src/model/operation.ts';
import type { Action, Finding } from '../../src/model/plan.generated.ts';
import type { LiveStream, WebhookAuthorization } from '../../src/service/event-streams/types.generated.ts';
import { buildAction, someState } from '../support/build-action.ts';
import { buildFinding } from '../support/build-plan.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

const endpoint = 'https://crm.example/hook';
const basic = { method: 'basic', username: 'crm', password: '${env:CRM_PASSWORD}' } as const;
const bearer = { method: 'bearer', token: '${env:CRM_TOKEN}' } as const;
const header = { method: 'custom_header', header_key: 'x-crm-key', header_value: '${env:_crm_1}' } as const;
const first = { file: 'files.yaml', line: 2, column: 1 };
const place = '/destination/configuration/webhook_authorization';

const methods = [
  ['basic', basic, { method: 'basic', username: 'crm' }, 'password', 'CRM_PASSWORD'],
  ['bearer', bearer, { method: 'bearer' }, 'token', 'CRM_TOKEN'],
  ['custom_header', header, { method: 'custom_header', header_key: 'x-crm-key' }, 'header_value', '_crm_1'],
] as const;

function declared(authorization?: WebhookAuthorization, about: Partial<DesiredStream> = {}): DesiredStream {
  const configuration = {
    webhook_endpoint: endpoint,
    ...(authorization !== undefined && { webhook_authorization: authorization }),
  };
  return {
    name: 'a',
    subscriptions: [{ event_type: 'user.created' }],
    destination: { type: 'webhook', configuration },
    ...about,
  };
}

type Stored = NonNullable<NonNullable<LiveStream['destination']>['configuration']>['webhook_authorization'];

function live(authorization?: Stored, about: Partial<LiveStream> = {}): LiveStream {
  const configuration = {
    webhook_endpoint: endpoint,
    ...(authorization !== undefined && { webhook_authorization: authorization }),
  };
  return {
    id: 'est_1',
    status: 'enabled',
    name: 'a',
    subscriptions: [{ event_type: 'user.created' }],
    destination: { type: 'webhook', configuration },
    ...about,
  };
}

function decide(
  item: DesiredStream,
  items: readonly LiveStream[],
  rotate: readonly string[] = [],
  api: ApiLevel = 'full',
) {
  const desired = desiredSection([['a', item] as const]);
  const { actions, findings } = kind.decide({
    desired,
    live: { readable: true, items, filtered: false },
    keep: keepNothing,
    api,
    rotate: new Set(rotate),
  });
  return { actions, findings };
}

function update(
  item: DesiredStream,
  before: LiveStream,
  about: Partial<Action>,
  body: Record<string, unknown>,
): Action {
  return buildAction({
    kind: 'event_streams',
    key: 'a',
    action: 'update',
    reason: 'different',
    request: { operation: 'update_event_stream', method: 'PATCH', path: '/event-streams/est_1', body },
    before,
    after: { ...item },
    precondition: someState,
    source: first,
    ...about,
  });
}

function withSecret(action: Action, field: string, env: string): Action {
  return { ...action, request: { ...action.request, secrets: [{ pointer: `${place}/${field}`, env }] } };
}

function finding(code: Finding['code'], message: string, about: Partial<Finding> = {}): Finding {
  return buildFinding(code, { kind: 'event_streams', key: 'a', message, source: first, ...about });
}

function notCompared(field: string): Finding {
  const message = `its ${field} cannot be compared because the tenant never returns it; resend it with apply --rotate event_streams/a`;
  return finding('LIVE_SECRET_NOT_COMPARED', message, { source: { ...first, column: `${place}/${field}`.length + 1 } });
}

describe('create', () => {
  test.each(methods)(
    '%s: the body holds the reference, and says which variable is sent',
    (_method, authorization, _stored, field, env) => {
      const item = declared(authorization);
      expect(decide(item, [])).toEqual({
        actions: [
          buildAction({
            kind: 'event_streams',
            key: 'a',
            action: 'create',
            reason: 'missing',
            request: {
              operation: 'create_event_stream',
              method: 'POST',
              path: '/event-streams',
              body: { status: 'enabled', ...item },
              secrets: [{ pointer: `${place}/${field}`, env }],
            },
            before: null,
            after: item,
            notes: [`sends the secret from ${env}`],
            source: first,
          }),
        ],
        findings: [],
      });
    },
  );

  test.each<[string, WebhookAuthorization | undefined, string]>([
    [
      'basic without a password',
      { method: 'basic', username: 'crm' },
      'webhook_authorization.password: set it to ${env:NAME}',
    ],
    ['bearer without a token', { method: 'bearer' }, 'webhook_authorization.token: set it to ${env:NAME}'],
    [
      'custom_header without a value',
      { method: 'custom_header', header_key: 'x' },
      'webhook_authorization.header_value: set it to ${env:NAME}',
    ],
    ['no authorization', undefined, 'webhook_authorization: declare its method and its secret as ${env:NAME}'],
  ])('is impossible: %s', (_name, authorization, lacking) => {
    const message = `declared but missing on the tenant; creating it requires destination.configuration.${lacking}`;
    expect(decide(declared(authorization), [])).toEqual({ actions: [], findings: [finding('LIVE_MISSING', message)] });
  });
});

describe('a changed destination', () => {
  test.each(methods)('%s: is sent whole, with its secret', (_method, authorization, stored, field, env) => {
    const item = declared(authorization);
    const before = live(stored, {
      destination: {
        type: 'webhook',
        configuration: { webhook_endpoint: 'https://old.example/', webhook_authorization: stored },
      },
    });
    const changes = [
      { field: 'destination.configuration.webhook_endpoint', before: 'https://old.example/', after: endpoint },
    ];
    const notes = [`sends the secret from ${env}; secrets cannot be compared`];
    expect(decide(item, [before])).toEqual({
      actions: [withSecret(update(item, before, { changes, notes }, { destination: item.destination }), field, env)],
      findings: [],
    });
  });

  test('another method is sent with its secret, and the change shows no secret', () => {
    const item = declared(basic);
    const before = live({ method: 'bearer' });
    const changes = [
      { field: 'destination.configuration.webhook_authorization.method', before: 'bearer', after: 'basic' },
      { field: 'destination.configuration.webhook_authorization.username', after: 'crm' },
    ];
    const notes = ['sends the secret from CRM_PASSWORD; secrets cannot be compared'];
    expect(decide(item, [before])).toEqual({
      actions: [
        withSecret(
          update(item, before, { changes, notes }, { destination: item.destination }),
          'password',
          'CRM_PASSWORD',
        ),
      ],
      findings: [],
    });
  });

  test.each<[string, WebhookAuthorization | undefined, Stored, object]>([
    [
      'of the same method',
      { method: 'basic', username: 'crm' },
      { method: 'basic', username: 'old' },
      { method: 'basic', username: 'crm' },
    ],
    [
      'that is not declared: a user name',
      undefined,
      { method: 'basic', username: 'old', added: 1 },
      { method: 'basic', username: 'old' },
    ],
    [
      'that is not declared: a header',
      undefined,
      { method: 'custom_header', header_key: 'x' },
      { method: 'custom_header', header_key: 'x' },
    ],
    ['that is not declared: a token', undefined, { method: 'bearer' }, { method: 'bearer' }],
  ])('without a secret, an authorization %s keeps the stored one', (_name, authorization, stored, sent) => {
    const item = declared(authorization);
    const configuration = {
      webhook_endpoint: 'https://old.example/',
      ...(stored !== undefined && { webhook_authorization: stored }),
    };
    const [action] = decide(item, [live(stored, { destination: { type: 'webhook', configuration } })]).actions;
    expect(action?.request).toEqual({
      operation: 'update_event_stream',
      method: 'PATCH',
      path: '/event-streams/est_1',
      body: {
        destination: { type: 'webhook', configuration: { webhook_endpoint: endpoint, webhook_authorization: sent } },
      },
    });
    expect(action?.notes).toEqual(['sends no secret; the tenant is expected to keep the stored one']);
  });

  test.each<[string, WebhookAuthorization | undefined, Stored, string]>([
    [
      'another method without its secret',
      { method: 'basic', username: 'crm' },
      { method: 'bearer' },
      'changing its method to basic requires destination.configuration.webhook_authorization.password: set it to ${env:NAME}',
    ],
    [
      'a first method without its secret',
      { method: 'bearer' },
      undefined,
      'changing its method to bearer requires destination.configuration.webhook_authorization.token: set it to ${env:NAME}',
    ],
    [
      'no authorization on either side',
      undefined,
      undefined,
      'changing it requires destination.configuration.webhook_authorization: declare it',
    ],
    [
      'an authorization without a method',
      undefined,
      {},
      'changing it requires destination.configuration.webhook_authorization: declare it',
    ],
  ])('is impossible: %s', (_name, authorization, stored, why) => {
    const configuration = {
      webhook_endpoint: 'https://old.example/',
      ...(stored !== undefined && { webhook_authorization: stored }),
    };
    const decision = decide(declared(authorization), [
      live(stored, { destination: { type: 'webhook', configuration } }),
    ]);
    expect(decision).toEqual({
      actions: [],
      findings: [finding('LIVE_DIFFERENT', `differs from the files; ${why}`, { changes: expect.any(Array) })],
    });
  });
});

describe('a secret that no request sends is named as not compared', () => {
  test.each(methods)('%s: in sync', (_method, authorization, stored, field) => {
    expect(decide(declared(authorization), [live(stored)])).toEqual({ actions: [], findings: [notCompared(field)] });
  });

  test('beside an update that leaves the destination out', () => {
    const item = declared(bearer, { status: 'disabled' });
    const changes = [{ field: 'status', before: 'enabled', after: 'disabled' }];
    expect(decide(item, [live({ method: 'bearer' })])).toEqual({
      actions: [update(item, live({ method: 'bearer' }), { changes }, { status: 'disabled' })],
      findings: [notCompared('token')],
    });
  });

  test('but not where the files allow no operation that sends it', () => {
    expect(decide(declared(bearer), [live({ method: 'bearer' })], ['a'], 'documented')).toEqual({
      actions: [],
      findings: [],
    });
  });

  test('and not where another difference is in the way', () => {
    const twice = [
      live({ method: 'bearer' }, { subscriptions: [] }),
      live({ method: 'bearer' }, { id: 'est_2', subscriptions: [] }),
    ];
    expect(decide(declared(bearer), twice).findings.map(({ code }) => code)).toEqual(['LIVE_DUPLICATE']);
    expect(
      decide(declared(bearer), [live(undefined, { destination: { type: 'action' } })]).findings.map(({ code }) => code),
    ).toEqual(['LIVE_DIFFERENT']);
  });
});

describe('rotate', () => {
  test.each(methods)(
    '%s: in sync, an update sends the destination with the secret',
    (_method, authorization, stored, field, env) => {
      const item = declared(authorization);
      const notes = [`sends the secret from ${env}; secrets cannot be compared`];
      expect(decide(item, [live(stored)], ['a'])).toEqual({
        actions: [
          withSecret(
            update(item, live(stored), { reason: 'rotated', changes: [], notes }, { destination: item.destination }),
            field,
            env,
          ),
        ],
        findings: [],
      });
    },
  );

  test('an update that leaves the destination out gets it', () => {
    const item = declared(bearer, { status: 'disabled' });
    const before = live({ method: 'bearer' });
    const changes = [{ field: 'status', before: 'enabled', after: 'disabled' }];
    const notes = ['sends the secret from CRM_TOKEN; secrets cannot be compared'];
    expect(decide(item, [before], ['a'])).toEqual({
      actions: [
        withSecret(
          update(item, before, { changes, notes }, { status: 'disabled', destination: item.destination }),
          'token',
          'CRM_TOKEN',
        ),
      ],
      findings: [],
    });
  });

  test.each<[string, readonly LiveStream[]]>([
    ['a create', []],
    ['an update of the destination', [live({ method: 'bearer' })]],
  ])('%s sends it anyway, once', (_name, items) => {
    expect(decide(declared(basic), items, ['a'])).toEqual(decide(declared(basic), items));
  });

  test('only the streams that it names', () => {
    expect(decide(declared(bearer), [live({ method: 'bearer' })], ['b'])).toEqual({
      actions: [],
      findings: [notCompared('token')],
    });
  });

  test('a stream without a declared secret is left alone', () => {
    expect(decide(declared({ method: 'bearer' }), [live({ method: 'bearer' })], ['a'])).toEqual({
      actions: [],
      findings: [],
    });
  });

  test.each<[string, readonly LiveStream[], string]>([
    [
      'several live streams',
      [live({ method: 'bearer' }), live({ method: 'bearer' }, { id: 'est_2' })],
      'several live items have this name',
    ],
    [
      'another type',
      [live(undefined, { destination: { type: 'action' } })],
      expect.stringContaining('its destination cannot be changed in place'),
    ],
  ])('says why a secret is not sent: %s', (_name, items, why) => {
    const { findings } = decide(declared(bearer), items, ['a']);
    const { message } = findings.find(({ code }) => code === 'LIVE_SECRET_NOT_COMPARED') ?? { message: '' };
    const [said, reason] = message.split('; ');
    expect([said, reason]).toEqual(['its token is not sent although --rotate names this item', why]);
  });
});

test('a plain secret, which no file can hold, never gets into a plan', () => {
  const plain = declared({ method: 'bearer', token: 'planted' });
  expect(() => decide(plain, [])).toThrow('a secret is not a reference to the environment');
});
