// Rate limit policies that name their client in the files, with complete commands on the embedded tenant.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

type Clients = NonNullable<Seed['clients']>;

const client = (client_id: string, name: string, more: object = {}) =>
  ({ client_id, name, client_secret: `secret-of-${client_id}`, scopes: [], ...more }) as Clients[number];
const shop = client('shop1', 'Web shop');
const policy = (selector: string, limit = 100, id = `rlp_${selector.replaceAll(/\W/g, '')}`) =>
  buildLivePolicy({ id, consumer_selector: selector, configuration: { action: 'block', limit } });

const ofShop = 'rate_limit_policies:\n  - { client: Web shop, configuration: { action: block, limit: 100 } }\n';

interface Given {
  readonly clients?: Clients;
  readonly policies?: NonNullable<Seed['rate_limit_policies']>;
  readonly grants?: NonNullable<Seed['client_grants']>;
  readonly files: Readonly<Record<string, string>>;
}

async function scene({ clients = [shop], policies = [], files }: Given) {
  const tenant = await tenantWith({ clients: [testClient, ...clients], rate_limit_policies: [...policies] });
  const path = await folder(files);
  const run = async (...[command = '', ...options]: readonly string[]) => {
    const from = tenant.tenant.requests.length;
    const result = await runCommand([command, path, ...options], { env: tenant.env });
    const requests = tenant.tenant.requests.slice(from).filter(({ operation }) => operation !== 'token');
    return {
      ...result,
      requests: requests.map(({ operation }) => operation ?? ''),
      queries: requests.map(({ query }) => query.slice(1)),
    };
  };
  const plan = async (...options: readonly string[]) => {
    const report = join(await folder({}), 'plan.json');
    const { code, requests, queries, stdout, stderr } = await run('plan', '--report', `json=${report}`, ...options);
    const document = JSON.parse(await readFile(report, 'utf8')) as Plan;
    return { code, requests, queries, stdout, stderr, ...document };
  };
  const live = () =>
    (tenant.tenant.snapshot().rate_limit_policies ?? []).map(({ consumer_selector, configuration }) => [
      consumer_selector,
      configuration,
    ]);
  return { tenant, path, run, plan, live };
}

const actionsOf = ({ actions }: Plan) =>
  actions.map(({ action, id, needs }) => [action, id, ...(needs.length > 0 ? ['needs', needs.join()] : [])].join(' '));
const findingsOf = ({ findings }: Plan) =>
  findings.map(({ code, kind, key, message }) => `${code} ${kind}/${key}: ${message}`);

const errorsOf = ({ findings }: Plan) =>
  findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, kind, key, source }) => `${code} ${kind}/${key} at ${source?.line}:${source?.column}`);

const prefix = 'oauth_authentication_api/client/';
const key = `${prefix}client:Web shop`;

describe('a policy that names its client', () => {
  test('is created in the apply that creates the client, with its id', async () => {
    const files = { 'all.yaml': `clients:\n  - { name: Web shop, app_type: spa }\n${ofShop}` };
    const { plan, run, live, tenant } = await scene({ clients: [], files });
    expect(actionsOf(await plan())).toEqual([
      'create clients/Web shop',
      `create rate_limit_policies/${key} needs clients/Web shop`,
    ]);
    const applied = await run('apply', '--yes');
    expect(applied.requests).toEqual([
      'list_clients',
      'list_rate_limit_policies',
      'create_client',
      'list_clients',
      'list_rate_limit_policies',
      'create_rate_limit_policy',
      'list_clients',
      'list_rate_limit_policies',
    ]);
    const created = tenant.tenant.snapshot().clients?.find(({ name }) => name === 'Web shop');
    expect(live()).toEqual([[`client_id:${created?.client_id}`, { action: 'block', limit: 100 }]]);
    const after = await plan();
    expect([after.code, actionsOf(after), findingsOf(after)]).toEqual([
      0,
      [],
      [expect.stringContaining('LIVE_UNDECLARED clients/test-client')],
    ]);
  });

  test('fits two tenants with one shared layer', async () => {
    const tenants = [
      await tenantWith({ clients: [testClient, client('dev1', 'Web shop')], rate_limit_policies: [] }),
      await tenantWith({
        clients: [testClient, client('prod1', 'Web shop')],
        rate_limit_policies: [policy('client_id:prod1', 20)],
      }),
    ];
    const [dev, prod] = tenants.map(({ baseUrl }) => baseUrl);
    const path = await folder({
      'tenant-sync.yaml': [
        'tenants:',
        `  dev: { layers: [base], environment: DEV, base_url: "${dev}" }`,
        `  prod: { layers: [base], environment: PROD, base_url: "${prod}" }`,
      ].join('\n'),
      'base/policies.yaml': ofShop,
    });
    const env = Object.fromEntries(
      tenants.flatMap(({ env }, index) =>
        Object.entries(env).map(([name, value]) => [name.replace('TENANT_SYNC', ['DEV', 'PROD'][index] ?? ''), value]),
      ),
    );
    const report = join(path, 'plans.json');
    const { code, stderr } = await runCommand(['apply', path, '--all', '--yes', '--report', `json=${report}`], { env });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(tenants.map(({ tenant }) => tenant.snapshot().rate_limit_policies)).toMatchObject([
      [{ consumer_selector: 'client_id:dev1', configuration: { limit: 100 } }],
      [{ consumer_selector: 'client_id:prod1', configuration: { limit: 100 } }],
    ]);
  });

  test('is untouched when the client is renamed', async () => {
    const files = {
      'all.yaml': `clients:\n  - { name: Shop, renamed_from: Web shop }\n${ofShop.replace('Web shop', 'Shop')}`,
    };
    const { plan, run } = await scene({ policies: [policy('client_id:shop1')], files });
    expect(actionsOf(await plan())).toEqual(['update clients/Shop']);
    const { code, requests } = await run('apply', '--yes');
    expect([code, requests.filter((one) => !one.startsWith('list_'))]).toEqual([0, ['update_client']]);
  });

  test('that nobody provides is an error', async () => {
    const { plan } = await scene({ files: { 'all.yaml': ofShop.replace('Web shop', 'Web shpo') } });
    const found = await plan();
    expect([found.code, actionsOf(found), findingsOf(found)]).toEqual([
      1,
      [],
      [
        `LIVE_NOT_FOUND rate_limit_policies/${prefix}client:Web shpo: no client on the tenant or in the files has the name "Web shpo"; did you mean "Web shop"?`,
      ],
    ]);
    expect(found.findings[0]?.source).toMatchObject({ file: 'all.yaml', line: 2 });
  });

  test('that goes is an error at both places, and one that goes along is deleted first', async () => {
    const gone = 'clients:\n  - { name: Web shop, absent: true }\n';
    const policies = [policy('client_id:shop1')];
    const named = await (await scene({ policies, files: { 'all.yaml': gone + ofShop } })).plan();
    expect([named.code, actionsOf(named), errorsOf(named)]).toEqual([
      1,
      [],
      [`LIVE_REFERENCED rate_limit_policies/${key} at 4:15`, 'LIVE_REFERENCED clients/Web shop at 2:5'],
    ]);
    const both = `${gone}rate_limit_policies:\n  - { client: Web shop, absent: true }\n`;
    const { plan, run, live } = await scene({ policies, files: { 'all.yaml': both } });
    const planned = await plan();
    expect(actionsOf(planned)).toEqual([
      `delete rate_limit_policies/${key}`,
      `delete clients/Web shop needs rate_limit_policies/${key}`,
    ]);
    const approve = planned.refusals[0]?.approve ?? '';
    const { code, requests } = await run('apply', '--yes', '--approve', approve);
    expect([code, requests.filter((one) => one.startsWith('delete')), live()]).toEqual([
      0,
      ['delete_rate_limit_policy', 'delete_client'],
      [],
    ]);
  });

  test('that several clients have needs an id', async () => {
    const clients = [shop, client('shop2', 'Web shop')];
    const found = await (await scene({ clients, files: { 'all.yaml': ofShop } })).plan();
    expect([found.code, actionsOf(found), findingsOf(found)]).toEqual([
      1,
      [],
      [
        `LIVE_AMBIGUOUS rate_limit_policies/${key}: 2 clients have the name "Web shop" (shop1, shop2); name one of them by its id: { id: shop1 }`,
      ],
    ]);
    const byId = ofShop.replace('Web shop', '{ id: shop2 }');
    const { run, live, plan } = await scene({ clients, files: { 'all.yaml': byId } });
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(live()).toEqual([['client_id:shop2', { action: 'block', limit: 100 }]]);
    expect(actionsOf(await plan())).toEqual([]);
  });

  test('twice, by its name and by its id, is an error at both places', async () => {
    const files = {
      'all.yaml': `${ofShop}  - { consumer_selector: "client_id:shop1", configuration: { action: allow } }\n`,
    };
    const found = await (await scene({ policies: [policy('client_id:shop1')], files })).plan();
    expect([found.code, actionsOf(found), errorsOf(found)]).toEqual([
      1,
      [],
      [
        `LIVE_DECLARED_TWICE rate_limit_policies/${key} at 2:5`,
        `LIVE_DECLARED_TWICE rate_limit_policies/${prefix}client_id:shop1 at 3:5`,
      ],
    ]);
  });

  test('cannot leave this tool without a token', async () => {
    const files = {
      'all.yaml': 'rate_limit_policies:\n  - { client: Deploy, configuration: { action: block, limit: 0 } }\n',
    };
    const tenant = await tenantWith({ clients: [{ ...testClient, name: 'Deploy' }], rate_limit_policies: [] });
    const path = await folder(files);
    const { code, stdout } = await runCommand(['plan', path], { env: tenant.env });
    const applied = await runCommand(['apply', path, '--yes'], { env: tenant.env });
    expect([code, applied.code]).toEqual([4, 4]);
    const why =
      'would leave clients of this tool without a token: test-client, because the limit of client:Deploy is 0';
    expect(stdout).toContain(`GUARD_OWN_CLIENT: ${why}`);
    expect(stdout).toContain('limits test-client, a client of this tool: client:Deploy has block above 0/s');
    expect(applied.stderr).toContain(why);
  });
});

describe('--only', () => {
  test('takes the name that a plan prints, and reads that policy alone', async () => {
    const policies = [policy('client_id:shop1', 50), policy('default', 50)];
    const files = {
      'all.yaml': `${ofShop}  - { consumer_selector: default, configuration: { action: block, limit: 10 } }\n`,
    };
    const { plan } = await scene({ policies, files });
    const printed = await plan();
    expect(printed.stdout).toContain('policy  client:Web shop');
    const only = await plan('--only', 'rate_limit_policies/client:Web shop');
    expect([actionsOf(only), only.queries]).toEqual([
      [`update rate_limit_policies/${key}`],
      [
        'page=0&per_page=100&include_totals=true',
        'resource=oauth_authentication_api&consumer=client&consumer_selector=client_id%3Ashop1&take=100',
      ],
    ]);
    const wild = await plan('--only', 'policies/client:*');
    expect(actionsOf(wild)).toEqual([`update rate_limit_policies/${key}`]);
  });
});

describe('a live policy that the files do not have', () => {
  test('is named by its client where files name clients, and kept by either name', async () => {
    const policies = [policy('client_id:shop1'), policy('client_id:old1')];
    const clients = [shop, client('old1', 'Old shop')];
    const { plan } = await scene({ clients, policies, files: { 'all.yaml': ofShop } });
    const planned = await plan();
    expect(actionsOf(planned)).toEqual([`delete rate_limit_policies/${prefix}client:Old shop`]);
    expect(planned.actions[0]?.before).toMatchObject({ consumer_selector: 'client:Old shop' });
    expect(planned.requests).toEqual(['list_clients', 'list_rate_limit_policies']);
    expect(actionsOf(await plan('--only', 'policies/client:Old shop'))).toEqual(actionsOf(planned));
    for (const pattern of ['client:Old*', 'client_id:old1', 'client:Old shop']) {
      const files = {
        'all.yaml': `tenant: { protect: { rate_limit_policies: ["${pattern}"] } }\nrate_limit_policies: []\n`,
      };
      const { plan: planKept } = await scene({ clients, policies: policies.slice(1), files });
      const kept = await planKept();
      const named = pattern.startsWith('client:') ? 'client:Old shop' : pattern;
      const why = 'on the tenant but not declared; kept because it is protected';
      expect([pattern, actionsOf(kept), findingsOf(kept)]).toEqual([
        pattern,
        [],
        [`LIVE_PROTECTED rate_limit_policies/${prefix}${named}: ${why}`],
      ]);
    }
  });
});

test.each([
  ['was renamed on the tenant', [client('shop1', 'Shop')]],
  ['shares its name with a new one', [shop, client('shop2', 'Web shop')]],
])('the policy of a client that %s is not deleted', async (_what, clients) => {
  const policies = [policy('client_id:shop1'), policy('third_party_clients'), policy('default')];
  const files = {
    'all.yaml': `${ofShop}  - { consumer_selector: default, configuration: { action: block, limit: 100 } }\n`,
  };
  const { plan, run, live } = await scene({ clients, policies, files });
  const { actions, findings } = await plan();
  // What no name can mean goes.
  expect(actions.map(({ action, key }) => `${action} ${key}`)).toEqual([`delete ${prefix}third_party_clients`]);
  expect(findings.filter(({ code }) => code === 'LIVE_UNDELETABLE').map(({ message }) => message)).toEqual([
    'on the tenant but not declared; kept because the unknown or ambiguous name at all.yaml:2:15 may mean it',
  ]);
  expect(await run('apply', '--yes')).toMatchObject({ code: 1 });
  expect(live().map(([selector]) => selector)).toEqual(['client_id:shop1', 'default']);
});

test('--except takes the name of a client that the files do not name', async () => {
  const policies = [policy('client_id:shop1'), policy('client_id:old1')];
  const files = { 'all.yaml': 'rate_limit_policies:\n  - { consumer_selector: "client_id:old1", absent: true }\n' };
  const { plan } = await scene({ policies, files });
  expect(actionsOf(await plan('--except', 'policies/client:Web*'))).toEqual([
    `delete rate_limit_policies/${prefix}client_id:old1`,
  ]);
});

test('files that name no client read none', async () => {
  const files = {
    'all.yaml':
      'rate_limit_policies:\n  - { consumer_selector: "client_id:shop1", configuration: { action: allow } }\n',
  };
  const { plan } = await scene({ policies: [policy('client_id:shop1')], files });
  expect((await plan()).requests).toEqual(['list_rate_limit_policies', 'get_client']);
});

test('a saved plan for a new client and its policy is applied as it was reviewed', async () => {
  const files = { 'all.yaml': `clients:\n  - { name: Web shop, app_type: spa }\n${ofShop}` };
  const { run, live, path } = await scene({ clients: [], files });
  expect(await run('plan', '--out', join(path, 'saved.json'))).toMatchObject({ code: 0 });
  expect(await run('apply', '--plan', join(path, 'saved.json'), '--yes')).toMatchObject({ code: 0 });
  expect(live()).toHaveLength(1);
});

test('a later layer changes a policy by the name of its client', async () => {
  const { env, tenant, baseUrl } = await tenantWith({ clients: [testClient, shop], rate_limit_policies: [] });
  const path = await folder({
    'tenant-sync.yaml': `tenants:\n  acme: { layers: [base, prod], base_url: "${baseUrl}" }\n`,
    'base/policies.yaml': ofShop,
    'prod/policies.yaml': ofShop.replace('100', '7'),
  });
  expect(await runCommand(['apply', path, '--tenant', 'acme', '--yes'], { env })).toMatchObject({ code: 0 });
  expect(tenant.snapshot().rate_limit_policies).toMatchObject([
    { consumer_selector: 'client_id:shop1', configuration: { limit: 7 } },
  ]);
});

describe('pull', () => {
  test('keeps the name that files have, and adds others with their ids', async () => {
    const policies = [policy('client_id:shop1', 30), policy('client_id:old1', 5)];
    const clients = [shop, client('old1', 'Old shop')];
    const { run, path } = await scene({ clients, policies, files: { 'all.yaml': ofShop } });
    expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
    const text = await readFile(join(path, 'all.yaml'), 'utf8');
    expect(text).toBe(
      [
        'rate_limit_policies:',
        '  - { consumer_selector: client_id:old1, configuration: { action: block, limit: 5 } }',
        '  - { client: Web shop, configuration: { action: block, limit: 30 } }',
        '',
      ].join('\n'),
    );
    expect(await run('drift')).toMatchObject({ code: 0 });
  });

  test('reads no clients for files that name none', async () => {
    const files = { 'all.yaml': 'rate_limit_policies: []\n' };
    const { run } = await scene({ policies: [policy('client_id:shop1')], files });
    const { requests } = await run('pull', '--yes');
    expect(requests).toEqual(['list_rate_limit_policies']);
  });
});

describe('an item that the files keep', () => {
  test('is known by the name and the id of its client', async () => {
    const absent = ofShop.replace('configuration: { action: block, limit: 100 }', 'absent: true');
    const protect = (pattern: string) => `tenant: { protect: { rate_limit_policies: ["${pattern}"] } }\n`;
    const policies = [policy('client_id:shop1')];
    const byName = await scene({ policies, files: { 'all.yaml': protect('client:Web*') + absent } });
    const { code, stderr } = await byName.run('plan');
    expect([code, stderr]).toEqual([3, expect.stringContaining('CONFIG_ABSENT_PROTECTED')]);
    const byId = await scene({ policies, files: { 'all.yaml': protect('client_id:shop1') + absent } });
    const planned = await byId.plan();
    expect([actionsOf(planned), findingsOf(planned)]).toEqual([
      [],
      [`LIVE_PROTECTED rate_limit_policies/${key}: on the tenant but declared absent; kept because it is protected`],
    ]);
  });

  test('is not another one with the name of a shared selector', async () => {
    const files = {
      'all.yaml':
        'tenant: { protect: { rate_limit_policies: [default] } }\nrate_limit_policies:\n  - { client: default, absent: true }\n',
    };
    const { plan } = await scene({
      clients: [client('c1', 'default')],
      policies: [policy('default'), policy('client_id:c1')],
      files,
    });
    expect(actionsOf(await plan())).toEqual([`delete rate_limit_policies/${prefix}client:default`]);
  });
});

test('one that the files leave alone by the name of its client is neither changed nor deleted', async () => {
  const files = { 'all.yaml': 'rate_limit_policies:\n  - { client: Web shop, unmanaged: true }\n' };
  const { plan } = await scene({ policies: [policy('client_id:shop1'), policy('client_id:old1')], files });
  expect(actionsOf(await plan())).toEqual([`delete rate_limit_policies/${prefix}client_id:old1`]);
});

test('without the list of clients, nothing is known of the policies', async () => {
  const scopes = testClient.scopes.filter((scope) => scope !== 'read:clients');
  const tenant = await tenantWith({
    clients: [{ ...testClient, scopes }, shop],
    rate_limit_policies: [policy('client_id:shop1', 9), policy('client_id:old1')],
  });
  const path = await folder({ 'all.yaml': ofShop });
  const { code, stdout } = await runCommand(['plan', path], { env: tenant.env });
  expect([code, stdout]).toEqual([
    4,
    expect.stringContaining('rate limit policies are known by names of clients, which could not be read'),
  ]);
  const applied = await runCommand(['apply', path, '--yes'], { env: tenant.env });
  expect([applied.code, tenant.tenant.snapshot().rate_limit_policies]).toMatchObject([4, [{}, {}]]);
});

test.each(['list_clients', 'list_rate_limit_policies'])(
  'files that name no client by a policy have its id in a plan, whatever response comes first: %s is late',
  async (operation) => {
    const seed = { clients: [testClient, shop], rate_limit_policies: [policy('client_id:shop1')], client_grants: [] };
    const tenant = await tenantWith(seed, { faults: [{ operation, kind: 'delay', ms: 300 }] });
    const path = await folder({
      'tenant.yaml': 'client_grants:\n  - { client: Web shop, audience: https://orders.example/, absent: true }\n',
      'policies.yaml': 'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: allow } }\n',
    });
    const { stdout } = await runCommand(['plan', path, '--format', 'json'], { env: tenant.env });
    const { actions } = JSON.parse(stdout) as Plan;
    expect(actions.map(({ id, action }) => `${action} ${id}`)).toEqual([
      'create rate_limit_policies/oauth_authentication_api/client/default',
      'delete rate_limit_policies/oauth_authentication_api/client/client_id:shop1',
    ]);
  },
);
