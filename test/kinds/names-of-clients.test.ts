// Which client a name in the files means, where several have it or others chose it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TenantHeader } from '../../src/model/tenant.generated.ts';
import { kinds } from '../support/all-kinds.ts';
import type { Written } from '../support/harbour.ts';
import { planOnTenant } from '../support/plan-on-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

type Item = Readonly<Record<string, unknown>>;

const client = (id: string, name: string, more: Item = {}) => ({ client_id: id, name, is_first_party: true, ...more });
const grant = (client_id: string, audience: string, scope: readonly string[]) => ({
  ...{ id: 'cgr_0000000000000001', client_id, audience, scope, subject_type: 'client' },
});
const api = (identifier: string) => ({ identifier, scopes: [{ value: 'a' }, { value: 'b' }] });

interface Case {
  readonly clients: readonly object[];
  readonly grants?: readonly object[];
  readonly files: Readonly<Record<string, readonly Written[]>>;
  readonly header?: TenantHeader;
}

/** Requests and findings of a plan. */
async function planned({ clients, grants = [], files, header = {} }: Case) {
  const seed = {
    clients: [testClient, ...clients],
    resource_servers: ['api', 'jobs/api'].map(api),
    client_grants: grants,
  };
  const undeclared = Object.fromEntries(Object.keys(files).map((kind) => [kind, 'ignore']));
  const plan = await planOnTenant({ kinds, seed, files, header: { undeclared, ...header } });
  return {
    requests: plan.actions.map(({ request: { method, path, body } }) =>
      [method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '),
    ),
    findings: plan.findings
      .filter(({ code }) => code !== 'LIVE_SECRET_NOT_COMPARED')
      .map(({ code, kind, key, message }) => `${code} ${kind}/${key}: ${message}`),
  };
}

describe('names with slashes', () => {
  const clients = [client('c1', 'Billing'), client('c2', 'Billing/jobs')];
  const grants = [grant('c2', 'api', ['a', 'b'])];
  const billing = { client: 'Billing', audience: 'jobs/api' };
  test.each<[string, Written, readonly string[]]>([
    [
      'a new grant takes none of another client',
      { ...billing, scope: ['a'] },
      ['POST /client-grants {"client_id":"c1","audience":"jobs/api","subject_type":"client","scope":["a"]}'],
    ],
    ['an absent grant is not that of another client', { ...billing, state: 'absent' }, []],
  ])('%s', async (_name, declared, requests) => {
    const files = { client_grants: [declared] };
    expect(await planned({ clients, grants, files })).toEqual({ requests, findings: [] });
  });
});

describe('a client that others registered has a name that the files mean otherwise', () => {
  const partner = client('tpc_1', 'Billing job', { is_first_party: false });
  const document = client('cimd1', 'Billing job', { is_first_party: false, external_metadata_type: 'cimd' });
  const own = client('zz1', 'Billing job');
  const billing = { name: 'Billing job' };
  const job = { client: 'Billing job', audience: 'api', scope: ['a'] };
  const toGrant = (id: string) =>
    `POST /client-grants {"client_id":"${id}","audience":"api","subject_type":"client","scope":["a"]}`;
  test.each<[string, Case, readonly string[], readonly string[]]>([
    [
      'the declared one is created, and gets the grant',
      { clients: [partner, document], files: { clients: [billing], client_grants: [job] } },
      ['POST /clients {"name":"Billing job"}', toGrant('{result:clients/Billing job:client_id}')],
      [],
    ],
    [
      'the one that is there is changed, and gets the grant',
      {
        clients: [partner, document, own],
        files: { clients: [{ ...billing, description: 'x' }], client_grants: [job] },
      },
      [toGrant('zz1'), 'PATCH /clients/zz1 {"description":"x"}'],
      [],
    ],
    [
      'a name is no reference to it',
      { clients: [partner, document], files: { client_grants: [job] } },
      [],
      [
        'LIVE_NOT_FOUND client_grants/Billing job/api/client: no client on the tenant or in the files has the name "Billing job"; create it, or correct the name',
      ],
    ],
    [
      'an id is',
      { clients: [partner, document], files: { client_grants: [{ ...job, client: { id: 'tpc_1' } }] } },
      [toGrant('tpc_1')],
      [],
    ],
    [
      'a name is a reference to one that the files declare',
      {
        clients: [partner, document],
        files: { clients: [{ ...billing, is_first_party: false }], client_grants: [job] },
      },
      [toGrant('tpc_1')],
      [],
    ],
    [
      'absent, it is not deleted',
      { clients: [partner], files: { clients: [{ ...billing, state: 'absent' }] } },
      [],
      [],
    ],
    [
      'absent by its id, it is',
      { clients: [partner], files: { clients: [{ id: 'tpc_1', state: 'absent' }] } },
      ['DELETE /clients/tpc_1'],
      [],
    ],
    [
      'absent by its id, nothing can name it',
      {
        clients: [partner],
        files: {
          clients: [{ id: 'tpc_1', state: 'absent' }],
          client_grants: [{ ...job, client: { id: 'tpc_1' } }],
        },
      },
      [],
      [
        'LIVE_REFERENCED clients/id:tpc_1: not deleted, because the files have an item that names it: client_grants/id:tpc_1/api/client',
        'LIVE_REFERENCED client_grants/id:tpc_1/api/client: names the client "id:tpc_1", which the files delete; keep the client, or name another one',
      ],
    ],
  ])('%s', async (_name, on, requests, findings) => {
    expect(await planned(on)).toEqual({ requests, findings });
  });
});

describe('a name that several clients have', () => {
  const clients = [client('c1', 'Web'), client('c2', 'Web')];
  const several =
    'LIVE_AMBIGUOUS clients/Web: 2 live items have this name (c1, c2); name one of them by its id: { id: c1 }';
  test.each<[string, Case['files'], readonly string[], readonly string[]]>([
    ['is none that is absent', { clients: [{ name: 'Web', state: 'absent' }] }, [], [several]],
    ['is none that is changed', { clients: [{ name: 'Web', description: 'x' }] }, [], [several]],
    ['is none that is in sync', { clients: [{ name: 'Web' }] }, [], [several]],
    [
      'is that of one if the files have the id of the other',
      { clients: [{ name: 'Web', state: 'absent' }, { id: 'c1' }] },
      ['DELETE /clients/c2'],
      [],
    ],
  ])('%s', async (_name, files, requests, findings) => {
    expect(await planned({ clients, files })).toEqual({ requests, findings });
  });

  test('an id is none, whatever name another client has', async () => {
    const on = {
      clients: [client('c1', 'Web'), client('c2', 'id:c1')],
      files: { clients: [{ id: 'c1', state: 'absent' }] },
    };
    expect((await planned(on as Case)).requests).toEqual(['DELETE /clients/c1']);
  });
});

describe('a client by its id', () => {
  const clients = [client('c1', 'A'), client('c2', 'B')];
  const grantOf = (name: unknown) => ({ client: name, audience: 'api', scope: ['a'] });
  const toGrant = (id: string) =>
    `POST /client-grants {"client_id":"${id}","audience":"api","subject_type":"client","scope":["a"]}`;
  test.each<[string, Case['files'], readonly string[], readonly string[]]>([
    [
      'gets the name that the files have beside it, which then means it',
      {
        clients: [
          { id: 'c1', name: 'B' },
          { id: 'c2', name: 'A' },
        ],
        client_grants: [grantOf('A')],
      },
      [toGrant('c2'), 'PATCH /clients/c1 {"name":"B"}', 'PATCH /clients/c2 {"name":"A"}'],
      [],
    ],
    ['keeps its name', { clients: [{ id: 'c1', name: 'A' }], client_grants: [grantOf('A')] }, [toGrant('c1')], []],
    [
      'has its live name where the files have none',
      { clients: [{ id: 'c1' }], client_grants: [grantOf('A')] },
      [toGrant('c1')],
      [],
    ],
    [
      'is not created',
      { clients: [{ id: 'c3', name: 'C' }] },
      [],
      ['LIVE_NOT_FOUND clients/id:c3: no item on the tenant has this id; correct it, or delete it to create the item'],
    ],
    ['is gone if it is absent and not there', { clients: [{ id: 'c3', state: 'absent' }] }, [], []],
    [
      'stays if the files name it by its name',
      { clients: [{ id: 'c1', state: 'absent' }], client_grants: [grantOf('A')] },
      [],
      [
        'LIVE_REFERENCED clients/id:c1: not deleted, because the files have an item that names it: client_grants/A/api/client',
        'LIVE_REFERENCED client_grants/A/api/client: names the client "A", which the files delete; keep the client, or name another one',
      ],
    ],
  ])('%s', async (_name, files, requests, findings) => {
    expect(await planned({ clients, files })).toEqual({ requests, findings });
  });
});

describe('one item, declared twice, is an error at both places', () => {
  const [clients, grants] = [[client('c1', 'Web'), client('c2', 'Job')], [grant('c1', 'api', ['a'])]];
  const ofWeb = { client: 'Web', audience: 'api' };
  const ofC1 = { ...ofWeb, client: { id: 'c1' } };
  const both = (kind: string, noun: string, ...keys: readonly string[]) => {
    const places = keys.map((key, index) => `"${key}" at ${kind}.yaml:${index + 2}:1`).join(' and ');
    return keys.map(
      (key) => `LIVE_DECLARED_TWICE ${kind}/${key}: ${places} are the same ${noun}; merge them into one entry`,
    );
  };
  const twoClients = both('clients', 'client', 'Web', 'id:c1');
  test.each<[string, Case['files'], readonly string[]]>([
    ['a client', { clients: [{ name: 'Web' }, { id: 'c1' }] }, twoClients],
    ['absent by its id', { clients: [{ name: 'Web' }, { id: 'c1', state: 'absent' }] }, twoClients],
    [
      'unmanaged by its name',
      {
        clients: [
          { name: 'Web', state: 'unmanaged' },
          { id: 'c1', state: 'absent' },
        ],
      },
      twoClients,
    ],
    [
      'by the name that it had',
      { clients: [{ name: 'Shop', renamedFrom: 'Web' }, { id: 'c1' }] },
      both('clients', 'client', 'Shop', 'id:c1'),
    ],
    [
      'a grant',
      {
        client_grants: [
          { ...ofWeb, scope: ['a'] },
          { ...ofC1, scope: ['b'] },
        ],
      },
      both('client_grants', 'client grant', 'Web/api/client', 'id:c1/api/client'),
    ],
    [
      'a new one',
      {
        client_grants: [
          { ...ofWeb, client: 'Job', scope: ['a'] },
          { ...ofC1, client: { id: 'c2' }, state: 'absent' },
        ],
      },
      both('client_grants', 'client grant', 'Job/api/client', 'id:c2/api/client'),
    ],
  ])('%s', async (_name, files, findings) => {
    expect(await planned({ clients, grants, files })).toEqual({ requests: [], findings });
  });
});

test('pull leaves clients out whose name no file can have, and writes one by its id that is like an id', async () => {
  const tenant = await tenantWith({
    clients: [testClient, client('c1', ''), client('c2', 'a<b'), client('c3', 'id:c1')],
    resource_servers: [],
  } as never);
  const path = await folder({ 'a.yaml': 'clients: []\n' });
  const { code, stderr } = await runCommand(['pull', path, '--yes'], { env: tenant.env });
  const pulled = await readFile(join(path, 'a.yaml'), 'utf8');
  expect([code, pulled.match(/^ +(?:- )?(?:id|name): .*/gm)]).toEqual([
    0,
    ['  - id: c3', '    name: id:c1', '  - name: test-client'],
  ]);
  expect(stderr.match(/clients\/.* cannot be written/g)).toEqual([
    'clients/a<b cannot be written',
    'clients/id:c1 cannot be written',
  ]);
  expect((await runCommand(['drift', path], { env: tenant.env })).code).toBe(0);
});

test('pull adopts the names of clients by their ids', async () => {
  const tenant = await tenantWith({
    clients: [testClient, client('c1', 'A'), client('c2', 'B')],
    resource_servers: [api('api')],
    client_grants: [grant('c2', 'api', ['a'])],
  } as never);
  const clients = (one: string, two: string) =>
    `clients:\n  - { id: c1, name: "${one}" }\n  - { id: c2, name: "${two}" }\n`;
  const path = await folder({
    'clients.yaml': `tenant: { undeclared: { clients: ignore } }\n${clients('B', 'A')}`,
    'grants.yaml': 'client_grants:\n  - { client: "A", audience: api, scope: [a] }\n',
  });
  const { code } = await runCommand(['pull', path, '--yes'], { env: tenant.env });
  const textOf = (name: string) => readFile(join(path, name), 'utf8');
  expect([code, await textOf('clients.yaml')]).toEqual([0, expect.stringContaining(clients('A', 'B'))]);
  expect((await textOf('grants.yaml')).match(/client: \{ id: c2 \}|client: "A"/g)).toEqual(['client: { id: c2 }']);
  expect((await runCommand(['drift', path], { env: tenant.env })).code).toBe(0);
});

describe('an item is protected by each of its names', () => {
  const clients = [client('c1', 'Web')];
  const grants = [grant('c1', 'api', ['a'])];
  const kept = (kind: string, key: string) =>
    `LIVE_PROTECTED ${kind}/${key}: on the tenant but declared absent; kept because it is protected`;
  const byId = { id: 'c1', state: 'absent' } as const;
  const itsGrant = { client: { id: 'c1' }, audience: 'api', state: 'absent' } as const;
  const keptForGrant = (key: string, by: string) =>
    `LIVE_PROTECTED ${key}: declared absent; kept because client_grants/${by}/api/client, which the service deletes with it, is protected`;
  test.each<[string, NonNullable<TenantHeader['protect']>, Case['files'], string]>([
    ['a client by its name', { clients: ['Web'] }, { clients: [byId] }, kept('clients', 'id:c1')],
    ['by its id', { clients: ['c1'] }, { clients: [{ name: 'Web', state: 'absent' }] }, kept('clients', 'Web')],
    [
      'by the name that the files give it',
      { clients: ['id:c1'] },
      { clients: [{ name: 'Web', state: 'absent' }] },
      kept('clients', 'Web'),
    ],
    [
      'a grant by the name of its client',
      { client_grants: ['Web/*'] },
      { client_grants: [itsGrant] },
      kept('client_grants', 'id:c1/api/client'),
    ],
    [
      'by the id of its client',
      { client_grants: ['id:c1/api'] },
      { client_grants: [{ ...itsGrant, client: 'Web' }] },
      kept('client_grants', 'Web/api/client'),
    ],
    ['with its client', { client_grants: ['Web/*'] }, { clients: [byId] }, keptForGrant('clients/id:c1', 'id:c1')],
    [
      'with its client, by the id of that',
      { client_grants: ['id:c1/*'] },
      { clients: [{ name: 'Web', state: 'absent' }] },
      keptForGrant('clients/Web', 'Web'),
    ],
  ])('%s', async (_name, protect, files, finding) => {
    const { requests, findings } = await planned({ clients, grants, files, header: { protect } });
    expect({ requests, findings }).toEqual({ requests: [], findings: [finding] });
  });
});

test('two grants of clients by their ids are two, and selected by them', async () => {
  const tenant = await tenantWith({
    clients: [testClient, client('c1', 'Web'), client('c2', 'Web')],
    resource_servers: [api('api')],
  } as never);
  const path = await folder({
    'grants.yaml': JSON.stringify({
      client_grants: ['c1', 'c2'].map((id) => ({ client: { id }, audience: 'api', scope: ['a'] })),
    }),
  });
  const only = ['--only', 'client_grants/id:c2/api', '--format', 'json'];
  const { stdout } = await runCommand(['plan', path, ...only], { env: tenant.env });
  expect(JSON.parse(stdout).actions.map(({ id }: { readonly id: string }) => id)).toEqual([
    'client_grants/id:c2/api/client',
  ]);
});
