// What a seed contains beyond the shape of a stream, and whether it is returned.
import { expect, test } from 'vitest';
import type { SeededEventStreams } from '../../src/service/event-streams/types.generated.ts';
import { authorizedRequest, openTenant } from '../support/start-tenant.ts';

const planted = 'planted-value';

test.each([
  [
    'a webhook',
    {
      type: 'webhook',
      configuration: {
        webhook_endpoint: 'https://crm.example/hook',
        webhook_authorization: { method: 'basic', username: 'crm', password: planted, realm: planted },
        signing_key: planted,
        note: planted,
      },
    },
    {
      type: 'webhook',
      configuration: {
        webhook_endpoint: 'https://crm.example/hook',
        webhook_authorization: { method: 'basic', username: 'crm' },
      },
    },
  ],
  [
    'an eventbridge',
    {
      type: 'eventbridge',
      configuration: { aws_account_id: '123456789012', aws_region: 'us-east-1', aws_key: planted },
    },
    { type: 'eventbridge', configuration: { aws_account_id: '123456789012', aws_region: 'us-east-1' } },
  ],
  [
    'an action',
    { type: 'action', configuration: { action_id: 'act_1', runtime: planted } },
    { type: 'action', configuration: { action_id: 'act_1' } },
  ],
  [
    'an unknown type',
    {
      type: 'kafka',
      configuration: {
        brokers: ['b1'],
        sasl: { user: 'u', sasl_password: planted },
        apiKey: planted,
        'Client-Secret': planted,
      },
    },
    { type: 'kafka', configuration: { brokers: ['b1'], sasl: { user: 'u' } } },
  ],
  [
    'a type named like a member of every object',
    { type: 'constructor', configuration: { a: 'b' } },
    { type: 'constructor', configuration: { a: 'b' } },
  ],
  ['no configuration', { type: 'webhook' }, { type: 'webhook' }],
])('%s', async (_name, destination, returned) => {
  const stream = { id: 'est_1', name: 'one', destination, signing_secret: planted, label: 'kept' };
  const tenant = await openTenant({ event_streams: [stream] as SeededEventStreams });
  for (const path of ['/event-streams', '/event-streams/est_1']) {
    const body = (await (await tenant.fetch(await authorizedRequest(tenant, 'GET', path))).json()) as {
      eventStreams?: readonly unknown[];
    };
    expect(body.eventStreams?.[0] ?? body).toEqual({ id: 'est_1', name: 'one', destination: returned, label: 'kept' });
  }
  expect(JSON.stringify(tenant.snapshot())).not.toContain(planted);
});
