// The promises to users that need a complete command to be proven. Where the others are proven:
//
//   1  read-only commands write nothing      here; under faults of the service in property/plan-under-faults
//   2  exactly the printed requests          here; over any tenant in property/documented-api
//   3  no write without a difference         property/documented-api, property/full-api; cli/full-api as commands
//   4  grants before revocations             plan/assemble-plan (order); property/full-api (permissions at every moment)
//   5  no deletion from incomplete state     here (exit codes); every kind of fault in property/plan-under-faults
//   6  guards                                here (commands); plan/guard-plan (rules, codes); property/guard-limits
//   7  every error has a location            here; config/error-places (each code)
//   8  every request has an outcome          here; chaos (under faults, kills and foreign changes)
//   9  no secret in any output               here; property/full-api (plans and requests)
//   10 deterministic                         plan/assemble-plan (bytes), property/documented-api, property/full-api (order)
import { describe, expect, test } from 'vitest';
import { validatePlan } from '../src/contract/plan.generated.ts';
import type { FaultRule } from '../src/embedded-tenant/faults/fault-rule.ts';
import { parseFault } from '../src/embedded-tenant/faults/fault-rule.ts';
import type { Plan } from '../src/model/plan.generated.ts';
import type { Seed } from '../src/model/seed.generated.ts';
import { filesOfEveryKind, livePolicy, policiesYaml, seedOf } from './support/files-and-tenant.ts';
import { keyPair } from './support/key-pairs.ts';
import { runCommand } from './support/run-command.ts';
import { type StartedTenant, testClient } from './support/start-tenant.ts';
import { folder } from './support/temp-folder.ts';
import { tenantWith } from './support/tenant-with.ts';

async function tenantUnder(seed: Seed, ...faults: readonly string[]): Promise<StartedTenant> {
  const rules = faults.map(parseFault).filter((rule): rule is FaultRule => typeof rule !== 'string');
  expect(rules).toHaveLength(faults.length);
  return tenantWith(seed, { faults: rules });
}

async function plan(tenant: StartedTenant, files: string, ...options: readonly string[]): Promise<Plan> {
  const { stdout } = await runCommand(['plan', files, '--format', 'json', ...options], { env: tenant.env });
  const document: unknown = JSON.parse(stdout);
  expect(validatePlan(document)).toBe(true);
  return document as Plan;
}

const writesOf = (tenant: StartedTenant) =>
  tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token');

describe('promise 1: read-only means it', () => {
  test.each([['validate'], ['plan'], ['drift'], ['pull', '--yes']])(
    '%s sends no write',
    async (command, ...options) => {
      const tenant = await tenantUnder(seedOf());
      await runCommand([command, await folder(filesOfEveryKind), ...options], { env: tenant.env });
      expect(writesOf(tenant)).toEqual([]);
      expect(tenant.tenant.snapshot().rate_limit_policies).toHaveLength(3);
    },
  );
});

describe('promise 2: one differ, and exactly the printed requests', () => {
  test('apply sends what plan printed, and no other write', async () => {
    const tenant = await tenantUnder(seedOf());
    const files = await folder(filesOfEveryKind);
    const { actions } = await plan(tenant, files);
    expect(actions.map(({ action }) => action)).toEqual(['put', 'delete', 'remove']);
    expect((await runCommand(['apply', files, '--yes'], { env: tenant.env })).code).toBe(0);
    const sent = writesOf(tenant).map(({ method, path, body }) => ({
      method,
      path: path.replace('/api/v2', ''),
      ...(body !== undefined && { body }),
    }));
    const printed = actions.map(({ request: { operation: _operation, ...request } }) => request);
    // They are of three kinds, which do not wait for each other.
    expect(new Set(sent)).toEqual(new Set(printed));
    expect(sent).toHaveLength(printed.length);
  });

  test('plan, drift and apply of one state are one plan', async () => {
    const tenant = await tenantUnder(seedOf());
    const files = await folder(filesOfEveryKind);
    const printed = await plan(tenant, files);
    const drift = JSON.parse(
      (await runCommand(['drift', files, '--format', 'json'], { env: tenant.env })).stdout,
    ) as Plan;
    const applied = JSON.parse(
      (await runCommand(['apply', files, '--yes', '--format', 'json'], { env: tenant.env })).stdout,
    ) as { plan: Plan };
    expect([drift.digest, applied.plan.digest]).toEqual([printed.digest, printed.digest]);
  });
});

describe('promise 5: no delete on doubt', () => {
  const many: Seed = {
    rate_limit_policies: Array.from({ length: 120 }, (_, index) =>
      livePolicy(`client_id:a${String(index).padStart(3, '0')}`),
    ),
  };

  test.each(['list_rate_limit_policies:status=501:nth=2', 'list_rate_limit_policies:repeat_cursor'])(
    '%s: an incomplete plan, and apply refuses with 4',
    async (fault) => {
      const tenant = await tenantUnder(many, fault, fault);
      const files = await folder({ 'policies.yaml': policiesYaml('client_id:a000') });
      const printed = await runCommand(['plan', files, '--format', 'json'], { env: tenant.env });
      expect(printed.code).toBe(4);
      expect(JSON.parse(printed.stdout)).toMatchObject({
        complete: false,
        actions: [],
        summary: { delete: 0, unreadable: ['rate_limit_policies'] },
      });

      const again = await tenantUnder(many, fault);
      const applied = await runCommand(['apply', files, '--yes'], { env: again.env });
      expect({ code: applied.code, told: applied.stderr.includes('PLAN_INCOMPLETE') }).toEqual({ code: 4, told: true });
      expect(writesOf(again)).toEqual([]);
    },
  );

  test('other kinds are still planned', async () => {
    const tenant = await tenantUnder(seedOf({ event_streams: [] }), 'list_event_streams:status=403');
    expect(await plan(tenant, await folder(filesOfEveryKind))).toMatchObject({
      complete: false,
      summary: { delete: 1 },
    });
  });
});

describe('promise 6: guards', () => {
  const many: Seed = {
    rate_limit_policies: Array.from({ length: 10 }, (_, index) => livePolicy(`client_id:a${index}`)),
  };

  test('a plan that deletes too much is refused by plan and apply, and the code lets it through', async () => {
    const tenant = await tenantUnder(many);
    const files = await folder({ 'policies.yaml': policiesYaml('client_id:a0') });
    const printed = await runCommand(['plan', files, '--format', 'json'], { env: tenant.env });
    const { refusals } = JSON.parse(printed.stdout) as Plan;
    expect({ code: printed.code, refusals }).toMatchObject({
      code: 4,
      refusals: [{ code: 'GUARD_TOO_MANY_DELETES', losses: 9, live: 10, limit: 3 }],
    });
    expect(refusals[0]?.items).toHaveLength(9);

    const refused = await runCommand(['apply', files, '--yes'], { env: tenant.env });
    const wrong = await runCommand(['apply', files, '--yes', '--approve', 'deadbeef0000'], { env: tenant.env });
    expect([refused.code, wrong.code]).toEqual([4, 4]);
    expect(refused.stderr).toContain(refusals[0]?.approve);
    expect(writesOf(tenant)).toEqual([]);

    const approved = await runCommand(['apply', files, '--yes', '--approve', refusals[0]?.approve ?? ''], {
      env: tenant.env,
    });
    expect(approved.code).toBe(0);
    expect(writesOf(tenant)).toHaveLength(9);
  });

  test('a protected item is never deleted, approved or not, and the plan says that it was kept', async () => {
    const tenant = await tenantUnder(seedOf());
    const files = await folder({
      'p.yaml': `tenant: { protect: { rate_limit_policies: ["client_id:st*"] } }\n${policiesYaml('default')}`,
    });
    const printed = await plan(tenant, files);
    expect(printed.findings).toMatchObject([
      { code: 'LIVE_PROTECTED', key: 'oauth_authentication_api/client/client_id:stale' },
    ]);
    await runCommand(['apply', files, '--yes'], { env: tenant.env });
    expect(
      tenant.tenant
        .snapshot()
        .rate_limit_policies?.map(({ consumer_selector }) => consumer_selector)
        .sort(),
    ).toEqual(['client_id:stale', 'default']);
  });
});

describe('promise 7: every fault has a place', () => {
  test('all faults of all files in one run, and nothing is sent', async () => {
    const tenant = await tenantUnder(seedOf());
    const files = await folder({
      'a.yaml': policiesYaml('default').replace('limit:', 'limitt:'),
      'b.yaml': 'roles:\n  - id: rol_1\n    permisions: []\n',
    });
    const { code, stderr } = await runCommand(['plan', files], { env: tenant.env });
    expect(code).toBe(3);
    expect(stderr).toMatch(/a\.yaml:2:\d+ +error +CONFIG_UNKNOWN_FIELD/);
    expect(stderr).toMatch(/b\.yaml:3:5 +error +CONFIG_UNKNOWN_FIELD/);
    expect(stderr).toContain('did you mean "permissions"?');
    expect(tenant.tenant.requests).toEqual([]);
  });
});

describe('promise 8: every request has an outcome', () => {
  test('done, failed and unknown are told, independent actions run on, and the exit code follows', async () => {
    const tenant = await tenantUnder(seedOf(), 'remove_role_permissions:status=400');
    const { code, stdout } = await runCommand(['apply', await folder(filesOfEveryKind), '--yes', '--format', 'json'], {
      env: tenant.env,
    });
    const { outcomes, summary } = JSON.parse(stdout) as {
      outcomes: { outcome: string; status: number | null }[];
      summary: object;
    };
    expect(code).toBe(1);
    expect(outcomes.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['done', 200],
      ['done', 204],
      ['failed', 400],
    ]);
    expect(summary).toEqual({ done: 2, failed: 1, not_attempted: 0, unknown: 0, conflict: 0 });
  });
});

describe('promise 9: no secret in any output', () => {
  const keys = keyPair();
  const keyed = { client_id: 'keyed', public_keys: [keys.spki], scopes: testClient.scopes };
  const keyLines = keys.pkcs8.split('\n').slice(1, -2);
  const secrets = [testClient.client_secret, 'planted-password-in-a-file', ...keyLines];

  test('whatever is run, in whatever format, planted secrets do not show', async () => {
    const tenant = await tenantUnder(seedOf({ clients: [testClient, keyed] }), 'remove_role_permissions:status=400');
    const token = await tenant.token();
    const sound = await folder(filesOfEveryKind);
    const faulty = await folder({
      'streams.yaml':
        'event_streams:\n  - name: a\n    destination: { type: webhook, configuration: { password: planted-password-in-a-file } }\n',
    });
    const environments = [
      tenant.env,
      { TENANT_SYNC_BASE_URL: tenant.baseUrl, TENANT_SYNC_TOKEN: token },
      { ...tenant.env, TENANT_SYNC_CLIENT_SECRET: 'planted-wrong-secret' },
      { TENANT_SYNC_BASE_URL: tenant.baseUrl, TENANT_SYNC_CLIENT_ID: 'keyed', TENANT_SYNC_PRIVATE_KEY: keys.pkcs8 },
    ];
    for (const env of environments) {
      for (const command of [['validate'], ['plan'], ['drift'], ['apply', '--yes'], ['plan', '--debug']]) {
        for (const format of ['text', 'json', 'markdown', 'github']) {
          for (const files of [sound, faulty]) {
            const [name = '', ...options] = command;
            const { stdout, stderr } = await runCommand([name, files, '--format', format, ...options], { env });
            for (const secret of [...secrets, token, 'planted-wrong-secret'])
              expect(stdout + stderr).not.toContain(secret);
          }
        }
      }
    }
  });

  test('not even when files or the service repeat it', async () => {
    const stream = { id: 'est_1', name: testClient.client_secret };
    const tenant = await tenantUnder(seedOf({ event_streams: [stream] }));
    const repeating = await folder({ 'p.yaml': `tenant: { name: x-${testClient.client_secret} }\nroles: []\n` });
    const refused = await runCommand(['plan', repeating], { env: tenant.env });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('CONFIG_CREDENTIAL_EXPOSED') });
    expect(refused.stderr).not.toContain(testClient.client_secret);
    const files = await folder({ 'p.yaml': `event_streams: []\n${policiesYaml('default')}` });
    for (const format of ['text', 'json', 'markdown', 'github']) {
      const { stdout, stderr } = await runCommand(['plan', files, '--format', format], { env: tenant.env });
      expect(stdout + stderr).not.toContain(testClient.client_secret);
      expect(stdout).toContain('***');
    }
  });
});
