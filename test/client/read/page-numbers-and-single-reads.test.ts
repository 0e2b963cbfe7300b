import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GetOperation, ListOperation } from '../../../src/model/operation.ts';
import type { Listing } from '../../../src/model/reader.ts';
import type { RecordedRequest, ScriptedAnswer } from '../../support/fault-server.ts';
import { propertyRuns } from '../../support/thorough.ts';
import { reading, startBench } from '../builders.ts';

interface Thing {
  readonly api: string;
  readonly name: string;
}

const isObject = Object.assign((value: unknown): value is Thing => typeof value === 'object', { errors: null });
const thing = { schema: 'thing', validate: isObject, exact: isObject, tolerant: isObject };

const listThings: ListOperation<object, Thing> = {
  id: 'list_things',
  api: 'full',
  method: 'GET',
  path: '/things/{id}',
  summary: 'List things',
  scope: 'read:things',
  lifecycle: 'not shown',
  response: { schema: 'things', validate: isObject },
  item: thing,
  paging: { style: 'page', items: 'things', identity: ['api', 'name'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'public', section: '2.2', assumed: [] },
};

const getThing: GetOperation<unknown, Thing> = {
  ...listThings,
  id: 'get_thing',
  response: thing,
} as unknown as GetOperation<unknown, Thing>;

const things = (count: number, from = 0): Thing[] =>
  Array.from({ length: count }, (_none, index) => ({ api: 'a', name: `n${from + index}` }));

/** A service that lists by number, as it is asked to, and gives no page longer than `most`. */
function servePages(all: readonly Thing[], most = 100) {
  return ({ path }: RecordedRequest): ScriptedAnswer => {
    const query = new URL(path, 'http://x').searchParams;
    const limit = Math.min(Number(query.get('per_page')), most);
    const start = Number(query.get('page')) * limit;
    return { body: { things: all.slice(start, start + limit), start, limit, total: all.length } };
  };
}

async function listFrom(script: Parameters<typeof startBench>[0], limits = {}, operation = listThings) {
  await using bench = await startBench(script, { limits });
  const listing: Listing<Thing> = await reading(bench.options, ({ reader }) =>
    reader.list(operation, { type: 'tenant' }, { id: 'a b' }),
  );
  return { listing, requests: bench.server.requests.map(({ path }) => path) };
}

describe('pages by number', () => {
  const first = '/api/v2/things/a%20b?type=tenant&page=0&per_page=100&include_totals=true';

  test.each([
    [0, [first]],
    [1, [first]],
    [100, [first]],
    [101, [first, first.replace('page=0', 'page=1')]],
    [200, [first, first.replace('page=0', 'page=1')]],
  ])('%i items need no empty page', async (count, requests) => {
    expect(await listFrom(servePages(things(count)))).toEqual({
      listing: {
        ok: true,
        arrivedAt: expect.any(Number),
        items: things(count),
        ...(count > 100 && { pages: Math.ceil(count / 100) }),
      },
      requests,
    });
  });

  test('a service that allows less than was asked for is read by its own length', async () => {
    const { listing, requests } = await listFrom(servePages(things(120), 50));
    expect(listing).toEqual({ ok: true, arrivedAt: expect.any(Number), items: things(120), pages: expect.any(Number) });
    expect(requests.map((path) => path.replace(/.*&page=/, ''))).toEqual([
      '0&per_page=100&include_totals=true',
      '1&per_page=50&include_totals=true',
      '2&per_page=50&include_totals=true',
    ]);
  });

  test('law: whatever the number and the length of pages, every item is read once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 230 }), fc.integer({ min: 1, max: 100 }), async (count, most) => {
        const { listing, requests } = await listFrom(servePages(things(count), most));
        expect(listing).toMatchObject({ ok: true, items: things(count) });
        expect(requests).toHaveLength(Math.max(1, Math.ceil(count / most)));
      }),
      propertyRuns(15),
    );
  });

  const numberOf = ({ path }: RecordedRequest) => Number(new URL(path, 'http://x').searchParams.get('page'));

  test('at most eight pages are requested before the one that precedes them is there, and any may arrive first', async () => {
    const serve = servePages(things(2_000));
    const arrived = new Set<number>();
    const ahead: number[] = [];
    const { listing, requests } = await listFrom(async (request) => {
      const number = numberOf(request);
      const missing = Array.from({ length: number }, (_none, before) => before).filter((page) => !arrived.has(page));
      ahead.push(number - Math.min(number, ...missing));
      // Later pages first, in each group of eight.
      await sleep((8 - (number % 8)) * 3);
      arrived.add(number);
      return serve(request);
    });
    expect(listing).toMatchObject({ ok: true, items: things(2_000), pages: 20 });
    expect(requests).toHaveLength(20);
    expect(Math.max(...ahead)).toBeGreaterThan(4);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(8);
  });

  test('a page that cannot be read makes no list, and those after it are given up', async () => {
    const serve = servePages(things(900));
    const { listing } = await listFrom((request) => {
      if (numberOf(request) > 2) return { fault: { type: 'silence' } };
      return numberOf(request) === 2 ? { status: 403, body: { message: 'Forbidden' } } : serve(request);
    });
    expect(listing).toMatchObject({ ok: false, why: { message: expect.stringContaining('list_things: page 3: ') } });
  });

  const page = (items: readonly unknown[], start: number, total: number, limit = 2) => ({
    body: { things: items, start, limit, total },
  });
  test.each<[string, readonly ScriptedAnswer[], string]>([
    ['a bare list', [{ body: things(2) }], 'page 1: the response is an array where an object was expected'],
    ['no total', [{ body: { things: things(2), start: 0, limit: 2 } }], 'page 1: it has no valid totals'],
    ['a negative total', [page(things(2), 0, -1)], 'page 1: it has no valid totals'],
    ['another start', [page(things(2), 2, 4)], 'page 1: it starts at 2 instead of 0'],
    ['a page that is too short', [page(things(1), 0, 4)], 'page 1: it has 1 instead of 2 items'],
    ['an empty page before the end', [page(things(2), 0, 4), page([], 2, 4)], 'page 2: it has 0 instead of 2 items'],
    ['more items than there are', [page(things(3), 0, 2)], 'page 1: it ends at item 3, but the total is 2'],
    ['a length of nothing', [page([], 0, 4, 0)], 'page 1: it has 0 instead of 0 items'],
  ])('%s is no list', async (_name, answers, why) => {
    const { listing } = await listFrom(answers);
    expect(listing).toMatchObject({
      ok: false,
      why: { code: 'LIVE_LISTING_INCOMPLETE', message: `list_things: ${why}` },
    });
  });
});

test.each<[string, readonly object[], number, string]>([
  [
    'the first page again',
    [
      { things: things(2), start: 0, limit: 2, total: 4 },
      { things: things(2), start: 0, limit: 2, total: 4 },
    ],
    2,
    'page 2: the item with the api and the name a and n0 is listed twice',
  ],
  [
    'another total',
    [
      { things: things(2), start: 0, limit: 2, total: 4 },
      { things: things(2, 2), start: 2, limit: 2, total: 5 },
      { things: things(1, 4), start: 4, limit: 2, total: 5 },
    ],
    5,
    'page 2: the total changed from 4 to 5 items',
  ],
  [
    'fewer items than before',
    [
      { things: things(2), start: 0, limit: 2, total: 4 },
      { things: things(1, 3), start: 2, limit: 2, total: 3 },
    ],
    3,
    'page 2: the total changed from 4 to 3 items',
  ],
  [
    'so few items that a page is behind the end',
    [
      { things: things(2), start: 0, limit: 2, total: 5 },
      { things: things(2, 2), start: 2, limit: 2, total: 5 },
      { things: [], start: 4, limit: 2, total: 3 },
    ],
    4,
    'page 3: the total changed from 5 to 3 items',
  ],
])('pages of two states of a list show that it changed between them: %s', async (_name, pages, items, changed) => {
  const { listing } = await listFrom(pages.map((body) => ({ body })));
  expect(listing).toMatchObject({ ok: true, items: { length: items }, changed });
});

describe('a list without pages', () => {
  const paging = { ...listThings.paging, style: 'none', items: '' } as const;
  const listFromAll = (body: unknown) => listFrom([{ body }], {}, { ...listThings, paging });

  test('is one response, however long it is', async () => {
    expect(await listFromAll(things(101))).toEqual({
      listing: { ok: true, arrivedAt: expect.any(Number), items: things(101) },
      requests: ['/api/v2/things/a%20b?type=tenant'],
    });
  });

  test.each<[string, unknown, string]>([
    ['an object', { things: things(1) }, 'it is no list'],
    ['an item twice', [...things(1), ...things(1)], 'page 1'],
  ])('is not read if it is or has %s', async (_name, body, why) => {
    const { listing } = await listFromAll(body);
    expect(listing).toMatchObject({ ok: false, why: { message: expect.stringContaining(why) } });
  });
});

describe('a single read', () => {
  async function getFrom(answer: ScriptedAnswer) {
    await using bench = await startBench([answer]);
    const result = await reading(bench.options, ({ reader }) => reader.get(getThing, { id: '1' }));
    return { result, requests: bench.server.requests.map(({ method, path }) => `${method} ${path}`) };
  }

  test('returns the value', async () => {
    expect(await getFrom({ body: { api: 'a', name: 'n' } })).toEqual({
      result: { ok: true, arrivedAt: expect.any(Number), value: { api: 'a', name: 'n' } },
      requests: ['GET /api/v2/things/1'],
    });
  });

  test.each<[string, ScriptedAnswer, object]>([
    [
      'its own words',
      { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'No such thing.' } },
      { status: 404, serviceMessage: 'No such thing.' },
    ],
    [
      'a value of another type',
      { body: '7' },
      { status: null, why: { code: 'LIVE_LISTING_INCOMPLETE', message: 'get_thing: the value of thing' } },
    ],
    [
      'an array',
      { body: '[]' },
      { why: { message: 'get_thing: the response is an array where an object was expected' } },
    ],
    ['text', { body: '<html>' }, { why: { code: 'LIVE_LISTING_INCOMPLETE' } }],
    [
      '403',
      { status: 403 },
      {
        status: 403,
        why: {
          code: 'LIVE_SCOPE_MISSING',
          message: 'get_thing: status 403; the operation needs the scope read:things',
        },
      },
    ],
    [
      '404 of a service without the operation',
      { status: 404 },
      {
        why: {
          message:
            'get_thing: status 404; the service does not have the operation; set api: documented in the header of the files to use only operations that every service has',
        },
      },
    ],
  ])('that fails says why: %s', async (_name, answer, expected) => {
    expect((await getFrom(answer)).result).toMatchObject({ ok: false, ...expected });
  });
});

describe('many reads at once', () => {
  test('are sent together, up to the bound, and all of them', async () => {
    let underway = 0;
    let most = 0;
    await using bench = await startBench(
      async () => {
        most = Math.max(most, ++underway);
        await sleep(5);
        underway -= 1;
        return { body: { api: 'a', name: 'n' } };
      },
      { limits: { concurrency: 4 } },
    );
    await reading(bench.options, ({ reader }) =>
      Promise.all(Array.from({ length: 20 }, (_none, id) => reader.get(getThing, { id: String(id) }))),
    );
    expect([most, bench.server.requests.length]).toEqual([4, 20]);
  });
});
