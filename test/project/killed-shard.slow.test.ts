// What a killed process has finished is there, complete, and show names the rest.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runBuilt } from '../support/built-command.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { startFleet } from '../support/start-fleet.ts';

const names = Array.from({ length: 8 }, (_, index) => `t${index}`);
const files = {
  'base/policies.yaml':
    'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: 5 } }\n',
};

test.each([
  ['drift', 2],
  ['plan', 5],
  ['apply', 3],
])('%s is killed after the result of %i tenants', async (command, after) => {
  const live = Object.fromEntries(names.map((name) => [name, [livePolicy('default', 6)]]));
  const { cwd, env, run } = await startFleet({ files, live });
  const results = join(cwd, 'results');
  const argv = [command, cwd, '--wave', '1', '--parallel', '1', '--results', results];
  const { signal } = await runBuilt(command === 'apply' ? [...argv, '--yes'] : argv, env, async (child) => {
    while (!existsSync(join(results, `t${after}.json`))) await setTimeout(1);
    child.kill('SIGKILL');
  });
  expect(signal).toBe('SIGKILL');
  const finished = (await readdir(results)).filter((name) => /^t\d\.json$/.test(name));
  expect(finished.length).toBeGreaterThan(after);
  expect(finished.length).toBeLessThan(names.length);
  const { code, stdout, stderr } = await run('show', 'results', '--format', 'json');
  expect(code).toBe(1);
  // The last document names the others.
  expect(JSON.parse(stdout)).toHaveLength(finished.length + 1);
  const missing = names.filter((name) => !finished.includes(`${name}.json`));
  expect(stderr).toContain(`There is no result of ${missing.length} tenant`);
  expect(stderr).toContain(`: ${missing.join(', ')}.`);
});
