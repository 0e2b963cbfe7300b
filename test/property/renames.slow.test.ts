// The law of renames, over any tenant: one request for each, the item keeps its id and everything it has, and then
// nothing is left to do.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Seed } from '../../src/model/seed.generated.ts';
import { apply, plan } from '../../src/sync/index.ts';
import { anyTenant } from '../support/any-tenant.ts';
import { memorySource } from '../support/memory-source.ts';
import { openPulls, type PulledTenant, written } from '../support/pull-tenant.ts';
import { type StartedTenant, startTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { propertyRuns } from '../support/thorough.ts';

const timeout = 240_000;

let tenant: StartedTenant;
let pulls: PulledTenant;
beforeAll(async () => {
  tenant = await startTenant();
  pulls = await openPulls(tenant);
});
afterAll(() => tenant.close());

type Section = 'roles' | 'event_streams';
type Named = Readonly<Record<string, unknown>> & { readonly id?: string; readonly name?: string };
type Files = Readonly<Record<string, string>>;

const snapshot = () =>
  Object.fromEntries(
    Object.entries(structuredClone(tenant.tenant.snapshot())).map(([section, items]) => [
      section,
      Array.isArray(items) ? items.map(({ updated_at: _time, ...item }) => item) : items,
    ]),
  ) as Record<Section, readonly Named[]>;

const newName = (name: string) => `${name} of the team`;

/** The files with a new name for every item that `picks` picks, beside the old one. */
function renamed(files: Files, picks: (index: number, name: string) => boolean) {
  const names = new Map<Section, ReadonlyMap<string, string>>();
  const changed = Object.entries(files).map(([file, text]) => {
    if (!file.endsWith('.yaml')) return [file, text] as const;
    const content = parse(text) as Partial<Record<Section, readonly Named[]>>;
    for (const section of ['roles', 'event_streams'] as const) {
      const items = content[section];
      if (items === undefined) continue;
      const chosen = items.filter(({ name }, index) => name !== undefined && picks(index, name));
      names.set(section, new Map(chosen.map(({ name = '' }) => [name, newName(name)])));
      content[section] = items.map((item) =>
        chosen.includes(item) ? { ...item, name: newName(item.name ?? ''), renamed_from: item.name } : item,
      );
    }
    return [file, JSON.stringify(content)] as const;
  });
  return { files: Object.fromEntries(changed) as Files, names };
}

test('renamed items keep their ids and what they have, and then nothing is left to do', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(anyTenant, fc.integer({ min: 1, max: 255 }), async (seed: Seed, bits) => {
      await tenant.tenant.change((state) => {
        for (const section of Object.keys(state)) delete (state as Record<string, unknown>)[section];
        Object.assign(state, structuredClone(seed));
      });
      const pulled = written({}, await pulls.pull({}));
      const before = snapshot();
      // No request can be made for an id that is too long, and files write a dollar sign in another way.
      const fixed = new Set(before.event_streams.filter(({ id = '' }) => id.length > 26).map(({ name }) => name));
      const { files, names } = renamed(
        pulled,
        (index, name) => ((bits >> (index % 8)) & 1) === 1 && !fixed.has(name) && !name.includes('$'),
      );
      const access = { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() } };
      const options = { files: memorySource(files), tenant: access };
      const result = await apply({ ...options, confirm: 'skip', stateFolder: await folder({}) });
      const count = [...names.values()].reduce((sum, { size }) => sum + size, 0);
      if (count > 0) {
        expect(result).toMatchObject({ status: 'applied' });
        const made = 'outcomes' in result ? result.outcomes.plan : expect.fail('nothing was applied');
        expect(made.actions).toHaveLength(count);
        expect(made.actions.every(({ request }) => request.method === 'PATCH')).toBe(true);
      }
      const expected = structuredClone(before) as Record<Section, { name?: string }[]>;
      for (const [section, of] of names)
        for (const item of expected[section]) {
          const isOfTenant = (item as { type?: string }).type !== 'organization';
          const name = isOfTenant ? of.get(item.name ?? '') : undefined;
          if (name !== undefined) item.name = name;
        }
      expect(snapshot()).toEqual(expected);
      const after = await plan(options);
      expect(after).toMatchObject({ plan: { actions: [] } });
      const notes = 'plan' in after ? after.plan.findings.filter(({ code }) => code === 'LIVE_RENAMED') : [];
      expect(notes).toHaveLength(count);
      // What the tenant has now is what the files have: pull has nothing to write.
      expect((await pulls.pull(files)).files).toEqual([]);
    }),
    propertyRuns(60, 15),
  );
});
