import type { DesiredItem, KindName } from '../../src/model/kind.ts';
import type { Reader } from '../../src/model/reader.ts';
import { planOf } from '../../test/support/plan-of.ts';

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
    planOf({
      desired: {
        tenant: {},
        tenantAt: () => undefined,
        sections: new Map([['rate_limit_policies' as KindName, { items, source }]]),
      },
      selection: { only: [`rate_limit_policies/${first.key}`], except: [], rotate: [] },
      reader: { list, get: list, count: list } as unknown as Reader,
    });
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) await again();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) await again();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / rounds;
}
