import { describe, expect, test } from 'vitest';
import { type FaultRule, parseFault } from '../../src/embedded-tenant/faults/fault-rule.ts';
import { rateLimitPolicies } from '../../src/kinds/rate-limit-policies/index.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { operations } from '../../src/service/rate-limit-policies/description.generated.ts';
import { pull, type SyncEvent } from '../../src/sync/index.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { memorySource } from '../support/memory-source.ts';
import { pullTenant } from '../support/pull-tenant.ts';
import { testClient } from '../support/start-tenant.ts';

const stream = (id: string, name: string, type = 'webhook') => ({
  id,
  name,
  subscriptions: [{ event_type: 'user.created' }],
  destination: { type, configuration: { webhook_endpoint: 'https://a.example/' } },
});
const streams = (...some: NonNullable<Seed['event_streams']>): Seed => ({ event_streams: some });
const codes = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code);

describe('live items that files cannot express', () => {
  test('are left out, reported and protected, so that no plan deletes them', async () => {
    const seed = streams(stream('est_1', 'queue *', 'sqs'), stream('est_2', ' blank '), stream('est_3', 'plain'));
    const tenant = await pullTenant(seed);
    const result = await tenant.pull({}, { selection: { only: ['event_streams'] } });
    expect(codes(result.warnings)).toEqual(['PULL_LEFT_OUT', 'PULL_LEFT_OUT']);
    expect(result.warnings[1]?.message).toBe(
      'event_streams/queue * cannot be written into files: this version does not know its destination "sqs". It is added to protect.event_streams, so that it stays and is no difference.',
    );
    const files = await tenant.pullInto({}, { selection: { only: ['event_streams'] } });
    expect(files['tenant.yaml']).toContain('protect:\n    event_streams: [" blank ", queue \\*]');
    expect(await tenant.planOf(files)).toEqual([
      'LIVE_PROTECTED event_streams/ blank ',
      'LIVE_PROTECTED event_streams/queue *',
    ]);
    expect((await tenant.pull(files)).files).toEqual([]);
  });

  test('also beside existing files', async () => {
    const tenant = await pullTenant(streams(stream('est_1', 'queue', 'sqs')));
    const files = await tenant.pullInto({ 'a.yaml': 'event_streams: []\n' });
    expect(files).toEqual({
      'a.yaml': 'event_streams: []\n',
      'tenant.yaml': 'tenant:\n  protect:\n    event_streams: [queue]\n',
    });
    expect(await tenant.planOf(files)).toEqual(['LIVE_PROTECTED event_streams/queue']);
  });
});

describe('rules of the files', () => {
  test('an absent item stays absent, and the difference is reported', async () => {
    const tenant = await pullTenant(streams(stream('est_1', 'old'), stream('est_2', 'left-alone')));
    const yaml = 'event_streams:\n  - { name: old, absent: true }\n  - { name: left-alone, unmanaged: true }\n';
    const result = await tenant.pull({ 'a.yaml': yaml });
    expect(result.files).toEqual([]);
    expect(result.warnings).toMatchObject([
      { code: 'PULL_KEPT', message: expect.stringContaining('event_streams/old'), source: { line: 2 } },
    ]);
  });

  test('undeclared items are added where drift reports them', async () => {
    const seed = streams(stream('est_1', 'one'), stream('est_2', 'two'), stream('est_3', 'three'));
    const tenant = await pullTenant(seed);
    const header = 'tenant:\n  protect: { event_streams: [o*] }\n';
    const yaml = `${header}event_streams: []\n`;
    const result = await tenant.pull({ 'a.yaml': yaml });
    expect(result.notAdded).toEqual(['event_streams/one']);
    expect(result.edits.map(({ change, key }) => `${change} ${key}`)).toEqual(['add three', 'add two']);
    const of = (rule: string) => `tenant:\n  undeclared: { event_streams: ${rule} }\nevent_streams: []\n`;
    const reported = await tenant.pull({ 'a.yaml': of('report') });
    expect(reported.edits.map(({ key }) => key)).toEqual(['one', 'three', 'two']);
    expect(await tenant.pull({ 'a.yaml': of('ignore') })).toMatchObject({ files: [], notAdded: [] });
    const added = await tenant.pull({ 'a.yaml': yaml }, { add: ['stream/o*'] });
    expect(added.edits.map(({ key }) => key)).toEqual(['one', 'three', 'two']);
  });

  test('--only and --except leave items as they are', async () => {
    const tenant = await pullTenant({ rate_limit_policies: [livePolicy('default', 5), livePolicy('client_id:a', 6)] });
    const yaml = (limit: number, other: number) =>
      `rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: ${limit} } }\n  - { consumer_selector: client_id:a, configuration: { action: block, limit: ${other} } }\n`;
    const key = 'policies/oauth_authentication_api/client/default';
    expect(await tenant.pullInto({ 'a.yaml': yaml(1, 2) }, { selection: { only: [key] } })).toEqual({
      'a.yaml': yaml(5, 2),
    });
    expect(await tenant.pullInto({ 'a.yaml': yaml(1, 2) }, { selection: { except: [key] } })).toEqual({
      'a.yaml': yaml(1, 6),
    });
  });

  test('an option that matches nothing is an error', async () => {
    const tenant = await pullTenant(streams(stream('est_1', 'one')));
    const access = { baseUrl: tenant.tenant.baseUrl, credentials: { token: await tenant.tenant.token() } };
    const files = memorySource({ 'a.yaml': 'event_streams: [{ name: one, unmanaged: true }]\n' });
    for (const [add, code] of [
      ['event_streams/none', 'OPTION_MATCHES_NOTHING'],
      ['streems', 'OPTION_INVALID'],
    ] as const)
      expect(await pull({ files, tenant: access, add: [add] })).toMatchObject({
        status: 'invalid',
        diagnostics: [{ code }],
      });
  });
});

describe('what cannot be read', () => {
  test('has no section in a new folder, and its files stay as they are', async () => {
    const scopes = testClient.scopes.filter((scope) => !scope.includes('event_streams'));
    const seed = { ...streams(stream('est_1', 'one')), rate_limit_policies: [livePolicy('default')] };
    const tenant = await pullTenant({ ...seed, clients: [{ ...testClient, scopes }] });
    const selection = { only: ['event_streams', 'rate_limit_policies'] };
    const fresh = await tenant.pull({}, { selection });
    expect(fresh.files.map(({ file }) => file)).toEqual(['tenant.yaml', 'rate-limit-policies.yaml']);
    expect(codes(fresh.warnings)).toEqual(['PULL_NOT_READ']);
    expect(fresh.complete).toBe(true);
    const again = await tenant.pull({ 'a.yaml': 'event_streams: []\n' });
    expect(again).toMatchObject({ files: [], complete: false, warnings: [{ code: 'PULL_NOT_READ' }] });
  });

  test('a listing that breaks off removes nothing', async () => {
    const policies = Array.from({ length: 150 }, (_, index) => livePolicy(`client_id:${index}`, 1));
    const faults = [parseFault('list_rate_limit_policies:repeat_cursor') as FaultRule];
    const tenant = await pullTenant({ rate_limit_policies: policies }, { faults });
    const yaml = 'rate_limit_policies:\n  - { consumer_selector: client_id:gone, configuration: { action: allow } }\n';
    const result = await tenant.pull({ 'a.yaml': yaml });
    expect(result).toMatchObject({ files: [], complete: false, warnings: [{ code: 'PULL_NOT_READ' }] });
  });
});

describe('before anything is written', () => {
  const wrong = (reads: number): AnyKind => ({
    ...rateLimitPolicies,
    reading: {
      ...rateLimitPolicies.reading,
      operations: rateLimitPolicies.reading?.operations ?? [],
      each: false,
      read: async (snapshot, ask) => {
        for (let count = 1; count < reads; count += 1) await snapshot.getAgain(operations.get, { id: 'rlp_default' });
        return (await rateLimitPolicies.reading?.read(snapshot, ask)) as never;
      },
    },
    pull: {
      ...(rateLimitPolicies.pull as NonNullable<AnyKind['pull']>),
      adopt: (written) => ({ written: { ...written, configuration: { action: 'log', limit: 1 } } }),
    },
  });
  const yaml = 'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: 1 } }\n';

  test('a result that is not in sync is a bug', async () => {
    const { pull: pullFiles } = await pullTenant({ rate_limit_policies: [livePolicy('default', 5)] });
    await expect(pullFiles({ 'a.yaml': yaml }, { kinds: [wrong(1)] })).rejects.toThrow(
      'the pulled files are not in sync with what was read; nothing was written',
    );
  });

  test('unless the tenant may have changed, which is read again', async () => {
    const { tenant } = await pullTenant({ rate_limit_policies: [livePolicy('default', 5)] });
    const access = { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() } };
    const result = await pull({ files: memorySource({ 'a.yaml': yaml }), tenant: access, kinds: [wrong(2)] });
    expect(result).toMatchObject({
      status: 'failed',
      diagnostics: [
        {
          code: 'PULL_MOVED',
          message: 'The tenant changed each of the 3 times that it was read, so nothing was pulled.',
          hint: 'pull again when fewer changes are made',
        },
      ],
    });
    expect(tenant.tenant.requests.filter(({ operation }) => operation === 'list_rate_limit_policies')).toHaveLength(3);
  });

  test('warnings of the files are reported, but not that an empty folder manages nothing', async () => {
    const { pull: pullFiles } = await pullTenant({ rate_limit_policies: [livePolicy('default', 5)], prompts: {} });
    const eventsOf = async (files: Readonly<Record<string, string>>) => {
      const events: SyncEvent[] = [];
      await pullFiles(files, { selection: { only: ['rate_limit_policies'] }, onEvent: (event) => events.push(event) });
      return events.slice(0, 2);
    };
    const start = { type: 'run_started', command: 'pull' };
    expect(await eventsOf({})).toEqual([start, { type: 'warnings', diagnostics: [] }]);
    const partials = 'prompts: { login: { partials: { login: { odd: text } } } }\n';
    expect(await eventsOf({ 'a.yaml': partials + yaml })).toMatchObject([
      start,
      { type: 'warnings', diagnostics: [{ code: 'CONFIG_UNKNOWN_INSERTION_POINT' }] },
    ]);
  });

  test('an address that is none is an error of the option', async () => {
    const tenant = { baseUrl: 'acme', credentials: { token: 'planted' } };
    expect(await pull({ files: memorySource({}), tenant })).toMatchObject({
      status: 'invalid',
      diagnostics: [
        {
          code: 'CONFIG_BAD_FORMAT',
          message: '"acme" is not a valid value of "base_url": it is not an absolute URL.',
          hint: 'write the value of TENANT_SYNC_BASE_URL, such as https://login.example.com/api/v2',
          source: { file: 'tenant.yaml', line: 2, column: 13 },
        },
        { severity: 'error' },
      ],
    });
  });
});
