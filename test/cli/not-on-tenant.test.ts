// A feature that the tenant does not have: what the service responds, and what a command makes of it.
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFaultServer } from '../support/fault-server.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

interface Refusal {
  readonly status: number;
  readonly errorCode?: string;
  readonly message?: string;
}

/** Responds to requests whose path begins so; everything else is there, and empty. */
type Refusals = Readonly<Record<string, Refusal | string>>;

async function tenantWithout(refusals: Refusals) {
  const server = await startFaultServer(({ path }) => {
    const [, refusal] = Object.entries(refusals).find(([start]) => path.startsWith(`/api/v2${start}`)) ?? [];
    if (typeof refusal === 'string') return { status: 404, body: refusal };
    if (refusal !== undefined)
      return {
        status: refusal.status,
        body: { statusCode: refusal.status, error: 'Error', ...refusal, status: undefined },
      };
    const { pathname } = new URL(path, 'http://x');
    const [, , , resource = '', id] = pathname.split('/');
    if (resource === 'prompts') return { body: {} };
    if (resource === 'attack-protection') return { body: { type: 'default' } };
    if (id !== undefined)
      return { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'The item does not exist.' } };
    const items =
      {
        'rate-limit-policies': 'rate_limit_policies',
        'event-streams': 'eventStreams',
        'resource-servers': 'resource_servers',
        'client-grants': 'client_grants',
      }[resource] ?? resource;
    return { body: { [items]: [], start: 0, limit: 100, total: 0 } };
  });
  onTestFinished(() => server.close());
  const env = { TENANT_SYNC_BASE_URL: server.baseUrl, TENANT_SYNC_TOKEN: 'e30.e30.e30' };
  return {
    pull: async () => runCommand(['pull', await folder({}), '--yes'], { env }),
    run: async (command: string, files: Readonly<Record<string, string>>, ...options: string[]) =>
      runCommand([command, await folder(files), ...options], { env }),
    requests: server.requests,
  };
}

const upgrade = 'Please upgrade your subscription to use event streams.';
const notFound = { status: 404, message: 'Not Found' };

const lacking: readonly (readonly [name: string, refusals: Refusals, says: string])[] = [
  [
    '402',
    { '/event-streams': { status: 402, message: 'A paid subscription is required.' } },
    'A paid subscription is required.',
  ],
  [
    '403 with its code',
    { '/event-streams': { status: 403, errorCode: 'insufficient_entitlement', message: 'No.' } },
    '403: No.',
  ],
  [
    '403 with the code of a missing scope',
    { '/event-streams': { status: 403, errorCode: 'insufficient_scope', message: upgrade } },
    upgrade,
  ],
  [
    '403 with a known text',
    { '/event-streams': { status: 403, message: 'Event streams is not enabled for this tenant.' } },
    'is not enabled for this tenant',
  ],
  ['501', { '/event-streams': { status: 501, message: 'Not Implemented' } }, '501: Not Implemented'],
  ['404 of the list and of an item', { '/event-streams': notFound }, '404: Not Found'],
  [
    '400 without a custom domain',
    {
      '/prompts': {
        status: 400,
        message: 'This feature requires at least one custom domain to be configured for the tenant.',
      },
    },
    'at least one custom domain',
  ],
  [
    '403 for prompts',
    { '/prompts': { status: 403, message: 'Your account does not have custom prompts' } },
    'does not have custom prompts',
  ],
];

const others: readonly (readonly [name: string, refusals: Refusals, code: string])[] = [
  [
    'a missing scope',
    {
      '/event-streams': {
        status: 403,
        errorCode: 'insufficient_scope',
        message: 'Insufficient scope, expected any of: read:event_streams',
      },
    },
    'LIVE_SCOPE_MISSING',
  ],
  ['an unknown 403', { '/event-streams': { status: 403, message: 'No.' } }, 'LIVE_FORBIDDEN'],
  ['a 404 of the list alone', { '/event-streams?': notFound }, 'LIVE_LISTING_INCOMPLETE'],
  ['a 404 of a proxy', { '/event-streams': '<h1>Not Found</h1>' }, 'LIVE_LISTING_INCOMPLETE'],
  ['a 404 of roles, which every tenant has', { '/roles': notFound }, 'LIVE_LISTING_INCOMPLETE'],
];

const declared = {
  '/event-streams': {
    'a.yaml':
      'event_streams:\n  - { name: one, absent: false, subscriptions: [{ event_type: user.created }], destination: { type: action, configuration: { action_id: a } } }\n',
  },
  '/prompts': { 'a.yaml': 'prompts:\n  login:\n    partials: { login: { form-content-start: hi } }\n' },
  '/roles': { 'a.yaml': 'roles:\n  - { name: Support, description: Helps }\n' },
} as const;
const header = { 'tenant.yaml': 'tenant: {}\n' };
const filesFor = (refusals: Refusals) => {
  const [start = ''] = Object.keys(refusals);
  return { ...header, ...declared[start.replace('?', '') as keyof typeof declared] };
};

describe('what the tenant does not have', () => {
  test.each(lacking)('%s: the first pull says so in one line', async (_name, refusals, says) => {
    const { pull } = await tenantWithout(refusals);
    const { code, stderr } = await pull();
    const lines = stderr.split('\n').filter((line) => line.includes('not on this tenant'));
    expect({ code, lines }).toEqual({ code: 0, lines: [expect.stringContaining(says)] });
    expect(stderr).not.toContain('hint');
  });

  test.each(lacking)(
    '%s: what is declared is an error with the sentence of the service',
    async (_name, refusals, says) => {
      const { run } = await tenantWithout(refusals);
      const files = filesFor(refusals);
      const plan = await run('plan', files, '--format', 'json');
      const { findings, actions, complete } = JSON.parse(plan.stdout);
      expect({ code: plan.code, actions, complete, findings }).toMatchObject({
        code: 1,
        actions: [],
        complete: true,
        findings: [{ code: 'LIVE_NOT_ON_TENANT', severity: 'error', message: expect.stringContaining(says) }],
      });
      expect(await run('drift', files)).toMatchObject({ code: 2 });
      expect(await run('pull', files, '--yes')).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('not on this tenant'),
      });
    },
  );
});

test('what else is declared is applied', async () => {
  const { run, requests } = await tenantWithout({ '/prompts': { status: 402 } });
  const applied = await run(
    'apply',
    { ...header, 'p.yaml': declared['/prompts']['a.yaml'], 'r.yaml': declared['/roles']['a.yaml'] },
    '--yes',
  );
  expect(applied.code).toBe(1);
  expect(requests.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual(['/api/v2/roles']);
});

test('an empty section is in sync', async () => {
  const { run } = await tenantWithout({ '/event-streams': { status: 402 } });
  const files = { ...header, 'a.yaml': 'event_streams: []\n' };
  expect(await run('plan', files, '--exit-code')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('not on this tenant'),
  });
  for (const [command, ...options] of [['drift'], ['pull', '--check'], ['apply', '--yes']] as const)
    expect(await run(command, files, ...options)).toMatchObject({ code: 0 });
});

test('items of a shared layer that the layer of the tenant declares unmanaged are in sync', async () => {
  const { run } = await tenantWithout({ '/event-streams': { status: 402 } });
  const files = {
    'tenant-sync.yaml': 'tenants: { a: { layers: [base, a] } }\n',
    'base/tenant.yaml': 'tenant: {}\n',
    'base/a.yaml': declared['/event-streams']['a.yaml'],
  };
  expect(await run('plan', { ...files, 'a/a.yaml': 'roles: []\n' }, '--all')).toMatchObject({ code: 1 });
  const left = { ...files, 'a/a.yaml': 'event_streams: [{ name: one, unmanaged: true }]\n' };
  expect(await run('plan', left, '--all', '--exit-code')).toMatchObject({ code: 0 });
});

test('a 404 cannot be confirmed where the files do not allow the operation for it', async () => {
  const { run, requests } = await tenantWithout({ '/event-streams': notFound });
  const files = { ...declared['/event-streams'], 'tenant.yaml': 'tenant: { api: documented }\n' };
  const plan = await run('plan', files, '--format', 'json');
  expect(JSON.parse(plan.stdout)).toMatchObject({ complete: false, findings: [{ code: 'LIVE_LISTING_INCOMPLETE' }] });
  expect(requests.map(({ path }) => path)).toEqual([expect.stringContaining('/event-streams?')]);
});

test.each(others)('%s is an error as any other', async (_name, refusals, code) => {
  const { run } = await tenantWithout(refusals);
  const plan = await run('plan', filesFor(refusals), '--format', 'json');
  const { findings, complete } = JSON.parse(plan.stdout);
  expect({ complete, codes: findings.map((one: { code: string }) => one.code) }).toEqual({
    complete: false,
    codes: [code],
  });
  const pulled = await run('pull', filesFor(refusals), '--yes');
  expect({ code: pulled.code, isLacking: pulled.stderr.includes('not on this tenant') }).toEqual({
    code: 4,
    isLacking: false,
  });
});
