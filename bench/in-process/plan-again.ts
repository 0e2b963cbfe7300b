import { makePlan } from '../../src/engine/make-plan.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { DesiredItem, KindName } from '../../src/model/kind.ts';
import type { Reader } from '../../src/model/reader.ts';

const source = { file: 'policies.yaml', line: 1, column: 1 };

function itemOf(index: number): DesiredItem {
  const triple = { resource: 'oauth_authentication_api', consumer: 'client', consumer_selector: `client_id:${index}` };
  const value = { ...triple, configuration: { action: 'block', limit: 1 } };
  return { key: Object.values(triple).join('/'), state: 'present', value, at: () => source };
}

/** Milliseconds of CPU to plan one of so many declared policies again, as an apply does before it is written. */
export async function planOneAgain(declared: number): Promise<number> {
  const items = Array.from({ length: declared }, (_none, index) => itemOf(index));
  const [first] = items as [DesiredItem];
  const live = { id: 'rlp_1', ...(first.value as object), configuration: { action: 'block', limit: 2 } };
  const list = async () => ({ ok: true, items: [live] });
  const again = () =>
    makePlan({
      desired: {
        tenant: {},
        tenantAt: () => undefined,
        sections: new Map([['rate_limit_policies' as KindName, { items, source }]]),
      },
      kinds,
      selection: { only: [`rate_limit_policies/${first.key}`], except: [], rotate: [] },
      reader: { list, get: list, count: list } as unknown as Reader,
      baseUrl: 'https://bench.example/api/v2',
      tool: { name: 'bench', version: '0.0.0' },
      generatedAt: '2026-11-20T10:00:00.000Z',
    });
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) await again();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) await again();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / rounds;
}
