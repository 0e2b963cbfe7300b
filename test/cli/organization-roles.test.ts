// Roles of organizations beside roles of the tenant with the same names: they are not declared, so nothing is done to them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { compareText } from '../../src/values/text-order.ts';
import { type RecordedRequest, type ScriptedAnswer, startFaultServer } from '../support/fault-server.ts';
import { runCommand } from '../support/run-command.ts';
import { openTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';

type Role = NonNullable<Seed['roles']>[number];

const api = 'https://orders.example/';
const may = (...names: readonly string[]) =>
  names.map((permission_name) => ({ resource_server_identifier: api, permission_name }));
const ofTenant: readonly Role[] = [
  { id: 'rol_5', name: 'Help', description: 'Answers', permissions: may('read') },
  { id: 'rol_6', name: 'Auditor', description: 'Audits', permissions: may('read') },
  { id: 'rol_7', name: 'Old', permissions: may('read') },
];
/** Those of one organization come first in the list, those of another one last. */
const ofOrganizations = ['1', '9'].flatMap((place) =>
  ['Help', 'Support', 'Auditor', 'Old', 'Billing'].map(
    (name): Role => ({
      id: `rol_${place}_${name}`,
      name,
      description: `For organization ${place}`,
      type: 'organization',
      owner_id: `org_${place}`,
      permissions: may('write'),
    }),
  ),
);
const seed: Seed = {
  resource_servers: [{ identifier: api, scopes: ['read', 'write'].map((value) => ({ value })) }],
  roles: [...ofOrganizations, ...ofTenant],
};
const yaml = `
tenant: { api: full }
roles:
  - { name: Support, renamed_from: Help, description: Answers, permissions: { "${api}": [read, write] } }
  - { name: Auditor, description: Audits, permissions: { "${api}": [read, write] } }
  - { name: Old, absent: true }
  - { name: Billing, description: Bills, permissions: { "${api}": [read] } }
`;
const planned = ['add Auditor', 'add Billing', 'add Support', 'create Billing', 'delete Old', 'update Support'];

/** How services tell roles of organizations apart. The filter is a part of the query, and the type one of each role. */
const services = ['shows types and filters', 'shows no types', 'ignores the filter'] as const;

interface Commands {
  readonly cwd: string;
  run(...argv: readonly string[]): ReturnType<typeof runCommand>;
  rolesNow(): readonly Role[];
}

/** Commands on the embedded tenant, behind a server that makes it such a service. */
async function withService(
  service: (typeof services)[number],
  use: (commands: Commands) => Promise<void>,
  files: Readonly<Record<string, string>> = { 'tenant.yaml': yaml },
): Promise<void> {
  const tenant = await openTenant(seed);
  const token = await tenant.token();
  const untyped: string[] = [];
  const shownAt = (pathname: string) => (key: string, value: unknown) => {
    const isHidden = service === 'shows no types' && pathname.startsWith('/api/v2/roles');
    return isHidden && ['type', 'owner_id'].includes(key) ? undefined : value;
  };
  const server = await startFaultServer(async ({ method, path, body }: RecordedRequest): Promise<ScriptedAnswer> => {
    const url = new URL(path, tenant.origin);
    const isList = method === 'GET' && url.pathname === '/api/v2/roles';
    if (isList && url.searchParams.get('type') !== 'tenant') untyped.push(path);
    if (service === 'ignores the filter') url.searchParams.delete('type');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await tenant.fetch(new Request(url, { method, headers, ...(body !== '' && { body }) }));
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? text : JSON.stringify(JSON.parse(text), shownAt(url.pathname)),
    };
  });
  try {
    const cwd = await folder(files);
    const env = { TENANT_SYNC_BASE_URL: server.baseUrl, TENANT_SYNC_TOKEN: token };
    const rolesNow = () => tenant.snapshot()['roles'] as readonly Role[];
    await use({ run: (...argv) => runCommand(argv, { env, cwd }), cwd, rolesNow });
    expect(untyped).toEqual([]);
  } finally {
    await server.close();
  }
}

const inOrder = (roles: readonly Role[]) =>
  roles.toSorted((one, other) => compareText(one.name, other.name) || compareText(one.id, other.id));
const ofType = (wanted: Role['type'], roles: readonly Role[]) =>
  inOrder(roles.filter(({ type = 'tenant' }) => type === wanted));

async function planOf(run: Commands['run'], ...argv: readonly string[]) {
  const { stdout } = await run('plan', '--format', 'json', ...argv);
  const { actions, findings } = JSON.parse(stdout) as Plan;
  return { actions: actions.map(({ action, key }) => `${action} ${key}`).toSorted(), findings };
}

describe.each(services)('a service that %s', (service) => {
  test('is planned and changed without them', async () => {
    await withService(service, async ({ run, rolesNow }) => {
      expect(await planOf(run)).toEqual({ actions: planned, findings: [] });
      expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
      expect(ofType('organization', rolesNow())).toEqual(inOrder(ofOrganizations));
      expect(ofType('tenant', rolesNow())).toMatchObject([
        { id: 'rol_6', name: 'Auditor', permissions: may('read', 'write') },
        { name: 'Billing', permissions: may('read') },
        { id: 'rol_5', name: 'Support', permissions: may('read', 'write') },
      ]);
      expect(await run('drift')).toMatchObject({ code: 0 });
    });
  });

  test('is planned and changed without them, where one role is found by its name', async () => {
    await withService(service, async ({ run, rolesNow }) => {
      const only = ['--only', 'roles/Auditor'];
      expect(await planOf(run, ...only)).toEqual({ actions: ['add Auditor'], findings: [] });
      expect(await run('apply', '--yes', ...only)).toMatchObject({ code: 0 });
      expect(ofType('organization', rolesNow())).toEqual(inOrder(ofOrganizations));
      const [help, auditor, old] = ofTenant;
      expect(ofType('tenant', rolesNow())).toEqual([{ ...auditor, permissions: may('read', 'write') }, help, old]);
    });
  });

  test('is pulled without them', async () => {
    await withService(
      service,
      async ({ run, cwd }) => {
        expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
        const written = await readFile(join(cwd, 'roles.yaml'), 'utf8');
        expect(written.match(/(?<=name: )\w+$/gm)).toEqual(['Auditor', 'Help', 'Old']);
        expect(written).not.toContain('organization');
      },
      {},
    );
  });
});
