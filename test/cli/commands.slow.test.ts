import { mkdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { validatePlan } from '../../src/contract/plan.generated.ts';
import { documentedYaml, filesOfEveryKind, livePolicy, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { runCommand, stopWith } from '../support/run-command.ts';
import { type StartedTenant, startTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const writesOf = (tenant: StartedTenant) =>
  tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token');
const requestsOf = (tenant: StartedTenant) =>
  tenant.tenant.requests.map(({ method, path, query }) => `${method} ${path}${query}`);

describe('validate', () => {
  test('needs no environment and prints a summary', async () => {
    const header = 'tenant: { base_url: https://acme.example/api/v2 }\n';
    const files = { ...filesOfEveryKind, 'tenant.yaml': header };
    const { code, stdout, stderr } = await runCommand(['validate', await folder(files)]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'valid: rate_limit_policies 2, roles 1, prompts 1, event_streams 1 (5 files)\n',
      stderr: '',
    });
  });

  test('files that assert no tenant are a warning; apply shows the tenant before the first write', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const validated = await runCommand(['validate', files]);
    expect([validated.code, validated.stdout.includes('warning  TENANT_UNASSERTED')]).toEqual([0, true]);
    let before = '';
    const applied = await runCommand(['apply', files], {
      env: tenant.env,
      onOutput: (text) => {
        before += text;
      },
      confirm: () => {
        expect(before).toContain(`This apply changes ${tenant.baseUrl}. The files do not say which tenant`);
        return true;
      },
    });
    expect(applied.code).toBe(0);
    const asserting = { ...filesOfEveryKind, 'tenant.yaml': `tenant: { base_url: "${tenant.baseUrl}" }\n` };
    const asserted = await runCommand(['apply', await folder(asserting), '--yes'], { env: tenant.env });
    expect(asserted.stderr).not.toContain('TENANT_UNASSERTED');
  });

  test('a permission that a declared API lacks is a warning at its place, with the nearest scope', async () => {
    const roles = 'roles:\n  - name: A\n    permissions:\n      https://orders.example/: [read:orders, raed:orders]\n';
    const other = '      https://other.example/: [anything]\n';
    const api = 'resource_servers: [{ identifier: https://orders.example/, scopes: [{ value: read:orders }] }]\n';
    const validated = await runCommand(['validate', await folder({ 'r.yaml': `${roles}${other}${api}` })]);
    expect(validated.code).toBe(0);
    expect(validated.stdout).toContain(
      [
        'r.yaml:4:46  warning  CONFIG_UNDEFINED_PERMISSION',
        '  The files declare the scopes of the API, and raed:orders of https://orders.example/ is none of them.',
        '',
      ].join('\n'),
    );
    expect(validated.stdout).toContain('did you mean "read:orders"?');
    expect(validated.stdout.match(/UNDEFINED_PERMISSION/g)).toHaveLength(1);
    const alone = await runCommand(['validate', await folder({ 'r.yaml': roles })]);
    expect(alone.stdout).not.toContain('UNDEFINED_PERMISSION');
  });

  test('a header alone manages nothing, which is a warning', async () => {
    const { code, stdout } = await runCommand(['validate', await folder({ 't.yaml': 'tenant: { name: acme }\n' })]);
    expect({
      code,
      warned: stdout.includes('CONFIG_NOTHING_MANAGED'),
      reported: stdout.includes('nothing is managed (1 file)'),
    }).toEqual({
      code: 0,
      warned: true,
      reported: true,
    });
  });

  test('errors are its result, as a document too', async () => {
    const files = await folder({ 'a.yaml': 'roles: [{ id: 1 }]\n' });
    const { code, stdout } = await runCommand(['validate', files, '--format', 'json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: '1.0',
      diagnostics: [{ code: 'CONFIG_WRONG_TYPE', source: { file: 'a.yaml', line: 1 } }],
      summary: { errors: 1 },
    });
    const schema = JSON.parse(await readFile('schemas/diagnostics.schema.json', 'utf8'));
    expect(new Ajv2020().compile(schema)(JSON.parse(stdout))).toBe(true);
  });

  test('the folder is the current one by default', async () => {
    expect((await runCommand(['validate'], { cwd: await folder(filesOfEveryKind) })).code).toBe(0);
  });

  test('annotations name files relative to the checkout', async () => {
    const files = await folder({ 'tenants/acme/a.yaml': 'roles: [{ id: 1 }]\n' });
    const { stdout } = await runCommand(['validate', 'tenants/acme', '--format', 'github'], { cwd: files });
    expect(stdout).toMatch(/^::error file=tenants\/acme\/a\.yaml,line=1,col=\d+/m);
  });
});

describe('plan', () => {
  test('costs a request per hundred items, again if several pages lead to a delete, and 20 for names of clients', async () => {
    const policies = Array.from({ length: 200 }, (_, index) => livePolicy(`client_id:a${index}`));
    const tenant = await tenantWith(seedOf({ rate_limit_policies: policies }));
    await runCommand(['plan', await folder({ 'p.yaml': policiesYaml('client_id:a0') })], { env: tenant.env });
    const listing = [
      'GET /api/v2/rate-limit-policies?take=100',
      expect.stringMatching(/^GET \/api\/v2\/rate-limit-policies\?take=100&from=/),
    ];
    const names = Array.from({ length: 20 }, () => expect.stringMatching(/^GET \/api\/v2\/clients\/a\d+\?/));
    expect(requestsOf(tenant)).toEqual(['POST /oauth/token/', ...listing, ...listing, ...names]);
  });

  test('a kind that cannot be read costs no request at all', async () => {
    const tenant = await tenantWith(seedOf());
    const { code } = await runCommand(
      ['plan', await folder({ 't.yaml': documentedYaml, 'r.yaml': filesOfEveryKind['roles.yaml'] })],
      { env: tenant.env },
    );
    expect({ code, requests: requestsOf(tenant) }).toEqual({ code: 0, requests: [] });
  });

  test('--exit-code exits with 2 if the plan has actions, and with 0 otherwise', async () => {
    const tenant = await tenantWith(seedOf());
    const different = await runCommand(['plan', await folder({ 'p.yaml': policiesYaml('default') }), '--exit-code'], {
      env: tenant.env,
    });
    const same = await runCommand(
      ['plan', await folder({ 'p.yaml': policiesYaml('default', 'client_id:one', 'client_id:stale') }), '--exit-code'],
      {
        env: tenant.env,
      },
    );
    expect([different.code, same.code]).toEqual([2, 0]);
    expect(same.stdout).toMatch(/in sync/i);
  });

  test('--out saves the document that --format json prints, for its owner only', async () => {
    const tenant = await tenantWith(seedOf());
    const cwd = await folder(filesOfEveryKind);
    const { stdout } = await runCommand(['plan', '--out', 'plan.json', '--format', 'json'], { env: tenant.env, cwd });
    const saved = await readFile(join(cwd, 'plan.json'), 'utf8');
    expect(saved).toBe(stdout);
    expect(validatePlan(JSON.parse(saved))).toBe(true);
    expect((await stat(join(cwd, 'plan.json'))).mode & 0o777).toBe(0o600);
  });

  test.each(['no/such/folder/plan.json', '.', 'link.json', '/dev/full'])(
    '--out %s is refused before anything is sent',
    async (out) => {
      const tenant = await tenantWith(seedOf());
      const cwd = await folder({ ...filesOfEveryKind, 'precious.txt': 'keep me' });
      await symlink('precious.txt', join(cwd, 'link.json'));
      const { code, stderr } = await runCommand(['plan', '--out', out], { env: tenant.env, cwd });
      expect({ code, reported: stderr.includes('OPTION_INVALID'), sent: tenant.tenant.requests }).toEqual({
        code: 3,
        reported: true,
        sent: [],
      });
      expect(await readFile(join(cwd, 'precious.txt'), 'utf8')).toBe('keep me');
    },
  );

  test('a plan that cannot be saved in the end is a failure, and leaves nothing half-written', async () => {
    const cwd = await folder(filesOfEveryKind);
    await mkdir(join(cwd, 'out'));
    const tenant = await tenantWith(seedOf(), {
      onRequest: () => void rm(join(cwd, 'out'), { recursive: true, force: true }),
    });
    const { code, stderr } = await runCommand(['plan', '--out', 'out/plan.json'], { env: tenant.env, cwd });
    expect({ code, reported: stderr.includes('PLAN_FILE_INVALID') }).toEqual({ code: 1, reported: true });
  });

  test('files of another tenant are refused and nothing is sent', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder({
      't.yaml': 'tenant:\n  base_url: https://other.example/api/v2\n',
      'p.yaml': policiesYaml('default'),
    });
    const { code, stderr } = await runCommand(['plan', files], { env: tenant.env });
    expect(code).toBe(3);
    expect(stderr).toMatch(/t\.yaml:2:13 +error +TENANT_MISMATCH/);
    expect(tenant.tenant.requests).toEqual([]);
  });

  test('files of this tenant are taken', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder({
      't.yaml': `tenant: { name: acme, base_url: "${tenant.baseUrl}" }\n`,
      'p.yaml': policiesYaml('default'),
    });
    const { code, stdout } = await runCommand(['plan', files, '--format', 'json'], { env: tenant.env });
    expect({ code, tenant: JSON.parse(stdout).tenant }).toEqual({
      code: 0,
      tenant: { name: 'acme', base_url: tenant.baseUrl, api: 'full' },
    });
  });

  test('environment and files are checked together', async () => {
    const { code, stderr } = await runCommand(['plan', await folder({ 'a.yaml': 'roles: [{ id: 1 }]\n' })]);
    expect(code).toBe(3);
    expect(stderr).toContain('CONFIG_WRONG_TYPE');
    expect(stderr).toContain('ENV_MISSING');
  });

  test('a service that cannot be reached fails', async () => {
    const tenant = await startTenant();
    await tenant.close();
    const { code, stderr } = await runCommand(['plan', await folder({ 'p.yaml': policiesYaml('default') })], {
      env: tenant.env,
    });
    expect({ code, reported: stderr.includes('SERVICE_UNREACHABLE') }).toEqual({ code: 1, reported: true });
  });

  test('refused credentials fail', async () => {
    const tenant = await tenantWith(seedOf());
    const { code, stdout, stderr } = await runCommand(
      ['plan', await folder({ 'p.yaml': policiesYaml('default') }), '--format', 'json'],
      {
        env: { ...tenant.env, TENANT_SYNC_CLIENT_SECRET: 'planted-wrong' },
      },
    );
    expect({ code, reported: stderr.includes('SERVICE_TOKEN_REFUSED') }).toEqual({ code: 1, reported: true });
    expect(JSON.parse(stdout)).toMatchObject({ diagnostics: [{ code: 'SERVICE_TOKEN_REFUSED' }] });
  });

  test('stopped by a signal while it waits', async () => {
    const { signal, stop } = stopWith('SIGTERM');
    const tenant = await tenantWith(seedOf(), { latencyMs: 200 });
    setTimeout(stop, 50);
    const { code, stderr } = await runCommand(['plan', await folder({ 'p.yaml': policiesYaml('default') })], {
      env: tenant.env,
      signal,
    });
    expect({ code, reported: stderr.includes('SIGTERM') }).toEqual({ code: 143, reported: true });
  });

  test('on a terminal there is colour, with NO_COLOR there is none', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder({ 'p.yaml': policiesYaml('default') });
    const colour = await runCommand(['plan', files], { env: { ...tenant.env, FORCE_COLOR: '1' } });
    const plain = await runCommand(['plan', files], { env: { ...tenant.env, NO_COLOR: '1', FORCE_COLOR: '1' } });
    const off = await runCommand(['plan', files], { env: { ...tenant.env, FORCE_COLOR: '0' } });
    expect([
      colour.stdout.includes('\u001b['),
      plain.stdout.includes('\u001b['),
      off.stdout.includes('\u001b['),
    ]).toEqual([true, false, false]);
  });
});

describe('--only and --except', () => {
  test('one policy named by its full key, and what applies in its place, are read by the filters of the listing', async () => {
    const tenant = await tenantWith(seedOf());
    const key = 'rate_limit_policies/oauth_authentication_api/client/client_id:stale';
    const { code, stdout } = await runCommand(
      ['plan', await folder(filesOfEveryKind), '--only', key, '--format', 'json'],
      { env: tenant.env },
    );
    expect(code).toBe(0);
    expect(requestsOf(tenant).slice(1)).toEqual([
      'GET /api/v2/rate-limit-policies?resource=oauth_authentication_api&consumer=client&consumer_selector=client_id%3Astale&take=100',
      'GET /api/v2/rate-limit-policies?resource=oauth_authentication_api&consumer=client&consumer_selector=default&take=100',
      'GET /api/v2/clients/stale?fields=client_id%2Cname',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { delete: 1, put: 0, remove: 0 },
      left_out: expect.arrayContaining([{ kind: 'event_streams', key: '*', what: 'not_read' }]),
    });
  });

  test('--except leaves a kind unread and lists it', async () => {
    const tenant = await tenantWith(seedOf());
    const { stdout } = await runCommand(
      [
        'plan',
        await folder(filesOfEveryKind),
        '--except',
        'rate_limit_policies',
        '--except',
        'prompts',
        '--format',
        'json',
      ],
      { env: tenant.env },
    );
    expect(requestsOf(tenant).toSorted()).toEqual([
      'GET /api/v2/event-streams?take=100',
      // The plan removes permissions of the role.
      'GET /api/v2/roles/rol_1/groups?take=100',
      'GET /api/v2/roles/rol_1/permissions?page=0&per_page=100&include_totals=true',
      'GET /api/v2/roles/rol_1/users?page=0&per_page=1&include_totals=true',
      // Undeclared roles are reported.
      'GET /api/v2/roles?type=tenant&page=0&per_page=100&include_totals=true',
      'POST /oauth/token/',
    ]);
    expect(JSON.parse(stdout).left_out.map(({ kind }: { kind: string }) => kind)).toEqual([
      'rate_limit_policies',
      'prompts',
    ]);
  });

  test.each([
    ['rate_limit_polcies', 3, 'did you mean "rate_limit_policies"?'],
    ['event_streams/', 3, 'without a key'],
    ['event_streams/user-to-crm', 3, 'write event_streams/users-to-crm'],
    ['policies/defualt', 3, 'write rate_limit_policies/default'],
    ['policies/client_id:o*x', 3, 'write rate_limit_policies/client_id:one'],
    ['policies/default', 0, ''],
    ['policies/client_id:*', 0, ''],
    ['rate_limit_policies/*/default', 0, ''],
    ['roles/rol_1', 0, ''],
  ])('--only %s exits with %i', async (text, code, reported) => {
    const tenant = await tenantWith(seedOf());
    const result = await runCommand(['plan', await folder(filesOfEveryKind), '--only', text], { env: tenant.env });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(reported);
  });

  test('a kind that the files do not manage matches nothing', async () => {
    const tenant = await tenantWith(seedOf());
    const { code, stderr } = await runCommand(
      ['plan', await folder({ 'p.yaml': policiesYaml('default') }), '--only', 'event_streams'],
      { env: tenant.env },
    );
    expect({ code, reported: stderr.includes('no section for event_streams') }).toEqual({ code: 3, reported: true });
  });
});

describe('apply', () => {
  test('without a terminal it needs --yes, and sends nothing without', async () => {
    const tenant = await tenantWith(seedOf());
    const { code, stderr } = await runCommand(['apply', await folder(filesOfEveryKind)], { env: tenant.env });
    expect({ code, reported: stderr.includes('--yes') }).toEqual({ code: 3, reported: true });
    expect(tenant.tenant.requests).toEqual([]);
  });

  test('on a terminal it shows the plan, and asks with the number of losses', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const asked: string[] = [];
    const no = await runCommand(['apply', files], {
      env: tenant.env,
      confirm: (question) => asked.push(question) === 0,
    });
    expect(no.stderr).toContain('CONFIRMATION_DECLINED');
    expect({ code: no.code, asked, writes: writesOf(tenant) }).toEqual({
      code: 4,
      asked: [`Apply 3 changes (2 losses) with 3 requests to ${tenant.baseUrl}?`],
      writes: [],
    });
    const deletions = /Deletions\n {2}- policy +client_id:stale +block above 100\/s +not in the files\n/;
    expect(no.stdout).toMatch(deletions);
    const asJson = await runCommand(['apply', files, '--format', 'json'], { env: tenant.env, confirm: () => false });
    expect(asJson.stderr).toMatch(deletions);
    const yes = await runCommand(['apply', files], { env: tenant.env, confirm: () => true });
    expect({ code: yes.code, writes: writesOf(tenant).length }).toEqual({ code: 0, writes: 3 });
  });

  test('with nothing to do it asks nothing and costs what the plan cost', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder({ 'p.yaml': policiesYaml('default', 'client_id:one', 'client_id:stale') });
    const { code } = await runCommand(['apply', files], { env: tenant.env, confirm: () => expect.unreachable() });
    expect({ code, requests: requestsOf(tenant).length }).toEqual({ code: 0, requests: 2 });
  });

  test('a delete of what is gone meanwhile is done', async () => {
    // The first request is carried out without a response, and the second one finds nothing.
    const tenant = await tenantWith(seedOf(), {
      faults: [{ operation: 'delete_rate_limit_policy', kind: 'reset', nth: 1, after: 'commit' }],
    });
    const { code, stdout } = await runCommand(
      ['apply', await folder({ 'p.yaml': policiesYaml('default', 'client_id:one') }), '--yes', '--format', 'json'],
      {
        env: tenant.env,
      },
    );
    expect({ code, outcomes: JSON.parse(stdout).outcomes }).toMatchObject({
      code: 0,
      outcomes: [{ outcome: 'done', status: 404 }],
    });
  });

  test('a signal finishes the request in flight, prints every outcome, and exits with 130', async () => {
    const { signal, stop } = stopWith();
    const tenant = await tenantWith(seedOf(), {
      onRequest: ({ method, operation }) => method !== 'GET' && operation !== 'token' && stop(),
    });
    // A create, and deletions that wait for it.
    const files = await folder({ 'p.yaml': policiesYaml('default', 'client_id:new') });
    const { code, stdout } = await runCommand(['apply', files, '--yes', '--format', 'json'], {
      env: tenant.env,
      signal,
    });
    expect(code).toBe(130);
    expect(JSON.parse(stdout).summary).toEqual({ done: 1, failed: 0, not_attempted: 2, unknown: 0, conflict: 0 });
    expect(writesOf(tenant)).toHaveLength(1);
  });

  test('the outcomes document is valid against its schema', async () => {
    const tenant = await tenantWith(seedOf());
    const { stdout } = await runCommand(['apply', await folder(filesOfEveryKind), '--yes', '--format', 'json'], {
      env: tenant.env,
    });
    const read = async (name: string) => JSON.parse(await readFile(`schemas/${name}.schema.json`, 'utf8'));
    const ajv = new Ajv2020({ schemas: [await read('kinds'), await read('plan')], validateFormats: false });
    expect(ajv.compile(await read('outcomes'))(JSON.parse(stdout))).toBe(true);
  });

  test('progress is shown on a terminal', async () => {
    const tenant = await tenantWith(seedOf());
    const { stderr } = await runCommand(['apply', await folder(filesOfEveryKind), '--yes'], {
      env: tenant.env,
      isTTY: true,
    });
    expect(stderr).toContain('done: delete oauth_authentication_api/client/client_id:stale');
  });
});

describe('drift', () => {
  test.each([
    ['a difference is 2', seedOf(), policiesYaml('default'), [], 2],
    ['none is 0', seedOf(), policiesYaml('default', 'client_id:one', 'client_id:stale'), [], 0],
    [
      'what no operation reads is named and is no difference',
      seedOf(),
      `${documentedYaml}${filesOfEveryKind['roles.yaml']}`,
      [],
      0,
    ],
    ['what could not be read is a failure', seedOf(), policiesYaml('default'), ['list_rate_limit_policies'], 1],
  ])('%s', async (_name, seed, yaml, broken, code) => {
    const tenant = await tenantWith(seed, {
      faults: broken.map((operation) => ({ operation, kind: 'status', status: 403 })),
    });
    const result = await runCommand(['drift', await folder({ 'a.yaml': yaml })], { env: tenant.env });
    expect(result.code).toBe(code);
  });

  test('a proven difference outweighs what could not be checked, and both are reported', async () => {
    const tenant = await tenantWith(seedOf(), {
      faults: [{ operation: 'list_event_streams', kind: 'status', status: 403 }],
    });
    const { code, stdout } = await runCommand(['drift', await folder(filesOfEveryKind)], { env: tenant.env });
    expect(code).toBe(2);
    expect(stdout).toContain('client_id:stale');
    expect(stdout).toContain('LIVE_FORBIDDEN');
  });
});

describe('serve', () => {
  test('serves on loopback until a signal, and logs its responses', async () => {
    const { signal, stop } = stopWith();
    let baseUrl = '';
    const statuses: number[] = [];
    const { code, stdout, stderr } = await runCommand(
      ['serve', '--port', '0', '--rate', '5/s,10', '--latency', '1', '--fault', 'list_event_streams:delay=1'],
      {
        signal,
        onOutput: (text) => {
          if (baseUrl !== '' || !text.startsWith('http')) return;
          baseUrl = text.trim();
          void fetch(`${baseUrl}/event-streams`)
            .then(({ status }) => statuses.push(status))
            .finally(stop);
        },
      },
    );
    expect({ code, stdout, statuses }).toEqual({ code: 0, stdout: `${baseUrl}\n`, statuses: [401] });
    expect(stderr).toContain('401 GET /api/v2/event-streams');
  });

  test('ends at once when it was stopped before it began', async () => {
    const { signal, stop } = stopWith();
    stop();
    expect((await runCommand(['serve', '--port', '0', '--seed', 'examples/acme/live.json'], { signal })).code).toBe(0);
  });

  test('warns of a seed without clients', async () => {
    const { signal, stop } = stopWith();
    stop();
    const seed = join(await folder({ 'seed.json': '{"roles":[]}' }), 'seed.json');
    const { code, stderr } = await runCommand(['serve', '--port', '0', '--seed', seed], { signal });
    expect({ code, warned: stderr.includes('SEED_NO_CLIENTS') }).toEqual({ code: 0, warned: true });
  });

  test.each([
    [['--rate', 'fast'], 'OPTION_INVALID'],
    [['--port', '70000'], 'OPTION_INVALID'],
    [['--port', 'x'], 'OPTION_INVALID'],
    [['--fault', 'nonsense'], 'OPTION_INVALID'],
    [['--port', '0', '--fault', 'no_such_operation:reset'], 'OPTION_INVALID'],
    [['--seed', 'no-such-file.json'], 'SEED_INVALID'],
    [['--port', '0', '--seed', 'package.json'], 'SEED_INVALID'],
  ])('%j is refused', async (options, reported) => {
    const { code, stderr } = await runCommand(['serve', ...options]);
    expect({ code, reported: stderr.includes(reported) }).toEqual({ code: 3, reported: true });
  });
});

describe('demo', () => {
  test('shows every step', async () => {
    const { code, stdout } = await runCommand(['demo']);
    expect(code).toBe(0);
    const codes = ['0', '0', '0', '0', '2'];
    const shown = [...stdout.matchAll(/\(exit code (\d)\)/g)].map(([, code]) => code);
    expect(shown).toEqual([...codes, ...codes, '0']);
    for (const tenant of ['acme-dev', 'acme-prod', 'acme-staging', 'globex', 'initech', 'umbrella'])
      expect(stdout).toMatch(new RegExp(`^${tenant} `, 'm'));
    expect(stdout).toContain('limit 100 → 500');
    expect(stdout).toContain('In sync.');
    expect(stdout).not.toContain('local-only');
  });

  test('stops on a signal', async () => {
    const { signal, stop } = stopWith();
    stop();
    expect((await runCommand(['demo'], { signal })).code).toBe(130);
  });
});
