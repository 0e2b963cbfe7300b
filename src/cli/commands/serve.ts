import { resolve } from 'node:path';
import { terminalText } from '../../report/harmless.ts';
import { tenantResources } from '../../resources/tenant-resources.ts';
import { type FaultRule, parseFault } from '../../tenant/faults/fault-rule.ts';
import { type ServedTenant, serveTenant } from '../../tenant/serve-tenant.ts';
import { TenantSetupError } from '../../tenant/setup-error.ts';
import { readSeed } from '../../tenant/state/seed.ts';
import type { CommandContext } from '../command.ts';
import { exitCode } from '../exit-codes.ts';
import { Fault, fault } from '../fault.ts';
import { parseRate } from '../parse-rate.ts';

/** The only client of a tenant without a seed. Its secret is public. */
const localClient = {
  client_id: 'local',
  client_secret: 'local-only',
  scopes: [...new Set(tenantResources.flatMap(({ routes }) => routes.map(({ operation }) => operation.scope)))],
};

/** Runs the embedded tenant until a signal. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const served = await open(context);
  try {
    output.result(`${served.baseUrl}\n`);
    output.talk(introduction(served, options.seed === undefined && options.state === undefined));
    await stopped(io.signal);
  } finally {
    await served.close();
  }
  return exitCode.done;
}

async function open({ arguments: options, io, output }: CommandContext): Promise<ServedTenant> {
  const rate = options.rate === undefined ? undefined : parseRate(options.rate);
  if (rate === null)
    throw fault(
      exitCode.invalid,
      'OPTION_INVALID',
      `--rate ${options.rate} is not a rate limit.`,
      'use REQUESTS/s,BURST, as in --rate 2/s,10',
    );
  if (!Number.isInteger(options.port) || options.port < 0 || options.port > 65_535)
    throw fault(
      exitCode.invalid,
      'OPTION_INVALID',
      `--port ${options.port} is not a port.`,
      'use 0 to 65535; 0 takes any free port',
    );
  try {
    return await serveTenant({
      resources: tenantResources,
      api: options.api,
      clock: io.clock,
      seed: options.seed === undefined ? { clients: [localClient] } : await readSeed(resolve(io.cwd, options.seed)),
      port: options.port,
      latencyMs: options.latency,
      faults: options.fault.map(faultRule),
      ...(rate && { rate }),
      ...(options.state !== undefined && { stateFile: resolve(io.cwd, options.state) }),
      onRequest: ({ method, path, query, status }) =>
        output.talk(terminalText(`${status ?? 'broken'} ${method} ${path}${query}`)),
    });
  } catch (error) {
    if (error instanceof TenantSetupError) throw new Fault(exitCode.invalid, error.diagnostics);
    throw error;
  }
}

function faultRule(text: string): FaultRule {
  const rule = parseFault(text);
  if (typeof rule === 'string')
    throw fault(
      exitCode.invalid,
      'OPTION_INVALID',
      `--fault ${text}: ${rule}.`,
      'use OPERATION:FAULT[:OPTION=VALUE…], as in --fault list_event_streams:status=503:times=2',
    );
  return rule;
}

function introduction({ baseUrl, origin }: ServedTenant, local: boolean): string {
  return [
    `The embedded tenant is listening on ${origin}.`,
    `  export TENANT_SYNC_BASE_URL=${baseUrl}`,
    local
      ? `  export TENANT_SYNC_CLIENT_ID=${localClient.client_id} TENANT_SYNC_CLIENT_SECRET=${localClient.client_secret}`
      : 'Its clients are those of the seed or state file.',
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
