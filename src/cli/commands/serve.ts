import { resolve } from 'node:path';
import { type FaultRule, parseFault } from '../../embedded-tenant/faults/fault-rule.ts';
import { type ServedTenant, serveTenant } from '../../embedded-tenant/serve-tenant.ts';
import { readSeed } from '../../embedded-tenant/state/seed.ts';
import { TenantSetupError } from '../../embedded-tenant/tenant-options.ts';
import { terminalText } from '../../report/escape.ts';
import { tenantResources } from '../../service/tenant-resources.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { exampleFault } from '../options.ts';
import { localClient, reportBeside } from '../output.ts';

const operations = tenantResources.flatMap(({ routes }) => routes.map(({ operation }) => operation));

const seededClient = {
  client_id: localClient.id,
  client_secret: localClient.secret,
  scopes: [...new Set(operations.map(({ scope }) => scope))],
};

/** Runs the embedded tenant until a signal. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const served = await open(context);
  try {
    output.result(`${served.baseUrl}\n`);
    if (served.tenant.warnings.length > 0) reportBeside(output, served.tenant.warnings);
    output.talk(introduction(served, options.seed === undefined && options.state === undefined));
    await stopped(io.signal);
  } finally {
    await served.close();
  }
  return exitCode.done;
}

async function open({ arguments: options, io, output }: CommandContext): Promise<ServedTenant> {
  const { rate } = options;
  try {
    return await serveTenant({
      resources: tenantResources,
      api: options.api,
      clock: io.clock,
      seed: options.seed === undefined ? { clients: [seededClient] } : await readSeed(resolve(io.cwd, options.seed)),
      port: options.port,
      latencyMs: options.latency,
      faults: options.fault.map(faultRule),
      ...(rate && { rate }),
      ...(options.state !== undefined && { stateFile: resolve(io.cwd, options.state) }),
      onRequest: ({ method, path, query, status }) =>
        output.talk(terminalText(`${status ?? 'broken'} ${method} ${path}${query}`)),
    });
  } catch (error) {
    if (error instanceof TenantSetupError) throw new CommandError(exitCode.invalid, error.diagnostics);
    throw error;
  }
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

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
