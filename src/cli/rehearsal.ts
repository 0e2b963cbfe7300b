// The tenants of a project as embedded tenants, each with the base URL and the credentials that the project names.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { canonicalBaseUrl } from '../contract/formats.ts';
import { openEdits } from '../edit/edit-yaml.ts';
import { revise } from '../edit/edits.ts';
import { isMapping, type WrittenValue } from '../edit/written-value.ts';
import { createTenantKeys } from '../embedded-tenant/auth/authenticate.ts';
import type { ServedTenant, SocketOptions } from '../embedded-tenant/serve-tenant.ts';
import type { TenantOptions } from '../embedded-tenant/tenant-options.ts';
import type { SeededClient } from '../model/clients.generated.ts';
import { isHiddenPath } from '../model/file-source.ts';
import { projectFile } from '../project/project-file.ts';
import type { ProjectTenant } from '../project/read-project.ts';
import { tenantResources } from '../service/tenant-resources.ts';
import { groupBy } from '../values/group-by.ts';
import { listOf } from '../values/list-of.ts';
import { invalidOption } from './exit-codes.ts';
import type { Io } from './io.ts';
import { localClient } from './output.ts';
import { startOfPaths } from './shown-folder.ts';
import { targetsOf } from './targets.ts';

export interface Rehearsal {
  readonly served: ReadonlyMap<string, ServedTenant>;
  /** The environment of commands on the project. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

interface Asked {
  /** The folder of the project. */
  readonly project: string;
  /** A new folder for a copy of the project that has the base URLs of the embedded tenants. */
  readonly copy: string | undefined;
  /** Of the first tenant of a copy; 0 for any free ports. */
  readonly port: number;
}

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
 * Serves every tenant of a project. Without a copy, the project itself must have loopback URLs: what commands may be
 * sent to is never anything but its `base_url`. Throws a CommandError.
 */
export async function openRehearsal(
  io: Pick<Io, 'env' | 'cwd'>,
  asked: Asked,
  serve: (one: ToServe) => Promise<ServedTenant>,
): Promise<Rehearsal> {
  const { project, copy, port } = asked;
  const targets = await targetsOf(io, { folder: project, all: true });
  const tenants = targets.flatMap(({ tenant }) => tenant ?? []);
  checkEnvironments(tenants);
  const ports = tenants.map((tenant, index) => (copy === undefined ? portOf(tenant) : port && port + index));
  const keys = await createTenantKeys();
  const served = new Map<string, ServedTenant>();
  const close = async () => {
    for (const one of served.values()) await one.close();
  };
  try {
    for (const [index, { name }] of tenants.entries())
      served.set(name, await serve({ name, port: ports[index] ?? 0, client: publicClient(name), keys }));
    if (copy !== undefined) await writeCopy(io, { project, copy }, tenants, served);
  } catch (error) {
    await close();
    throw error;
  }
  const variables = tenants.flatMap(({ name, environment }) => [
    [`${environment}_BASE_URL`, served.get(name)?.baseUrl ?? ''],
    [`${environment}_CLIENT_ID`, name],
    [`${environment}_CLIENT_SECRET`, localClient.secret],
  ]);
  return { served, variables: Object.fromEntries(variables), close };
}

function checkEnvironments(tenants: readonly ProjectTenant[]): void {
  for (const [prefix, sharing] of groupBy(tenants, ({ environment }) => environment)) {
    if (sharing.length === 1) continue;
    const message = `The credentials of ${listOf(sharing.map(({ name }) => name))} are in the same variables, ${prefix}_…`;
    throw invalidOption(`${message}.`, 'give each tenant of the project an environment of its own');
  }
}

/** Throws a CommandError for a tenant that is not on loopback. */
function portOf({ name, baseUrl }: ProjectTenant): number {
  const url = baseUrl === null ? 'no base_url' : canonicalBaseUrl(baseUrl);
  const port = /^http:\/\/127\.0\.0\.1:(\d+)\/api\/v2$/.exec(url)?.[1];
  if (port !== undefined) return Number(port);
  const message = `The tenant "${name}" has ${url}, and embedded tenants are http://127.0.0.1:PORT/api/v2.`;
  throw invalidOption(message, 'add --copy FOLDER for a copy of the project with such URLs');
}

/** Writes the layers as they are, and the files that list the tenants with the URLs that are served. */
async function writeCopy(
  io: Pick<Io, 'env' | 'cwd'>,
  { project, copy }: { readonly project: string; readonly copy: string },
  tenants: readonly ProjectTenant[],
  served: ReadonlyMap<string, ServedTenant>,
): Promise<void> {
  const [from, to] = [resolve(io.cwd, project), resolve(io.cwd, copy)];
  const start = startOfPaths(io, project).length;
  const yaml = new Map<string, string>();
  for (const file of new Set([projectFile, ...tenants.map(({ source }) => source.file.slice(start))]))
    yaml.set(file, await readFile(join(from, file), 'utf8'));
  const edits = openEdits(yaml);
  for (const file of yaml.keys()) {
    const { written } = edits.tree(file);
    revise(edits.at(file, ''), written, written, withUrls(written, served));
  }
  try {
    await mkdir(to, { recursive: true });
    if ((await readdir(to)).length > 0) throw new Error('it is not empty');
    const filter = (path: string) => !isHiddenPath(basename(path));
    for (const layer of new Set(tenants.flatMap(({ layers }) => layers)))
      await cp(join(from, layer), join(to, layer), { recursive: true, verbatimSymlinks: true, filter });
    for (const [file, text] of new Map([...yaml, ...edits.texts()])) {
      await mkdir(dirname(join(to, file)), { recursive: true });
      await writeFile(join(to, file), text);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalidOption(`--copy ${copy}: the project cannot be copied there: ${why}.`, 'name a new folder');
  }
}

function withUrls(written: WrittenValue, served: ReadonlyMap<string, ServedTenant>): WrittenValue {
  if (!isMapping(written) || written['tenants'] === undefined) return written;
  const tenants = Object.entries(written['tenants']).map(([name, entry]) => {
    const url = served.get(name)?.baseUrl;
    return [name, isMapping(entry) && url !== undefined ? { ...entry, base_url: url } : entry];
  });
  return { ...written, tenants: Object.fromEntries(tenants) };
}
