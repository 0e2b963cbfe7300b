import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LivePolicy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import type { OpenedTenant } from '../support/start-tenant.ts';
import { authorizedRequest, openTenant } from '../support/start-tenant.ts';
import { propertyRuns } from '../support/thorough.ts';

interface Page {
  readonly ids: readonly string[];
  readonly next: string | undefined;
}

const listings = [
  { section: 'rate_limit_policies', path: 'rate-limit-policies', items: 'rate_limit_policies' },
  { section: 'event_streams', path: 'event-streams', items: 'eventStreams' },
] as const;

describe.each(listings)('paging of $path (service specification 2.2, 2.3, 8)', ({ section, path, items }) => {
  test.each([
    [0, 1],
    [1, 1],
    [99, 1],
    [100, 1],
    [101, 2],
    [200, 2],
    [201, 3],
  ])('%i items cost %i requests with take=100', async (count, requests) => {
    const tenant = await openTenant(seedOf(section, idsOf(count)));
    expect(await readAll(tenant, 100)).toEqual(idsOf(count));
    expect(tenant.requests.filter((entry) => entry.operation !== 'token')).toHaveLength(requests);
  });

  test('the page size changes nothing', async () => {
    const tenant = await openTenant(seedOf(section, idsOf(23)));
    for (const take of [1, 2, 7, 22, 23, 24, 100]) expect(await readAll(tenant, take)).toEqual(idsOf(23));
  });

  test('the order of the seed changes nothing', async () => {
    const tenant = await openTenant(seedOf(section, idsOf(30).toReversed()));
    expect(await readAll(tenant, 7)).toEqual(idsOf(30));
  });

  test('what stays is read once and what is gone at most once, whatever is deleted and inserted between two pages', async () => {
    const change = fc.record({ deletes: fc.array(fc.nat(39)), inserts: fc.array(fc.nat(39)) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(change, { maxLength: 8 }), async (take, changes) => {
        const present = new Set(idsOf(40).filter((_id, index) => index % 2 === 0));
        const always = new Set(present);
        const tenant = await openTenant(seedOf(section, [...present]));
        const read: string[] = [];
        let from: string | undefined;
        for (let round = 0; ; round += 1) {
          const page = await readPage(tenant, take, from);
          read.push(...page.ids);
          from = page.next;
          if (from === undefined) break;
          for (const index of changes[round]?.deletes ?? []) {
            present.delete(idOf(index));
            always.delete(idOf(index));
          }
          for (const index of changes[round]?.inserts ?? []) present.add(idOf(index));
          await tenant.change((state) => Object.assign(state, seedOf(section, [...present])));
        }
        expect(read).toEqual([...new Set(read)].toSorted());
        expect(read).toEqual(expect.arrayContaining([...always]));
      }),
      propertyRuns(40, 10),
    );
  });

  async function readAll(tenant: OpenedTenant, take: number): Promise<readonly string[]> {
    const read: string[] = [];
    let from: string | undefined;
    do {
      const page = await readPage(tenant, take, from);
      read.push(...page.ids);
      from = page.next;
    } while (from !== undefined);
    return read;
  }

  async function readPage(tenant: OpenedTenant, take: number, from: string | undefined): Promise<Page> {
    const query = new URLSearchParams({ take: String(take), ...(from === undefined ? {} : { from }) });
    const response = await tenant.fetch(await authorizedRequest(tenant, 'GET', `/${path}?${query}`));
    const body = (await response.json()) as { next?: string } & Record<string, readonly { id: string }[]>;
    expect(response.status).toBe(200);
    return { ids: (body[items] ?? []).map((item) => item.id), next: body.next };
  }
});

describe('cursors of rate limit policies', () => {
  test('outlive the tenant that issued them', async () => {
    const seed = seedOf('rate_limit_policies', ['rlp_1', 'rlp_2']);
    const cursor = await firstCursor(await openTenant(seed));
    expect(await statusOf(await openTenant(seed), cursor)).toBe(200);
  });

  test('hold together with filters', async () => {
    const tenant = await openTenant({
      rate_limit_policies: idsOf(20).map((id, index) =>
        buildLivePolicy({ id, consumer_selector: index % 2 === 0 ? 'default' : 'cimd_clients' }),
      ),
    });
    const first = await list(tenant, 'take=6&consumer_selector=default');
    const second = await list(tenant, `take=6&consumer_selector=default&from=${first.next}`);
    expect([...first.ids, ...second.ids]).toEqual(idsOf(20).filter((_id, index) => index % 2 === 0));
    expect(second.next).toBeUndefined();
  });

  async function list(tenant: OpenedTenant, query: string) {
    const response = await get(tenant, query);
    const body = (await response.json()) as { rate_limit_policies: readonly LivePolicy[]; next?: string };
    return { ids: body.rate_limit_policies.map((each) => each.id), next: body.next };
  }

  async function firstCursor(tenant: OpenedTenant): Promise<string> {
    return (await list(tenant, 'take=1')).next ?? '';
  }

  async function statusOf(tenant: OpenedTenant, cursor: string): Promise<number> {
    return (await get(tenant, `from=${encodeURIComponent(cursor)}`)).status;
  }

  async function get(tenant: OpenedTenant, query: string): Promise<Response> {
    return tenant.fetch(await authorizedRequest(tenant, 'GET', `/rate-limit-policies?${query}`));
  }
});

function idsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_unused, index) => idOf(index));
}

function idOf(index: number): string {
  return `id_${String(index).padStart(4, '0')}`;
}

function seedOf(section: 'rate_limit_policies' | 'event_streams', ids: readonly string[]) {
  return section === 'event_streams'
    ? { event_streams: ids.map((id) => ({ id, name: id })) }
    : { rate_limit_policies: ids.map((id) => buildLivePolicy({ id, consumer_selector: `client_id:${id}` })) };
}
