import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tenantResources } from '../../embedded-tenant/kinds/registry.generated.ts';
import { type ServedTenant, serveTenant } from '../../embedded-tenant/serve-tenant.ts';
import { packageFile } from '../../files/package-file.ts';
import type { Seed } from '../../model/seed.generated.ts';
import { shellWord } from '../../values/shell-word.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { noColour } from '../output.ts';
import { openRehearsal } from '../rehearsal.ts';

/** The example tenant and the example project that come with the package. */
const folder = fileURLToPath(packageFile('examples/acme'));
const fleet = fileURLToPath(packageFile('examples/fleet'));

interface Step {
  readonly title: string;
  readonly argv: readonly string[];
  readonly exits?: number;
  /** The tenant is changed by hand first. */
  readonly isChanged?: true;
}

const steps: readonly Step[] = [
  { title: 'The files are valid', argv: ['validate'] },
  { title: 'What apply would do; nothing is changed', argv: ['plan'] },
  { title: 'Apply sends exactly this plan', argv: ['apply', '--yes'] },
  { title: 'Plan again: everything is in sync', argv: ['plan', '--exit-code'] },
  {
    title: 'A tenant is changed by hand, and drift reports it',
    argv: ['drift'],
    exits: exitCode.difference,
    isChanged: true,
  },
];

const stepsOfFleet: readonly Step[] = [
  ...steps.map((step) => ({ ...step, argv: [...step.argv, '--all'] })),
  { title: 'The change becomes a part of the files of this customer', argv: ['pull', '--tenant', 'globex', '--yes'] },
];

/** What the steps run on. */
interface Scene {
  readonly steps: readonly Step[];
  readonly env: Io['env'];
  readonly folder: string;
  /** The folder as people type it. */
  readonly path: string;
  /** The example with the changes by hand, and the tenant that they are made on. */
  readonly example: string;
  readonly changed: ServedTenant | undefined;
}

/** Two tours of real commands on embedded tenants: one that differs from its files in every kind, and a project. */
export async function command(context: CommandContext): Promise<number> {
  const { io, output } = context;
  const temporary = await mkdtemp(join(tmpdir(), 'tenant-sync-demo-'));
  // Without those of a tenant of one's own.
  const others = Object.entries(io.env).filter(([name]) => !name.startsWith('TENANT_SYNC_'));
  const env = { ...Object.fromEntries(others), TENANT_SYNC_STATE_DIR: temporary };
  const [one, several] = [folder, fleet].map((path) => shownPath(io.cwd, path));
  try {
    const code = (await tourOfOne(context, env)) || (await tourOfFleet(context, env, join(temporary, 'fleet')));
    if (code !== exitCode.done) return code;
    output.result('\nEnd of the tour. To continue on your own, run one of these:');
    output.result(`  ${io.program} serve --seed ${one}/live.json`);
    output.result(`  ${io.program} serve --project ${several} --copy fleet --seed ${several}/live.json`);
    return exitCode.done;
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function tourOfOne(context: CommandContext, env: Io['env']): Promise<number> {
  const { io, output } = context;
  const seed = await readJson<Seed>(`${folder}/live.json`);
  const served = await serveTenant({ resources: tenantResources, seed, clock: io.clock });
  const path = shownPath(io.cwd, folder);
  output.result(`An embedded tenant listens on ${served.origin}; the files are in ${path}.`);
  const scene = { steps, env: { ...env, ...environmentOf(served, seed) }, folder, path };
  return tour(context, { ...scene, example: folder, changed: served }).finally(served.close);
}

async function tourOfFleet(context: CommandContext, env: Io['env'], copy: string): Promise<number> {
  const { io, output } = context;
  const seed = await readJson<Seed>(`${fleet}/live.json`);
  const { served, variables, close } = await openRehearsal(
    io,
    { project: fleet, copy, port: 0 },
    ({ client, ...one }) =>
      serveTenant({ resources: tenantResources, seed: { ...seed, clients: [client] }, clock: io.clock, ...one }),
  );
  const path = shownPath(io.cwd, fleet);
  output.result(`\nSix tenants share files, a copy of ${path}. Apply goes wave by wave: dev and staging first.`);
  const scene = { steps: stepsOfFleet, env: { ...env, ...variables }, folder: copy, path: 'fleet' };
  return tour(context, { ...scene, example: fleet, changed: served.get('globex') }).finally(close);
}

/** Runs the steps up to one that does not exit as expected. */
async function tour({ io, output, run }: CommandContext, scene: Scene): Promise<number> {
  const { steps, env, folder, path, example, changed } = scene;
  const options = io.argv.filter((option) => option === noColour);
  for (const [index, { title, argv, exits = exitCode.done, isChanged }] of steps.entries()) {
    if (io.signal.aborted) return exitCode.failed;
    const [name = '', ...rest] = argv;
    if (isChanged) await changeByHand(changed, example);
    const command = [io.program, name, path, ...rest].join(' ');
    output.result(`\n${output.resultStyle.bold(`── ${index + 1}. ${title} ──`)}\n$ ${command}\n`);
    const code = await run({ ...io, argv: [name, folder, ...rest, ...options], env, bar: () => null });
    output.result(`(exit code ${code})`);
    if (code !== exits) return exitCode.failed;
  }
  return exitCode.done;
}

/** The folder of an example as an argument for a shell: relative where that is shorter. */
function shownPath(cwd: string, folder: string): string {
  const inside = relative(cwd, folder);
  return shellWord((inside.startsWith('..') ? folder : inside).replaceAll('\\', '/'));
}

function environmentOf({ baseUrl }: ServedTenant, { clients: [client] = [] }: Seed): Io['env'] {
  return {
    TENANT_SYNC_BASE_URL: baseUrl,
    TENANT_SYNC_CLIENT_ID: client?.client_id,
    TENANT_SYNC_CLIENT_SECRET: client?.client_secret,
    // Secrets of the example's webhooks; nothing outside this process uses them.
    TENANT_VAR_CRM_PASSWORD: 'crm-local-only',
    TENANT_VAR_BILLING_PASSWORD: 'billing-local-only',
  };
}

async function readJson<Value>(file: string): Promise<Value> {
  return JSON.parse(await readFile(file, 'utf8')) as Value;
}

/** Items of each section: fields of the item with the same id, or else a new item. */
type Changes = Readonly<Record<string, readonly { readonly id: string }[]>>;

/** Manual changes in the dashboard. */
async function changeByHand(served: ServedTenant | undefined, folder: string): Promise<void> {
  const changes = await readJson<Changes>(`${folder}/changed-by-hand.json`);
  await served?.tenant.change((seed) => {
    const state = seed as Record<string, { id: string }[] | undefined>;
    for (const [section, items] of Object.entries(changes)) {
      for (const item of items) {
        const live = state[section]?.find(({ id }) => id === item.id);
        if (live === undefined) state[section]?.push({ ...item });
        else Object.assign(live, item);
      }
    }
  });
}
