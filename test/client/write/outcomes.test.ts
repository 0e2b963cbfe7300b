import { describe, expect, test } from 'vitest';
import { openWriteConnection } from '../../../src/client/write-connection.ts';
import type { Operation } from '../../../src/model/operation.ts';
import { operations as connectionOperations } from '../../../src/service/connections/description.generated.ts';
import { operations as policyOperations } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { stoppedClock } from '../../support/fake-clock.ts';
import type { ScriptedAnswer } from '../../support/fault-server.ts';
import {
  actionOf,
  clientCredentialsFor,
  deletePolicyRequest,
  errorResponse,
  perform,
  policyPage,
  putPartialsRequest,
  resetConnection,
  secretToken,
  startBench,
  writing,
} from '../builders.ts';

describe('a deletion that the service only accepts', () => {
  const request = { operation: 'delete_connection', method: 'DELETE', path: '/connections/con_1' } as const;
  test.each<[string, ScriptedAnswer, object]>([
    [
      'is not done yet',
      { status: 202, body: { deleted_at: '2026-01-01T00:00:00Z' } },
      {
        outcome: 'unknown',
        status: 202,
        message: 'status 202: accepted; it may have been carried out',
        accepted: true,
      },
    ],
    ['is done where there is nothing', { status: 204 }, { outcome: 'done', status: 204, message: 'already gone' }],
    ['is unknown after another success', { status: 200 }, { outcome: 'unknown', status: 200 }],
    ['is unknown after a page', { status: 202, body: '<html>' }, { outcome: 'unknown', status: 202 }],
    ['is unknown after an error in a success', { status: 202, body: { error: 'no' } }, { outcome: 'unknown' }],
    ['has failed after a refusal', errorResponse(403, 'Insufficient scope'), { outcome: 'failed', status: 403 }],
  ])('%s', async (_name, answer, expected) => {
    await using bench = await startBench([answer]);
    const connection = openWriteConnection(bench.options, Object.values(connectionOperations), () => undefined);
    const outcome = await connection.perform(actionOf(request)).finally(() => connection.close());
    expect(outcome).toMatchObject(expected);
    if (!('accepted' in expected)) expect(outcome.accepted).toBeUndefined();
  });
});

describe('outcomes', () => {
  const gone = errorResponse(404, 'no such policy');
  const may = 'it may have been carried out';
  const done = { outcome: 'done' };
  const fiveTimes = (answer: ScriptedAnswer) => Array<ScriptedAnswer>(5).fill(answer);
  test.each<[string, readonly ScriptedAnswer[], object, number]>([
    ['the success of the operation is done', [{ status: 204 }], { ...done, status: 204, message: null }, 1],
    [
      'another success is unknown',
      [{ status: 202, body: 'accepted' }],
      { outcome: 'unknown', status: 202, message: `status 202, but the operation succeeds with 200, 201, 204; ${may}` },
      1,
    ],
    [
      'a success whose body breaks off is unknown',
      [{ body: 'x'.repeat(100), fault: { type: 'cut', bytes: 3, how: 'reset' } }],
      { outcome: 'unknown', status: 200, message: `status 200, but the body is not complete; ${may}` },
      1,
    ],
    ['gone already is done', [gone], { ...done, status: 404, message: 'already gone' }, 1],
    [
      'gone after a broken connection is done',
      [resetConnection, gone],
      { ...done, status: 404, message: 'already gone' },
      2,
    ],
    [
      'success after a broken connection is done',
      [resetConnection, { status: 503 }, { status: 204 }],
      { ...done, status: 204, message: null },
      3,
    ],
    [
      'a refusal has failed',
      [errorResponse(400, 'bad\nid')],
      { outcome: 'failed', status: 400, message: 'status 400: bad id', refusal: 'bad\nid' },
      1,
    ],
    [
      'a refusal for lack of a scope has failed',
      [errorResponse(403, 'Insufficient scope')],
      { outcome: 'failed', status: 403, message: 'status 403: Insufficient scope' },
      1,
    ],
    [
      'a long message is cut',
      [errorResponse(409, 'one two '.repeat(125))],
      {
        outcome: 'failed',
        status: 409,
        message: `status 409: ${'one two '.repeat(75).slice(0, 299)}…`,
        refusal: 'one two '.repeat(125).trim(),
      },
      1,
    ],
    [
      'a redirect is unknown',
      [{ status: 307, headers: { location: '/' } }],
      { outcome: 'unknown', status: 307, message: `status 307; redirects are not followed; ${may}` },
      1,
    ],
    [
      'refused by the rate limit every time has failed',
      fiveTimes({ status: 429 }),
      { outcome: 'failed', status: 429, message: 'status 429, after 5 tries' },
      5,
    ],
    [
      'an error of the service is unknown',
      [errorResponse(500, 'boom')],
      { outcome: 'unknown', status: 500, message: `status 500: boom; ${may}` },
      1,
    ],
    [
      'busy every time is unknown',
      fiveTimes({ status: 503 }),
      { outcome: 'unknown', status: 503, message: `status 503, after 5 tries; ${may}` },
      5,
    ],
    [
      'a broken connection, then the rate limit, is unknown',
      [resetConnection, { status: 429 }],
      { outcome: 'unknown', status: 429, message: `status 429, after 5 tries; ${may}` },
      5,
    ],
    [
      'a broken connection, then a refusal, is unknown',
      [resetConnection, errorResponse(400, 'no')],
      { outcome: 'unknown', status: 400, message: `status 400: no, after 2 tries; ${may}` },
      2,
    ],
    [
      '401 of the only token has failed for all',
      [errorResponse(401, `bad ${secretToken}`)],
      { outcome: 'failed', status: 401, message: 'status 401: bad ***', fatal: true, refusal: `bad ${secretToken}` },
      1,
    ],
    [
      '401 after a broken connection is unknown',
      [resetConnection, errorResponse(401, 'bad')],
      { outcome: 'unknown', status: 401, message: `status 401: bad, after 2 tries; ${may}`, fatal: true },
      2,
    ],
  ])('%s', async (_name, answers, expected, count) => {
    const { outcome, requests } = await perform(answers);
    expect(outcome).toEqual({ id: 'the-action', ...expected });
    expect(requests).toHaveLength(count);
  });

  test('a connection that breaks every time is unknown', async () => {
    const { outcome, requests } = await perform([resetConnection]);
    expect(outcome).toEqual({
      id: 'the-action',
      outcome: 'unknown',
      status: null,
      message: expect.stringMatching(/^no response \(\w+\), after 5 tries; it may have been carried out$/),
    });
    expect(requests).toHaveLength(5);
  });

  test('a connection that is never opened has failed', async () => {
    await using bench = await startBench([{ status: 204 }]);
    await bench.server.close();
    const outcome = await writing(bench.options, (connection) => connection.perform(actionOf(deletePolicyRequest)));
    expect(outcome).toEqual({
      id: 'the-action',
      outcome: 'failed',
      status: null,
      message: 'no response (ECONNREFUSED), after 5 tries; nothing was sent',
      fatal: true,
    });
  });

  test.each<[string, ScriptedAnswer, 'unknown' | 'failed']>([
    ['one that may have been carried out: unknown', resetConnection, 'unknown'],
    ['one that was refused: failed', { status: 429 }, 'failed'],
  ])('a try that must not follow %s', async (_name, first, outcome) => {
    await using bench = await startBench([first, { status: 204 }]);
    let tries = 0;
    const before = () => {
      tries += 1;
      return tries === 1
        ? null
        : ({ id: 'the-action', outcome: 'not_attempted', status: null, message: 'no' } as const);
    };
    const performed = await writing(bench.options, (connection) =>
      connection.perform(actionOf(deletePolicyRequest), before),
    );
    const expected =
      outcome === 'unknown' ? { status: null, message: `no; ${may}` } : { status: 429, message: 'status 429; no' };
    expect(performed).toEqual({ id: 'the-action', outcome, ...expected });
    expect(bench.server.requests).toHaveLength(1);
  });

  test('a reading that got too old while the connection was opened: nothing is sent before the next try', async () => {
    await using bench = await startBench([{ status: 204 }]);
    const ready = [false, true];
    const performed = await writing(bench.options, (connection) =>
      connection.perform(
        actionOf(deletePolicyRequest),
        () => null,
        () => ready.shift() ?? true,
      ),
    );
    expect(performed).toMatchObject({ outcome: 'done', status: 204 });
    expect(bench.server.requests).toHaveLength(1);
  });

  test('a connection that is always too slow: failed, and nothing is sent', async () => {
    await using bench = await startBench([{ status: 204 }]);
    const performed = await writing(bench.options, (connection) =>
      connection.perform(
        actionOf(deletePolicyRequest),
        () => null,
        () => false,
      ),
    );
    expect(performed).toMatchObject({ outcome: 'failed', status: null });
    expect(performed.message).toContain('CONNECTED_LATE');
    expect(bench.server.requests).toHaveLength(0);
  });

  test('404 is no success where nothing is to be gone', async () => {
    const { outcome } = await perform([errorResponse(404, 'no such prompt')], putPartialsRequest);
    expect(outcome).toMatchObject({ outcome: 'failed', status: 404 });
  });

  test('a longer wait than allowed names its end', async () => {
    const now = Date.UTC(2031, 0, 1);
    const headers = { date: new Date(now).toUTCString(), 'x-ratelimit-reset': `${now / 1000 + 3600}` };
    const { outcome, waits } = await perform([{ status: 429, headers }]);
    expect(outcome).toMatchObject({
      outcome: 'failed',
      message: 'status 429; the service asks to wait until 2031-01-01T01:00:00.000Z, which is longer than allowed',
    });
    expect(waits).toEqual([]);
  });

  test('an endless response to a write is read up to the bound, and is unknown', async () => {
    await using bench = await startBench([{ body: Buffer.alloc(64 * 1024), fault: { type: 'endless' } }], {
      limits: { maxResponseBytes: 100_000 },
    });
    expect(
      await writing(bench.options, (connection) => connection.perform(actionOf(deletePolicyRequest))),
    ).toMatchObject({ outcome: 'unknown', status: 200 });
  });

  test('a deadline makes it unknown', async () => {
    await using bench = await startBench([{ fault: { type: 'silence' } }], { limits: { timeoutMs: 60, tries: 1 } });
    const outcome = await writing(bench.options, (connection) => connection.perform(actionOf(deletePolicyRequest)));
    expect(outcome).toMatchObject({
      outcome: 'unknown',
      status: null,
      message: 'no response (ETIMEDOUT); it may have been carried out',
    });
  });
});

describe('a write that the service does not have', () => {
  const row: Operation = { ...policyOperations.create, id: 'create', path: '/things' } as Operation;
  test.each<[string, ScriptedAnswer, boolean]>([
    ['405', { status: 405 }, true],
    ['501', { status: 501 }, true],
    ['404 without words', { status: 404 }, true],
    ['404 of a router', { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'Not Found' } }, true],
    [
      '404 about the thing itself',
      { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'The role does not exist.' } },
      false,
    ],
  ])('%s', async (_name, answer, suggested) => {
    await using bench = await startBench([answer]);
    const connection = openWriteConnection(bench.options, [row], () => undefined);
    const { message } = await connection.perform(
      actionOf({ operation: 'create', method: 'POST', path: '/things', body: {} }),
    );
    await connection.close();
    expect(message?.includes('set api: documented in the header of the files')).toBe(suggested);
  });
});

describe('tokens of a writer', () => {
  const isToken = (path: string) => path.startsWith('/oauth');
  const token = (count: number): ScriptedAnswer => ({ body: { access_token: `t${count}`, token_type: 'Bearer' } });

  test('one is shared with the reader, and fetched again once', async () => {
    let tokens = 0;
    await using bench = await startBench((request) => {
      if (isToken(request.path)) {
        tokens += 1;
        return token(tokens);
      }
      if (request.method === 'GET') return { body: policyPage([]) };
      return request.headers.authorization === 'Bearer t2' ? { status: 204 } : { status: 401 };
    });
    const outcome = await writing(
      { ...bench.options, credentials: clientCredentialsFor(bench.server) },
      async ({ reader, perform: write }) => {
        await reader.list(policyOperations.list, {});
        return write(actionOf(deletePolicyRequest));
      },
    );
    expect(outcome).toEqual({
      id: 'the-action',
      outcome: 'done',
      status: 204,
      message: null,
    });
    expect(bench.server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /oauth/token/',
      'GET /api/v2/rate-limit-policies?take=100',
      'DELETE /api/v2/rate-limit-policies/rlp_1',
      'POST /oauth/token/',
      'DELETE /api/v2/rate-limit-policies/rlp_1',
    ]);
  });

  test('a second 401 has failed for all', async () => {
    let tokens = 0;
    await using bench = await startBench((request) => {
      if (!isToken(request.path)) return { status: 401 };
      tokens += 1;
      return token(tokens);
    });
    const outcome = await writing({ ...bench.options, credentials: clientCredentialsFor(bench.server) }, (connection) =>
      connection.perform(actionOf(deletePolicyRequest)),
    );
    expect(outcome).toEqual({ id: 'the-action', outcome: 'failed', status: 401, message: 'status 401', fatal: true });
  });

  test('none: nothing was sent, and nothing else can be', async () => {
    await using bench = await startBench([{ status: 403, body: { error: 'access_denied' } }]);
    const outcome = await writing({ ...bench.options, credentials: clientCredentialsFor(bench.server) }, (connection) =>
      connection.perform(actionOf(deletePolicyRequest)),
    );
    expect(outcome).toEqual({
      id: 'the-action',
      outcome: 'failed',
      status: null,
      message: `The token endpoint of ${new URL(bench.server.url).host} refused the client: status 403: access_denied; nothing was sent`,
      fatal: true,
    });
  });

  test('none, because the user stopped: not attempted', async () => {
    await using bench = await startBench([{ status: 204 }], { signal: AbortSignal.abort('stopped by the user') });
    const outcome = await writing({ ...bench.options, credentials: clientCredentialsFor(bench.server) }, (connection) =>
      connection.perform(actionOf(deletePolicyRequest)),
    );
    expect(outcome).toEqual({
      id: 'the-action',
      outcome: 'not_attempted',
      status: null,
      message: 'interrupted before there was a token; nothing was sent',
    });
    expect(bench.server.requests).toHaveLength(0);
  });
});

describe('a signal', () => {
  test('does not touch a write in flight', async () => {
    const stop = new AbortController();
    await using bench = await startBench(
      async () => {
        stop.abort();
        await new Promise((resolve) => setTimeout(resolve, 30));
        return { status: 204 };
      },
      { signal: stop.signal },
    );
    expect(
      await writing(bench.options, (connection) => connection.perform(actionOf(deletePolicyRequest))),
    ).toMatchObject({ outcome: 'done', status: 204 });
  });

  test.each<[string, ScriptedAnswer, object]>([
    [
      'the rate limit: failed',
      { status: 429 },
      { outcome: 'failed', status: 429, message: 'status 429; interrupted while waiting to retry' },
    ],
    [
      'a busy service: unknown',
      { status: 503 },
      {
        outcome: 'unknown',
        status: 503,
        message: 'status 503; interrupted while waiting to retry; it may have been carried out',
      },
    ],
  ])('cuts the wait short after %s', async (_name, answer, expected) => {
    const stop = new AbortController();
    await using bench = await startBench([answer], { clock: stoppedClock(() => stop.abort()), signal: stop.signal });
    expect(await writing(bench.options, (connection) => connection.perform(actionOf(deletePolicyRequest)))).toEqual({
      id: 'the-action',
      ...expected,
    });
    expect(bench.server.requests).toHaveLength(1);
  });

  test('a clock that fails is our own bug', async () => {
    const clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.reject(new Error('no time')) };
    await using bench = await startBench([{ status: 503 }], { clock });
    await expect(
      writing(bench.options, (connection) => connection.perform(actionOf(deletePolicyRequest))),
    ).rejects.toThrow('no time');
  });
});
