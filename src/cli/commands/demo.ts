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
  /** Runs in a new folder instead of the example's. */
  readonly isNew?: boolean;
  readonly before?: (served: ServedTenant) => Promise<void>;
}

const steps: readonly Step[] = [
  { title: 'The files are valid', argv: ['validate'], exits: exitCode.done },
  { title: 'What apply would do; nothing is changed', argv: ['plan'], exits: exitCode.done },
  { title: 'Exactly that is performed', argv: ['apply', '--yes'], exits: exitCode.done },
  { title: 'The same plan again: every kind is in sync', argv: ['plan', '--exit-code'], exits: exitCode.done },
  {
    title: 'The tenant is changed by hand, and drift reports it',
    argv: ['drift'],
    exits: exitCode.difference,
    before: (served) => changeByHand(served, 'changed-by-hand.json'),
  },
  {
    title: 'A tenant that exists is pulled into an empty folder',
    argv: ['pull', '--yes'],
    exits: exitCode.done,
    isNew: true,
  },
  { title: 'Its files are in sync', argv: ['plan', '--exit-code'], exits: exitCode.done, isNew: true },
  {
    title: 'A change in the dashboard comes back into the files as a reviewable edit',
    argv: ['pull', '--yes'],
    exits: exitCode.done,
    isNew: true,
    before: (served) => changeByHand(served, 'changed-later.json'),
  },
];

/** A tour of real commands, on an embedded tenant that differs from the files in every kind. */
export async function command({ io, output, run }: CommandContext): Promise<number> {
  const seed = JSON.parse(await readFile(`${folder}/live.json`, 'utf8')) as Seed;
  const served = await serveTenant({ resources: tenantResources, seed, clock: io.clock });
  const temporary = await mkdtemp(join(tmpdir(), 'tenant-sync-demo-'));
  const stateFolder = join(temporary, 'state');
  const newFolder = join(temporary, 'tenant');
  try {
    const path = shownPath(io.cwd);
    output.result(`An embedded tenant listens on ${served.origin}; the files are in ${path}.`);
    for (const [index, step] of steps.entries()) {
      if (io.signal.aborted) return exitCode.failed;
      await step.before?.(served);
      const shown = step.isNew ? newFolder : path;
      heading(output, `${index + 1}. ${step.title}`, [io.program, step.argv[0], shown, ...step.argv.slice(1)]);
      const code = await run(
        ioFor(
          { ...io, env: { ...io.env, TENANT_SYNC_STATE_DIR: stateFolder } },
          { served, seed, step, files: step.isNew ? newFolder : folder },
        ),
      );
      output.result(`(exit code ${code})`);
      if (code !== step.exits) return exitCode.failed;
    }
    output.result(`\nEnd of the tour. To continue on your own, run:\n  ${io.program} serve --seed ${path}/live.json`);
    return exitCode.done;
  } finally {
    await served.close();
    await rm(temporary, { recursive: true });
  }
}

function heading(output: Output, title: string, command: readonly (string | undefined)[]): void {
  const { bold } = output.resultStyle;
  output.result(`\n${bold(`── ${title} ──`)}\n$ ${command.join(' ')}\n`);
}

/** The folder of the example as an argument for a shell: relative where that is shorter. */
function shownPath(cwd: string): string {
  const inside = relative(cwd, folder);
  const path = (inside.startsWith('..') ? folder : inside).replaceAll('\\', '/');
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `"${path}"`;
}

interface StepRun {
  readonly served: ServedTenant;
  readonly seed: Seed;
  readonly step: Step;
  /** The folder of the files. */
  readonly files: string;
}

function ioFor(io: Io, { served: { baseUrl }, seed: { clients = [] }, step: { argv }, files }: StepRun): Io {
  const [client] = clients;
  const credentials = {
    TENANT_SYNC_CLIENT_ID: client?.client_id,
    TENANT_SYNC_CLIENT_SECRET: client?.client_secret,
    TENANT_SYNC_TOKEN: undefined,
    TENANT_SYNC_AUTH_URL: undefined,
    TENANT_SYNC_AUDIENCE: undefined,
    // Secrets of the example's webhooks; nothing outside this process uses them.
    TENANT_VAR_CRM_PASSWORD: 'crm-local-only',
    TENANT_VAR_BILLING_PASSWORD: 'billing-local-only',
  };
  const [name = '', ...rest] = argv;
  return {
    ...io,
    argv: [name, files, ...rest, ...io.argv.filter((option) => option === noColour)],
    env: { ...io.env, ...credentials, TENANT_SYNC_BASE_URL: baseUrl },
    bar: async () => null,
  };
}

/** Items of each section: fields of the item with the same id, or else a new item. */
type Changes = Readonly<Record<string, readonly { readonly id: string }[]>>;

/** Manual changes in the dashboard. */
async function changeByHand({ tenant }: ServedTenant, file: string): Promise<void> {
  const changes = JSON.parse(await readFile(`${folder}/${file}`, 'utf8')) as Changes;
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
