// Laws of layers: a tenant of one layer is its folder; a tenant of several is the folder that its merged files would be,
// whether they are merged one after the other or at once, and so is its plan, whether it is planned alone, with others or in a
// shard.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layeredSource } from '../../src/config/files/layered-source.ts';
import { loadDesired } from '../../src/config/load-desired.ts';
import { type FileSource, filesAt } from '../../src/model/file-source.ts';
import { kinds } from '../support/all-kinds.ts';
import { memorySource } from '../support/memory-source.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';
import { propertyRuns } from '../support/thorough.ts';

type Fields = Readonly<Record<string, unknown>>;
/** What a layer declares: items by name, and texts by screen and insertion point. */
interface Layer {
  readonly tenant?: Fields;
  readonly roles?: Readonly<Record<string, Fields>>;
  readonly texts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const optional = { requiredKeys: [] };
const role = fc
  .record(
    {
      description: fc.constantFrom('x', 'y'),
      permissions: fc.dictionary(fc.constantFrom('https://a.example/', 'https://b.example/'), fc.constant(['read:a']), {
        maxKeys: 2,
      }),
      absent: fc.boolean(),
      unmanaged: fc.constant(false),
    },
    optional,
  )
  .filter(({ description, permissions, absent }) => absent || description !== undefined || permissions !== undefined);
const tenant = fc.record(
  {
    guards: fc.record({ max_delete_count: fc.nat(9), max_delete_percent: fc.nat(9) }, optional),
    protect: fc.record({ roles: fc.subarray(['r*', 's', 't']) }, optional),
    undeclared: fc.record({ rate_limit_policies: fc.constantFrom('delete', 'report', 'ignore') }, optional),
  },
  optional,
);
const layer: fc.Arbitrary<Layer> = fc.record(
  {
    tenant,
    roles: fc.dictionary(fc.constantFrom('Support', 'Billing', 'Admin'), role, { maxKeys: 3 }),
    texts: fc.dictionary(
      fc.constantFrom('login', 'login-password'),
      fc.dictionary(fc.constantFrom('form-content-start', 'form-content-end'), fc.constantFrom('a', 'b'), {
        minKeys: 1,
        maxKeys: 2,
      }),
      { minKeys: 1, maxKeys: 2 },
    ),
  },
  optional,
);

/** The files of a layer, in two files so that a section is in several. */
function filesOf({ tenant, roles, texts }: Layer): Readonly<Record<string, string>> {
  const items = Object.entries(roles ?? {}).map(([name, fields]) => ({ name, ...fields }));
  return {
    'a.yaml': JSON.stringify({ tenant: tenant ?? {}, roles: items.slice(0, 1) }),
    'b.yaml': JSON.stringify({
      roles: items.slice(1),
      ...(texts !== undefined && { prompts: { login: { partials: texts } } }),
    }),
  };
}

/** The same, by what the documentation says. */
function merged(layers: readonly Layer[]): Layer {
  return layers.reduce((earlier, later) => {
    const roles: Record<string, Fields> = { ...earlier.roles };
    for (const [name, fields] of Object.entries(later.roles ?? {})) roles[name] = { ...roles[name], ...fields };
    const texts: Record<string, Readonly<Record<string, string>>> = { ...earlier.texts };
    for (const [screen, points] of Object.entries(later.texts ?? {})) texts[screen] = { ...texts[screen], ...points };
    const [one, two] = [earlier.tenant ?? {}, later.tenant ?? {}] as Record<string, Record<string, never>>[];
    const both = (field: string) => ({ ...one?.[field], ...two?.[field] });
    const rules = { ...both('undeclared') } as Record<string, string>;
    if (one?.['undeclared']?.['rate_limit_policies'] && rules['rate_limit_policies'] === 'delete')
      rules['rate_limit_policies'] = one['undeclared']['rate_limit_policies'];
    const protect = [...new Set([one, two].flatMap((header) => header?.['protect']?.['roles'] ?? []))];
    return {
      tenant: {
        guards: both('guards'),
        undeclared: rules,
        ...(protect.length > 0 && { protect: { roles: protect } }),
      },
      roles,
      ...(earlier.texts || later.texts ? { texts } : {}),
    };
  });
}

/** A later layer that gives up an item must be revived in words, which the other tests are about. */
const isRevivable = (layers: readonly Layer[]) => {
  const absent = new Set<string>();
  return layers.every(({ roles = {} }) =>
    Object.entries(roles).every(([name, fields]) => {
      const isSaid = !absent.has(name) || 'absent' in fields;
      if (fields['absent'] === true) absent.add(name);
      if (fields['absent'] === false) absent.delete(name);
      return isSaid;
    }),
  );
};

async function desiredOf(source: FileSource) {
  const { desired, diagnostics } = await loadDesired(source, kinds);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { tenant = {}, sections = new Map() } = desired ?? {};
  const { guards = {}, protect = {}, undeclared = {} } = tenant;
  const items = [...sections].map(([kind, { items }]) => [
    kind,
    items
      .map(({ key, state, value }: { key: string; state: string; value: unknown }) => ({ key, state, value }))
      .sort((one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1)),
  ]);
  const kept = Object.fromEntries(Object.entries(protect).filter(([, patterns]) => patterns.length > 0));
  return { items, guards, protect: kept, undeclared };
}

const layersOf = (layers: readonly Layer[]) =>
  layeredSource(layers.map((one, index) => filesAt(`env/${index}/`, memorySource(filesOf(one)))));

test('layers are the folder that their merged files would be', () =>
  fc.assert(
    fc.asyncProperty(fc.array(layer, { minLength: 1, maxLength: 4 }).filter(isRevivable), async (layers) => {
      expect(await desiredOf(layersOf(layers))).toEqual(await desiredOf(memorySource(filesOf(merged(layers)))));
    }),
    propertyRuns(3000, 200),
  ));

test('the first layers merged, and then the last one, are all of them at once', () =>
  fc.assert(
    fc.asyncProperty(fc.array(layer, { minLength: 3, maxLength: 4 }).filter(isRevivable), async (layers) => {
      const last = layers.at(-1) as Layer;
      const stepwise = layersOf([merged(layers.slice(0, -1)), last]);
      expect(await desiredOf(layersOf(layers))).toEqual(await desiredOf(stepwise));
    }),
    propertyRuns(2000, 100),
  ));

test('a tenant of one layer is its folder', () =>
  fc.assert(
    fc.asyncProperty(layer, async (one) => {
      expect(await desiredOf(layersOf([one]))).toEqual(await desiredOf(memorySource(filesOf(one))));
    }),
    propertyRuns(1000, 50),
  ));

interface Planned {
  readonly digest: string;
  readonly actions: readonly unknown[];
}

test('several tenants are planned as the folders of their merged files are, one by one and in shards', async () => {
  const servers = ['https://a.example/', 'https://b.example/'].map((identifier, index) => ({
    id: `${index}`.repeat(24),
    identifier,
    name: identifier,
    scopes: [{ value: 'read:a' }],
  }));
  const live = await tenantWith({
    resource_servers: servers,
    roles: [
      { id: 'rol_1', name: 'Support', description: 'x', permissions: [] },
      {
        id: 'rol_2',
        name: 'Admin',
        description: 'z',
        permissions: [{ resource_server_identifier: 'https://a.example/', permission_name: 'read:a' }],
      },
    ],
    prompts: { login: { partials: { login: { 'form-content-start': 'b' } } } },
  });
  const some = fc.array(layer, { minLength: 1, maxLength: 3 }).filter(isRevivable);
  let actions = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(some, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (tenants, shards) => {
        const projectOf = (layersOf: (index: number) => readonly string[]) =>
          JSON.stringify({
            tenants: Object.fromEntries(tenants.map((_one, index) => [`t${index}`, { layers: layersOf(index) }])),
          });
        const cwd = await folder({
          'layered/tenant-sync.yaml': projectOf((index) =>
            [...(tenants[index] ?? []).keys()].map((level) => `t${index}/${level}`),
          ),
          'flat/tenant-sync.yaml': projectOf((index) => [`t${index}`]),
          ...Object.fromEntries(
            tenants.flatMap((layers, index) => [
              ...layers.flatMap((one, level) => within(`layered/t${index}/${level}`, one)),
              ...within(`flat/t${index}`, merged(layers)),
            ]),
          ),
        });
        const run = async (...argv: string[]) => {
          const { code, stdout } = await runCommand([...argv, '--format', 'json'], { cwd, env: live.env });
          codes.push(code);
          return JSON.parse(stdout);
        };
        const codes: number[] = [];
        const plan = (...argv: string[]) => run('plan', ...argv);
        const documents: readonly (Planned | { readonly diagnostics: unknown })[] = await plan('layered', '--all');
        const all = documents.filter((one) => 'digest' in one);
        const alone: Planned[] = [];
        for (const index of tenants.keys()) alone.push(await plan('flat', '--tenant', `t${index}`));
        expect(all.map(({ digest }) => digest)).toEqual(alone.map(({ digest }) => digest));
        for (let part = 1; part <= shards; part += 1)
          await plan('layered', '--shard', `${part}/${shards}`, '--results', `results/${part}`);
        expect((await run('show', 'results')).map(withoutTime)).toEqual(documents.map(withoutTime));
        expect(codes.at(-1)).toBe(codes[0]);
        actions += all.flatMap((one) => one.actions).length;
      },
    ),
    propertyRuns(300, 20),
  );
  expect(actions).toBeGreaterThan(20);
});

/** The checksum covers the time. */
function withoutTime(document: object): object {
  return { ...document, generated_at: '', checksum: '' };
}

function within(path: string, one: Layer): readonly (readonly [string, string])[] {
  return Object.entries(filesOf(one)).map(([file, text]) => [`${path}/${file}`, text]);
}
