import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServedTenant, serveTenant } from '../../embedded-tenant/serve-tenant.ts';
import { packageFile } from '../../files/package-file.ts';
import type { Seed } from '../../model/seed.generated.ts';
import { tenantResources } from '../../service/tenant-resources.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { noColour, type Output } from '../output.ts';

/** The example tenant that comes with the package. */
const folder = fileURLToPath(packageFile('examples/acme'));

interface Step {
  readonly title: string;
  readonly argv: readonly string[];
  readonly exits: number;
  readonly before?: (served: ServedTenant) => Promise<void>;
}

const steps: readonly Step[] = [
  { title: 'The files are valid', argv: ['validate'], exits: exitCode.done },
  { title: 'What apply would do; nothing is changed', argv: ['plan'], exits: exitCode.done },
  { title: 'Apply sends exactly this plan', argv: ['apply', '--yes'], exits: exitCode.done },
  { title: 'Plan again: everything is in sync', argv: ['plan', '--exit-code'], exits: exitCode.done },
  {
    title: 'The tenant is changed by hand, and drift reports it',
    argv: ['drift'],
    exits: exitCode.difference,
    before: changeByHand,
  },
];

/** A tour of real commands, on an embedded tenant that differs from the files in every kind. */
export async function command({ io, output, run }: CommandContext): Promise<number> {
  const seed = JSON.parse(await readFile(`${folder}/live.json`, 'utf8')) as Seed;
  const served = await serveTenant({ resources: tenantResources, seed, clock: io.clock });
  const stateFolder = await mkdtemp(join(tmpdir(), 'tenant-sync-demo-'));
  const env = { ...io.env, ...environmentOf(served, seed), TENANT_SYNC_STATE_DIR: stateFolder };
  const options = io.argv.filter((option) => option === noColour);
  try {
    const path = shownPath(io.cwd);
    output.result(`An embedded tenant listens on ${served.origin}; the files are in ${path}.`);
    for (const [index, { title, argv, exits, before }] of steps.entries()) {
      if (io.signal.aborted) return exitCode.failed;
      await before?.(served);
      const [name = '', ...rest] = argv;
      heading(output, `${index + 1}. ${title}`, [io.program, name, path, ...rest]);
      const code = await run({ ...io, argv: [name, folder, ...rest, ...options], env, bar: async () => null });
      output.result(`(exit code ${code})`);
      if (code !== exits) return exitCode.failed;
    }
    output.result(`\nEnd of the tour. To continue on your own, run:\n  ${io.program} serve --seed ${path}/live.json`);
    return exitCode.done;
  } finally {
    await served.close();
    await rm(stateFolder, { recursive: true });
  }
}

function heading(output: Output, title: string, command: readonly string[]): void {
  const { bold } = output.resultStyle;
  output.result(`\n${bold(`── ${title} ──`)}\n$ ${command.join(' ')}\n`);
}

/** The folder of the example as an argument for a shell: relative where that is shorter. */
function shownPath(cwd: string): string {
  const inside = relative(cwd, folder);
  const path = (inside.startsWith('..') ? folder : inside).replaceAll('\\', '/');
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `"${path}"`;
}

function environmentOf({ baseUrl }: ServedTenant, { clients: [client] = [] }: Seed): Io['env'] {
  return {
    TENANT_SYNC_BASE_URL: baseUrl,
    TENANT_SYNC_CLIENT_ID: client?.client_id,
    TENANT_SYNC_CLIENT_SECRET: client?.client_secret,
    TENANT_SYNC_PRIVATE_KEY: undefined,
    TENANT_SYNC_PRIVATE_KEY_FILE: undefined,
    TENANT_SYNC_TOKEN: undefined,
    TENANT_SYNC_AUTH_URL: undefined,
    TENANT_SYNC_AUDIENCE: undefined,
    // Secrets of the example's webhooks; nothing outside this process uses them.
    TENANT_VAR_CRM_PASSWORD: 'crm-local-only',
    TENANT_VAR_BILLING_PASSWORD: 'billing-local-only',
  };
}

/** Items of each section: fields of the item with the same id, or else a new item. */
type Changes = Readonly<Record<string, readonly { readonly id: string }[]>>;

/** Manual changes in the dashboard. */
async function changeByHand({ tenant }: ServedTenant): Promise<void> {
  const changes = JSON.parse(await readFile(`${folder}/changed-by-hand.json`, 'utf8')) as Changes;
  await tenant.change((seed) => {
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
