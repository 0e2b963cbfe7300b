// pull and apply are opposites, over generated tenants with roles and APIs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { type ApplyResult, apply, plan } from '../../src/sync/index.ts';
import { memorySource } from '../support/memory-source.ts';
import { openPulls, type PulledTenant, written } from '../support/pull-tenant.ts';
import { type StartedTenant, startTenant, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { propertyRuns } from '../support/thorough.ts';

const apis = ['https://orders.example/', 'https://billing.example/'] as const;
const scopeNames = ['read', 'write', 'delete', 'approve'] as const;

const scopes = fc.uniqueArray(
  fc.record({ value: fc.constantFrom(...scopeNames), description: fc.constantFrom('', 'One', 'Two') }),
  { selector: ({ value }) => value, minLength: 1 },
);
const state = fc
  .record({
    scopes: fc.tuple(scopes, scopes),
    roles: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('Support', 'Auditor', 'Billing', 'Admin'),
        description: fc.constantFrom('', 'Handles refunds', 'Reads'),
        wanted: fc.subarray(apis.flatMap((api) => scopeNames.map((name) => [api, name] as const))),
      }),
      { selector: ({ name }) => name },
    ),
    limits: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 }), { noNullPrototype: true }),
    text: fc.constantFrom('', '<p>one</p>\n', 'two'),
  })
  .map((parts) => ({
    ...parts,
    roles: parts.roles.map(({ wanted, ...role }) => ({
      ...role,
      // A role has only permissions that its API defines.
      pairs: wanted.filter(([api, name]) => parts.scopes[apis.indexOf(api)]?.some(({ value }) => value === name)),
    })),
  }));
type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;

function seedOf({ scopes: ofApis, roles, limits, text }: State): Seed {
  return {
    clients: [testClient],
    resource_servers: apis.map((identifier, index) => ({ identifier, scopes: ofApis[index] ?? [] })),
    roles: roles.map(({ name, description, pairs }, index) => ({
      id: `rol_${index}${name}`,
      name,
      ...(description !== '' && { description }),
      permissions: pairs.map(([api, permission]) => ({
        resource_server_identifier: api,
        permission_name: permission,
      })),
    })),
    rate_limit_policies: Object.entries(limits).map(([name, limit]) => ({
      id: `rlp_${name}`,
      resource: 'oauth_authentication_api' as const,
      consumer: 'client' as const,
      consumer_selector: `client_id:${name}`,
      configuration: { action: 'block' as const, limit },
    })),
    ...(text !== '' && { prompts: { login: { partials: { login: { 'form-content-start': text } } } } }),
  };
}

async function arrange({ tenant }: StartedTenant, parts: State): Promise<void> {
  await tenant.change((seed) => {
    for (const section of Object.keys(seed)) delete (seed as Record<string, unknown>)[section];
    Object.assign(seed, seedOf(parts));
  });
}

/** Applies the files, whatever the guards refuse. */
async function applied(tenant: StartedTenant, files: Readonly<Record<string, string>>): Promise<ApplyResult> {
  const access = { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() } };
  const options = { files: memorySource(files), tenant: access };
  const planned = await plan(options);
  const code = 'plan' in planned ? planned.plan.refusals[0]?.approve : undefined;
  return apply({
    ...options,
    ...(code !== undefined && { approve: code }),
    confirm: 'skip',
    secret: () => undefined,
    stateFolder: await folder({}),
  });
}

const writes = ({ tenant }: StartedTenant) =>
  tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token').length;

async function withTenant(use: (tenant: StartedTenant, pulls: PulledTenant) => Promise<void>): Promise<void> {
  const tenant = await startTenant();
  try {
    await use(tenant, await openPulls(tenant));
  } finally {
    await tenant.close();
  }
}

test('pull then apply sends nothing, whatever changed on the tenant', { timeout: 240_000 }, () =>
  withTenant(async (tenant, pulls) => {
    await fc.assert(
      fc.asyncProperty(state, state, async (before, after) => {
        await arrange(tenant, before);
        const files = await pulls.pullInto({});
        await arrange(tenant, after);
        // Kinds that the files do not have are added, so that everything is compared.
        const pulled = await pulls.pullInto(files, {
          add: ['roles', 'resource_servers', 'prompts', 'rate_limit_policies'],
        });
        const sent = writes(tenant);
        const result = await applied(tenant, pulled);
        expect(result.status).toBe('applied');
        expect(writes(tenant)).toBe(sent);
        expect((await pulls.pull(pulled)).files).toEqual([]);
      }),
      propertyRuns(40, 10),
    );
  }),
);

test('apply then pull edits nothing but roles that apply neither creates nor deletes', { timeout: 240_000 }, () =>
  withTenant(async (tenant, pulls) => {
    await fc.assert(
      fc.asyncProperty(state, state, async (wanted, found) => {
        await arrange(tenant, wanted);
        const files = await pulls.pullInto({});
        await arrange(tenant, found);
        const result = await applied(tenant, files);
        expect(result.status).toBe('applied');
        const pulled = await pulls.pull(files);
        expect(pulled.edits.filter(({ kind, change }) => kind !== 'roles' || change === 'edit')).toEqual([]);
        const isWanted = (key: string) => wanted.roles.some(({ name }) => name === key);
        for (const { change, key } of pulled.edits) expect(isWanted(key)).toBe(change === 'remove');
        expect(await pulls.driftOf(written(files, pulled))).toEqual([]);
      }),
      propertyRuns(40, 10),
    );
  }),
);
