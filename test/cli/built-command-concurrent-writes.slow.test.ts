// Writes of one stage are sent together: over a slow link an apply does not take one round trip for each.
import { expect, test } from 'vitest';
import { runBuilt } from '../support/built-command.ts';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

test('forty creations and forty deletions over 200 ms', async () => {
  const count = 40;
  const latencyMs = 200;
  const selectors = (name: string) => Array.from({ length: count }, (_, index) => `client_id:${name}${index}`);
  const tenant = await tenantWith(
    { rate_limit_policies: selectors('old').map((selector) => livePolicy(selector)) },
    { latencyMs },
  );
  const files = await folder({
    'p.yaml': `tenant: { guards: { max_delete_percent: 100 } }\n${policiesYaml(...selectors('new'))}`,
  });
  const begun = performance.now();
  const { code, stdout, stderr } = await runBuilt(['apply', files, '--yes', '--format', 'json'], {
    ...tenant.env,
    TENANT_SYNC_STATE_DIR: await folder({}),
  });
  const elapsed = performance.now() - begun;
  const writes = tenant.tenant.requests
    .filter(({ method, operation }) => method !== 'GET' && operation !== 'token')
    .map(({ method }) => method);
  // No file asserts the tenant.
  const codes = stderr.match(/\b[A-Z]+_[A-Z_]+\b/g);
  expect({ code, codes, summary: JSON.parse(stdout).summary }).toEqual({
    code: 0,
    codes: ['TENANT_UNASSERTED'],
    summary: { done: 80, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 },
  });
  expect(writes).toEqual([...Array(count).fill('POST'), ...Array(count).fill('DELETE')]);
  expect(elapsed).toBeLessThan(2 * count * latencyMs * 0.75);
});
