import { onTestFinished } from 'vitest';
import { type StartedTenant, startTenant } from './start-tenant.ts';

/** A tenant that is closed after the test. */
export async function tenantWith(...given: Parameters<typeof startTenant>): Promise<StartedTenant> {
  const tenant = await startTenant(...given);
  onTestFinished(() => tenant.close());
  return tenant;
}
