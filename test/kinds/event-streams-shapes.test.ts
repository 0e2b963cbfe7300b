// What files may say of a stream, and what requests and answers may hold.
import { Management } from 'auth0';
import { describe, expect, test } from 'vitest';
import { eventStreams } from '../../src/kinds/event-streams/index.ts';
import { fields, operations, operations as streams } from '../../src/service/event-streams/description.generated.ts';
import { diagnosticsOf, loadFiles, summaryOf } from '../support/load-files.ts';

const webhook = (authorization: string) =>
  `{ type: webhook, configuration: { webhook_endpoint: https://crm.example/hook, webhook_authorization: ${authorization} } }`;
const file = (destination: string, more = '') =>
  `event_streams:\n  - name: a\n    subscriptions: [{ event_type: user.created }]\n    destination: ${destination}\n${more}`;

describe('files', () => {
  test.each<[string, string]>([
    ['basic without a password', webhook('{ method: basic, username: crm }')],
    ['basic', webhook('{ method: basic, username: crm, password: "${env:TENANT_VAR_CRM_PASSWORD}" }')],
    ['bearer', webhook('{ method: bearer, token: "${env:TENANT_VAR_T}" }')],
    ['custom_header', webhook('{ method: custom_header, header_key: X-Key_1, header_value: "${env:TENANT_VAR_T}" }')],
    ['no authorization', '{ type: webhook, configuration: { webhook_endpoint: https://crm.example/hook } }'],
    [
      'eventbridge',
      '{ type: eventbridge, configuration: { aws_account_id: "000000000000", aws_region: us-gov-west-1 } }',
    ],
    ['action', '{ type: action, configuration: { action_id: 6018e89f-245f } }'],
  ])('may hold %s', async (_name, destination) => {
    expect(await diagnosticsOf({ 'a.yaml': file(destination, '    status: disabled\n') })).toEqual([]);
  });

  test.each<[string, string, string, string]>([
    [
      'an address without https',
      '{ type: webhook, configuration: { webhook_endpoint: http://crm.example/hook } }',
      'CONFIG_UNKNOWN_VALUE a.yaml:4 "http://crm.example/hook"',
      '"http://crm.example/hook" is not a valid value of "webhook_endpoint". Expected: an address that starts with https://, with a host and without credentials; every other character is escaped, as in %C3%A9.',
    ],
    [
      'a user name with a colon',
      webhook('{ method: basic, username: "a:b" }'),
      'CONFIG_UNKNOWN_VALUE a.yaml:4 "\\"a:b\\""',
      '"a:b" is not a valid value of "username". Expected: text without a colon, at most 128 characters.',
    ],
    [
      'a header with a space',
      webhook('{ method: custom_header, header_key: "a b" }'),
      'CONFIG_UNKNOWN_VALUE a.yaml:4 "\\"a b\\""',
      '"a b" is not a valid value of "header_key". Expected: the name of an HTTP header: letters, digits and !#$%&\'*+-.^_`|~.',
    ],
    [
      'an account of 11 digits',
      '{ type: eventbridge, configuration: { aws_account_id: "12345678901", aws_region: us-east-1 } }',
      'CONFIG_UNKNOWN_VALUE a.yaml:4 "\\"12345678901\\""',
      '"12345678901" is not a valid value of "aws_account_id". Expected: 12 digits, as text.',
    ],
    [
      'a region that is none',
      '{ type: eventbridge, configuration: { aws_account_id: "123456789012", aws_region: Virginia } }',
      'CONFIG_UNKNOWN_VALUE a.yaml:4 "Virginia"',
      '"Virginia" is not a valid value of "aws_region". Expected: a region such as us-east-1.',
    ],
    [
      'a field that the server makes',
      '{ type: eventbridge, configuration: { aws_account_id: "123456789012", aws_region: us-east-1, aws_partner_event_source: x } }',
      'CONFIG_UNKNOWN_FIELD a.yaml:4 "aws_partner_event_source"',
      '"aws_partner_event_source" is not a field of "configuration". Valid fields are aws_account_id and aws_region.',
    ],
    [
      'an unknown type',
      '{ type: webhok, configuration: { webhook_endpoint: https://a.example/ } }',
      'CONFIG_UNKNOWN_VALUE a.yaml:4 "webhok"',
      '"webhok" is not a valid value of "type". Valid values are webhook, eventbridge and action.',
    ],
    [
      'an unknown method',
      webhook('{ method: digest }'),
      'CONFIG_UNKNOWN_VALUE a.yaml:4 "digest"',
      '"digest" is not a valid value of "method". Valid values are basic, bearer and custom_header.',
    ],
    [
      'the secret of another method',
      webhook('{ method: bearer, password: "${env:TENANT_VAR_P}" }'),
      'CONFIG_UNKNOWN_FIELD a.yaml:4 "password"',
      '"password" is not a field of a "bearer" webhook_authorization. Valid fields are method and token.',
    ],
  ])('may not hold %s', async (_name, destination, place, message) => {
    const diagnostics = await diagnosticsOf({ 'a.yaml': file(destination) });
    // The line and what is underlined tell the place.
    expect(
      diagnostics.map((diagnostic) => [summaryOf(diagnostic).replace(/(a\.yaml:\d+):\d+/, '$1'), diagnostic.message]),
    ).toEqual([[place, message]]);
  });

  test('may not hold a secret itself, and it is not shown', async () => {
    const diagnostics = await diagnosticsOf({ 'a.yaml': file(webhook('{ method: bearer, token: planted }')) });
    expect(diagnostics.map(({ code }) => code)).toEqual(['CONFIG_SECRET_IN_FILE']);
    expect(JSON.stringify(diagnostics)).not.toContain('planted');
  });

  test.each([
    [
      'no subscription',
      'event_streams:\n  - { name: a, subscriptions: [], destination: { type: action, configuration: { action_id: x } } }\n',
      'CONFIG_TOO_SHORT',
    ],
    [
      'a long name',
      `event_streams:\n  - { name: ${'x'.repeat(129)}, subscriptions: [{ event_type: x }], destination: { type: action, configuration: { action_id: x } } }\n`,
      'CONFIG_TOO_LONG',
    ],
    [
      'another status',
      file('{ type: action, configuration: { action_id: x } }', '    status: paused\n'),
      'CONFIG_UNKNOWN_VALUE',
    ],
  ])('may not hold %s', async (_name, text, code) => {
    expect((await diagnosticsOf({ 'a.yaml': text })).map((diagnostic) => diagnostic.code)).toEqual([code]);
  });
});

const times = { created_at: '2026-02-03T04:05:06.789Z', updated_at: '2026-02-03T04:05:07.890Z' };
const id = 'est_7YkGpWm3vQx2RbTnDsHfJc';
const answer = (destination: object) => ({
  id,
  status: 'enabled',
  name: 'a',
  subscriptions: [{ event_type: 'user.created' }],
  ...times,
  destination,
});
const hook = (webhook_authorization: object) => ({
  type: 'webhook',
  configuration: { webhook_endpoint: 'https://a.example/', webhook_authorization },
});
const bridge = { aws_account_id: '111122223333', aws_region: 'eu-central-1' };

describe('answers of the service, in its shapes', () => {
  test.each<[string, object]>([
    ['basic', answer(hook({ method: 'basic', username: 'u' }))],
    ['bearer', answer(hook({ method: 'bearer' }))],
    ['custom_header', answer(hook({ method: 'custom_header', header_key: 'x-key' }))],
    [
      'eventbridge',
      answer({
        type: 'eventbridge',
        configuration: { ...bridge, aws_partner_event_source: 'aws.partner/auth0.com/t-1/auth0.events' },
      }),
    ],
    ['action', answer({ type: 'action', configuration: { action_id: '9b2d' } })],
    [
      'fields and forms of tomorrow',
      { ...answer({ type: 'queue', configuration: { url: 'x' } }), status: 'paused', labels: [] },
    ],
  ])('%s', (_name, stream) => {
    for (const operation of [streams.create, streams.get, streams.update])
      expect(operation.response?.validate(stream)).toBe(true);
    expect(streams.list.response.validate({ eventStreams: [stream] })).toBe(true);
  });
});

describe('bodies', () => {
  const subscriptions = [{ event_type: 'user.created' }];
  const bearer = hook({ method: 'bearer', token: 'a secret' });
  test.each<[string, object, boolean, boolean]>([
    ['webhook with a secret', { name: 'a', subscriptions, destination: bearer }, true, true],
    [
      'webhook without a secret',
      { name: 'a', subscriptions, destination: hook({ method: 'basic', username: 'u' }) },
      true,
      true,
    ],
    [
      'webhook without authorization',
      {
        name: 'a',
        subscriptions,
        destination: { type: 'webhook', configuration: { webhook_endpoint: 'https://a.example/' } },
      },
      false,
      false,
    ],
    [
      'eventbridge',
      { name: 'a', subscriptions, destination: { type: 'eventbridge', configuration: bridge } },
      true,
      false,
    ],
    [
      'what the server adds',
      {
        name: 'a',
        subscriptions,
        destination: { type: 'eventbridge', configuration: { ...bridge, aws_partner_event_source: 'x' } },
      },
      false,
      false,
    ],
    [
      'action',
      {
        name: 'a',
        status: 'disabled',
        subscriptions,
        destination: { type: 'action', configuration: { action_id: 'x' } },
      },
      true,
      true,
    ],
    ['status alone', { status: 'disabled' }, false, true],
    ['no subscription', { name: 'a', subscriptions: [], destination: bearer }, false, false],
    ['an id', { id, name: 'a', subscriptions, destination: bearer }, false, false],
  ])('%s', (_name, body, creates, updates) => {
    expect([streams.create.body?.validate(body), streams.update.body?.validate(body)]).toEqual([creates, updates]);
  });
});

test.each<[string, boolean]>([
  [id, true],
  ['est_1', true],
  ['est_', false],
  ['est_has_underscores', false],
  [`est_${'x'.repeat(23)}`, false],
  ['rlp_1', false],
])('id %s: %s', (text, valid) => {
  expect(
    [streams.get, streams.update, streams.delete].map((operation) => operation.params?.validate({ id: text })),
  ).toEqual([valid, valid, valid]);
});

test('only the listing is documented', () => {
  expect(
    Object.values(operations).map((operation) => [
      operation.id,
      operation.api,
      operation.method,
      operation.success,
      operation.scope,
    ]),
  ).toEqual([
    ['list_event_streams', 'documented', 'GET', 200, 'read:event_streams'],
    ['create_event_stream', 'full', 'POST', 201, 'create:event_streams'],
    ['get_event_stream', 'full', 'GET', 200, 'read:event_streams'],
    ['update_event_stream', 'full', 'PATCH', 200, 'update:event_streams'],
    ['delete_event_stream', 'full', 'DELETE', 204, 'delete:event_streams'],
  ]);
});

describe('an event type', () => {
  const typed = (...types: readonly string[]) =>
    `event_streams:\n  - name: a\n    destination: { type: action, configuration: { action_id: a } }\n    subscriptions:\n${types
      .map((type) => `      - event_type: ${JSON.stringify(type)}\n`)
      .join('')}`;
  const known = fields['subscriptions']?.items?.fields?.['event_type']?.suggestions ?? [];

  test.each([
    ['user.craeted', 'user.created'],
    ['User.Created', 'user.created'],
    ['users.deleted', 'user.deleted'],
    ['organization.member.roles.assigned', 'organization.member.role.assigned'],
    ['organisation.connection.removed', 'organization.connection.removed'],
  ])('that is nearly a known one is a warning with the known one: %s', async (type, near) => {
    const { desired, diagnostics } = await loadFiles({ 'a.yaml': typed('user.updated', type) }, [eventStreams]);
    expect(diagnostics).toMatchObject([
      {
        code: 'CONFIG_UNKNOWN_EVENT_TYPE',
        severity: 'warning',
        message: 'This is not a known event type. The tenant may reject it, or never deliver it.',
        hint: `did you mean "${near}"?`,
        source: { file: 'a.yaml', line: 6, column: 21 },
      },
    ]);
    expect(desired).not.toBeNull();
  });

  test.each(['user.blocked', 'organization.member.updated', 'invoice.paid', 'x', 'user', '*'])(
    'that is far from every known one is accepted: %s',
    async (type) => {
      expect(await diagnosticsOf({ 'a.yaml': typed(type) })).toEqual([]);
    },
  );

  test('that is known is accepted: those of the package auth0', async () => {
    expect(known.toSorted()).toEqual(Object.values(Management.EventStreamEventTypeEnum).toSorted());
    expect(await diagnosticsOf({ 'a.yaml': typed(...known) })).toEqual([]);
  });

  test('is not looked at in a stream that is absent', async () => {
    expect(await diagnosticsOf({ 'a.yaml': 'event_streams: [{ name: a, absent: true }]\n' })).toEqual([]);
  });
});
