// A project with three embedded tenants, whose workflows init has written.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { livePolicy, policiesYaml } from './files-and-tenant.ts';
import { policies, type WorkflowScene, workflowScene } from './pipeline-scene.ts';
import { runCommand } from './run-command.ts';
import type { Environment } from './run-workflow.ts';
import { type Files, scratchRepository } from './scratch-repository.ts';
import { startFleet } from './start-fleet.ts';
import { authorizedRequest } from './start-tenant.ts';

export const names = ['a', 'b', 'c'];

export interface ProjectScene extends WorkflowScene {
  /** The credentials of all tenants. */
  readonly env: Readonly<Record<string, string>>;
  /** Tenants that got a request since the last call, one for a token included. */
  contacted(): readonly string[];
  /** Names of the tenants that have the policy. */
  having(selector: string): readonly string[];
  setLimit(name: string, selector: string, limit: number): Promise<void>;
  /** `tenant-sync.yaml` with more lines at the end. */
  project(more: string): Promise<Files>;
}

/** The folder `tenants` on main is a project that is equal to its tenants: a and b in the first wave, c in the second. */
export async function projectScene(environmentsOf = (all: Environment) => all): Promise<ProjectScene> {
  const fleet = await startFleet({
    files: {
      'base/policies.yaml': policiesYaml(...policies),
      ...Object.fromEntries(names.map((name) => [`${name}/tenant.yaml`, 'tenant: {}\n'])),
    },
    live: Object.fromEntries(names.map((name) => [name, policies.map((selector) => livePolicy(selector))])),
    waves: { c: 2 },
  });
  const files = await Promise.all(
    ['tenant-sync.yaml', 'base/policies.yaml', ...names.map((name) => `${name}/tenant.yaml`)].map(
      async (file) => [`tenants/${file}`, await readFile(join(fleet.cwd, file), 'utf8')] as const,
    ),
  );
  const repository = await scratchRepository({
    'package-lock.json': '{}\n',
    '.gitignore': 'node_modules/\n',
    ...Object.fromEntries(files),
  });
  expect((await runCommand(['init', 'tenants'], { cwd: repository.path, env: repository.env })).code).toBe(0);
  await repository.commit({});
  const all = { vars: {}, secrets: { TENANT_CREDENTIALS: JSON.stringify(fleet.env) } };
  const write = { ...environmentsOf(all), branches: ['main'] };
  const environments = { 'tenant-read': all, 'tenant-write-1': write, 'tenant-write-2': write };
  const scene = await workflowScene(repository, environments, async (name) =>
    parse(await readFile(join(repository.path, '.github/workflows', `tenant-${name}`), 'utf8')),
  );
  const tenantOf = (name: string) => {
    const tenant = fleet.tenants.get(name);
    if (tenant === undefined) throw new Error(`no tenant ${name}`);
    return tenant;
  };
  const seen = new Map<string, number>();
  return {
    ...scene,
    env: fleet.env,
    contacted: () =>
      names.filter((name) => {
        const before = seen.get(name) ?? 0;
        seen.set(name, tenantOf(name).tenant.requests.length);
        return seen.get(name) !== before;
      }),
    having: (selector) =>
      names.filter((name) =>
        tenantOf(name)
          .tenant.snapshot()
          .rate_limit_policies?.some((policy) => policy.consumer_selector === selector),
      ),
    async setLimit(name, selector, limit) {
      const { id, configuration } = livePolicy(selector, limit);
      await fetch(await authorizedRequest(tenantOf(name), 'PATCH', `/rate-limit-policies/${id}`, { configuration }));
    },
    project: async (more) => ({
      'tenants/tenant-sync.yaml': `${Object.fromEntries(files)['tenants/tenant-sync.yaml']}${more}`,
    }),
  };
}
