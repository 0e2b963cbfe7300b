// The service returns lists whose order has no meaning in another order each time: plans of one state are the same bytes.
import { expect, test } from 'vitest';
import { plan } from '../../src/sync/index.ts';
import { memorySource } from '../support/memory-source.ts';
import { startTenant, withTestClient } from '../support/start-tenant.ts';

const files = {
  'a.yaml': `
attack_protection:
  brute_force_protection: { max_attempts: 4 }
clients:
  - { name: Web shop, description: Sells, callbacks: [https://c.example/, https://a.example/, https://b.example/] }
`,
};

test('two plans of a tenant that orders its lists anew for each response', async () => {
  const tenant = await startTenant(
    withTestClient({
      clients: [
        {
          client_id: 'c1',
          name: 'Web shop',
          callbacks: ['https://c.example/', 'https://a.example/', 'https://b.example/'],
        },
      ],
      attack_protection: { brute_force_protection: { allowlist: ['203.0.113.7', '198.51.100.0/24', '192.0.2.1'] } },
    }),
  );
  const credentials = { token: await tenant.token() };
  const planned = async () => {
    const result = await plan({ files: memorySource(files), tenant: { baseUrl: tenant.baseUrl, credentials } });
    return result.status === 'planned' ? { ...result.plan, generated_at: null, checksum: null } : null;
  };
  const [first, ...others] = [await planned(), await planned(), await planned()];
  expect(first?.actions.map(({ id }) => id)).toEqual(['clients/Web shop', 'attack_protection/brute_force_protection']);
  for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(first));
  await tenant.close();
});
