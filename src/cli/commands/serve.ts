import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createTenantKeys } from '../../embedded-tenant/auth/authenticate.ts';
import { type FaultRule, parseFault } from '../../embedded-tenant/faults/fault-rule.ts';
import { type ServedTenant, type SocketOptions, serveTenant } from '../../embedded-tenant/serve-tenant.ts';
import { readSeed } from '../../embedded-tenant/state/seed.ts';
import { type TenantOptions, TenantSetupError } from '../../embedded-tenant/tenant-options.ts';
import type { SeededClient } from '../../model/clients.generated.ts';
import { isHiddenPath, projectFile } from '../../model/file-source.ts';
import type { ProjectTenant } from '../../project/read-project.ts';
import { jsonText, terminalText } from '../../report/escape.ts';
import { quantity } from '../../report/wording.ts';
import { tenantResources } from '../../service/tenant-resources.ts';
import { groupBy } from '../../values/group-by.ts';
import { isRecord } from '../../values/is-record.ts';
import { listOf } from '../../values/list-of.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { exampleFault } from '../options.ts';
import { localClient, reportBeside } from '../output.ts';
import { targetsOf } from '../targets.ts';

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

/** A client with every scope, whose secret is public. */
function publicClient(id: string): SeededClient {
  const operations = tenantResources.flatMap(({ routes }) => routes.map(({ operation }) => operation));
  const scopes = [...new Set(operations.map(({ scope }) => scope))];
  return { client_id: id, client_secret: localClient.secret, scopes };
}

/**
 * Serves every tenant of a project for a copy of it, because no option replaces its `base_url`. Prints the variables of
 * commands on the copy, as a shell reads them.
 */
async function serveProject(context: CommandContext, project: string, copy: string) {
  const { arguments: options, io, output } = context;
  const tenants = (await targetsOf(io, { folder: project, all: true })).flatMap(({ tenant }) => tenant ?? []);
  checkEnvironments(tenants);
  const state = options.state && resolve(io.cwd, options.state);
  if (state) await mkdir(state, { recursive: true });
  const { port = usualPort } = options;
  // Tokens name the port, so tenants may share the keys that sign them.
  const keys = await createTenantKeys();
  const served = new Map<string, ServedTenant>();
  const close = async () => {
    for (const one of served.values()) await one.close();
  };
  const urlOf = (name: string) => served.get(name)?.baseUrl ?? '';
  try {
    for (const [index, { name }] of tenants.entries()) {
      const seed = await seedOf(options.seed && resolve(io.cwd, options.seed), name);
      const own = { seed, keys, port: port && port + index, ...(state && { stateFile: join(state, `${name}.json`) }) };
      served.set(name, await serve(context, own, `${name}: `));
    }
    await writeCopy(resolve(io.cwd, project), resolve(io.cwd, copy), tenants, urlOf).catch(({ message }: Error) => {
      throw invalidOption(`The project cannot be copied to ${copy}: ${message}.`, 'name a new folder with --copy');
    });
  } catch (error) {
    await close();
    throw error;
  }
  const lines = tenants.flatMap(({ name, environment }) => {
    const values = { BASE_URL: urlOf(name), CLIENT_ID: name, CLIENT_SECRET: localClient.secret };
    return Object.entries(values).map(([variable, value]) => `export ${environment}_${variable}=${value}`);
  });
  output.result(lines.join('\n'));
  output.talk(
    `${quantity(served.size, 'embedded tenant')} of ${copy} listen on loopback, with the variables that are printed on stdout.\nStop them with Ctrl-C.\n`,
  );
  return { close };
}

function checkEnvironments(tenants: readonly ProjectTenant[]): void {
  for (const [prefix, sharing] of groupBy(tenants, ({ environment }) => environment)) {
    if (sharing.length === 1) continue;
    const message = `The credentials of ${listOf(sharing.map(({ name }) => name))} are in the same variables, ${prefix}_…`;
    throw invalidOption(`${message}.`, 'give each tenant of the project an environment of its own');
  }
}

/** With the client of this tenant: from a file for all tenants, or from the one of this tenant in a folder. */
async function seedOf(path: string | undefined, name: string): Promise<unknown> {
  const isFolder = path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, `${name}.json`) : path;
  const seed = file === undefined || (isFolder && !existsSync(file)) ? {} : await readSeed(file);
  return isRecord(seed) ? { ...seed, clients: [publicClient(name), ...[seed['clients'] ?? []].flat()] } : seed;
}

/** Writes the layers as they are, and a project with the URLs that are served. */
async function writeCopy(
  project: string,
  copy: string,
  tenants: readonly ProjectTenant[],
  urlOf: (name: string) => string,
): Promise<void> {
  await mkdir(copy, { recursive: true });
  if ((await readdir(copy)).length > 0) throw new Error('the folder is not empty');
  const filter = (path: string) => !isHiddenPath(basename(path));
  for (const layer of new Set(tenants.flatMap(({ layers }) => layers)))
    await cp(join(project, layer), join(copy, layer), { recursive: true, verbatimSymlinks: true, filter });
  const entries = tenants.map(({ name, layers, environment, variables, wave }) => {
    return [name, { layers, environment, variables, wave, base_url: urlOf(name) }] as const;
  });
  const approvals = tenants.flatMap((one) => one.approvals.map(({ code, tenant }) => ({ code, tenants: [tenant] })));
  // JSON is YAML. A `${` in a variable is a text.
  const text = jsonText({ tenants: Object.fromEntries(entries), approvals }).replaceAll('${', '$${');
  await writeFile(join(copy, projectFile), text);
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
