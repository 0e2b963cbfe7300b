// Seeds with many problems.
import { expect, test } from 'vitest';
import { startProcessorTime } from '../support/processor-time.ts';
import { startTenant } from '../support/start-tenant.ts';

test('a seed of many faulty items is refused in a short time, with the places of the first ones', async () => {
  const policies = Array.from({ length: 60_000 }, (_none, index) => ({ id: `rlp_${index}`, more: true }));
  const spent = startProcessorTime();
  const error = await startTenant({ rate_limit_policies: policies } as never).catch((cause: unknown) => cause);
  expect(spent()).toBeLessThan(2_000);
  expect(String(error)).toContain('/rate_limit_policies/0: Missing required property');
  expect(String(error)).toContain('has more problems');
});
