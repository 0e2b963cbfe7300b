// A project on embedded tenants: each entry has its own, and all share the layer `base`.
import { join } from 'node:path';
import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { runCommand } from './run-command.ts';
import type { StartedTenant } from './start-tenant.ts';
import { folder } from './temp-folder.ts';
import { tenantWith } from './tenant-with.ts';

export interface FleetOptions {
  /** Files of the layers. Each tenant has the layer `base` and, if there is a file in it, one of its own name. */
  readonly files: Readonly<Record<string, string>>;
  /** The policies of each tenant by name, or its complete state. */
  readonly live: Readonly<Record<string, Seed | Seed['rate_limit_policies']>>;
  /** The wave of each tenant; default: 1. */
  readonly waves?: Readonly<Record<string, number>>;
  /** Faults of each tenant. */
  readonly faults?: readonly FaultRule[];
  /** More lines of `tenant-sync.yaml`. */
  readonly more?: string;
}

const prefixOf = (name: string) => `TENANT_${name.toUpperCase().replaceAll('-', '_')}`;

export async function startFleet({ files, live, waves = {}, faults = [], more = '' }: FleetOptions) {
  const names = Object.keys(live);
  /** `NAME METHOD /path` of each request but those for a token. */
  const requests: string[] = [];
  const tokens: string[] = [];
  const tenants = new Map<string, StartedTenant>();
  for (const name of names) {
    const state = live[name] ?? {};
    const seed = Array.isArray(state) ? { rate_limit_policies: state, resource_servers: [] } : (state as Seed);
    const onRequest = ({ method, path }: { method: string; path: string }) =>
      (path.includes('oauth') ? tokens : requests).push(`${name} ${method} ${path}`);
    tenants.set(name, await tenantWith(seed, { onRequest, faults }));
  }
  const env = Object.fromEntries(
    [...tenants].flatMap(([name, tenant]) =>
      Object.entries(tenant.env).map(([variable, value]) => [variable.replace('TENANT_SYNC', prefixOf(name)), value]),
    ),
  );
  const entries = names.map((name) => {
    const own = Object.keys(files).some((file) => file.startsWith(`${name}/`)) ? `, ${name}` : '';
    const url = env[`${prefixOf(name)}_BASE_URL`];
    return `  ${name}: { layers: [base${own}], environment: ${prefixOf(name)}, base_url: "${url}", wave: ${waves[name] ?? 1} }\n`;
  });
  const cwd = await folder({ 'tenant-sync.yaml': `tenants:\n${entries.join('')}${more}`, ...files });
  const stateDir = join(cwd, '.state');
  /** Another tool changes the policy of a tenant as soon as a request begins so. */
  const changeAt = async (start: string, name: string, policy: string) => {
    const tenant = tenants.get(name);
    const headers = { authorization: `Bearer ${await tenant?.token()}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ configuration: { action: 'block', limit: 9 } });
    const push = requests.push.bind(requests);
    requests.push = (...added) => {
      if (added.some((request) => request.startsWith(start)))
        void fetch(`${tenant?.baseUrl}/rate-limit-policies/${policy}`, { method: 'PATCH', headers, body });
      return push(...added);
    };
    return () => {
      requests.push = push;
    };
  };
  return {
    changeAt,
    cwd,
    env,
    tenants,
    requests,
    /** Requests for a token. */
    tokens,
    run: (...argv: string[]) =>
      runCommand(argv[0] === 'apply' ? [...argv, '--state-dir', stateDir] : argv, { cwd, env }),
  };
}
