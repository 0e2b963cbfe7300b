// Saved plans whose structure was changed, with a digest and a checksum that fit: each is refused, or a part of it that
// the plan allows is performed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionId } from '../../src/model/action-identity.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { planChecksum, planDigest } from '../../src/plan/digest.ts';
import { countsOf } from '../../src/plan/summary.ts';
import { apply, folderSource, plan } from '../../src/sync/index.ts';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { startTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { propertyRuns } from '../support/thorough.ts';

const orders = 'https://orders.example/';
const scopes = (...values: readonly string[]) => values.map((value) => ({ value, description: value }));
const seed = {
  rate_limit_policies: [livePolicy('default', 50), livePolicy('client_id:one'), livePolicy('client_id:stale')],
  resource_servers: [{ id: '5f0000000000000000000001', identifier: orders, scopes: scopes('read', 'refund') }],
  roles: [
    {
      id: 'rol_1',
      name: 'Support',
      permissions: [{ resource_server_identifier: orders, permission_name: 'refund' }],
    },
  ],
};
const files = {
  'policies.yaml': policiesYaml('default', 'client_id:one', 'client_id:new'),
  'apis.yaml': `resource_servers:\n  - identifier: ${orders}\n    scopes: [{ value: read, description: read }, { value: export, description: export }]\n`,
  'roles.yaml': `roles:\n  - { name: Support, permissions: { "${orders}": [export] } }\n  - { name: New, permissions: { "${orders}": [read, export] } }\n`,
};

/** What identifies a request that was sent; ids of what an earlier one created are left out. */
const requestKey = (operation: string, path: string, body: unknown) =>
  JSON.stringify([operation, path.replace(/\/roles\/[^/]+/, '/roles/*'), body ?? null]);
const keyOf = ({ request: { operation, path, body } }: Action) => requestKey(operation, path, body);

/** One change of the structure; `at` and `other` choose actions. */
type Change = (plan: Plan, at: number, other: number) => void;
const changes: Readonly<Record<string, Change>> = {
  'two actions change places': ({ actions }, at, other) => {
    const [one, two] = [actions[at], actions[other]];
    if (one !== undefined && two !== undefined) [actions[at], actions[other]] = [two, one];
  },
  'an action is there twice': ({ actions }, at, other) => {
    const copy = actions[at];
    if (copy !== undefined) actions.splice(other, 0, structuredClone(copy));
  },
  'an action is left out': ({ actions }, at) => void actions.splice(at, 1),
  'an action has the id of another': ({ actions }, at, other) => {
    const [one, two] = [actions[at], actions[other]];
    if (one !== undefined && two !== undefined) one.id = two.id;
  },
  'an action is another part': ({ actions }, at, other) => {
    const one = actions[at];
    if (one !== undefined) Object.assign(one, { part: `p${other}` }, { id: actionId({ ...one, part: `p${other}` }) });
  },
  'an action needs another': ({ actions }, at, other) => void actions[at]?.needs.push(actions[other]?.id ?? 'none'),
  'an action needs nothing': ({ actions }, at) => void actions[at]?.needs.splice(0),
  'an action has another name': ({ actions }, at, other) => {
    const one = actions[at];
    const name = (['create', 'update', 'delete', 'add', 'remove', 'put'] as const)[other % 6];
    if (one !== undefined && name !== undefined) one.action = name;
  },
  'an action has the request of another': ({ actions }, at, other) => {
    const [one, two] = [actions[at], actions[other]];
    if (one !== undefined && two !== undefined) one.request = structuredClone(two.request);
  },
  'an action has no precondition': ({ actions }, at) => {
    const one = actions[at];
    if (one !== undefined) one.precondition = null;
  },
  'the summary counts another action': ({ summary }, at) => {
    summary.delete += at;
  },
};

function reseal(changed: Plan, counts: boolean): Plan {
  if (counts) Object.assign(changed.summary, countsOf(changed));
  changed.digest = planDigest(changed);
  changed.checksum = planChecksum(changed);
  return changed;
}

test('a plan whose structure was changed is refused, or what is sent is a part of the plan in its order', async () => {
  const change = fc.record({ name: fc.constantFrom(...Object.keys(changes)), at: fc.nat(8), other: fc.nat(8) });
  const configuration = folderSource(await folder(files));
  const stateFolder = await folder({});
  const seen = { refused: 0, performed: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), fc.boolean(), async (made, counts) => {
      const tenant = await startTenant(structuredClone(seed));
      try {
        const access = { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() } };
        const planned = await plan({ files: configuration, tenant: access });
        if (planned.status !== 'planned') throw new Error(JSON.stringify(planned));
        const original = planned.plan;
        const saved = structuredClone({ ...original });
        for (const { name, at, other } of made) changes[name]?.(saved, at, other);
        reseal(saved, counts);
        const result = await apply({ files: configuration, tenant: access, saved, confirm: 'skip', stateFolder });

        const sent = tenant.tenant.requests
          .filter(({ method, operation }) => method !== 'GET' && operation !== 'token')
          .map(({ operation, path, body }) => requestKey(String(operation), path.replace('/api/v2', ''), body));
        if (result.status !== 'applied') {
          expect([result.status, sent]).toEqual([expect.stringMatching(/^(?:invalid|refused)$/), []]);
          seen.refused += 1;
          return;
        }
        seen.performed += 1;
        expect(result.bug).toBeNull();
        expect(result.outcomes.outcomes.map(({ id }) => id)).toEqual(saved.actions.map(({ id }) => id));
        expect(new Set(sent).size).toBe(sent.length);
        const known = new Map(original.actions.map((action) => [keyOf(action), action]));
        const open = new Set(saved.actions.map(keyOf));
        for (const key of sent) {
          const needs = known.get(key)?.needs.map((id) => original.actions.find((action) => action.id === id));
          expect(needs).toBeDefined();
          for (const needed of needs ?? []) expect(open).not.toContain(needed && keyOf(needed));
          open.delete(key);
        }
      } finally {
        await tenant.close();
      }
    }),
    propertyRuns(300, 50),
  );
  expect(seen.refused).toBeGreaterThan(5);
  expect(seen.performed).toBeGreaterThan(5);
});
