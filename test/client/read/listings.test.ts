import { describe, expect, test } from 'vitest';
import type { ListOperation } from '../../../src/model/operation.ts';
import type { Listing, NotRead, Unreadable } from '../../../src/model/reader.ts';
import { operations as streamOperations } from '../../../src/service/event-streams/description.generated.ts';
import { operations as policyOperations } from '../../../src/service/rate-limit-policies/description.generated.ts';
import type { ScriptedAnswer } from '../../support/fault-server.ts';
import { diagnosticOf, policy, policyPage, reading, secretToken, startBench } from '../builders.ts';

/** Lists policies from a server that gives these answers. */
async function listFrom(answers: readonly ScriptedAnswer[], limits = {}) {
  await using bench = await startBench(answers, { limits });
  const listing: Listing<unknown> = await reading(bench.options, ({ reader }) =>
    reader.list(policyOperations.list, {}),
  );
  return {
    listing,
    requests: bench.server.requests.map(({ path }) => path),
    waits: bench.clock.waits,
    events: bench.events,
  };
}

const refused = (message: string, code = 'LIVE_LISTING_INCOMPLETE'): NotRead => ({
  ok: false,
  why: { readable: false, structural: false, code, message: `list_rate_limit_policies: ${message}` } as Unreadable,
  status: expect.toSatisfy((status) => status === null || Number.isInteger(status)),
  serviceMessage: expect.toSatisfy((message) => message === null || typeof message === 'string'),
});

describe('pages', () => {
  test('are followed by cursor, 100 at a time, until there is no next', async () => {
    const { listing, requests, events } = await listFrom([
      { body: policyPage([policy(1), policy(2)], 'c/1 &') },
      { body: policyPage([], 'c2') },
      { body: policyPage([policy(3)]) },
    ]);
    expect(listing).toEqual({
      ok: true,
      arrivedAt: expect.any(Number),
      items: [policy(1), policy(2), policy(3)],
      pages: 3,
    });
    expect(requests).toEqual([
      '/api/v2/rate-limit-policies?take=100',
      '/api/v2/rate-limit-policies?take=100&from=c%2F1%20%26',
      '/api/v2/rate-limit-policies?take=100&from=c2',
    ]);
    expect(events).toEqual([
      { type: 'read', operation: 'list_rate_limit_policies', items: 2, total: 2 },
      { type: 'read', operation: 'list_rate_limit_policies', items: 0, total: 2 },
      { type: 'read', operation: 'list_rate_limit_policies', items: 1, total: 3 },
    ]);
  });

  test('end with an empty next', async () => {
    const { listing, requests } = await listFrom([{ body: policyPage([policy(1)], '') }]);
    expect(listing).toEqual({ ok: true, arrivedAt: expect.any(Number), items: [policy(1)] });
    expect(requests).toHaveLength(1);
  });

  test('of event streams have a camelCase key', async () => {
    const stream = { id: 'est_1', name: 'users-to-crm' };
    await using bench = await startBench([{ body: { eventStreams: [stream] } }]);
    expect(await reading(bench.options, ({ reader }) => reader.list(streamOperations.list, {}))).toEqual({
      ok: true,
      arrivedAt: expect.any(Number),
      items: [stream],
    });
    expect(bench.server.requests[0]?.path).toBe('/api/v2/event-streams?take=100');
  });

  test('carry the filters of the query, and the token', async () => {
    await using bench = await startBench([{ body: policyPage([], 'c1') }, { body: policyPage([]) }], {
      userAgent: 'tenant-sync/9.9.9',
    });
    await reading(bench.options, ({ reader }) =>
      reader.list(policyOperations.list, { consumer: 'client', consumer_selector: 'client_id:https://a.example/?x=1' }),
    );
    expect(bench.server.requests.map(({ path }) => path)).toEqual([
      '/api/v2/rate-limit-policies?consumer=client&consumer_selector=client_id%3Ahttps%3A%2F%2Fa.example%2F%3Fx%3D1&take=100',
      '/api/v2/rate-limit-policies?consumer=client&consumer_selector=client_id%3Ahttps%3A%2F%2Fa.example%2F%3Fx%3D1&take=100&from=c1',
    ]);
    expect(bench.server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${secretToken}`,
      accept: 'application/json',
      'user-agent': 'tenant-sync/9.9.9',
    });
  });
});

test('connections are kept: many pages do not need many', async () => {
  await using bench = await startBench((_request, index) => ({
    body: policyPage([policy(index)], index < 49 ? `c${index}` : undefined),
  }));
  const listing = await reading(bench.options, ({ reader }) => reader.list(policyOperations.list, {}));
  expect(listing.ok && listing.items.length).toBe(50);
  expect(bench.server.connections()).toBeLessThanOrEqual(2);
});

describe('pages that do not add up are no list', () => {
  test.each<[string, readonly ScriptedAnswer[], string, number]>([
    ['the same cursor again', [{ body: policyPage([], 'A') }], 'page 2: a cursor was returned before', 2],
    [
      'a loop of two',
      [{ body: policyPage([], 'A') }, { body: policyPage([], 'B') }, { body: policyPage([], 'A') }],
      'page 3: a cursor was returned before',
      3,
    ],
    [
      'the same id on one page',
      [{ body: policyPage([policy(1), policy(1)]) }],
      'page 1: the item with the id rlp_1 is listed twice',
      1,
    ],
  ])('%s', async (_name, answers, message, requests) => {
    const result = await listFrom(answers);
    expect(result.listing).toEqual(refused(message));
    expect(result.requests).toHaveLength(requests);
  });

  test('the same id on two pages shows that the list changed between them', async () => {
    const { listing } = await listFrom([{ body: policyPage([policy(1)], 'A') }, { body: policyPage([policy(1)]) }]);
    const changed = 'page 2: the item with the id rlp_1 is listed twice';
    expect(listing).toMatchObject({ ok: true, items: [policy(1)], pages: 2, changed });
  });

  test('the cursor that the listing began with', async () => {
    await using bench = await startBench([{ body: policyPage([], 'A') }]);
    const listing = await reading(bench.options, ({ reader }) => reader.list(policyOperations.list, { from: 'A' }));
    expect(listing).toEqual(refused('page 1: a cursor was returned before'));
  });

  test.each<[string, object, string]>([
    ['a cursor that no query can contain', policyPage([policy(1)], '\ud800'), 'its next is not text'],
    ['an error in a success', { ...policyPage([policy(1)]), statusCode: 500, error: 'x' }, 'it reports the status 500'],
  ])('%s', async (_name, body, why) => {
    expect((await listFrom([{ body }])).listing).toEqual(refused(`page 1: ${why}`));
  });

  test('and what was requested after an invalid one is not sent again', async () => {
    const invalid = { ...policy(1), id: 7 };
    const next = [{ status: 429, headers: { 'retry-after': '20' } }, { status: 503 }] as const;
    for (const answer of next) {
      const { listing, requests, waits } = await listFrom([{ body: policyPage([invalid], 'c1') }, answer, answer]);
      expect(listing).toMatchObject({ ok: false, why: { message: expect.stringContaining('page 1: ') } });
      expect([requests.length, waits]).toEqual([2, []]);
    }
  });

  test('more pages than allowed', async () => {
    await using bench = await startBench((_request, index) => ({ body: policyPage([policy(index)], `c${index}`) }), {
      limits: { maxPages: 3 },
    });
    const listing = await reading(bench.options, ({ reader }) => reader.list(policyOperations.list, {}));
    expect(listing).toEqual(refused('more than 3 pages'));
    expect(bench.server.requests).toHaveLength(3);
  });

  test('more bytes than allowed, although every page is short enough', async () => {
    const body = policyPage([policy(1)], 'A');
    const bytes = Buffer.byteLength(JSON.stringify(body));
    await using bench = await startBench((_request, index) => ({ body: policyPage([policy(index)], `c${index}`) }), {
      limits: { maxListingBytes: 3 * bytes - 1 },
    });
    const listing = await reading(bench.options, ({ reader }) => reader.list(policyOperations.list, {}));
    expect(listing).toEqual(refused(`its pages are larger than ${3 * bytes - 1} bytes in total`));
    expect(bench.server.requests.length).toBeLessThanOrEqual(4);
  });
});

describe('a response that is not a valid page is no list', () => {
  const html = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>Maintenance</h1>' };
  const schema = 'of rate-limit-policies.schema.json#/$defs/live';
  const noList = 'page 1: it has no list "rate_limit_policies"';
  test.each<[string, ScriptedAnswer, string]>([
    ['HTML', html, 'page 1: status 200, but the body is text/html instead of JSON, as from a proxy'],
    [
      'HTML with 403, which shows no missing scope',
      { ...html, status: 403 },
      'page 1: status 403: the body is text/html instead of JSON, as from a proxy',
    ],
    [
      'a body of a type that may be a secret',
      { headers: { 'content-type': `text/${secretToken}` }, body: '<h1>' },
      'page 1: the body is not JSON',
    ],
    ['text', { body: 'ok' }, 'page 1: the body is not JSON'],
    ['an empty body', {}, 'page 1: the body is empty'],
    ['204', { status: 204 }, 'page 1: status 204'],
    ['206', { status: 206, body: policyPage([]) }, 'page 1: status 206'],
    ['304', { status: 304 }, 'page 1: status 304; redirects are not followed'],
    ['bytes that are not UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 'page 1: the body is not UTF-8'],
    ['null', { body: 'null' }, noList],
    ['an array', { body: '[]' }, 'page 1: the response is an array where an object was expected'],
    ['a wrong key', { body: { policies: [] } }, noList],
    ['an object instead of a list', { body: { rate_limit_policies: { length: 1 } } }, noList],
    ['an error under 200', { body: { error: 'x' } }, noList],
    ['next: 7', { body: policyPage([], 7) }, 'page 1: its next is not text'],
    [
      'a cursor that is too long',
      { body: policyPage([], 'x'.repeat(1001)) },
      'page 2 cannot be requested: /from violates the rule maxLength {"limit":1000} of rate-limit-policies.schema.json#/$defs/list_query',
    ],
    [
      'more items than were requested',
      { body: policyPage(Array.from({ length: 101 }, (_none, index) => policy(index))) },
      'page 1: it has 101 items, although at most 100 were requested',
    ],
    [
      'an item without a usable shape',
      { body: policyPage([policy(1), { ...policy(2), configuration: 'block' }]) },
      `page 1: /rate_limit_policies/1/configuration violates the rule type {"type":"object"} ${schema}; the item's id is rlp_2`,
    ],
    [
      'an item without an id',
      { body: policyPage([{ ...policy(1), id: undefined }]) },
      `page 1: /rate_limit_policies/0 violates the rule required {"missingProperty":"id"} ${schema}`,
    ],
    [
      'an id that is no segment of a path',
      { body: policyPage([{ ...policy(1), id: '..' }]) },
      `page 1: /rate_limit_policies/0/id violates the rule format {"format":"path-segment"} ${schema}; the item's id is ..`,
    ],
    [
      'an item without a usable identity',
      { body: policyPage([{ ...policy(1), consumer_selector: null }]) },
      `page 1: /rate_limit_policies/0/consumer_selector violates the rule type {"type":"string"} ${schema}; the item's id is rlp_1`,
    ],
    [
      'an item that is null',
      { body: policyPage([null]) },
      `page 1: /rate_limit_policies/0 violates the rule type {"type":"object"} ${schema}`,
    ],
    ['deep nesting', { body: '['.repeat(65) + ']'.repeat(65) }, 'page 1: the body is nested deeper than 64 levels'],
  ])('%s', async (_name, answer, message) => {
    const { listing, requests } = await listFrom([answer]);
    expect(listing).toEqual(refused(message));
    expect(requests).toHaveLength(1);
  });

  test('a body that ends early, at every byte, is never a page', async () => {
    const body = Buffer.from(JSON.stringify(policyPage([policy(1), policy(2)], 'next')));
    await using bench = await startBench((_request, index) => ({ body, fault: { type: 'short', bytes: index } }));
    const seen = await reading(bench.options, async ({ reader }) => {
      const listings: Listing<unknown>[] = [];
      for (let bytes = 0; bytes < body.length; bytes += 1) listings.push(await reader.list(policyOperations.list, {}));
      return listings;
    });
    expect(bench.server.requests).toHaveLength(body.length);
    expect(seen).toEqual([
      refused('page 1: the body is empty'),
      ...Array(body.length - 1).fill(refused('page 1: the body is not JSON')),
    ]);
  });

  test.each(['reset', 'end'] as const)(
    'a connection that breaks (%s) at every byte of a page is tried again',
    async (how) => {
      const body = Buffer.from(JSON.stringify(policyPage([policy(1)])));
      await using bench = await startBench((_request, index) =>
        index % 2 === 0 ? { body, fault: { type: 'cut', bytes: index / 2, how } } : { body },
      );
      // A connection each: together they would use up the retries of a run.
      for (let bytes = 0; bytes < body.length; bytes += 1) {
        expect(await reading(bench.options, ({ reader }) => reader.list(policyOperations.list, {}))).toEqual({
          ok: true,
          arrivedAt: expect.any(Number),
          items: [policy(1)],
        });
      }
      expect(bench.server.requests).toHaveLength(body.length * 2);
    },
  );
});

describe('a response that is an error', () => {
  const error = (statusCode: number, message: string) => ({
    status: statusCode,
    body: { statusCode, error: 'Error', message },
  });
  const scope = 'the operation needs the scope read:rate_limit_policies';
  test.each<[string, ScriptedAnswer, ReturnType<typeof refused>]>([
    ['400', error(400, 'bad\n\tcursor'), refused('page 1: status 400: bad cursor')],
    [
      '400 with nothing but a reason phrase',
      { status: 400, body: { statusCode: 400, error: 'Bad Request' } },
      refused('page 1: status 400: Bad Request'),
    ],
    ['400 with nothing to say', error(400, ' '), refused('page 1: status 400')],
    ['418 of another shape', { status: 418, body: '<h1>teapot</h1>' }, refused('page 1: status 418')],
    [
      '404',
      error(404, 'Not Found'),
      {
        ...refused('page 1: status 404: Not Found; the service does not have the operation'),
        confirmedBy: policyOperations.get,
      },
    ],
    ['405', { status: 405 }, refused('page 1: status 405; the service does not have the operation')],
    ['501', { status: 501 }, refused('page 1: status 501; the service does not have the operation')],
    [
      '403',
      error(403, 'Insufficient scope, expected any of: read:rate_limit_policies'),
      refused(
        `page 1: status 403: Insufficient scope, expected any of: read:rate_limit_policies; ${scope}`,
        'LIVE_SCOPE_MISSING',
      ),
    ],
    [
      '403 of a plan',
      error(403, 'Please upgrade.'),
      refused(`page 1: status 403: Please upgrade.; ${scope} and a tenant with the feature`, 'LIVE_FORBIDDEN'),
    ],
  ])('%s', async (_name, answer, expected) => {
    const { listing, requests } = await listFrom([answer]);
    expect(listing).toEqual(expected);
    expect(requests).toHaveLength(1);
  });

  test('names the page', async () => {
    const { listing } = await listFrom([{ body: policyPage([policy(1)], 'A') }, error(400, 'no such cursor')]);
    expect(listing).toEqual(refused('page 2: status 400: no such cursor'));
  });

  test('401 of the only token ends the run', async () => {
    await using bench = await startBench([error(401, `Invalid token ${secretToken}`)]);
    const diagnostic = await reading(bench.options, ({ reader }) =>
      diagnosticOf(reader.list(policyOperations.list, {})),
    );
    expect(diagnostic).toEqual({
      code: 'SERVICE_UNAUTHORIZED',
      severity: 'error',
      message: `${new URL(bench.server.url).host} refused the token: status 401: Invalid token ***.`,
      hint: 'check that the token is for this tenant and has not expired',
    });
    expect(bench.server.requests).toHaveLength(1);
  });

  test('shows at most 300 characters on one line, of at most 64 KB', async () => {
    const long = await listFrom([error(400, `${'one two '.repeat(100)}\u2028`)]);
    expect(long.listing).toEqual(refused(`page 1: status 400: ${'one two '.repeat(75).slice(0, 299)}…`));
    const huge = await listFrom([error(400, 'a'.repeat(100_000))]);
    expect(huge.listing).toEqual(refused('page 1: status 400'));
  });
});

test('an operation that is not a listing is refused before anything is sent', async () => {
  await using bench = await startBench([{ body: policyPage([]) }]);
  await reading(bench.options, async ({ reader }) => {
    const row = policyOperations.delete as unknown as ListOperation<object, unknown>; // what the compiler forbids is tried on purpose
    await expect(reader.list(row, {})).rejects.toThrow('delete_rate_limit_policy is not a listing');
  });
  expect(bench.server.bytesReceived()).toBe(0);
});

test.each<[string, string]>([
  ['40,000 items that fail their schema', pageOf('{"id":5,"resource":"x","a":{"b":[]}}', 40_000)],
  ['900,000 numbers', pageOf('1', 900_000)],
  ['100 items with 900 values each, none as expected', pageOf(`{"id":"x","f":[${'{},'.repeat(899)}{}]}`, 100)],
])('%s do not block the process for 200 ms', async (_name, body) => {
  await using bench = await startBench([{ body: Buffer.from(body) }]);
  const gaps: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    let longest = 0;
    let last = performance.now();
    const ticks = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    const listing = await reading(bench.options, ({ reader }) => reader.list(policyOperations.list, {}));
    expect(listing.ok).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 5));
    clearInterval(ticks);
    gaps.push(longest);
  }
  expect(Math.min(...gaps)).toBeLessThan(200);
});

function pageOf(item: string, count: number): string {
  return `{"rate_limit_policies":[${`${item},`.repeat(count - 1)}${item}]}`;
}
