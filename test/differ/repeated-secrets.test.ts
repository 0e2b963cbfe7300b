// A tenant should not return secrets. One that does must not bring them into a plan.
import { expect, test } from 'vitest';
import { shownChanges } from '../../src/differ/draft.ts';
import { eventStreams } from '../../src/kinds/event-streams/index.ts';
import { maskSecretFields } from '../../src/secrets/secret-spellings.ts';
import type { LiveStream } from '../../src/service/event-streams/types.generated.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

const planted = 'planted-secret-1';
const live = (name: string): LiveStream => ({
  id: `est_${name}`,
  name,
  status: 'enabled',
  subscriptions: [{ event_type: 'user.created' }],
  destination: {
    type: 'webhook',
    configuration: {
      webhook_endpoint: 'https://a.example/',
      webhook_authorization: { method: 'basic', username: 'crm', password: planted, 'Client-Secret': planted },
    },
  },
});

test('an update, a rotation and a deletion hold no secret that the tenant repeats', () => {
  const declared = (name: string, status: string) => ({
    name,
    status,
    subscriptions: [{ event_type: 'user.created' }],
    destination: {
      type: 'webhook',
      configuration: {
        webhook_endpoint: 'https://a.example/',
        webhook_authorization: { method: 'basic', username: 'crm', password: '${env:SECRET}' },
      },
    },
  });
  const decision = eventStreams.decide({
    desired: desiredSection([
      ['changed', declared('changed', 'disabled')],
      ['rotated', declared('rotated', 'enabled')],
    ]),
    live: { readable: true, items: ['changed', 'rotated', 'gone'].map(live), filtered: false },
    keep: keepNothing,
    api: 'full',
    rotate: new Set(['rotated']),
  } as never);
  expect(decision.actions.map(({ action, key }) => `${action} ${key}`)).toEqual([
    'update changed',
    'delete gone',
    'update rotated',
  ]);
  expect(JSON.stringify(decision)).not.toContain(planted);
  expect(JSON.stringify(decision)).toContain('"username":"crm"');
});

test('a value without secrets is the same value', () => {
  const value = { a: [{ token_lifetime: 5, name: 'password' }], secret: null };
  expect(maskSecretFields(value)).toBe(value);
  expect(maskSecretFields({ a: [1, { headerValue: 'x', b: 2 }] })).toEqual({ a: [1, { headerValue: '***', b: 2 }] });
});

test('a change shows no live value of a field that is named like a secret', () => {
  const changes = [
    { field: 'destination.token', before: planted, after: '${env:TENANT_VAR_A}' },
    { field: 'destination.password.parts', before: [planted], after: [] },
    { field: 'destination', before: { type: 'x', password: planted }, after: { type: 'y' } },
    { field: 'limit', before: 1, after: 2 },
    { field: 'status', after: 'enabled' },
  ];
  expect(shownChanges(changes.map((change) => ({ ...change, path: change.field.split('.') })))).toEqual([
    { field: 'destination.token', before: '***', after: '${env:TENANT_VAR_A}' },
    { field: 'destination.password.parts', before: '***', after: [] },
    { field: 'destination', before: { type: 'x', password: '***' }, after: { type: 'y' } },
    { field: 'limit', before: 1, after: 2 },
    { field: 'status', after: 'enabled' },
  ]);
});
