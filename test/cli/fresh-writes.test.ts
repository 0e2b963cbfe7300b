// Apply writes on fresh knowledge, and reads at the end what it wrote.
import { describe, expect, test } from 'vitest';
import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import { parseFault } from '../../src/embedded-tenant/faults/fault-rule.ts';
import type { OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import { type FakeClock, startFakeClock } from '../support/fake-clock.ts';
import { filesOfEveryKind, livePolicy, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import type { StartedTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const stale = 'rate_limit_policies/oauth_authentication_api/client/client_id:stale';
const removal = 'roles/rol_1#remove';

interface Run {
  readonly code: number;
  readonly outcomes: Readonly<Record<string, string>>;
  readonly document: OutcomesDocument;
  readonly requests: readonly string[];
  readonly clock: Pick<FakeClock, 'waits'>;
}

async function applied(
  tenant: StartedTenant,
  files: Readonly<Record<string, string>>,
  { options = ['--yes'], confirm, clock = startFakeClock() }: RunParts = {},
): Promise<Run> {
  const { code, stdout } = await runCommand(['apply', await folder(files), '--format', 'json', ...options], {
    env: tenant.env,
    clock,
    ...(confirm && { confirm: () => true, beforeAnswer: confirm }),
  });
  const document = JSON.parse(stdout) as OutcomesDocument;
  const all = tenant.tenant.requests.filter(({ operation }) => operation !== 'token');
  const firstWrite = all.findIndex(({ method }) => method !== 'GET');
  return {
    code,
    document,
    outcomes: Object.fromEntries(document.outcomes.map(({ id, outcome }) => [id, outcome])),
    requests: all.slice(firstWrite < 0 ? all.length : firstWrite).map(({ operation }) => operation ?? ''),
    clock,
  };
}

interface RunParts {
  readonly options?: readonly string[];
  readonly confirm?: () => Promise<void>;
  readonly clock?: FakeClock;
}

const raise = (tenant: StartedTenant) =>
  tenant.tenant.change((state) => {
    const policy = state.rate_limit_policies?.find(({ consumer_selector: name }) => name === 'client_id:stale');
    Object.assign(policy?.configuration ?? {}, { limit: 777 });
  });

describe('nothing is overwritten or deleted on old knowledge', () => {
  test('a change while the plan is confirmed is a conflict with both values, and the rest goes on', async () => {
    const tenant = await tenantWith(seedOf());
    const { code, outcomes, document } = await applied(tenant, filesOfEveryKind, {
      options: [],
      confirm: () => raise(tenant),
    });
    expect({ code, outcomes }).toEqual({
      code: 4,
      outcomes: { [stale]: 'conflict', 'prompts/login': 'done', [removal]: 'done' },
    });
    expect(document.outcomes.find(({ id }) => id === stale)).toMatchObject({
      status: null,
      message:
        'not sent, because it changed after it was planned; the tenant changed: configuration.limit was 100, is 777',
      conflict: {
        moved: 'tenant',
        before: { configuration: { limit: 100 } },
        now: { configuration: { limit: 777 } },
      },
    });
    expect(tenant.tenant.snapshot().rate_limit_policies).toHaveLength(3);
    expect(document.verification?.result).toBe('verified');
  });

  /** Another client changes the policy while the update before its deletion is performed, which takes so long. */
  async function changedDuringUpdate(ms: number) {
    const clock = startFakeClock();
    const tenant: StartedTenant = await tenantWith(seedOf(), {
      onRequest: ({ operation }) => {
        if (operation !== 'update_rate_limit_policy') return;
        clock.advance(ms);
        void raise(tenant);
      },
    });
    const files = { 'p.yaml': policiesYaml('default', 'client_id:one').replace('limit: 100', 'limit: 99') };
    return applied(tenant, files, { clock });
  }

  test('a change during the apply is a conflict, once the reading is older than --max-staleness', async () => {
    const { code, outcomes, requests } = await changedDuringUpdate(10_001);
    expect({ code, outcome: outcomes[stale] }).toEqual({ code: 4, outcome: 'conflict' });
    expect(requests).not.toContain('delete_rate_limit_policy');
  });

  test('a younger reading is not repeated', async () => {
    const { code, outcomes } = await changedDuringUpdate(9000);
    expect({ code, outcome: outcomes[stale] }).toEqual({ code: 0, outcome: 'done' });
  });

  test('a delete of an item that another client re-created is a conflict', async () => {
    const tenant = await tenantWith(seedOf());
    const { code, outcomes } = await applied(
      tenant,
      { 'p.yaml': policiesYaml('default', 'client_id:one') },
      {
        options: [],
        confirm: () =>
          tenant.tenant.change((state) => {
            const kept = state.rate_limit_policies?.filter(({ consumer_selector: name }) => name !== 'client_id:stale');
            state.rate_limit_policies = [...(kept ?? []), { ...livePolicy('client_id:stale'), id: 'rlp_again' }];
          }),
      },
    );
    expect({ code, outcomes }).toEqual({ code: 4, outcomes: { [stale]: 'conflict' } });
    expect(tenant.tenant.snapshot().rate_limit_policies).toHaveLength(3);
  });

  test('what another client has done already is done, and nothing is sent for it', async () => {
    const tenant = await tenantWith(seedOf());
    const { code, outcomes, requests } = await applied(
      tenant,
      { 'p.yaml': policiesYaml('default', 'client_id:one') },
      {
        options: [],
        confirm: () =>
          tenant.tenant.change((state) => {
            state.rate_limit_policies = [livePolicy('default'), livePolicy('client_id:one')];
          }),
      },
    );
    expect({ code, outcomes, requests }).toEqual({ code: 0, outcomes: { [stale]: 'done' }, requests: [] });
  });

  test('permissions: only the named pairs count', async () => {
    const tenant = await tenantWith(seedOf());
    const pair = (name: string) => ({ resource_server_identifier: 'https://orders.example/', permission_name: name });
    const grant = () =>
      tenant.tenant.change((state) => {
        for (const role of state.roles ?? []) role.permissions = [...(role.permissions ?? []), pair('read:orders')];
      });
    const { code, outcomes } = await applied(
      tenant,
      { 'r.yaml': filesOfEveryKind['roles.yaml'] },
      {
        options: [],
        confirm: grant,
      },
    );
    expect({ code, outcomes }).toEqual({ code: 0, outcomes: { [removal]: 'done' } });
    expect(tenant.tenant.snapshot().roles?.[0]?.permissions).toEqual([pair('read:orders')]);
  });

  test('after a confirmation only planned items are read again, a listing once', async () => {
    const tenant = await tenantWith(seedOf());
    let before = 0;
    await applied(tenant, filesOfEveryKind, {
      options: ['--no-verify'],
      confirm: async () => {
        before = tenant.tenant.requests.length;
      },
    });
    const since = tenant.tenant.requests.slice(before).map(({ operation }) => operation);
    expect(since.filter((name) => !/^(delete|set|remove)/.test(name ?? '')).sort()).toEqual([
      'get_prompt_partials',
      'list_rate_limit_policies',
      'list_role_permissions',
    ]);
  });

  test('without a confirmation, and in time, nothing is read again', async () => {
    const tenant = await tenantWith(seedOf());
    const { requests } = await applied(tenant, filesOfEveryKind, { options: ['--yes', '--no-verify'] });
    expect(requests.toSorted()).toEqual(['delete_rate_limit_policy', 'remove_role_permissions', 'set_prompt_partials']);
  });

  test('kinds that cannot be read are sent without a reading', async () => {
    const tenant = await tenantWith(seedOf(), { api: 'documented' });
    const files = { ...filesOfEveryKind, 'tenant.yaml': 'tenant: { api: documented }\n' };
    const { code, document } = await applied(tenant, files, { options: [], confirm: async () => {} });
    expect(code).toBe(0);
    expect(document.verification).toEqual({
      result: 'verified',
      verified: 1,
      not_shown: [],
      not_read: [],
      not_verifiable: ['prompts/login', removal],
      secrets: [],
      skipped: [],
      message: null,
    });
  });

  test('an item that cannot be read again is not attempted', async () => {
    const tenant = await tenantWith(seedOf(), {
      faults: [parseFault('list_rate_limit_policies:status=403:nth=2') as FaultRule],
    });
    const { code, outcomes } = await applied(tenant, filesOfEveryKind, { options: [], confirm: async () => {} });
    expect({ code, outcomes }).toEqual({
      code: 1,
      outcomes: { [stale]: 'not_attempted', 'prompts/login': 'done', [removal]: 'done' },
    });
  });
});

describe('done means read back', () => {
  test.each([
    ['a deletion', 'delete_rate_limit_policy', stale],
    ['a removal', 'remove_role_permissions', removal],
    ['a put', 'set_prompt_partials', 'prompts/login'],
  ])('%s that is confirmed and not performed is unknown, and named', async (_name, operation, id) => {
    const tenant = await tenantWith(seedOf(), { faults: [parseFault(`${operation}:status=204`) as FaultRule] });
    const { code, outcomes, document, clock } = await applied(tenant, filesOfEveryKind);
    expect({ code, outcome: outcomes[id], verification: document.verification }).toMatchObject({
      code: 1,
      outcome: 'unknown',
      verification: { result: 'not_shown', not_shown: [id], not_verifiable: [] },
    });
    expect(document.outcomes.find((outcome) => outcome.id === id)?.message).toBe(
      'status 204, but no reading shows it: it was not carried out, or another client has changed it since',
    );
    const waited = clock.waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThan(30_000);
    expect(waited).toBeLessThanOrEqual(34_000);
  });

  test('a service that shows a write late is waited for', async () => {
    const tenant = await tenantWith(seedOf(), {
      faults: [parseFault('delete_rate_limit_policy:status=204') as FaultRule],
    });
    const clock = clockThat(async (wait) => {
      if (wait !== 3) return;
      await tenant.tenant.change((state) => {
        state.rate_limit_policies = [livePolicy('default'), livePolicy('client_id:one')];
      });
    });
    const { code, document } = await applied(tenant, { 'p.yaml': policiesYaml('default', 'client_id:one') }, { clock });
    expect({ code, result: document.verification?.result, waits: clock.waits }).toEqual({
      code: 0,
      result: 'verified',
      waits: [250, 500, 1000],
    });
  });

  test('a response that has the stored item proves nothing', async () => {
    const tenant = await tenantWith(seedOf({ rate_limit_policies: [] }));
    const { code, requests, document } = await applied(tenant, { 'p.yaml': policiesYaml('default') });
    expect({ code, requests }).toEqual({ code: 0, requests: ['create_rate_limit_policy', 'list_rate_limit_policies'] });
    expect(document.verification).toMatchObject({ result: 'verified', verified: 1 });
  });

  test('several deletions of a kind need one listing', async () => {
    const many = ['a', 'b', 'c'].map((name) => livePolicy(`client_id:${name}`));
    const tenant = await tenantWith(seedOf({ rate_limit_policies: [livePolicy('default'), ...many] }));
    const { requests } = await applied(tenant, { 'p.yaml': policiesYaml('default') });
    expect(requests).toEqual([...Array(3).fill('delete_rate_limit_policy'), 'list_rate_limit_policies']);
  });

  test('a reading that fails is a failure', async () => {
    const tenant = await tenantWith(seedOf(), {
      faults: [parseFault('list_rate_limit_policies:reset:nth=2:every=1') as FaultRule],
    });
    const { code, document } = await applied(tenant, { 'p.yaml': policiesYaml('default', 'client_id:one') });
    expect({ code, outcomes: document.summary.done, verification: document.verification }).toMatchObject({
      code: 1,
      outcomes: 1,
      verification: { result: 'not_read', message: expect.stringContaining('no response') },
    });
  });

  test('--no-verify reads nothing, and says so', async () => {
    const tenant = await tenantWith(seedOf());
    const { code, document } = await applied(tenant, filesOfEveryKind, { options: ['--yes', '--no-verify'] });
    expect({ code, result: document.verification?.result }).toEqual({ code: 0, result: 'skipped' });
  });

  test('--no-verify=KIND reads the others', async () => {
    const tenant = await tenantWith(seedOf());
    const options = ['--yes', '--no-verify=prompts'];
    const { code, document, requests } = await applied(tenant, filesOfEveryKind, { options });
    expect(code).toBe(0);
    expect(document.verification).toMatchObject({ result: 'verified', verified: 2, skipped: ['prompts/login'] });
    expect(requests).not.toContain('get_prompt_partials');
  });
});

/** A clock that calls `onWait` at each wait, with its number from 1. */
function clockThat(onWait: (wait: number) => Promise<void>): FakeClock {
  const clock = startFakeClock();
  return {
    ...clock,
    sleep: async (ms, signal) => {
      await onWait(clock.waits.length + 1);
      await clock.sleep(ms, signal);
    },
  };
}
