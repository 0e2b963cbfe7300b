import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Seed } from '../../model/seed.generated.ts';
import { tenantResources } from '../../resources/tenant-resources.ts';
import { type ServedTenant, serveTenant } from '../../tenant/serve-tenant.ts';
import type { CommandContext } from '../command.ts';
import { exampleFolder as folder } from '../example-folder.ts';
import { exitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { Output } from '../output.ts';

interface Step {
  readonly title: string;
  readonly argv: readonly string[];
  /** The exit code that the tour expects here. */
  readonly answers: number;
  readonly before?: (served: ServedTenant) => Promise<void>;
}

const steps: readonly Step[] = [
  { title: 'The files are sound', argv: ['validate'], answers: exitCode.done },
  { title: 'What apply would do; nothing is changed', argv: ['plan'], answers: exitCode.done },
  { title: 'Exactly that, performed', argv: ['apply', '--yes'], answers: exitCode.done },
  { title: 'The same plan again: every kind is in sync', argv: ['plan', '--exit-code'], answers: exitCode.done },
  {
    title: 'Somebody changes the tenant by hand; drift tells',
    argv: ['drift'],
    answers: exitCode.difference,
    before: changeByHand,
  },
];

/** A tour over real commands, on an embedded tenant in which something is wrong in every kind. */
export async function command({ io, output, run }: CommandContext): Promise<number> {
  const seed = JSON.parse(await readFile(`${folder}/live.json`, 'utf8')) as Seed;
  const served = await serveTenant({ resources: tenantResources, seed, clock: io.clock });
  // Nothing of a tour is worth keeping.
  const stateFolder = await mkdtemp(join(tmpdir(), 'tenant-sync-demo-'));
  try {
    output.result(`An embedded tenant listens on ${served.origin}; the files are in examples/acme.`);
    for (const [index, step] of steps.entries()) {
      if (io.signal.aborted) return exitCode.failed;
      await step.before?.(served);
      heading(output, `${index + 1}. ${step.title}`, step);
      const code = await run(
        ioFor({ ...io, env: { ...io.env, TENANT_SYNC_STATE_DIR: stateFolder } }, served, seed, step),
      );
      output.result(`(exit code ${code})`);
      if (code !== step.answers) return exitCode.failed;
    }
    output.result(
      '\nThat was all of it. Next: tenant-sync serve --seed examples/acme/live.json, and a folder of your own.',
    );
    return exitCode.done;
  } finally {
    await served.close();
    await rm(stateFolder, { recursive: true });
  }
}

function heading(output: Output, title: string, { argv }: Step): void {
  const { bold } = output.resultStyle;
  output.result(
    `\n${bold(`── ${title} ──`)}\n$ tenant-sync ${[argv[0], 'examples/acme', ...argv.slice(1)].join(' ')}\n`,
  );
}

function ioFor(io: Io, { baseUrl }: ServedTenant, { clients = [] }: Seed, { argv }: Step): Io {
  const [client] = clients;
  const credentials = {
    TENANT_SYNC_CLIENT_ID: client?.client_id,
    TENANT_SYNC_CLIENT_SECRET: client?.client_secret,
    TENANT_SYNC_TOKEN: undefined,
    TENANT_SYNC_AUTH_URL: undefined,
    TENANT_SYNC_AUDIENCE: undefined,
    // What the webhooks of the example ask for; made up, as everything here is.
    ACME_CRM_PASSWORD: 'crm-local-only',
    ACME_BILLING_PASSWORD: 'billing-local-only',
  };
  const [name = '', ...rest] = argv;
  return {
    ...io,
    argv: [name, folder, ...rest],
    env: { ...io.env, ...credentials, TENANT_SYNC_BASE_URL: baseUrl },
    bar: async () => null,
  };
}

/** What somebody in a hurry does in the dashboard: a policy too many, one too generous, and a stream switched to another address. */
async function changeByHand({ tenant }: ServedTenant): Promise<void> {
  await tenant.change(({ rate_limit_policies: policies = [], event_streams: streams = [] }) => {
    const [first] = policies;
    if (first !== undefined) {
      policies.push({
        ...first,
        id: 'rlp_cBKDZz9zs2UBUPt8u9zZz',
        consumer_selector: 'client_id:load-test',
        configuration: { action: 'allow' },
      });
      first.configuration = { action: 'log', limit: 10_000 };
    }
    const stream = streams.find(({ name }) => name === 'organizations-to-billing');
    if (stream?.destination?.configuration !== undefined)
      stream.destination.configuration.webhook_endpoint = 'https://elsewhere.example/hook';
  });
}
