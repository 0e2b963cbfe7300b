/** A tenant in a process of its own, for tests that kill it: arguments are its state file and its seed file, and it prints its base URL. */
import { systemClock } from '../../src/client/system-clock.ts';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import { serveTenant } from '../../src/embedded-tenant/serve-tenant.ts';
import { readSeed } from '../../src/embedded-tenant/state/seed.ts';

const [stateFile = '', seedFile = ''] = process.argv.slice(2);
const { baseUrl } = await serveTenant({
  resources: tenantResources,
  clock: systemClock,
  seed: await readSeed(seedFile),
  stateFile,
});
process.stdout.write(`${baseUrl}\n`);
