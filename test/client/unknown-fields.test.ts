import { describe, expect, test } from 'vitest';
import { listEventStreams } from '../../src/service/event-streams/operations.ts';
import { listRateLimitPolicies } from '../../src/service/rate-limit-policies/operations.ts';
import { policy, policyPage, reading, startBench } from './builders.ts';

describe('fields that the schema does not name', () => {
  const stream = (number: number, more: object) => ({
    id: `est_${number}`,
    name: 'n',
    destination: {
      type: 'webhook',
      region: 'eu',
      configuration: { webhook_endpoint: 'https://a.example/', retries: { count: 1 } },
    },
    ...more,
  });
  const pages = [
    {
      body: {
        eventStreams: [
          stream(1, { region: 'eu' }),
          stream(2, { region: 'eu', subscriptions: [{ event_type: 'a', id: 1 }] }),
        ],
        next: 'A',
        total: 3,
      },
    },
    { body: { eventStreams: [stream(3, { region: 'us', owner: null })] } },
  ];

  test('are reported once each at the debug level', async () => {
    await using bench = await startBench(pages, { debug: true });
    expect(await reading(bench.options, ({ reader }) => reader.list(listEventStreams, {}))).toMatchObject({ ok: true });
    const operation = 'list_event_streams';
    expect(bench.events.filter(({ type }) => type === 'unknown_fields')).toEqual([
      {
        type: 'unknown_fields',
        operation,
        fields: [
          'eventStreams[].destination.region',
          'eventStreams[].destination.configuration.retries',
          'eventStreams[].region',
          'eventStreams[].subscriptions[].id',
          'total',
        ],
      },
      { type: 'unknown_fields', operation, fields: ['eventStreams[].owner'] },
    ]);
  });

  test('are not looked for otherwise', async () => {
    await using bench = await startBench(pages);
    await reading(bench.options, ({ reader }) => reader.list(listEventStreams, {}));
    expect(bench.events.map(({ type }) => type)).toEqual(['page', 'page']);
  });

  test('do not include any field of any form of a policy', async () => {
    const dates = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
    const redirect = { action: 'redirect', limit: 1, redirect_uri: 'https://a.example/' };
    const policies = [
      policy(1),
      { ...policy(2), ...dates, configuration: { action: 'allow' } },
      { ...policy(3), configuration: redirect },
    ];
    await using bench = await startBench([{ body: policyPage(policies) }], { debug: true });
    expect(await reading(bench.options, ({ reader }) => reader.list(listRateLimitPolicies, {}))).toEqual({
      ok: true,
      arrivedAt: expect.any(Number),
      items: policies,
    });
    expect(bench.events.map(({ type }) => type).filter((type) => type !== 'request')).toEqual(['page']);
  });
});
