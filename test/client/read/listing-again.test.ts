import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Listing, Reader } from '../../../src/model/reader.ts';
import { operations } from '../../../src/service/rate-limit-policies/description.generated.ts';
import type { LivePolicy } from '../../../src/service/rate-limit-policies/types.generated.ts';
import type { RecordedRequest, ScriptedAnswer } from '../../support/fault-server.ts';
import { propertyRuns } from '../../support/thorough.ts';
import { policy, policyPage, reading, startBench } from '../builders.ts';

const list = (reader: Reader): Promise<Listing<LivePolicy>> => reader.list(operations.list, {});
const itemsOf = (listing: Listing<LivePolicy>) => (listing.ok ? listing.items : expect.fail('not read'));
const cursorOf = ({ path }: RecordedRequest) => new URL(path, 'http://x').searchParams.get('from');

/** Pages of these policies, in order; the cursor of a page has its number and `name`. */
function pagesOf(all: readonly (readonly number[])[], name = '') {
  return (request: RecordedRequest): ScriptedAnswer => {
    const number = Number(cursorOf(request)?.split('-')[0] ?? 0);
    const next = number + 1 < all.length ? `${number + 1}-${name}` : undefined;
    return { body: policyPage((all[number] ?? []).map(policy), next) };
  };
}

/** Two readings by one reader, and a third one by another reader after the second one. */
async function readTwice(first: Serve, second: Serve) {
  let serve = first;
  await using bench = await startBench((request) => serve(request));
  return await reading(bench.options, async ({ reader }) => {
    const before = await list(reader);
    const sent = bench.server.requests.length;
    serve = second;
    const again = await list(reader);
    const requests = bench.server.requests.slice(sent).map((request) => cursorOf(request) ?? 'first');
    const fresh = await reading(bench.options, (other) => list(other.reader));
    return { before, again, fresh, requests };
  });
}

type Serve = (request: RecordedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

describe('a listing that is read again', () => {
  test('has the same items if no page changed, and its pages are requested several at once', async () => {
    const pages = pagesOf(Array.from({ length: 20 }, (_none, index) => [index]));
    let [open, most] = [0, 0];
    const { before, again, requests } = await readTwice(pages, async (request) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return pages(request);
    });
    expect(itemsOf(again)).toBe(itemsOf(before));
    expect(requests).toHaveLength(20);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  test('is as old as its own first response', async () => {
    let now = 0;
    const pages = pagesOf([[1], [2], [3]]);
    await using bench = await startBench((request) => {
      now += 1;
      return pages(request);
    });
    const clock = { ...bench.options.clock, monotonic: () => now };
    const [one, other] = await reading({ ...bench.options, clock }, async ({ reader }) => [
      await list(reader),
      await list(reader),
    ]);
    expect(one).toMatchObject({ arrivedAt: 1 });
    expect(other).toMatchObject({ arrivedAt: expect.toSatisfy((at: number) => at >= 4) });
  });

  test('law: is as another reader reads it, in as many requests if no cursor changed', async () => {
    const pages = fc.array(fc.uniqueArray(fc.nat(30), { maxLength: 3 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(pages, pages, fc.nat(12), fc.boolean(), async (one, other, kept, renamed) => {
        const changed = [...one.slice(0, kept), ...other];
        const { before, again, fresh, requests } = await readTwice(
          pagesOf(one),
          pagesOf(changed, renamed ? 'new' : ''),
        );
        expect({ ...again, arrivedAt: 0 }).toEqual({ ...fresh, arrivedAt: 0 });
        if (again.ok && before.ok && !renamed && JSON.stringify(one) === JSON.stringify(changed))
          expect(again.items === before.items).toBe(one.length > 1);
        expect(new Set(requests).size).toBe(requests.length);
        if (again.ok && !renamed && changed.length >= one.length) expect(requests).toHaveLength(changed.length);
      }),
      propertyRuns(40),
    );
  });

  test('a service that gives other cursors each time is asked for no page twice', async () => {
    const { again, requests } = await readTwice(pagesOf([[1], [2], [3]]), pagesOf([[1], [2], [3]], 'new'));
    expect(itemsOf(again)).toHaveLength(3);
    expect(requests).toEqual(['first', '1-new', '2-new']);
  });

  test.each<[string, ScriptedAnswer]>([
    ['fails', { status: 400, body: { message: 'no such cursor' } }],
    ['is busy for a minute', { status: 503, headers: { 'retry-after': '60' } }],
    ['never responds', { fault: { type: 'silence' } }],
  ])('a page that the list no longer has is not waited for: it %s', async (_name, response) => {
    const { again, requests } = await readTwice(pagesOf([[1], [2], [3], [4]]), (request) =>
      ['2-', '3-'].includes(cursorOf(request) ?? '') ? response : pagesOf([[1], [5]])(request),
    );
    expect(itemsOf(again).map(({ id }) => id)).toEqual([1, 5].map((index) => policy(index).id));
    // The clock of the test does not wait for a minute.
    expect([...new Set(requests)]).toEqual(['first', '1-', '2-', '3-']);
  });

  test('an error names the page as another reader does', async () => {
    const { again, fresh } = await readTwice(pagesOf([[1], [2], [3], [4]]), (request) => {
      if (cursorOf(request) === '3-') return { status: 400, body: { message: 'no such cursor' } };
      return cursorOf(request) === '1-'
        ? { body: policyPage([policy(2)], '3-') }
        : pagesOf([[1], [2], [3], [4]])(request);
    });
    expect(again).toEqual(fresh);
    expect(again).toMatchObject({ ok: false, why: { message: expect.stringContaining('page 3: ') } });
  });

  test('a page that fails makes it no list, and the next reading is a complete one', async () => {
    const pages = pagesOf([[1], [2], [3]]);
    await using bench = await startBench((request, index) =>
      index === 4 ? { status: 400, body: { statusCode: 400, message: 'bad' } } : pages(request),
    );
    await reading(bench.options, async ({ reader }) => {
      const before = await list(reader);
      expect(await list(reader)).toMatchObject({
        ok: false,
        why: { message: expect.stringMatching(/: page 2: status 400/) },
      });
      const after = await list(reader);
      expect(itemsOf(after)).toEqual(itemsOf(before));
      expect(itemsOf(after)).not.toBe(itemsOf(before));
    });
  });

  test('listings with other filters are other listings', async () => {
    await using bench = await startBench((request) =>
      pagesOf(request.path.includes('consumer=client') ? [[1], [2]] : [[1], [3]])(request),
    );
    await reading(bench.options, async ({ reader }) => {
      const all = await list(reader);
      const some = await reader.list(operations.list, { consumer: 'client' });
      expect(itemsOf(some).map(({ id }) => id)).toEqual([1, 2].map((index) => policy(index).id));
      expect(itemsOf(await list(reader))).toBe(itemsOf(all));
    });
  });
});
