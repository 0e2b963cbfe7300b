import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/client/system-clock.ts';
import { operations as streamOperations } from '../../../src/service/event-streams/description.generated.ts';
import { operations as policies } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { stoppedClock } from '../../support/fake-clock.ts';
import type { ScriptedAnswer } from '../../support/fault-server.ts';
import { diagnosticOf, policyPage, reading, secretToken, startBench } from '../builders.ts';

const page = { body: policyPage([]) };
const list = (connection: Parameters<Parameters<typeof reading>[1]>[0]) => connection.reader.list(policies.list, {});
const incomplete = (message: string) => ({
  ok: false,
  why: {
    readable: false,
    structural: false,
    code: 'LIVE_LISTING_INCOMPLETE',
    message: `list_rate_limit_policies: page 1: ${message}`,
  },
  status: expect.toSatisfy((status) => status === null || Number.isInteger(status)),
  serviceMessage: expect.toSatisfy((message) => message === null || message === 'later'),
});

describe('a read is retried', () => {
  test.each<[string, ScriptedAnswer, string]>([
    ['429', { status: 429 }, 'status 429'],
    ['408', { status: 408 }, 'status 408'],
    ['425', { status: 425 }, 'status 425'],
    ['500', { status: 500 }, 'status 500'],
    ['502', { status: 502 }, 'status 502'],
    ['503', { status: 503 }, 'status 503'],
    ['504', { status: 504 }, 'status 504'],
    ...[502, 503, 520, 521, 522, 523, 524].map((status): [string, ScriptedAnswer, string] => [
      `${status} with a page of HTML`,
      { status, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
      `status ${status}`,
    ]),
    ['a reset before the response', { fault: { type: 'reset' } }, 'ECONNRESET|UND_ERR_SOCKET'],
    [
      'a reset in the body',
      { body: page.body, fault: { type: 'cut', bytes: 5, how: 'reset' } },
      'ECONNRESET|UND_ERR_SOCKET',
    ],
    ['an end in the body', { body: page.body, fault: { type: 'cut', bytes: 5, how: 'end' } }, 'UND_ERR_SOCKET'],
  ])('after %s', async (_name, answer, reason) => {
    await using bench = await startBench([answer, answer, page]);
    expect(await reading(bench.options, list)).toEqual({ ok: true, arrivedAt: expect.any(Number), items: [] });
    expect(bench.server.requests).toHaveLength(3);
    expect(bench.clock.waits).toHaveLength(2);
    const waited = {
      type: 'waiting',
      operation: 'list_rate_limit_policies',
      reason: expect.stringMatching(new RegExp(`^(${reason})$`)),
    };
    expect(bench.events.slice(0, 2)).toEqual(bench.clock.waits.map((ms) => ({ ...waited, ms })));
  });

  test('at most five times in all, with longer and longer waits', async () => {
    await using bench = await startBench([
      { status: 503, body: { statusCode: 503, error: 'Service Unavailable', message: 'later' } },
    ]);
    expect(await reading(bench.options, list)).toEqual(incomplete('status 503: later, after 5 tries'));
    expect(bench.server.requests).toHaveLength(5);
    const [first = 0, second = 0, third = 0, fourth = 0] = bench.clock.waits;
    expect(bench.clock.waits).toHaveLength(4);
    expect([
      first >= 250,
      first <= 500,
      second >= 500,
      second <= 1000,
      third >= 1000,
      third <= 2000,
      fourth >= 2000,
      fourth <= 4000,
    ]).not.toContain(false);
  });

  test.each([429, 503])('after a %i, at the date of Retry-After, by the clock of the service', async (status) => {
    const clockOfService = Date.UTC(2031, 0, 1);
    const headers = {
      date: new Date(clockOfService).toUTCString(),
      'retry-after': new Date(clockOfService + 9000).toUTCString(),
    };
    await using bench = await startBench([{ status, headers }, page]);
    expect(await reading(bench.options, list)).toEqual({ ok: true, arrivedAt: expect.any(Number), items: [] });
    const [waited = 0] = bench.clock.waits;
    expect(waited >= 9000 && waited < 10_100).toBe(true);
  });

  test('when the rate limit resets, by the clock of the service', async () => {
    const clockOfService = Date.UTC(2031, 0, 1);
    const headers = {
      date: new Date(clockOfService).toUTCString(),
      'x-ratelimit-reset': `${clockOfService / 1000 + 9}`,
    };
    await using bench = await startBench([{ status: 429, headers }, page]);
    expect(await reading(bench.options, list)).toEqual({ ok: true, arrivedAt: expect.any(Number), items: [] });
    expect(bench.clock.waits).toEqual([9020]);
  });

  test('when the rate limit resets, by our clock if the service sends no Date', async () => {
    await using bench = await startBench([
      { status: 429, headers: { date: null, 'x-ratelimit-reset': `${Date.UTC(2026, 10, 20, 10, 0, 4) / 1000}` } },
      page,
    ]);
    await reading(bench.options, list);
    expect(bench.clock.waits).toEqual([4020]);
  });

  test('not when the service asks for a longer wait than is allowed', async () => {
    const clockOfService = Date.UTC(2031, 0, 1);
    const headers = {
      date: new Date(clockOfService).toUTCString(),
      'x-ratelimit-reset': `${clockOfService / 1000 + 600}`,
    };
    await using bench = await startBench([{ status: 429, headers }]);
    expect(await reading(bench.options, list)).toEqual(
      incomplete('status 429; the service asks to wait until 2031-01-01T00:10:00.000Z, which is longer than allowed'),
    );
    expect(bench.server.requests).toHaveLength(1);
    expect(bench.clock.waits).toEqual([]);
  });

  test('page by page: the next page has all its tries', async () => {
    const answers = [{ status: 502 }, { status: 502 }, { status: 502 }, { status: 502 }, { body: policyPage([], 'A') }];
    await using bench = await startBench([
      ...answers,
      { status: 502 },
      { status: 502 },
      { status: 502 },
      { status: 502 },
      page,
    ]);
    expect(await reading(bench.options, list)).toMatchObject({ ok: true, items: [] });
    expect(bench.server.requests).toHaveLength(10);
  });
});

describe('time', () => {
  test('a timeout covers a response that never comes', async () => {
    await using bench = await startBench([{ body: page.body }, { fault: { type: 'silence' } }], {
      limits: { timeoutMs: 80, tries: 2 },
    });
    const started = Date.now();
    await reading(bench.options, async (connection) => {
      await list(connection);
      expect(await list(connection)).toEqual(incomplete('no response (ETIMEDOUT), after 2 tries'));
    });
    expect(Date.now() - started).toBeGreaterThanOrEqual(155);
    expect(Date.now() - started).toBeLessThan(1000);
  });

  test('a timeout covers a slow body', async () => {
    const answer: ScriptedAnswer = { body: ' '.repeat(200), fault: { type: 'drip', everyMs: 15 } };
    await using bench = await startBench([answer], { limits: { timeoutMs: 100, tries: 1 } });
    const started = Date.now();
    expect(await reading(bench.options, list)).toEqual(incomplete('no response (ETIMEDOUT)'));
    expect(Date.now() - started).toBeLessThan(1000);
  });

  test.each([
    [200, 'no response (ETIMEDOUT)'],
    [503, 'status 503'],
  ])('a request has one more try after its deadline, if a service drips the body of a %i', async (status, why) => {
    const drips: ScriptedAnswer = { status, body: ' '.repeat(200), fault: { type: 'drip', everyMs: 15 } };
    await using bench = await startBench([{ status: 503 }, drips], { limits: { timeoutMs: 100 } });
    expect(await reading(bench.options, list)).toEqual(incomplete(`${why}, after 3 tries`));
    expect(bench.server.requests).toHaveLength(3);
  });

  test('the signal cuts a wait short', async () => {
    const stop = new AbortController();
    const clock = stoppedClock(() => stop.abort(new Error('stopped by the user')));
    await using bench = await startBench([{ status: 503 }], { clock, signal: stop.signal });
    await expect(reading(bench.options, list)).rejects.toThrow('stopped by the user');
    expect(bench.server.requests).toHaveLength(1);
  });

  test('the signal cuts a request short', async () => {
    const stop = new AbortController();
    await using bench = await startBench(
      () => {
        stop.abort(new Error('stopped by the user'));
        return { fault: { type: 'silence' } };
      },
      { signal: stop.signal },
    );
    await expect(reading(bench.options, list)).rejects.toThrow('stopped by the user');
    expect(bench.clock.waits).toEqual([]);
  });

  test('a signal that has aborted before sends nothing', async () => {
    await using bench = await startBench([page], { signal: AbortSignal.abort(new Error('stopped by the user')) });
    await expect(reading(bench.options, list)).rejects.toThrow('stopped by the user');
    expect(bench.server.requests).toHaveLength(0);
  });

  test('closing ends what is still under way', async () => {
    await using bench = await startBench([{ fault: { type: 'silence' } }], { clock: systemClock });
    let under: Promise<unknown> = Promise.resolve();
    await reading(bench.options, async (connection) => {
      under = list(connection).catch((error: Error) => error.message);
      await new Promise((resolve) => setTimeout(resolve, 30));
    });
    expect(await under).toBe('the connection was closed');
  });
});

describe('a service that never responds', () => {
  test('ends the run, naming host and cause', async () => {
    const port = await closedPort();
    await using bench = await startBench([page], { baseUrl: `http://127.0.0.1:${port}/api/v2` });
    const seen = await reading(bench.options, async (connection) => ({
      diagnostic: await diagnosticOf(list(connection)),
      reached: connection.reached(),
    }));
    expect(seen).toEqual({
      reached: false,
      diagnostic: {
        code: 'SERVICE_UNREACHABLE',
        severity: 'error',
        message: `127.0.0.1:${port} cannot be reached: ECONNREFUSED after 5 tries.`,
        hint: 'check TENANT_SYNC_BASE_URL, TENANT_SYNC_AUTH_URL and the network',
      },
    });
    expect(bench.clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(10_000);
  });

  test('is not confused with one that responded before', async () => {
    await using bench = await startBench((request) =>
      request.path.includes('event-streams') ? { body: { eventStreams: [] } } : { fault: { type: 'reset' } },
    );
    await reading(bench.options, async (connection) => {
      expect(connection.reached()).toBe(false);
      await connection.reader.list(streamOperations.list, {});
      expect(connection.reached()).toBe(true);
      expect(await list(connection)).toMatchObject({
        ok: false,
        why: { code: 'LIVE_LISTING_INCOMPLETE', message: expect.stringMatching(/no response \(\w+\), after 5 tries$/) },
      });
    });
  });

  test('an error is a response', async () => {
    await using bench = await startBench([{ status: 500 }]);
    await reading(bench.options, async (connection) => {
      await list(connection);
      expect(connection.reached()).toBe(true);
    });
  });
});

describe('size', () => {
  test('an endless response is read up to the bound', async () => {
    await using bench = await startBench([{ body: Buffer.alloc(256 * 1024, ' '), fault: { type: 'endless' } }], {
      limits: { maxResponseBytes: 1024 * 1024 },
    });
    expect(await reading(bench.options, list)).toEqual(incomplete('the response is larger than 1048576 bytes'));
    expect(bench.server.requests).toHaveLength(1);
    expect(bench.server.bytesSent()).toBeLessThan(20 * 1024 * 1024);
  });

  test('a response of 100 MB is read up to the bound', async () => {
    await using bench = await startBench([{ body: Buffer.alloc(100 * 1024 * 1024, ' ') }]);
    expect(await reading(bench.options, list)).toEqual(incomplete('the response is larger than 4194304 bytes'));
  });

  test('of an error no more than 64 KB are read', async () => {
    await using bench = await startBench([
      { status: 400, body: Buffer.alloc(64 * 1024, 'x'), fault: { type: 'endless' } },
    ]);
    expect(await reading(bench.options, list)).toEqual(incomplete('status 400'));
  });

  test('an error whose body breaks off is still that error', async () => {
    await using bench = await startBench([
      { status: 400, body: 'x'.repeat(100), fault: { type: 'cut', bytes: 10, how: 'reset' } },
    ]);
    expect(await reading(bench.options, list)).toEqual(incomplete('status 400'));
  });
});

test('a token that is invalid in a header is a bug of the tool, and is not shown', async () => {
  await using bench = await startBench([page], { credentials: { token: `${secretToken}\n` } });
  const error = await reading(bench.options, list).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: 'InternalError',
    message: 'the request could not be made (UND_ERR_INVALID_ARG)',
  });
  expect(bench.server.requests).toHaveLength(0);
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
