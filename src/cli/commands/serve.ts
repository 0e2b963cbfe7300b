import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type FaultRule, parseFault } from '../../embedded-tenant/faults/fault-rule.ts';
import { tenantResources } from '../../embedded-tenant/kinds/registry.generated.ts';
import { type ServedTenant, type SocketOptions, serveTenant } from '../../embedded-tenant/serve-tenant.ts';
import { readSeed } from '../../embedded-tenant/state/seed.ts';
import { type TenantOptions, TenantSetupError } from '../../embedded-tenant/tenant-options.ts';
import type { SeededClient } from '../../model/credentials.generated.ts';
import { terminalText } from '../../report/escape.ts';
import { quantity } from '../../report/wording.ts';
import { isRecord } from '../../values/is-record.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { exampleFault } from '../options.ts';
import { localClient, reportBeside } from '../output.ts';
import { openRehearsal, publicClient } from '../rehearsal.ts';

const usualPort = 4010;

/** Runs the embedded tenant, or one for each tenant of a project, until a signal. */
export async function command(context: CommandContext): Promise<number> {
  const { project, copy } = context.arguments;
  if ((project === undefined) !== (copy === undefined))
    throw invalidOption('--project and --copy need each other.', 'add --project FOLDER, or --copy with a new folder');
  try {
    const served = await (project && copy ? serveProject(context, project, copy) : serveOne(context));
    if (!context.io.signal.aborted) await once(context.io.signal, 'abort');
    await served.close();
  } catch (error) {
    if (error instanceof TenantSetupError) throw new CommandError(exitCode.invalid, error.diagnostics);
    throw error;
  }
  return exitCode.done;
}

async function serveOne(context: CommandContext): Promise<ServedTenant> {
  const { arguments: options, io, output } = context;
  const { port = usualPort, state } = options;
  const path = options.seed && resolve(io.cwd, options.seed);
  const seed = path === undefined ? { clients: [publicClient(localClient.id)] } : await readSeed(path);
  const stateFile = state === undefined ? {} : { stateFile: resolve(io.cwd, state) };
  const served = await serve(context, { seed, port, ...stateFile });
  output.result(`${served.baseUrl}\n`);
  if (served.tenant.warnings.length > 0) reportBeside(output, served.tenant.warnings);
  output.talk(introduction(served, path === undefined && state === undefined));
  return served;
}

/** Prints the variables of all tenants, as a shell reads them. */
async function serveProject(context: CommandContext, project: string, copy: string) {
  const { arguments: options, io, output } = context;
  const state = options.state && resolve(io.cwd, options.state);
  if (state) await mkdir(state, { recursive: true });
  const seedPath = options.seed && resolve(io.cwd, options.seed);
  const rehearsal = await openRehearsal(
    io,
    { project, copy, port: options.port ?? usualPort },
    async ({ name, client, ...own }) => {
      const stateFile = state && { stateFile: join(state, `${name}.json`) };
      return serve(context, { ...own, ...stateFile, seed: await seedOf(seedPath, name, client) }, `${name}: `);
    },
  );
  const lines = Object.entries(rehearsal.variables).map(([name, value]) => `export ${name}=${value}\n`);
  output.result(lines.join(''));
  output.talk(
    `${quantity(rehearsal.served.size, 'embedded tenant')} of ${copy} listen on loopback, with the variables that are printed on stdout.\nStop them with Ctrl-C.\n`,
  );
  return rehearsal;
}

/** From a file for all tenants, or from the one of this tenant in a folder. */
async function seedOf(path: string | undefined, name: string, client: SeededClient): Promise<unknown> {
  const isFolder = path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, `${name}.json`) : path;
  const seed = file === undefined || (isFolder && !existsSync(file)) ? {} : await readSeed(file);
  return isRecord(seed) ? { ...seed, clients: [client, ...[seed['clients'] ?? []].flat()] } : seed;
}

type Own = Pick<TenantOptions & SocketOptions, 'seed' | 'port' | 'keys' | 'stateFile'>;

async function serve({ arguments: options, io, output }: CommandContext, own: Own, start = ''): Promise<ServedTenant> {
  const { rate } = options;
  return serveTenant({
    resources: tenantResources,
    api: options.api,
    clock: io.clock,
    latencyMs: options.latency,
    faults: options.fault.map(faultRule),
    ...(rate && { rate }),
    ...own,
    onRequest: ({ method, path, query, status }) =>
      output.talk(terminalText(`${start}${status ?? 'broken'} ${method} ${path}${query}`)),
  });
}

function faultRule(text: string): FaultRule {
  const rule = parseFault(text);
  if (typeof rule === 'string')
    throw invalidOption(`--fault ${text}: ${rule}.`, `write OPERATION:FAULT, as in ${exampleFault}`);
  return rule;
}

function introduction({ baseUrl, origin }: ServedTenant, local: boolean): string {
  const clients = local ? '' : ', and accepts the clients of the seed or state file, with their secrets';
  return [
    `The embedded tenant listens on ${origin}${clients}. In another terminal:`,
    '',
    `  export TENANT_SYNC_BASE_URL=${baseUrl}`,
    ...(local
      ? [`  export TENANT_SYNC_CLIENT_ID=${localClient.id}`, `  export TENANT_SYNC_CLIENT_SECRET=${localClient.secret}`]
      : []),
    '',
    'Stop it with Ctrl-C.',
    '',
  ].join('\n');
}
