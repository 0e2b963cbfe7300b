// The built command with its state in a database, and something that happens to it in mid-apply.
import { setTimeout as sleep } from 'node:timers/promises';
import { runBuilt } from './built-command.ts';
import { livePolicy } from './files-and-tenant.ts';
import { folder } from './temp-folder.ts';
import { tenantWith } from './tenant-with.ts';

export const latencyMs = 100;

/** An apply of 40 changes to a tenant that takes a while for each; `during` runs after the tenth. */
export async function interrupted(
  url: string,
  during: (child: { kill(signal: NodeJS.Signals): void }) => Promise<void>,
) {
  const selectors = Array.from({ length: 40 }, (_none, index) => `client_id:${index}`);
  const live = selectors.map((selector) => livePolicy(selector, 1));
  const sent: number[] = [];
  const tenant = await tenantWith(
    { rate_limit_policies: live, resource_servers: [] },
    {
      latencyMs,
      onRequest: ({ method, path }) => method !== 'GET' && !path.includes('oauth') && sent.push(Date.now()),
    },
  );
  const items = selectors.map(
    (selector) => `  - { consumer_selector: "${selector}", configuration: { action: block, limit: 2 } }\n`,
  );
  const cwd = await folder({ 'policies.yaml': `rate_limit_policies:\n${items.join('')}` });
  const env = { ...tenant.env, TENANT_SYNC_STATE_URL: url };
  const argv = ['apply', cwd, '--yes', '--max-staleness', '60'];
  let watching: Promise<number> = Promise.resolve(0);
  const first = await runBuilt(argv, env, (child) => {
    watching = (async () => {
      while (sent.length < 10 && child.exitCode === null) await sleep(5);
      await during(child);
      return Date.now();
    })();
  });
  const disturbedAt = await watching;
  return { first, sent, disturbedAt, before: sent.length, again: () => runBuilt(argv, env) };
}
