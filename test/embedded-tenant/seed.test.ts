import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareTenant } from '../../src/embedded-tenant/create-tenant.ts';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import { parseSeed, readSeed, validateSeed } from '../../src/embedded-tenant/state/seed.ts';
import { TenantSetupError } from '../../src/embedded-tenant/tenant-options.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { contractSeed } from '../contract/contract-seed.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { buildPermission as pair } from '../support/build-permission.ts';
import { authorizedRequest, fixedClock, openTenant, testKeys } from '../support/start-tenant.ts';

const policy = buildLivePolicy({ id: 'rlp_1', configuration: { action: 'allow' } });
// What the token endpoint needs comes first.
const first = ['clients', 'client_grants'];
const others = tenantResources.map(({ section }) => section).filter((section) => !first.includes(section));
const sections = [...first, ...others].join(', ');
const client = { client_id: 'a', client_secret: 'planted-secret', scopes: [] };
const withPolicy = (change: object) => ({ rate_limit_policies: [{ ...policy, ...change }] });

test.each<[unknown, readonly string[]]>([
  [null, ['seed: Expected type object but found type null.']],
  [[], ['seed: Expected type object but found type array.']],
  [{ policies: [] }, [`seed: /policies: Unknown section, expected one of: ${sections}.`]],
  [withPolicy({ name: 'x' }), ['seed: /rate_limit_policies/0: Additional properties not allowed: name.']],
  [withPolicy({ id: 'x'.repeat(27) }), ['seed: /rate_limit_policies/0/id: String is too long, maximum 26.']],
  [
    withPolicy({ id: 'a b' }),
    ["seed: /rate_limit_policies/0/id: Value didn't pass validation for format rate-limit-policy-id."],
  ],
  [
    withPolicy({ resource: 'x' }),
    ['seed: /rate_limit_policies/0/resource: Expected one of: oauth_authentication_api.'],
  ],
  [
    withPolicy({ consumer_selector: 'everyone' }),
    ['seed: /rate_limit_policies/0/consumer_selector: Value has none of the allowed forms.'],
  ],
  [
    withPolicy({ configuration: {} }),
    ['seed: /rate_limit_policies/0/configuration: Property action selects none of the allowed forms.'],
  ],
  [
    withPolicy({ configuration: { action: 'allow', limit: 1 } }),
    ['seed: /rate_limit_policies/0/configuration: Additional properties not allowed: limit.'],
  ],
  [
    withPolicy({ configuration: { action: 'block' } }),
    ['seed: /rate_limit_policies/0/configuration: Missing required property: limit.'],
  ],
  [
    withPolicy({ configuration: { action: 'log', limit: 10001 } }),
    ['seed: /rate_limit_policies/0/configuration/limit: Value must be <= 10000.'],
  ],
  [
    withPolicy({ configuration: { action: 'log', limit: 0.5 } }),
    ['seed: /rate_limit_policies/0/configuration/limit: Expected type integer but found type number.'],
  ],
  [
    withPolicy({ configuration: { action: 'redirect', limit: 1, redirect_uri: 'http://a.example/' } }),
    [
      "seed: /rate_limit_policies/0/configuration/redirect_uri: Value didn't pass validation for format strict-https-uri.",
    ],
  ],
  [
    withPolicy({ created_at: 'yesterday' }),
    ["seed: /rate_limit_policies/0/created_at: Value didn't pass validation for format date-time."],
  ],
  [
    { prompts: { logout: { partials: {} } } },
    [
      'seed: /prompts: Expected one of: login, login-id, login-password, login-passwordless, signup, signup-id, signup-password, customized-consent, passkeys, confirmation.',
      'seed: /prompts: Property name not allowed: logout.',
    ],
  ],
  [
    { roles: [{ id: 'rol_1', name: '' }, { id: 7 }] },
    [
      'seed: /roles/1: Missing required property: name.',
      'seed: /roles/1/id: Expected type string but found type number.',
    ],
  ],
  [
    { rate_limit_policies: [policy, { ...policy, consumer_selector: 'cimd_clients' }] },
    ['seed: /rate_limit_policies/1/id: Another item has the same id.'],
  ],
  [
    { clients: [client, { ...client, scopes: ['read:policies', 'read:roles'] }] },
    [
      'seed: /clients/1/client_id: Another item has the same client_id.',
      'seed: /clients/1/scopes/0: read:policies is not a scope of the service.',
    ],
  ],
])('an invalid seed: every problem has its JSON pointer: %j', async (seed, messages) => {
  const error: unknown = await openTenant({}, { seed }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TenantSetupError);
  const { diagnostics, message } = error as TenantSetupError;
  expect(diagnostics.map((diagnostic) => diagnostic.message)).toEqual(messages);
  expect(new Set(diagnostics.map(({ code, severity }) => `${code} ${severity}`))).toEqual(
    new Set(['SEED_INVALID error']),
  );
  expect(message).toBe(messages.join('\n'));
  expect(JSON.stringify(diagnostics)).not.toContain('planted-secret');
});

test('duplicate identities with ids of their own are a state that a tenant can be in', () => {
  const seed = { rate_limit_policies: [policy, { ...policy, id: 'rlp_2' }] };
  expect(validateSeed(seed, 'seed', tenantResources)).toBe(seed);
});

describe('snapshot and change', () => {
  test('a snapshot is the seed, ordered by id, and a copy', async () => {
    const tenant = await openTenant(contractSeed);
    const snapshot = tenant.snapshot();
    expect(snapshot).toEqual(contractSeed);
    snapshot.rate_limit_policies?.pop();
    expect(tenant.snapshot()).toEqual(contractSeed);
  });

  test('the seed given is not changed', async () => {
    const seed: Seed = {
      roles: [{ id: 'rol_1', name: 'One', permissions: [{ resource_server_identifier: 'a', permission_name: 'b' }] }],
    };
    const before = structuredClone(seed);
    const tenant = await openTenant(seed);
    await tenant.change((state) => {
      state.roles = [];
    });
    expect(seed).toEqual(before);
  });

  test('an empty tenant has no items', async () => {
    expect((await openTenant({}, { seed: undefined })).snapshot()).toEqual({ prompts: {} });
  });

  test('a change is seen by the next request', async () => {
    const tenant = await openTenant();
    await tenant.change((state) => {
      state.event_streams = [{ id: 'est_1', name: 'behind the back' }];
    });
    const response = await tenant.fetch(
      new Request(`${tenant.baseUrl}/event-streams`, { headers: { Authorization: `Bearer ${await tenant.token()}` } }),
    );
    expect(await response.json()).toEqual({ eventStreams: [{ id: 'est_1', name: 'behind the back' }] });
  });

  test('a change to an invalid state is refused and leaves the state alone', async () => {
    const tenant = await openTenant(contractSeed);
    const change = tenant.change((state) => {
      state.event_streams = [{ id: '', name: 'x' }];
    });
    await expect(change).rejects.toMatchObject({
      diagnostics: [
        { code: 'SEED_INVALID', message: 'changed state: /event_streams/0/id: String is too short, minimum 1.' },
      ],
    });
    expect(tenant.snapshot()).toEqual(contractSeed);
  });
});

describe('what the writes leave behind', () => {
  const send = async (method: string, path: string, body?: object) => {
    const tenant = await openTenant(contractSeed);
    await tenant.fetch(await authorizedRequest(tenant, method, path, body));
    return tenant.snapshot();
  };
  const expectOnly = (snapshot: Seed, changed: Seed) => expect(snapshot).toEqual({ ...contractSeed, ...changed });

  test('a deleted policy is gone, and nothing else', async () => {
    expectOnly(await send('DELETE', '/rate-limit-policies/rlp_1007'), {
      rate_limit_policies: (contractSeed.rate_limit_policies ?? []).filter((each) => each.id !== 'rlp_1007'),
    });
  });

  test('removed pairs are gone, and the others stay', async () => {
    const [role, ...others] = contractSeed.roles ?? [];
    expectOnly(
      await send('DELETE', '/roles/rol_support/permissions', {
        permissions: [pair('delete:orders'), pair('not:held')],
      }),
      {
        roles: [{ id: 'rol_support', name: 'Support', ...role, permissions: [pair('read:orders')] }, ...others],
      },
    );
    expectOnly(
      await send('DELETE', '/roles/rol_support/permissions', {
        permissions: [{ ...pair('read:orders'), resource_server_identifier: 'https://other.example/' }],
      }),
      {},
    );
    expectOnly(await send('DELETE', '/roles/rol_unused/permissions', { permissions: [pair('read:orders')] }), {});
  });

  test('partials are replaced completely, and the other prompts stay', async () => {
    expectOnly(await send('PUT', '/prompts/login/partials', { other: { a: 'b' }, empty: {} }), {
      prompts: { login: { partials: { other: { a: 'b' } } } },
    });
    expectOnly(await send('PUT', '/prompts/signup/partials', {}), {
      prompts: { ...contractSeed.prompts, signup: { partials: {} } },
    });
  });

  test('a key named __proto__ is a key like any other', async () => {
    const tenant = await openTenant();
    const headers = { Authorization: `Bearer ${await tenant.token()}`, 'Content-Type': 'application/json' };
    const body = '{"__proto__":{"a":"b"},"login":{"__proto__":"c"}}';
    const response = await tenant.fetch(
      new Request(`${tenant.baseUrl}/prompts/login/partials`, { method: 'PUT', headers, body }),
    );
    expect(await response.text()).toBe(body);
    expect(JSON.stringify(tenant.snapshot().prompts)).toBe(`{"login":{"partials":${body}}}`);
  });
});

describe('seed files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenant-seed-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test('are read as JSON', async () => {
    await writeFile(join(folder, 'seed.json'), JSON.stringify(contractSeed));
    expect(await readSeed(join(folder, 'seed.json'))).toEqual(contractSeed);
  });

  test('a missing file', async () => {
    const file = join(folder, 'none.json');
    await expect(readSeed(file)).rejects.toMatchObject({
      diagnostics: [{ code: 'SEED_INVALID', severity: 'error', message: `${file} cannot be read: ENOENT.` }],
    });
  });

  test('a pipe, which would never end, and a link to a file', async () => {
    const [pipe, link] = [join(folder, 'pipe.json'), join(folder, 'link.json')];
    execFileSync('mkfifo', [pipe]);
    await expect(readSeed(pipe)).rejects.toMatchObject({
      diagnostics: [{ code: 'SEED_INVALID', message: `${pipe} cannot be read: NOT_REGULAR.` }],
    });
    await expect(openTenant({}, { stateFile: pipe })).rejects.toThrow('NOT_REGULAR');
    await writeFile(join(folder, 'target.json'), '{}');
    await symlink('target.json', link);
    expect(await readSeed(link)).toEqual({});
  });

  test('a file that is not JSON; its text is not repeated', () => {
    const parse = () => parseSeed('{"client_secret": planted-secret}', 'seed.json');
    expect(parse).toThrow(
      new TenantSetupError([{ code: 'SEED_INVALID', severity: 'error', message: 'seed.json is not valid JSON.' }]),
    );
  });
});

test.each([
  [{}, ['SEED_NO_CLIENTS']],
  [{ clients: [] }, ['SEED_NO_CLIENTS']],
  [{ clients: [{ client_id: 'a', client_secret: 'b', scopes: [] }] }, []],
])('the seed %j has the warnings %j', async (seed, codes) => {
  const tenant = (await prepareTenant({ resources: tenantResources, clock: fixedClock, keys: await testKeys(), seed }))(
    80,
  );
  expect(tenant.warnings.map(({ code, severity }) => [code, severity])).toEqual(codes.map((code) => [code, 'warning']));
});
