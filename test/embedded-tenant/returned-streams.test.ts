// What a seed contains beyond the shape of a stream is returned as it is; the secrets of a stream are not (public facts 4.3).
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
        webhook_authorization: { method: 'basic', username: 'crm', password: planted, realm: 'r' },
      },
    },
    {
      type: 'webhook',
      configuration: {
        webhook_endpoint: 'https://crm.example/hook',
        webhook_authorization: { method: 'basic', username: 'crm', realm: 'r' },
      },
    },
  ],
  [
    'an unknown type',
    { type: 'kafka', configuration: { brokers: ['b1'], 'Client-Secret': 'in clear' } },
    { type: 'kafka', configuration: { brokers: ['b1'], 'Client-Secret': 'in clear' } },
  ],
  [
    'a type named like a member of every object',
    { type: 'constructor', configuration: { a: 'b' } },
    { type: 'constructor', configuration: { a: 'b' } },
  ],
  ['no configuration', { type: 'webhook' }, { type: 'webhook' }],
])('%s', async (_name, destination, returned) => {
  const stream = { id: 'est_1', name: 'one', destination, label: 'kept' };
  const tenant = await openTenant({ event_streams: [stream] as SeededEventStreams });
  for (const path of ['/event-streams', '/event-streams/est_1']) {
    const body = (await (await tenant.fetch(await authorizedRequest(tenant, 'GET', path))).json()) as {
      eventStreams?: readonly unknown[];
    };
    expect(body.eventStreams?.[0] ?? body).toEqual({ id: 'est_1', name: 'one', destination: returned, label: 'kept' });
  }
  expect(JSON.stringify(tenant.snapshot())).not.toContain(planted);
});
