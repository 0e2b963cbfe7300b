// A service that returns more than this version knows: everything is planned.
import { expect, test } from 'vitest';
import { drift, plan } from '../../src/sync/index.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { startFaultServer } from '../support/fault-server.ts';
import { memorySource } from '../support/memory-source.ts';

const configuration = { action: 'block', limit: 100 };
const policy = (name: string, more: object = {}) => ({
  ...buildLivePolicy({ consumer_selector: `client_id:${name}` }),
  ...more,
});
const declared = (name: string, limit: number) =>
  `  - { resource: oauth_authentication_api, consumer: client, consumer_selector: "client_id:${name}", configuration: { action: block, limit: ${limit} } }`;

async function against(live: readonly object[], ...lines: readonly string[]) {
  const server = await startFaultServer([{ body: { rate_limit_policies: live } }]);
  const files = memorySource({ 'p.yaml': `${['rate_limit_policies:', ...lines].join('\n')}\n` });
  const options = { files, tenant: { baseUrl: server.baseUrl, credentials: { token: 'e30.e30.c2ln' } } };
  const result = { plan: await plan(options), drift: await drift(options) };
  await server.close();
  return result;
}

test('a new field of every policy is a finding of each, and no difference', async () => {
  const live = ['a', 'b'].map((name) => policy(name, { burst: 5, created_at: '2026-01-01T00:00:00' }));
  const result = await against(live, declared('a', 100), declared('b', 100));
  expect(result).toMatchObject({
    plan: { status: 'planned', plan: { complete: true, actions: [] } },
    drift: { status: 'compared', differs: false },
  });
  const findings = 'plan' in result.plan ? result.plan.plan.findings : [];
  expect(findings.map(({ code, severity, message }) => ({ code, severity, message }))).toEqual(
    Array(2).fill({
      code: 'LIVE_UNEXPECTED_FIELD',
      severity: 'warning',
      message: 'this version does not know burst, and does not compare it; not of the expected form: created_at',
    }),
  );
});

test('an update sends back what it would lose, a delete says what it loses, and no value of it is in the plan', async () => {
  const live = [
    policy('a', { configuration: { ...configuration, burst: 'planted-1' } }),
    policy('b', { note: 'planted-2' }),
    policy('c'),
  ];
  const result = await against(live, declared('a', 50), declared('c', 100));
  expect(result.plan).toMatchObject({
    plan: {
      complete: true,
      actions: [
        {
          action: 'update',
          request: { live: ['/configuration/burst'] },
          notes: ['sends back what the tenant has in configuration.burst, read immediately before'],
          before: { configuration },
        },
        { action: 'delete', notes: ['deletes what is not as this version expects it: note'] },
      ],
      findings: expect.arrayContaining([
        expect.objectContaining({ message: 'this version does not know configuration.burst, and does not compare it' }),
      ]),
    },
  });
  expect(JSON.stringify(result)).not.toContain('planted');
});

test('a policy for a resource that is not known is kept', async () => {
  const result = await against([policy('a', { resource: 'management_api' }), policy('b')], declared('b', 100));
  expect(result.plan).toMatchObject({ status: 'planned', plan: { complete: true, actions: [] } });
  const findings = 'plan' in result.plan ? result.plan.plan.findings.map(({ code }) => code) : [];
  expect(findings.toSorted()).toEqual(['LIVE_UNDELETABLE', 'LIVE_UNEXPECTED_FIELD']);
});
