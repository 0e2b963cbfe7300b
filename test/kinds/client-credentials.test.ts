// Credentials of clients: keys by which a client proves who it is, as elements that its own fields name.
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import { managementApi } from '../../src/embedded-tenant/kinds/management-api.ts';
import type { LoggedRequest } from '../../src/embedded-tenant/request-log.ts';
import { keyPair } from '../support/key-pairs.ts';
import { runCommand } from '../support/run-command.ts';
import { allScopes, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const { spki } = keyPair();
const id = 'billing0billing0billing0billing0';

interface Scene {
  readonly clients?: readonly object[];
  readonly faults?: readonly FaultRule[];
}

interface PlannedAction {
  readonly request: { readonly method: string; readonly path: string; readonly body?: object };
  readonly notes?: readonly string[];
}

/** A tenant, the writes that it gets, and a folder of files for it. */
async function sceneOf({ clients = [], faults = [] }: Scene = {}) {
  const log: LoggedRequest[] = [];
  const seed = { clients: [testClient, ...clients] } as never;
  const stateFile = join(await folder({}), 'state.json');
  const tenant = await tenantWith(seed, { stateFile, faults, onRequest: (entry) => log.push(entry) });
  const path = await folder({ 'keys/a.pem': spki });
  const writes = () =>
    log
      .filter(({ method, path: at }) => method !== 'GET' && !at.startsWith('/oauth/'))
      .map(({ method, path: at, status }) => `${method} ${at.replace('/api/v2', '')} ${status}`);
  const run = async (yaml: string, ...argv: readonly string[]) => {
    await writeFile(
      join(path, 'clients.yaml'),
      yaml.startsWith('tenant:') ? yaml : `tenant: { undeclared: { clients: ignore } }\n${yaml}`,
    );
    log.length = 0;
    const [command = 'apply', ...rest] = argv;
    return runCommand([command, path, ...rest], { env: tenant.env });
  };
  const stored = () => {
    const { clients: all } = JSON.parse(readFileSync(stateFile, 'utf8')) as {
      clients: readonly Record<string, unknown>[];
    };
    return all.find(({ name }) => name === 'Billing job');
  };
  return {
    tenant,
    path,
    run,
    writes,
    stored,
    reads: () => log.filter(({ method }) => method === 'GET').map(({ path: at }) => at),
  };
}

const billing = (named: readonly string[], credentials: readonly string[], more = '') => `clients:
  - name: Billing job
    app_type: non_interactive
${more}    client_authentication_methods: { private_key_jwt: { credentials: [${named.map((name) => `{ name: "${name}" }`).join(', ')}] } }
    credentials:
${credentials.map((name) => `      - { name: "${name}", credential_type: public_key, alg: RS256, pem: { file: keys/a.pem } }\n`).join('')}`;

const apply = ['apply', '--yes'];
const key = (own: string, more = {}) => ({
  id: `cred_${own}`,
  name: own,
  credential_type: 'public_key',
  alg: 'RS256',
  pem: spki,
  ...more,
});
const uses = (...ids: readonly string[]) => ({ private_key_jwt: { credentials: ids.map((one) => ({ id: one })) } });
const live = { client_id: id, name: 'Billing job', app_type: 'non_interactive' };
const old = { ...live, credentials: [key('2025')], client_authentication_methods: uses('cred_2025') };

test('a client is created with a key, and the second apply is in sync', async () => {
  const { run, writes, stored } = await sceneOf();
  const first = await run(billing(['2026'], ['2026']), ...apply);
  expect([first.code, writes()]).toEqual([
    0,
    [
      'POST /clients 201',
      expect.stringMatching(/^POST \/clients\/\w+\/credentials 201$/),
      expect.stringMatching(/^PATCH \/clients\/\w+ 200$/),
    ],
  ]);
  expect(stored()).toMatchObject({ credentials: [{ name: '2026', pem: spki }] });
  const second = await run(billing(['2026'], ['2026']), ...apply);
  expect([second.code, writes()]).toEqual([0, []]);
});

describe('a key is replaced by another one', () => {
  const rotated = billing(['2026'], ['2026']);
  const post = `POST /clients/${id}/credentials`;
  const [patch, remove] = [`PATCH /clients/${id}`, `DELETE /clients/${id}/credentials/cred_2025`];

  test('which is there before the old one goes', async () => {
    const { run, writes, stored } = await sceneOf({ clients: [old] });
    const { code } = await run(rotated, ...apply);
    expect([code, writes()]).toEqual([0, [`${post} 201`, `${patch} 200`, `${remove} 204`]]);
    const { credentials = [], client_authentication_methods: methods } = stored() as never as {
      credentials: { id: string }[];
      client_authentication_methods: unknown;
    };
    expect([credentials.map((one) => one.id), methods]).toEqual([
      [expect.stringMatching(/^cred_/)],
      uses(credentials[0]?.id ?? ''),
    ]);
    expect((await run(rotated, 'drift')).code).toBe(0);
  });

  test.each([
    ['the new key', 'create_client_credential', [`${post} 400`]],
    ['what the client uses', 'update_client', [`${post} 201`, `${patch} 400`]],
  ])('and stays if %s is refused', async (_what, operation, requests) => {
    const { run, writes, stored } = await sceneOf({
      clients: [old],
      faults: [{ operation, kind: 'status', status: 400, times: 9 }],
    });
    const { code } = await run(rotated, ...apply);
    expect([code, writes()]).toEqual([1, requests]);
    expect(stored()).toMatchObject({
      credentials: [{ id: 'cred_2025' }, ...(requests.length > 1 ? [{ name: '2026' }] : [])],
      client_authentication_methods: uses('cred_2025'),
    });
  });

  test('once, also if the response to the new one is lost', async () => {
    const faults = [{ operation: 'create_client_credential', kind: 'reset', after: 'commit' }] as const;
    const { run, stored } = await sceneOf({ clients: [old], faults });
    await run(rotated, ...apply);
    await run(rotated, ...apply);
    expect(stored()).toMatchObject({ credentials: [{ name: '2026' }] });
    expect((await run(rotated, 'drift')).code).toBe(0);
  });

  test('by a saved plan', async () => {
    const { run, writes, path } = await sceneOf({ clients: [old] });
    await run(rotated, 'plan', '--out', join(path, 'plan.json'));
    const { code } = await run(rotated, 'apply', '--plan', join(path, 'plan.json'), '--yes');
    expect([code, writes()]).toEqual([0, [`${post} 201`, `${patch} 200`, `${remove} 204`]]);
  });
});

test('the client gets tokens by the new key, and no more by the old one', async () => {
  const [before, after] = [keyPair(), keyPair()];
  const seed = {
    clients: [
      testClient,
      { ...live, credentials: [key('2025', { pem: before.spki })], client_authentication_methods: uses('cred_2025') },
    ],
    client_grants: [
      { id: 'cgr_1', client_id: id, audience: managementApi, scope: [...allScopes], subject_type: 'client' },
    ],
  };
  const tenant = await tenantWith(seed as never);
  const yaml = `tenant: { undeclared: { clients: ignore } }\n${billing(['2026'], ['2026'])}`;
  const path = await folder({ 'clients.yaml': yaml, 'keys/a.pem': after.spki });
  const planWith = async (pkcs8: string) => {
    const { TENANT_SYNC_CLIENT_SECRET: _secret, ...env } = tenant.env;
    const own = { TENANT_SYNC_CLIENT_ID: id, TENANT_SYNC_PRIVATE_KEY: pkcs8 };
    return (await runCommand(['plan', path], { env: { ...env, ...own } })).code;
  };
  // A plan that takes the key of its own client is refused.
  expect([await planWith(before.pkcs8), await planWith(after.pkcs8)]).toEqual([4, 1]);
  expect((await runCommand(['apply', path, '--yes'], { env: tenant.env })).code).toBe(0);
  expect([await planWith(before.pkcs8), await planWith(after.pkcs8)]).toEqual([1, 0]);
});

describe('a client authenticates in one way', () => {
  const secret = { ...live, token_endpoint_auth_method: 'client_secret_post' };
  test('a key replaces a secret', async () => {
    const { run, writes, stored } = await sceneOf({ clients: [secret] });
    const yaml = billing(['2026'], ['2026']);
    const plan = JSON.parse((await run(yaml, 'plan', '--format', 'json')).stdout) as {
      actions: readonly PlannedAction[];
    };
    expect(plan.actions[1]?.notes).toEqual(['clears token_endpoint_auth_method']);
    const { code } = await run(yaml, ...apply);
    expect([code, writes().length]).toEqual([0, 2]);
    expect(stored()).not.toHaveProperty('token_endpoint_auth_method');
  });

  test('a secret replaces a key, once a person approves that none is left', async () => {
    const { run, writes, stored } = await sceneOf({ clients: [old] });
    const yaml = 'clients: [{ name: Billing job, token_endpoint_auth_method: client_secret_post, credentials: [] }]\n';
    const refused = await run(yaml, ...apply);
    expect([refused.code, writes()]).toEqual([4, []]);
    const [, approval = ''] = /--approve (\w+)/.exec(refused.stdout + refused.stderr) ?? [];
    const { code } = await run(yaml, ...apply, '--approve', approval);
    expect([code, writes()]).toEqual([
      0,
      [`PATCH /clients/${id} 200`, `DELETE /clients/${id}/credentials/cred_2025 204`],
    ]);
    expect(stored()).not.toHaveProperty('client_authentication_methods');
  });

  test('a certificate replaces a key', async () => {
    const { run, writes, stored } = await sceneOf({
      clients: [{ ...old, credentials: [key('2025'), key('cert', { credential_type: 'x509_cert' })] }],
    });
    const yaml =
      'clients:\n  - name: Billing job\n    client_authentication_methods: { self_signed_tls_client_auth: { credentials: [{ name: cert }] } }\n    credentials: [{ name: cert, credential_type: x509_cert }]\n';
    const { code } = await run(yaml, ...apply);
    expect([code, writes()]).toEqual([
      0,
      [`PATCH /clients/${id} 200`, `DELETE /clients/${id}/credentials/cred_2025 204`],
    ]);
    expect(stored()).toMatchObject({
      client_authentication_methods: { self_signed_tls_client_auth: { credentials: [{ id: 'cred_cert' }] } },
    });
    expect((await run(yaml, 'drift')).code).toBe(0);
  });
});

describe('a plan', () => {
  const planned = async (yaml: string, scene: Scene = { clients: [old] }) => {
    const { run } = await sceneOf(scene);
    const { stdout, stderr } = await run(yaml, 'plan', '--format', 'json');
    const { actions, findings } = JSON.parse(stdout || '{}') as {
      actions?: readonly PlannedAction[];
      findings?: readonly { readonly code: string; readonly message: string }[];
    };
    return {
      requests: (actions ?? []).map(({ request: { method, path, body } }) =>
        [method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '),
      ),
      findings: (findings ?? [])
        .filter(({ code }) => code !== 'LIVE_SECRET_NOT_COMPARED')
        .map(({ code, message }) => `${code} ${message}`),
      stderr,
    };
  };
  const only = (credentials: string) => `clients: [{ name: Billing job, credentials: ${credentials} }]\n`;

  test.each<[string, string, Scene, readonly string[], readonly string[]]>([
    [
      'changes when a credential expires',
      only('[{ name: "2025", credential_type: public_key, expires_at: 2027-01-31T00:00:00.000Z }]'),
      { clients: [old] },
      [`PATCH /clients/${id}/credentials/cred_2025 {"expires_at":"2027-01-31T00:00:00.000Z"}`],
      [],
    ],
    [
      'cannot change its algorithm',
      only('[{ name: "2025", credential_type: public_key, alg: PS256 }]'),
      { clients: [old] },
      [],
      [
        'LIVE_DIFFERENT its credential 2025 differs from the files; alg cannot be changed: declare one with another name',
      ],
    ],
    [
      'creates none without its key, and changes nothing that names it',
      `${billing(['2026'], [])}      - { name: "2026", credential_type: public_key }\n`,
      { clients: [old] },
      [],
      [
        'LIVE_DIFFERENT not changed, because the tenant does not have its credential 2026',
        'LIVE_MISSING its credential 2026 is declared but missing on the tenant; declare pem or subject_dn of it to create it',
        'LIVE_UNDELETABLE its credential 2025 stays, because other fields of it name it',
      ],
    ],
    [
      'keeps one that the client uses',
      only('[]'),
      { clients: [old] },
      [],
      ['LIVE_UNDELETABLE its credential 2025 stays, because other fields of it name it'],
    ],
    [
      'calls one without a name of its own by its id',
      only('[{ name: cred_a, credential_type: public_key }, { name: "2025", credential_type: public_key }]'),
      {
        clients: [
          {
            ...old,
            credentials: [
              key('2025'),
              { ...key('a'), name: undefined },
              key('b', { name: 'same' }),
              key('c', { name: 'same' }),
            ],
          },
        ],
      },
      [`DELETE /clients/${id}/credentials/cred_b`, `DELETE /clients/${id}/credentials/cred_c`],
      [],
    ],
    [
      'changes nothing of credentials that cannot be read',
      billing(['2026'], ['2026']),
      { clients: [old], faults: [{ operation: 'list_client_credentials', kind: 'status', status: 403, times: 99 }] },
      [],
      [
        'LIVE_DIFFERENT not changed, because the tenant does not have its credential 2026',
        expect.stringMatching(/^LIVE_FORBIDDEN its credentials could not be read, and are not changed/) as never,
      ],
    ],
  ])('%s', async (_name, yaml, scene, requests, findings) => {
    const { stderr, ...found } = await planned(yaml, scene);
    expect([found, stderr]).toEqual([{ requests, findings }, expect.any(String)]);
  });
});

describe('files', () => {
  test.each([
    [
      'that name no credential',
      billing(['2027'], ['2026']),
      'No element of credentials of this client has the name "2027".',
    ],
    ['with two of one name', billing(['2026'], ['2026', '2026']), 'is listed twice in credentials'],
    [
      'with both ways to authenticate',
      billing(['2026'], ['2026'], '    token_endpoint_auth_method: none\n'),
      'it has no meaning beside client_authentication_methods',
    ],
    [
      'with another text than a public key',
      'clients: [{ name: A, credentials: [{ name: a, credential_type: public_key, pem: abc }] }]\n',
      'Write a public key or a certificate in PEM form',
    ],
  ])('%s are wrong', async (_name, yaml, message) => {
    const { run } = await sceneOf();
    const { code, stdout, stderr } = await run(yaml, 'validate');
    expect([code, stdout + stderr]).toEqual([3, expect.stringContaining(message)]);
  });
});

test('pull writes names and no key, and what it writes is in sync', async () => {
  const { run, path, reads } = await sceneOf({ clients: [old, { ...live, client_id: 'shop', name: 'Shop' }] });
  const { code } = await run('tenant: {}\nclients: []\n', 'pull', '--yes');
  const text = await readFile(join(path, 'clients.yaml'), 'utf8');
  expect([code, text.includes('BEGIN'), text.includes('cred_')]).toEqual([0, false, false]);
  expect(text).toContain('name: "2025"');
  expect(new Set(reads().filter((one) => one.endsWith('/credentials')))).toEqual(
    new Set([`/api/v2/clients/${id}/credentials`]),
  );
  expect((await run(text, 'drift')).code).toBe(0);
});

test('pull keeps the key of a declared credential, and adds one of the tenant', async () => {
  const both = { ...old, credentials: [key('2025'), key('2026')], client_authentication_methods: uses('cred_2026') };
  const { run, path } = await sceneOf({ clients: [both] });
  const { code } = await run(billing(['2025'], ['2025']), 'pull', '--yes');
  const text = await readFile(join(path, 'clients.yaml'), 'utf8');
  expect([code, text.match(/keys\/a.pem/g)?.length, text.match(/name: "?2026/g)?.length]).toEqual([0, 1, 2]);
  expect((await run(text, 'drift')).code).toBe(0);
});

test('pull leaves out what names credentials that it could not read', async () => {
  const faults = [{ operation: 'list_client_credentials', kind: 'status', status: 403, times: 99 }] as const;
  const { run, path } = await sceneOf({ clients: [{ ...old, signed_request_object: { required: true } }], faults });
  const { stderr } = await run('tenant: {}\nclients: []\n', 'pull', '--yes');
  const text = await readFile(join(path, 'clients.yaml'), 'utf8');
  expect([text.includes('Billing job'), text.includes('client_authentication_methods')]).toEqual([true, false]);
  expect(stderr).toContain('credentials of 1 client could not be read');
});

test('a later layer replaces the credentials of an earlier one', async () => {
  const { tenant, writes } = await sceneOf({ clients: [old] });
  const project = await folder({
    'tenant-sync.yaml': 'tenants:\n  dev: { layers: [base, dev] }\n',
    'base/clients.yaml': `tenant: { undeclared: { clients: ignore } }\n${billing(['2025'], ['2025'])}`,
    'base/keys/a.pem': spki,
    'dev/clients.yaml': billing(['2026'], ['2026']).replace('    app_type: non_interactive\n', ''),
    'dev/keys/a.pem': spki,
  });
  const { code } = await runCommand(['apply', project, '--tenant', 'dev', '--yes'], { env: tenant.env });
  expect([code, writes()]).toEqual([
    0,
    [
      `POST /clients/${id}/credentials 201`,
      `PATCH /clients/${id} 200`,
      `DELETE /clients/${id}/credentials/cred_2025 204`,
    ],
  ]);
});
