import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServedTenant, serveTenant } from '../../embedded-tenant/serve-tenant.ts';
import { packageFile } from '../../files/package-file.ts';
import type { Seed } from '../../model/seed.generated.ts';
import { tenantResources } from '../../service/tenant-resources.ts';
import { shellWord } from '../../values/shell-word.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { noColour } from '../output.ts';

/** The example tenant that comes with the package. */
const folder = fileURLToPath(packageFile('examples/acme'));

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

/** A tour of real commands on an embedded tenant that differs from its files in every kind. */
export async function command(context: CommandContext): Promise<number> {
  const { io, output } = context;
  const state = await mkdtemp(join(tmpdir(), 'tenant-sync-demo-'));
  const seed = await readJson<Seed>('live.json');
  const served = await serveTenant({ resources: tenantResources, seed, clock: io.clock });
  const path = shownPath(io.cwd);
  output.result(`An embedded tenant listens on ${served.origin}; the files are in ${path}.`);
  try {
    const code = await tour(
      context,
      served,
      { ...environmentOf(io, served, seed), TENANT_SYNC_STATE_DIR: state },
      path,
    );
    if (code !== exitCode.done) return code;
    output.result('\nEnd of the tour. To continue on your own, run:');
    output.result(`  ${io.program} serve --seed ${path}/live.json`);
    return exitCode.done;
  } finally {
    await served.close();
    await rm(state, { recursive: true });
  }
}

/** Runs the steps up to one that does not exit as expected. `path` is the folder as people type it. */
async function tour(
  { io, output, run }: CommandContext,
  served: ServedTenant,
  env: Io['env'],
  path: string,
): Promise<number> {
  const options = io.argv.filter((option) => option === noColour);
  for (const [index, { title, argv, exits = exitCode.done, isChanged }] of steps.entries()) {
    if (io.signal.aborted) return exitCode.failed;
    const [name = '', ...rest] = argv;
    if (isChanged) await changeByHand(served);
    const command = [io.program, name, path, ...rest].join(' ');
    output.result(`\n${output.resultStyle.bold(`── ${index + 1}. ${title} ──`)}\n$ ${command}\n`);
    const code = await run({ ...io, argv: [name, folder, ...rest, ...options], env, bar: async () => null });
    output.result(`(exit code ${code})`);
    if (code !== exits) return exitCode.failed;
  }
  return exitCode.done;
}

/** The folder of the example as an argument for a shell: relative where that is shorter. */
function shownPath(cwd: string): string {
  const inside = relative(cwd, folder);
  return shellWord((inside.startsWith('..') ? folder : inside).replaceAll('\\', '/'));
}

/** Without the variables of a tenant of one's own. */
function environmentOf({ env }: Io, { baseUrl }: ServedTenant, { clients: [client] = [] }: Seed): Io['env'] {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TENANT_SYNC_'))),
    TENANT_SYNC_BASE_URL: baseUrl,
    TENANT_SYNC_CLIENT_ID: client?.client_id,
    TENANT_SYNC_CLIENT_SECRET: client?.client_secret,
    // Secrets of the example's webhooks; nothing outside this process uses them.
    TENANT_VAR_CRM_PASSWORD: 'crm-local-only',
    TENANT_VAR_BILLING_PASSWORD: 'billing-local-only',
  };
}

async function readJson<Value>(file: string): Promise<Value> {
  return JSON.parse(await readFile(join(folder, file), 'utf8')) as Value;
}

/** Items of each section: fields of the item with the same id, or else a new item. */
type Changes = Readonly<Record<string, readonly { readonly id: string }[]>>;

/** Manual changes in the dashboard. */
async function changeByHand(served: ServedTenant): Promise<void> {
  const changes = await readJson<Changes>('changed-by-hand.json');
  await served.tenant.change((seed) => {
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
