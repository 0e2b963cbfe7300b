// Tenants with everything that files cannot, need not or must not declare, and no two items of one identity.
import fc from 'fast-check';
import type { Seed } from '../../src/model/seed.generated.ts';
import { livePolicy } from './files-and-tenant.ts';
import { testClient } from './start-tenant.ts';

/** Names that people use, and some that no file can have or that look like something else. */
const name = fc.oneof(
  { arbitrary: fc.constantFrom('Support', 'Auditor', 'Billing', 'support', 'rol_xx1', 'est_1', 'Área'), weight: 4 },
  fc.constantFrom(' blank ', 'star *', 'a\u200bb', '${var:x}', '1e3', 'x'.repeat(300), 'tab\t'),
);
const apis = [
  'https://orders.example/',
  'urn:billing',
  'urn:empty',
  'https://acme.example/api/v2/',
  'urn: odd *',
] as const;
const scopes = fc.uniqueArray(
  fc.constantFrom('read', 'write', 'admin').map((value) => ({ value })),
  {
    selector: ({ value }) => value,
  },
);

const servers = fc
  .subarray([...apis])
  .chain((some) => fc.tuple(...some.map((identifier) => fc.tuple(fc.constant(identifier), scopes))))
  .map((some) =>
    some.map(([identifier, values]) => ({
      identifier,
      ...(identifier === 'https://acme.example/api/v2/' && { is_system: true as const }),
      ...(identifier === 'urn:empty' ? {} : { scopes: values }),
    })),
  );

const roles = fc
  .uniqueArray(
    fc.record({
      name,
      description: fc.constantFrom(undefined, '', 'Handles refunds'),
      ofOrganization: fc.boolean(),
      pairs: fc.subarray([
        ['https://orders.example/', 'read'],
        ['https://orders.example/', 'write'],
        ['urn:billing', 'admin'],
      ] as const),
    }),
    { selector: ({ name: one, ofOrganization }) => JSON.stringify([one, ofOrganization]), maxLength: 14 },
  )
  .map((some) =>
    some.map(({ name: one, description, ofOrganization, pairs }, index) => ({
      id: `rol_${String(index).padStart(3, 'x')}`,
      name: one,
      ...(description !== undefined && { description }),
      ...(ofOrganization && { type: 'organization' as const, owner_id: 'org_1' }),
      permissions: pairs.map(([resource_server_identifier, permission_name]) => ({
        resource_server_identifier,
        permission_name,
      })),
    })),
  );

const streams = fc
  .uniqueArray(
    fc.record({
      name: fc.oneof({ arbitrary: name, weight: 3 }, fc.constantFrom(undefined, '')),
      events: fc.subarray(['user.created', 'user.deleted']),
      hasSubscriptions: fc.boolean(),
      type: fc.constantFrom('webhook', 'action', 'sqs', undefined),
      longId: fc.boolean(),
    }),
    { selector: ({ name: one }) => one || {}, maxLength: 8 },
  )
  .map((some) =>
    some.map(({ name: one, events, hasSubscriptions, type, longId }, index) => ({
      id: `est_${index}${longId ? 'x'.repeat(30) : ''}`,
      ...(one !== undefined && { name: one }),
      ...(hasSubscriptions && { subscriptions: events.map((event_type) => ({ event_type })) }),
      ...(type === 'webhook' && { destination: { type, configuration: { webhook_endpoint: 'https://a.example/' } } }),
      ...(type === 'action' && { destination: { type, configuration: { action_id: 'act_1' } } }),
      ...(type === 'sqs' && { destination: { type } }),
    })),
  );

const policies = fc
  .uniqueArray(fc.constantFrom('default', 'client_id:a', 'client_id:b', 'third_party_clients'))
  .map((some) => some.map((selector) => livePolicy(selector)));

const prompts = fc.dictionary(
  fc.constantFrom('login', 'signup'),
  fc.constantFrom('', '<b>one</b>\n', 'two').map((text) => ({ partials: { login: { 'form-content-start': text } } })),
  { noNullPrototype: true },
);

export const anyTenant: fc.Arbitrary<Seed> = fc
  .record({
    resource_servers: servers,
    roles,
    event_streams: streams,
    rate_limit_policies: policies,
    prompts,
  })
  .map((seed) => ({ clients: [testClient], ...seed }) as Seed);
