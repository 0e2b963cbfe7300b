// Laws of pull into a layer, over generated layers and tenants: only that layer changes, what differs afterwards was
// reported, and a second pull changes nothing.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layeredSource } from '../../src/config/files/layered-source.ts';
import { type FileSource, filesAt } from '../../src/model/file-source.ts';
import { isDifference } from '../../src/model/findings.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { drift, pull } from '../../src/sync/index.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { memorySource } from '../support/memory-source.ts';
import { startTenant, testClient } from '../support/start-tenant.ts';
import { propertyRuns } from '../support/thorough.ts';

const optional = { requiredKeys: [] };
const points = ['form-content-start', 'form-content-end', 'form-footer-end'] as const;
const layer = fc.record({
  roles: fc.dictionary(
    fc.constantFrom('Support', 'Billing', 'Admin'),
    fc
      .record(
        {
          description: fc.constantFrom('x', 'y'),
          permissions: fc.constant([]),
          absent: fc.constant(true),
          isRenamed: fc.constant(true),
        },
        optional,
      )
      .filter((one) => Object.keys(one).length > 0 && !(one.absent && one.isRenamed)),
  ),
  limits: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(2)),
  texts: fc.dictionary(fc.constantFrom(...points), fc.constantFrom('one', 'two', '{file}')),
});
type Layer = typeof layer extends fc.Arbitrary<infer Value> ? Value : never;
const live = fc.record({
  roles: fc.dictionary(
    fc.constantFrom('Support', 'Billing', 'Admin', 'New', 'OldSupport', 'OldBilling'),
    fc.constantFrom('x', 'y', 'z'),
  ),
  limits: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(2)),
  texts: fc.dictionary(fc.constantFrom(...points), fc.constantFrom('one', 'two', 'three\n')),
});

/** An earlier layer that gives up an item needs words to revive it, which is not what this is about. */
const isRevivable = (layers: readonly Layer[]) =>
  layers.every(({ roles }, index) =>
    Object.keys(roles).every((name) => layers.slice(0, index).every((earlier) => earlier.roles[name]?.absent !== true)),
  );

function filesOf({ roles, limits, texts }: Layer): Readonly<Record<string, string>> {
  const partials = Object.entries(texts).map(([point, text]) => [
    point,
    text === '{file}' ? { file: 't.liquid' } : text,
  ]);
  return {
    'roles.yaml': JSON.stringify({
      roles: Object.entries(roles).map(([name, { isRenamed, ...one }]) => ({
        name,
        ...(isRenamed && { renamed_from: `Old${name}` }),
        ...one,
      })),
    }),
    'policies.yaml': JSON.stringify({
      rate_limit_policies: Object.entries(limits).map(([name, limit]) => ({
        consumer_selector: `client_id:${name}`,
        configuration: { action: 'block', limit },
      })),
    }),
    'prompts.yaml': JSON.stringify({ prompts: { login: { partials: { login: Object.fromEntries(partials) } } } }),
    't.liquid': 'two\n',
  };
}

function seedOf({ roles, limits, texts }: typeof live extends fc.Arbitrary<infer Value> ? Value : never): Seed {
  return {
    clients: [testClient],
    resource_servers: [],
    roles: Object.entries(roles).map(([name, description]) => ({
      id: `rol_${name}`,
      name,
      description,
      permissions: [],
    })),
    rate_limit_policies: Object.entries(limits).map(([name, limit]) => ({
      ...buildLivePolicy({ consumer_selector: `client_id:${name}`, configuration: { action: 'block', limit } }),
      id: `rlp_${name}`,
    })),
    ...(Object.keys(texts).length > 0 && { prompts: { login: { partials: { login: texts } } } }),
  };
}

type Files = Readonly<Record<string, string>>;

/** The layers, with the place of new files in one of them. */
function sourceOf(files: Files, count: number, edited: number): FileSource {
  const layers = Array.from({ length: count }, (_empty, index) => {
    const at = `env/${index}/`;
    const own = Object.entries(files).filter(([file]) => file.startsWith(at));
    return filesAt(at, memorySource(Object.fromEntries(own.map(([file, text]) => [file.slice(at.length), text]))));
  });
  return { ...layeredSource(layers), at: `env/${edited}/` };
}

test('pull into a layer', { timeout: 240_000 }, async () => {
  const tenant = await startTenant();
  try {
    const access = { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() } };
    const layers = fc.array(layer, { minLength: 1, maxLength: 3 }).filter(isRevivable);
    await fc.assert(
      fc.asyncProperty(layers, fc.nat(2), live, async (declared, any, now) => {
        await tenant.tenant.change((seed) => {
          for (const section of Object.keys(seed)) delete (seed as Record<string, unknown>)[section];
          Object.assign(seed, seedOf(now));
        });
        const edited = any % declared.length;
        const before: Files = Object.fromEntries(
          declared.flatMap((one, index) =>
            Object.entries(filesOf(one)).map(([file, text]) => [`env/${index}/${file}`, text] as const),
          ),
        );
        const pulled = async (files: Files) => {
          const result = await pull({ files: sourceOf(files, declared.length, edited), tenant: access });
          expect(result).toMatchObject({ status: 'pulled' });
          return result.status === 'pulled' ? result : null;
        };
        const first = await pulled(before);
        const changed = first?.files ?? [];
        expect(changed.filter(({ file }) => !file.startsWith(`env/${edited}/`))).toEqual([]);
        const after = { ...before, ...Object.fromEntries(changed.map((one) => [one.file, one.after])) };
        expect((await pulled(after))?.files).toEqual([]);
        const compared = await drift({ files: sourceOf(after, declared.length, edited), tenant: access });
        const { actions = [], findings = [] } = 'plan' in compared ? compared.plan : {};
        const reported = (first?.warnings ?? []).map(({ message }) => message).join('\n');
        const open = [...actions, ...findings.filter(isDifference)].map(({ kind, key }) => `${kind}/${key}`);
        for (const item of open) expect(reported).toContain(item);
        if (edited === declared.length - 1)
          expect(
            open.filter(
              (item) =>
                !reported.includes(`of ${item} is declared in an earlier`) &&
                !['absent', 'its rename is in conflict'].some((reason) => reported.includes(reason)),
            ),
          ).toEqual([]);
      }),
      propertyRuns(300, 60),
    );
  } finally {
    await tenant.close();
  }
});
