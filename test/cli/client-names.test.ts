// The names of clients beside their ids: what is asked of the tenant, what people read, and what may not change by it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { runCommand } from '../support/run-command.ts';
import { allScopes, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const shop = { client_id: 'shop', name: 'Web shop', client_secret: 'shop-secret', scopes: [] };

/** Undeclared policies, which a plan deletes. */
function liveOf(...clients: readonly string[]): NonNullable<Seed['rate_limit_policies']> {
  return clients.map((id, index) => buildLivePolicy({ id: `rlp_${index}`, consumer_selector: `client_id:${id}` }));
}

interface Given {
  readonly live?: readonly string[];
  readonly clients?: NonNullable<Seed['clients']>;
  readonly faults?: readonly FaultRule[];
  readonly header?: object;
  readonly scopes?: readonly string[];
}

async function given({ live = ['shop'], clients = [shop], faults = [], header = {}, scopes = allScopes }: Given) {
  const seed = {
    clients: [{ ...testClient, scopes: [...scopes] }, ...clients],
    rate_limit_policies: liveOf(...live),
  };
  const tenant = await tenantWith(seed, { faults });
  const path = await folder({
    'tenant.yaml': JSON.stringify({ tenant: { guards: { max_delete_count: 100 }, ...header } }),
    'policies.yaml': 'rate_limit_policies:\n  - consumer_selector: default\n    configuration: { action: allow }\n',
  });
  const run = async (...[command = '', ...options]: readonly string[]) => {
    const from = tenant.tenant.requests.length;
    const result = await runCommand([command, path, ...options], { env: tenant.env });
    const asked = tenant.tenant.requests.slice(from).filter(({ operation }) => operation === 'get_client');
    return { ...result, asked: asked.map((one) => `${one.path}${one.query}`) };
  };
  const planOf = async () => {
    const report = join(await folder({}), 'plan.json');
    const { asked, code } = await run('plan', '--report', `json=${report}`);
    return { asked, code, plan: JSON.parse(await readFile(report, 'utf8')) as Plan };
  };
  return { tenant, path, run, planOf };
}

const named = ({ actions }: Plan) => actions.flatMap(({ name }) => name ?? []);

test('plan and drift show the name beside the id, with one request', async () => {
  const { run } = await given({});
  for (const command of ['plan', 'drift']) {
    const { stdout, asked, code } = await run(command);
    expect(stdout).toMatch(/^ {2}[-+] policy {2}Web shop \(client_id:shop\) {2}/m);
    expect({ asked, code }).toEqual({
      asked: ['/api/v2/clients/shop?fields=client_id%2Cname'],
      code: command === 'plan' ? 0 : 2,
    });
  }
});

test('the effects and the refusal of a policy have the name as well, also where it is about an own client', async () => {
  const { run, path } = await given({
    clients: [shop],
    header: { guards: { max_delete_count: 0, max_delete_percent: 0, own_clients: ['shop'] } },
  });
  const { stdout } = await run('plan');
  expect(stdout).toMatch(/^Refused by/m);
  expect(stdout).toContain('Web shop (client_id:shop)#rlp_0');
  expect(stdout).toMatch(/! policy {2}Web shop \(client_id:shop\) {2}falls back to default/);
  const own = await folder({
    'tenant.yaml': await readFile(join(path, 'tenant.yaml'), 'utf8'),
    'p.yaml':
      'rate_limit_policies:\n  - consumer_selector: client_id:shop\n    configuration: { action: block, limit: 0 }\n',
  });
  const tenant = await tenantWith({ clients: [testClient, shop], rate_limit_policies: liveOf('shop') });
  const refused = await runCommand(['plan', own], { env: tenant.env });
  expect(refused.stdout).toContain('Web shop (client_id:shop) for shop');
});

test('names are for people: digest, preconditions and codes are the same without them, and apply asks nothing', async () => {
  const header = { guards: { max_delete_count: 0, max_delete_percent: 0 } };
  const { planOf, run, tenant, path } = await given({ header });
  const { plan } = await planOf();
  expect(named(plan)).toEqual(['Web shop']);
  await tenant.tenant.change((state) => {
    state.clients = [testClient, { ...shop, name: 'Another' }];
  });
  const { plan: renamed } = await planOf();
  await tenant.tenant.change((state) => {
    state.clients = [testClient];
  });
  const { plan: gone } = await planOf();
  expect([named(renamed), named(gone)]).toEqual([['Another'], []]);
  const decided = ({ digest, refusals, actions }: Plan) => ({
    digest,
    refusals,
    actions: actions.map(({ name: _name, ...action }) => action),
  });
  const base = ({ tenant: _tenant, ...rest }: Plan) => rest;
  expect(decided(base(renamed) as Plan)).toEqual(decided(base(plan) as Plan));
  expect(decided(base(gone) as Plan)).toEqual(decided(base(plan) as Plan));
  expect(renamed.checksum).not.toBe(plan.checksum);

  const file = join(path, '..', `${path.split('/').at(-1)}.json`);
  await tenant.tenant.change((state) => {
    state.clients = [testClient, shop];
  });
  const approve = ['--approve', plan.refusals[0]?.approve ?? ''];
  expect((await run('plan', '--out', file, ...approve)).code).toBe(0);
  const applied = await run('apply', '--plan', file, '--yes', ...approve);
  expect(applied).toMatchObject({ code: 0, asked: [] });
  // Whoever can change the file could give a client another name.
  expect(applied.stdout).not.toContain('Web shop');
});

describe('what is asked', () => {
  test('nothing, if the token shows its scopes and lacks read:clients', async () => {
    const { planOf } = await given({ scopes: allScopes.filter((scope) => scope !== 'read:clients') });
    const { asked, code, plan } = await planOf();
    expect({ asked, code, names: named(plan) }).toEqual({ asked: [], code: 0, names: [] });
  });

  test('nothing with api: documented, and nothing of a client that is none of a path', async () => {
    const documented = await given({ header: { api: 'documented' } });
    expect((await documented.planOf()).asked).toEqual([]);
    const odd = await given({ live: ['https://cimd.example/client', '..', 'tpa_1'] });
    const { asked, code } = await odd.planOf();
    expect({ asked, code }).toEqual({ asked: ['/api/v2/clients/tpa_1?fields=client_id%2Cname'], code: 0 });
  });

  test('nothing for items without an action', async () => {
    const { planOf } = await given({
      live: ['shop'],
      header: { protect: { rate_limit_policies: ['client_id:shop'] } },
    });
    expect((await planOf()).asked).toEqual([]);
  });

  test('at most 20 clients, each once', async () => {
    const live = Array.from({ length: 30 }, (_, index) => `c${index}`);
    const clients = live.map((client_id) => ({ ...shop, client_id, name: `Client ${client_id}` }));
    const { planOf } = await given({ live, clients });
    const { asked, plan } = await planOf();
    expect(asked).toHaveLength(20);
    expect(new Set(asked).size).toBe(20);
    expect(named(plan)).toHaveLength(20);
  });
});

describe('a failure', () => {
  const live = ['a', 'b', 'c'];
  const clients = live.map((client_id) => ({ ...shop, client_id, name: client_id.toUpperCase() }));

  test.each<[string, FaultRule]>([
    ['403', { operation: 'get_client', kind: 'status', status: 403, times: 99 }],
    ['401', { operation: 'get_client', kind: 'status', status: 401, times: 99 }],
    ['429', { operation: 'get_client', kind: 'status', status: 429, times: 99 }],
    ['503', { operation: 'get_client', kind: 'status', status: 503, times: 99 }],
    ['reset', { operation: 'get_client', kind: 'reset', times: 99 }],
    ['html', { operation: 'get_client', kind: 'html', times: 99 }],
  ])('%s ends it after one request, and changes nothing else', async (kind, fault) => {
    const { planOf } = await given({ live, clients, faults: [fault] });
    const { asked, code, plan } = await planOf();
    // A 401 gets one more try with a new token.
    expect({ asked: asked.length, code, names: named(plan), complete: plan.complete }).toEqual({
      asked: kind === '401' ? 2 : 1,
      code: 0,
      names: [],
      complete: true,
    });
    expect(plan.actions).toHaveLength(4);
  });

  test('a client that does not exist has no name, and the others have theirs', async () => {
    const { planOf } = await given({ live, clients: clients.slice(1) });
    const { asked, plan } = await planOf();
    expect({ asked: asked.length, names: named(plan) }).toEqual({ asked: 3, names: ['B', 'C'] });
  });
});

test('a name is a text of the service: one line, cut, without secrets and control characters', async () => {
  const name = `\u001b[31mred\nnext \u202e ${testClient.client_secret} ${'x'.repeat(5000)}`;
  const { planOf, run } = await given({ clients: [{ ...shop, name }] });
  const [shown = ''] = named((await planOf()).plan);
  expect(shown.length).toBeLessThanOrEqual(300);
  expect(shown).not.toMatch(/\n|planted/);
  const { stdout } = await run('plan');
  expect(stdout).not.toMatch(/\u001b|\u202e|planted|x{200}/);
  expect(stdout).toContain('(client_id:shop)');
});

test('a name that is the id is not repeated', async () => {
  const { planOf } = await given({ clients: [{ ...shop, name: 'shop' }] });
  expect(named((await planOf()).plan)).toEqual([]);
});

test('the embedded tenant returns the fields that are asked for, and no other part of a client', async () => {
  // With the scope to read credentials, a secret is returned too.
  const { tenant } = await given({ scopes: ['read:clients'] });
  const get = async (path: string, token = tenant.token()) => {
    const response = await fetch(`${tenant.baseUrl}/clients/${path}`, {
      headers: { Authorization: `Bearer ${await token}` },
    });
    return [response.status, await response.json()];
  };
  const both = { client_id: 'shop', name: 'Web shop' };
  expect(await get('shop')).toEqual([200, { ...both, callback_url_template: false }]);
  expect(await get('shop?fields=client_id,name')).toEqual([200, both]);
  expect(await get('shop?fields=name,client_secret')).toEqual([200, { name: 'Web shop' }]);
  expect(await get('shop?fields=name&include_fields=false')).toEqual([
    200,
    { client_id: 'shop', callback_url_template: false },
  ]);
  expect(await get('test-client?fields=name')).toEqual([200, { name: 'test-client' }]);
  expect(await get('shop?include_fields=maybe')).toMatchObject([400, { statusCode: 400 }]);
  expect(await get('gone')).toMatchObject([
    404,
    { errorCode: 'inexistent_client', message: 'The client does not exist' },
  ]);
});
