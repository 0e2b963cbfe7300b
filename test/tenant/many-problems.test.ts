// Seeds with many problems.
import { expect, test } from 'vitest';
import { startTenant } from '../support/start-tenant.ts';

test('a seed of many faulty items is refused in a short time, with the places of the first ones', async () => {
  const policies = Array.from({ length: 60_000 }, (_none, index) => ({ id: `rlp_${index}`, more: true }));
  const begun = process.cpuUsage();
  const error = await startTenant({ rate_limit_policies: policies } as never).catch((cause: unknown) => cause);
  expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000);
  expect(String(error)).toContain('/rate_limit_policies/0: Missing required property');
  expect(String(error)).toContain('has more problems');
});
