// The laws of undeclared items over tenants with unnamed streams, roles of organizations, APIs of the service, APIs without
// scopes, ids that are too long, and names that no file can have.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { apply, plan } from '../../src/sync/index.ts';
import { matcherOfAny } from '../../src/values/selector.ts';
import { anyTenant } from '../support/any-tenant.ts';
import { memorySource } from '../support/memory-source.ts';
import { openPulls, type PulledTenant, written } from '../support/pull-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { type StartedTenant, startTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { propertyRuns } from '../support/thorough.ts';

/** Each case pulls and plans several times. */
const timeout = 240_000;

let tenant: StartedTenant;
let pulls: PulledTenant;
beforeAll(async () => {
  tenant = await startTenant();
  pulls = await openPulls(tenant);
});
afterAll(() => tenant.close());

async function arrange(seed: Seed): Promise<void> {
  await tenant.tenant.change((state) => {
    for (const section of Object.keys(state)) delete (state as Record<string, unknown>)[section];
    Object.assign(state, structuredClone(seed));
  });
}

type Files = Readonly<Record<string, string>>;

/** A section for each kind, whatever the tenant has. */
const everySection = 'rate_limit_policies: []\nroles: []\nresource_servers: []\nprompts: {}\nevent_streams: []\n';
const stays = ['report', 'ignore'];
const rule = fc.record(
  {
    rate_limit_policies: fc.constantFrom('delete', ...stays),
    roles: fc.constantFrom(...stays),
    resource_servers: fc.constantFrom(...stays),
    prompts: fc.constantFrom(...stays),
    event_streams: fc.constantFrom('delete', ...stays),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const patterns = fc.record(
  {
    rate_limit_policies: fc.subarray(['default', 'client_id:*']),
    roles: fc.subarray(['Support', 'A*', 'rol_xx1']),
    event_streams: fc.subarray(['Support', 'B*', 'est_*']),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const rules = fc.record({ undeclared: rule, protect: patterns }, { requiredKeys: [], noNullPrototype: true });
const header = (tenant: object) => `tenant: ${JSON.stringify(tenant)}\n`;

test('pull into an empty folder, then drift: nothing', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(anyTenant, async (seed) => {
      await arrange(seed);
      const files = written({}, await pulls.pull({}));
      expect(await pulls.driftOf(files)).toEqual([]);
    }),
    propertyRuns(40, 15),
  );
});

test('a pull of a part into an empty folder, then drift: nothing', { timeout }, async () => {
  const only = fc.subarray(['roles/Support', 'event_streams/Support', 'rate_limit_policies/*/default', 'roles/A*'], {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(anyTenant, only, async (seed, some) => {
      await arrange(seed);
      const files = written({}, await pulls.pull({}, { selection: { only: some } }));
      expect(await pulls.driftOf(files)).toEqual([]);
    }),
    propertyRuns(40, 15),
  );
});

test('what drift reports, pull writes, and pull --check exits as drift does', { timeout }, async () => {
  const exitOf = async (files: Files, ...argv: readonly string[]) =>
    (await runCommand(argv, { env: tenant.env, cwd: await folder(files) })).code;
  await fc.assert(
    fc.asyncProperty(anyTenant, anyTenant, rules, fc.boolean(), async (before, after, some, isNew) => {
      await arrange(before);
      const start = { 'tenant.yaml': header(some) };
      const files: Files = isNew
        ? { ...start, 'all.yaml': everySection }
        : written(start, await pulls.pull(start, { selection: { except: ['prompts/signup'] } }));
      await arrange(after);
      const found = await pulls.driftOf(files);
      // A folder without a section manages nothing yet: the first pull adds everything.
      const isEmpty = Object.keys(files).length === 1;
      const exits = [await exitOf(files, 'drift'), await exitOf(files, 'pull', '--check')];
      if (!isEmpty) expect(exits).toEqual(found.length > 0 ? [2, 2] : [0, 0]);
      const pulled = await pulls.pull(files);
      const now = written(files, pulled);
      // A declared item that no file can express any more stays as it is, with a warning.
      const kept = pulled.warnings.filter(({ code }) => code === 'PULL_KEPT').map(({ message }) => message);
      const isKept = (difference: string) =>
        kept.some((message) => message.startsWith(`${difference.slice(difference.indexOf(' ') + 1)} is kept`));
      expect((await pulls.driftOf(now)).filter((difference) => !isKept(difference))).toEqual([]);
      expect((await pulls.pull(now)).files).toEqual([]);
    }),
    propertyRuns(40, 15),
  );
});

test('no path has an id that is too long, and what has no name is left', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(anyTenant, rules, async (seed, some) => {
      await arrange(seed);
      const earlier = tenant.tenant.requests.length;
      const access = { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() } };
      const options = { files: memorySource({ 'a.yaml': header(some) + everySection }), tenant: access };
      const planned = await plan(options);
      const code = 'plan' in planned ? planned.plan.refusals[0]?.approve : undefined;
      const result = await apply({
        ...options,
        ...(code !== undefined && { approve: code }),
        confirm: 'skip',
        secret: () => undefined,
        stateFolder: await folder({}),
      });
      expect(result.status).toBe('applied');
      const paths = tenant.tenant.requests.slice(earlier).map(({ path }) => path.split('?')[0] ?? '');
      expect(paths.filter((path) => path.split('/').some((segment) => segment.length > 26))).toEqual([]);
      const left = tenant.tenant.snapshot().event_streams ?? [];
      const stay = [undefined, 'delete'].includes(some.undeclared?.event_streams) ? [] : (seed.event_streams ?? []);
      const isProtected = matcherOfAny(some.protect?.event_streams ?? []);
      const kept = (seed.event_streams ?? []).filter(
        (one) => !one.name || one.id.length > 26 || stay.includes(one) || isProtected(one.name),
      );
      expect(left.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).sort());
    }),
    propertyRuns(40, 15),
  );
});
