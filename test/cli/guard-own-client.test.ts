// A plan that leaves a client of this tool without a token, with complete commands.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Configuration } from '../../src/service/rate-limit-policies/types.generated.ts';
import { startFaultServer } from '../support/fault-server.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const resource = 'oauth_authentication_api' as const;
const prefix = `${resource}/client/`;
const allow: Configuration = { action: 'allow' };
const block = (limit: number): Configuration => ({ action: 'block', limit });
const redirect = (limit: number): Configuration => ({
  action: 'redirect',
  limit,
  redirect_uri: 'https://acme.example/busy',
});

type Policies = Readonly<Record<string, Configuration>>;

const seedOf = (live: Policies) => ({
  rate_limit_policies: Object.entries(live).map(([consumer_selector, configuration], index) => ({
    id: `rlp_${index}`,
    resource,
    consumer: 'client' as const,
    consumer_selector,
    configuration,
  })),
});
const filesOf = (declared: Policies, ...own: readonly string[]) => ({
  'tenant.yaml': JSON.stringify({ tenant: { guards: { own_clients: own, max_delete_count: 10 } } }),
  'policies.yaml': JSON.stringify({
    rate_limit_policies: Object.entries(declared).map(([consumer_selector, configuration]) => ({
      resource,
      consumer: 'client' as const,
      consumer_selector,
      configuration,
    })),
  }),
});

interface Refused {
  readonly code: string;
  readonly message: string;
  readonly items: readonly string[];
  readonly approve: string;
}

async function planOf(live: Policies, files: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const tenant = await tenantWith(seedOf(live));
  const path = await folder(files);
  const report = join(path, 'report.json');
  const { code } = await runCommand(['plan', path, '--report', `json=${report}`, ...argv], { env: tenant.env });
  const { refusals, actions } = JSON.parse(await readFile(report, 'utf8'));
  const refused = (refusals as readonly Refused[]).filter((one) => one.code === 'GUARD_OWN_CLIENT');
  const effects = (actions as readonly { readonly effects: readonly { readonly code: string }[] }[])
    .flatMap((action) => action.effects)
    .filter((effect) => effect.code === 'POLICY_OWN_CLIENT');
  return { tenant, path, code, refused, effects };
}

const own = 'client_id:test-client';

describe('GUARD_OWN_CLIENT', () => {
  test.each<readonly [string, Policies, Policies, readonly string[], readonly string[]]>([
    ['its own policy', { [own]: allow }, { [own]: block(0) }, [], [`${own} for test-client`]],
    ['a new policy of its own', {}, { [own]: redirect(0) }, [], [`${own} for test-client`]],
    ['default, where it has no policy', { default: allow }, { default: block(0) }, [], ['default for test-client']],
    [
      'its policy goes and default blocks',
      { [own]: allow, default: block(0) },
      { default: block(0) },
      [],
      [`${own} for test-client`],
    ],
    [
      'a client that the files name',
      {},
      { 'client_id:planner': block(0) },
      ['planner'],
      ['client_id:planner for planner'],
    ],
    [
      'several by one policy',
      { default: allow },
      { default: block(0) },
      ['planner'],
      ['default for planner', 'default for test-client'],
    ],
    [
      'the group of a client that the files name',
      { third_party_clients: allow },
      { third_party_clients: block(0) },
      ['tpa_1'],
      ['third_party_clients for tpa_1'],
    ],
    [
      'the group of a client that is a URI, whatever the case of its scheme',
      { cimd_clients: allow },
      { cimd_clients: block(0) },
      ['HTTPS://apps.example/c'],
      ['cimd_clients for HTTPS://apps.example/c'],
    ],
    [
      'the policy of a client that is a URI, whatever the case of its scheme',
      { 'client_id:HTTPS://apps.example/c': allow },
      { 'client_id:HTTPS://apps.example/c': block(0) },
      ['https://apps.example/c'],
      ['client_id:HTTPS://apps.example/c for https://apps.example/c'],
    ],
    [
      'its policy in another case goes and its group blocks',
      { 'client_id:Https://apps.example/c': allow, cimd_clients: block(0) },
      { cimd_clients: block(0) },
      ['HTTPS://apps.example/c'],
      ['client_id:Https://apps.example/c for HTTPS://apps.example/c'],
    ],
  ])('refused: %s', async (_name, live, declared, named, items) => {
    const { code, refused, effects } = await planOf(live, filesOf(declared, ...named));
    expect(code).toBe(4);
    expect(refused).toMatchObject([{ items: items.map((selector) => `rate_limit_policies/${prefix}${selector}`) }]);
    expect(effects[0]).toMatchObject({ severity: 'critical' });
  });

  test.each<readonly [string, Policies, Policies, number]>([
    ['a limit above 0 is only shown', { [own]: allow }, { [own]: block(1) }, 1],
    ['a wider limit is not even shown', { [own]: block(1) }, { [own]: block(2) }, 0],
    ['a log of everything limits nothing', { [own]: allow }, { [own]: { action: 'log', limit: 0 } }, 0],
    ['default, where it has a policy', { [own]: allow, default: allow }, { [own]: allow, default: block(0) }, 0],
    ['another client', {}, { 'client_id:test-client-2': block(0) }, 0],
    ['the group of other clients', {}, { third_party_clients: block(0) }, 0],
    ['no action of the plan leads to it', { [own]: block(0) }, { [own]: block(0), 'client_id:new': allow }, 0],
  ])('not refused: %s', async (_name, live, declared, shown) => {
    const { refused, effects } = await planOf(live, filesOf(declared));
    expect(refused).toEqual([]);
    expect(effects).toHaveLength(shown);
  });

  test('a part of a plan reads the policies that apply beside the selected one, by their filters', async () => {
    const live = { [own]: allow, default: block(0), 'client_id:a': allow, 'client_id:b': allow };
    const { default: fallback, 'client_id:a': first, 'client_id:b': second } = live;
    const declared = { default: fallback, 'client_id:a': first, 'client_id:b': second };
    const { code, refused, tenant } = await planOf(
      live,
      filesOf(declared),
      '--only',
      `rate_limit_policies/${prefix}${own}`,
    );
    expect({ code, count: refused.length }).toEqual({ code: 4, count: 1 });
    expect(
      tenant.tenant.requests
        .filter(({ operation }) => operation === 'list_rate_limit_policies')
        .map(({ query }) => new URLSearchParams(query).get('consumer_selector')),
    ).toEqual(expect.arrayContaining([own, 'default']));
  });

  test('a part of a plan with a policy in another case is refused as well', async () => {
    const cimd = 'client_id:HTTPS://apps.example/c';
    const files = filesOf({ default: block(0) }, 'https://apps.example/c');
    const selected = ['--only', `rate_limit_policies/${prefix}${cimd}`];
    const { code, refused } = await planOf({ [cimd]: allow, default: block(0) }, files, ...selected);
    expect({ code, count: refused.length }).toEqual({ code: 4, count: 1 });
  });

  test('refused until it is approved', async () => {
    const { tenant, path, refused } = await planOf({}, filesOf({ [own]: block(0) }));
    expect(await runCommand(['apply', path, '--yes'], { env: tenant.env })).toMatchObject({ code: 4 });
    expect(
      tenant.tenant.requests.filter(({ operation }) => /^(?:create|update|delete)_/.test(operation ?? '')),
    ).toEqual([]);
    const approved = ['apply', path, '--yes', '--approve', refused[0]?.approve ?? ''];
    expect(await runCommand(approved, { env: tenant.env })).toMatchObject({ code: 0 });
  });

  test('the client of a token that is given', async () => {
    const files = filesOf({ [own]: block(0) });
    const { tenant, path } = await planOf({}, files);
    const env = { TENANT_SYNC_BASE_URL: tenant.baseUrl, TENANT_SYNC_TOKEN: await tenant.token() };
    const { code, stdout } = await runCommand(['plan', path], { env });
    expect([code, stdout]).toEqual([4, expect.stringContaining('GUARD_OWN_CLIENT')]);
  });

  test('a saved plan is judged on what applies beside its items now', async () => {
    const live = { [own]: allow, default: allow, 'client_id:a': allow };
    const { tenant, path, code } = await planOf(live, filesOf({ default: allow, 'client_id:a': allow }));
    expect(code).toBe(0);
    const saved = join(path, 'saved.json');
    expect(await runCommand(['plan', path, '--out', saved], { env: tenant.env })).toMatchObject({ code: 0 });
    await tenant.tenant.change((state) => {
      for (const policy of state.rate_limit_policies ?? [])
        if (policy.consumer_selector === 'default') policy.configuration = block(0);
    });
    const applied = await runCommand(['apply', path, '--plan', saved, '--yes'], { env: tenant.env });
    expect([applied.code, applied.stdout + applied.stderr]).toEqual([
      4,
      expect.stringContaining('test-client, because the limit of default is 0'),
    ]);
    expect(tenant.tenant.snapshot().rate_limit_policies).toHaveLength(3);
  });

  test('an approved plan stays approved when it is saved', async () => {
    const { tenant, path, refused } = await planOf({}, filesOf({ [own]: block(0) }));
    const saved = join(path, 'saved.json');
    const approve = ['--approve', refused[0]?.approve ?? ''];
    await runCommand(['plan', path, '--out', saved, ...approve], { env: tenant.env });
    const applied = await runCommand(['apply', path, '--plan', saved, '--yes'], { env: tenant.env });
    expect(applied.code).toBe(0);
  });

  describe('of the token alone', () => {
    /** What differs from the claims of a tenant's own token: the client, which no configuration names. */
    const tokenOf = (azp: string) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none' })}.${part({ azp })}.c2ln`;
    };
    const reader = 'S3cretThatTheTokenEndpointRepeats';
    const policies = { default: allow } as const;
    const serve = async () => {
      const server = await startFaultServer(({ method }) =>
        method === 'GET' ? { body: { rate_limit_policies: seedOf(policies).rate_limit_policies } } : { status: 400 },
      );
      onTestFinished(() => server.close());
      const as = (azp: string) => ({
        env: { TENANT_SYNC_BASE_URL: server.baseUrl, TENANT_SYNC_TOKEN: tokenOf(azp) },
      });
      const sent = () => server.requests.filter(({ method }) => method !== 'GET');
      return { as, sent };
    };
    const codeIn = (text: string) => /\b[0-9a-f]{24}\b/.exec(text)?.[0] ?? 'none';

    test('it is named nowhere, unless the files name it', async () => {
      const { as } = await serve();
      const path = await folder(filesOf({ default: block(0) }));
      const report = join(path, 'plan.json');
      const argv = ['plan', path, '--debug', '--only', `rate_limit_policies/${prefix}default`];
      const { code, stdout, stderr } = await runCommand([...argv, '--report', `json=${report}`], as(reader));
      const all = stdout + stderr + (await readFile(report, 'utf8'));
      expect({ code, isNamed: all.includes(reader) }).toEqual({ code: 4, isNamed: false });
      expect(stdout).toContain('limits the client of the token, a client of this tool');
      expect(stdout).toContain('without a token: the client of the token, because the limit of default is 0');
      for (const files of [filesOf({ default: block(0) }, 'ci-1'), filesOf({ [own]: allow, default: block(0) })]) {
        const named = await runCommand(['plan', await folder(files)], as('ci-1'));
        const isNamed = named.stdout.includes('limits ci-1, a client of this tool');
        expect(isNamed).toBe(files['tenant.yaml'].includes('ci-1'));
      }
      const declared = await runCommand(['plan', await folder(filesOf({ 'client_id:ci-1': block(0) }))], as('ci-1'));
      expect(declared.stdout).toContain('limits ci-1, a client of this tool');
    });

    test('an approval covers that client alone, also in a saved plan', async () => {
      const { as, sent } = await serve();
      const path = await folder(filesOf({ default: block(0) }));
      const saved = join(path, 'saved.json');
      const approve = ['--approve', codeIn((await runCommand(['plan', path], as(reader))).stdout)];
      expect(await runCommand(['plan', path, '--out', saved, ...approve], as(reader))).toMatchObject({ code: 0 });
      expect(await runCommand(['plan', path, ...approve], as('deployer'))).toMatchObject({ code: 4 });
      const apply = ['apply', path, '--yes', '--plan', saved];
      expect(await runCommand(apply, as('deployer'))).toMatchObject({ code: 4 });
      expect(sent()).toEqual([]);
      await runCommand(apply, as(reader));
      expect(sent()).toHaveLength(1);
    });
  });
});
