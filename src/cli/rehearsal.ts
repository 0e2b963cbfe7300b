// The tenants of a project as embedded tenants, each with the base URL and the credentials that the project names.
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createTenantKeys } from '../embedded-tenant/auth/authenticate.ts';
import { tenantResources } from '../embedded-tenant/kinds/registry.generated.ts';
import type { ServedTenant, SocketOptions } from '../embedded-tenant/serve-tenant.ts';
import type { TenantOptions } from '../embedded-tenant/tenant-options.ts';
import type { SeededClient } from '../model/credentials.generated.ts';
import { isHiddenPath, projectFile } from '../model/file-source.ts';
import type { ProjectTenant } from '../project/read-project.ts';
import { jsonText } from '../report/escape.ts';
import { groupBy } from '../values/group-by.ts';
import { listOf } from '../values/list-of.ts';
import { invalidOption } from './exit-codes.ts';
import type { Io } from './io.ts';
import { localClient } from './output.ts';
import { targetsOf } from './targets.ts';

/** An embedded tenant to start. Tokens name the port, so tenants may share the keys that sign them. */
export type ToServe = Required<Pick<TenantOptions & SocketOptions, 'port' | 'keys'>> & {
  readonly name: string;
  readonly client: SeededClient;
};

/** A client with every scope, whose secret is public. */
export function publicClient(id: string): SeededClient {
  const operations = tenantResources.flatMap(({ routes }) => routes.map(({ operation }) => operation));
  const scopes = [...new Set(operations.map(({ scope }) => scope))];
  return { client_id: id, client_secret: localClient.secret, scopes };
}

/**
 * Serves every tenant of a project for a copy of it, because no option replaces its `base_url`. Returns them with the
 * environment of commands on the copy. `port` is that of the first tenant; 0 for any free ones. Throws a CommandError.
 */
export async function openRehearsal(
  io: Pick<Io, 'env' | 'cwd'>,
  { project, copy, port }: { readonly project: string; readonly copy: string; readonly port: number },
  serve: (one: ToServe) => Promise<ServedTenant>,
) {
  const targets = await targetsOf(io, { folder: project, all: true });
  const tenants = targets.flatMap(({ tenant }) => tenant ?? []);
  checkEnvironments(tenants);
  const keys = await createTenantKeys();
  const served = new Map<string, ServedTenant>();
  const close = async () => {
    for (const one of served.values()) await one.close();
  };
  const urlOf = (name: string) => served.get(name)?.baseUrl ?? '';
  try {
    for (const [index, { name }] of tenants.entries())
      served.set(name, await serve({ name, port: port && port + index, client: publicClient(name), keys }));
    await writeCopy(resolve(io.cwd, project), resolve(io.cwd, copy), tenants, urlOf).catch(({ message }: Error) => {
      throw invalidOption(`The project cannot be copied to ${copy}: ${message}.`, 'name a new folder with --copy');
    });
  } catch (error) {
    await close();
    throw error;
  }
  const variables = tenants.flatMap(({ name, environment }) => [
    [`${environment}_BASE_URL`, urlOf(name)],
    [`${environment}_CLIENT_ID`, name],
    [`${environment}_CLIENT_SECRET`, localClient.secret],
  ]);
  return { served, variables: Object.fromEntries(variables) as Readonly<Record<string, string>>, close };
}

function checkEnvironments(tenants: readonly ProjectTenant[]): void {
  for (const [prefix, sharing] of groupBy(tenants, ({ environment }) => environment)) {
    if (sharing.length === 1) continue;
    const message = `The credentials of ${listOf(sharing.map(({ name }) => name))} are in the same variables, ${prefix}_…`;
    throw invalidOption(`${message}.`, 'give each tenant of the project an environment of its own');
  }
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
