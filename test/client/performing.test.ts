import { describe, expect, test } from 'vitest';
import { openWriteConnection } from '../../src/client/write-connection.ts';
import type { WriteConnection } from '../../src/model/client.ts';
import type { Operation } from '../../src/model/operation.ts';
import type { PlannedRequest } from '../../src/model/plan.generated.ts';
import {
  createRateLimitPolicy,
  deleteRateLimitPolicy,
  listRateLimitPolicies,
} from '../../src/resources/rate-limit-policies/operations.ts';
import { type FakeClock, stoppedClock } from '../support/fake-clock.ts';
import type { ScriptedAnswer } from '../support/fault-server.ts';
import {
  actionOf,
  clientCredentialsFor,
  deletePolicyRequest,
  policyPage,
  putPartialsRequest,
  secretToken,
  startBench,
  writing,
} from './builders.ts';

const removal = {
  operation: 'remove_role_permissions',
  method: 'DELETE',
  path: '/roles/rol_Zx1/permissions',
  body: { permissions: [{ resource_server_identifier: 'https://orders.example/', permission_name: 'delete:orders' }] },
} as const;
const removalRequest = { ...removal, body: { permissions: [...removal.body.permissions] } };

const reset: ScriptedAnswer = { fault: { type: 'reset' } };
const error = (statusCode: number, message: string): ScriptedAnswer => ({
  status: statusCode,
  body: { statusCode, error: 'Error', message },
});

async function perform(answers: readonly ScriptedAnswer[], request = deletePolicyRequest) {
  await using bench = await startBench(answers);
  const outcome = await writing(bench.options, (connection) => connection.perform(actionOf(request)));
  return { outcome, requests: bench.server.requests, waits: bench.clock.waits };
}

describe('exactly the planned request is sent', () => {
  test('a delete, without a body', async () => {
    const { outcome, requests } = await perform([{ status: 204 }]);
    expect(outcome).toEqual({ id: 'the-action', outcome: 'done', status: 204, message: null });
    expect(requests).toEqual([
      {
        method: 'DELETE',
        path: '/api/v2/rate-limit-policies/rlp_1',
        headers: expect.objectContaining({ authorization: `Bearer ${secretToken}` }),
        body: '',
      },
    ]);
    expect(requests[0]?.headers['content-type']).toBeUndefined();
  });

  test('a put', async () => {
    const { outcome, requests } = await perform([{ status: 200, body: { login: {} } }], putPartialsRequest);
    expect(outcome).toEqual({ id: 'the-action', outcome: 'done', status: 200, message: null });
    expect(requests).toMatchObject([
      { method: 'PUT', path: '/api/v2/prompts/login/partials', headers: { 'content-type': 'application/json' } },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(putPartialsRequest.body);
  });

  test('a delete with a body', async () => {
    const { requests } = await perform([{ status: 204 }], removalRequest);
    expect(requests).toMatchObject([{ method: 'DELETE', path: '/api/v2/roles/rol_Zx1/permissions' }]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(removal.body);
  });
});

describe('outcomes', () => {
  const gone = error(404, 'no such policy');
  const may = 'it may have been carried out';
  const fiveTimes = (answer: ScriptedAnswer) => Array<ScriptedAnswer>(5).fill(answer);
  test.each<[string, readonly ScriptedAnswer[], object, number]>([
    ['any success is done', [{ status: 202, body: 'accepted' }], { outcome: 'done', status: 202, message: null }, 1],
    [
      'a success whose body breaks off is done',
      [{ body: 'x'.repeat(100), fault: { type: 'cut', bytes: 3, how: 'reset' } }],
      { outcome: 'done', status: 200, message: null },
      1,
    ],
    ['gone already is done', [gone], { outcome: 'done', status: 404, message: 'already gone' }, 1],
    [
      'gone after a broken connection is done',
      [reset, gone],
      { outcome: 'done', status: 404, message: 'already gone' },
      2,
    ],
    [
      'success after a broken connection is done',
      [reset, { status: 503 }, { status: 204 }],
      { outcome: 'done', status: 204, message: null },
      3,
    ],
    [
      'a refusal has failed',
      [error(400, 'bad\nid')],
      { outcome: 'failed', status: 400, message: 'status 400: bad id' },
      1,
    ],
    [
      'a refusal for lack of a scope has failed',
      [error(403, 'Insufficient scope')],
      { outcome: 'failed', status: 403, message: 'status 403: Insufficient scope' },
      1,
    ],
    [
      'a long message is cut',
      [error(409, 'x'.repeat(500))],
      { outcome: 'failed', status: 409, message: `status 409: ${'x'.repeat(299)}…` },
      1,
    ],
    [
      'a redirect has failed',
      [{ status: 307, headers: { location: '/' } }],
      { outcome: 'failed', status: 307, message: 'status 307; redirects are not followed' },
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
      [error(500, 'boom')],
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
      [reset, { status: 429 }],
      { outcome: 'unknown', status: 429, message: `status 429, after 5 tries; ${may}` },
      5,
    ],
    [
      'a broken connection, then a refusal, is unknown',
      [reset, error(400, 'no')],
      { outcome: 'unknown', status: 400, message: `status 400: no, after 2 tries; ${may}` },
      2,
    ],
    [
      '401 of the only token has failed for all',
      [error(401, `bad ${secretToken}`)],
      { outcome: 'failed', status: 401, message: 'status 401: bad ***', fatal: true },
      1,
    ],
    [
      '401 after a broken connection is unknown',
      [reset, error(401, 'bad')],
      { outcome: 'unknown', status: 401, message: `status 401: bad, after 2 tries; ${may}`, fatal: true },
      2,
    ],
  ])('%s', async (_name, answers, expected, count) => {
    const { outcome, requests } = await perform(answers);
    expect(outcome).toEqual({ id: 'the-action', ...expected });
    expect(requests).toHaveLength(count);
  });

  test('a connection that breaks every time is unknown', async () => {
    const { outcome, requests } = await perform([reset]);
    expect(outcome).toEqual({
      id: 'the-action',
      outcome: 'unknown',
      status: null,
      message: expect.stringMatching(/^no answer \(\w+\), after 5 tries; it may have been carried out$/),
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
      message: 'no answer (ECONNREFUSED), after 5 tries; nothing was sent',
      fatal: true,
    });
  });

  test('404 is no success where nothing is to be gone', async () => {
    const { outcome } = await perform([error(404, 'no such prompt')], putPartialsRequest);
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

  test('an answer without an end is left after the bound, and is done', async () => {
    await using bench = await startBench([{ body: Buffer.alloc(64 * 1024), fault: { type: 'endless' } }], {
      limits: { maxAnswerBytes: 100_000 },
    });
    expect(
      await writing(bench.options, (connection) => connection.perform(actionOf(deletePolicyRequest))),
    ).toMatchObject({ outcome: 'done', status: 200 });
  });

  test('a deadline makes it unknown', async () => {
    await using bench = await startBench([{ fault: { type: 'silence' } }], { limits: { timeoutMs: 60, tries: 1 } });
    const outcome = await writing(bench.options, (connection) => connection.perform(actionOf(deletePolicyRequest)));
    expect(outcome).toMatchObject({
      outcome: 'unknown',
      status: null,
      message: 'no answer (ETIMEDOUT); it may have been carried out',
    });
  });
});

describe('a POST', () => {
  const create: Operation = { ...deleteRateLimitPolicy, id: 'create', method: 'POST', path: '/things' } as Operation;
  test.each<[string, ScriptedAnswer, number, object]>([
    ['is sent again after 429, of which nothing has come', { status: 429 }, 5, { outcome: 'failed', status: 429 }],
    ['is not sent again after 503', { status: 503 }, 1, { outcome: 'unknown', status: 503 }],
    ['is not sent again after a broken connection', reset, 1, { outcome: 'unknown', status: null }],
  ])('%s', async (_name, answer, tries, expected) => {
    await using bench = await startBench([answer]);
    const connection = openWriteConnection(bench.options, [create], () => undefined);
    const outcome = await connection.perform(actionOf({ operation: 'create', method: 'POST', path: '/things' }));
    await connection.close();
    expect(outcome).toMatchObject(expected);
    expect(bench.server.requests).toHaveLength(tries);
  });
});

describe('a POST that a reading has shown not to be carried out', () => {
  const create: Operation = { ...deleteRateLimitPolicy, id: 'create', method: 'POST', path: '/things' } as Operation;
  const action = actionOf({ operation: 'create', method: 'POST', path: '/things' });
  const performing = async <Result>(
    answers: ScriptedAnswer[],
    use: (connection: WriteConnection, clock: FakeClock) => Promise<Result>,
  ) => {
    await using bench = await startBench(answers);
    const connection = openWriteConnection(bench.options, [create], () => undefined);
    const result = await use(connection, bench.clock);
    await connection.close();
    return { result, requests: bench.server.requests.length, waits: bench.clock.waits };
  };

  test.each<[string, ScriptedAnswer, boolean]>([
    ['its connection broke', reset, true],
    ['something in front of the service answered', { status: 503 }, true],
    ['a 500 may be its own fault', { status: 500 }, false],
    ['a page from somebody else', { status: 200, body: '<html>' }, false],
    ['a refusal is known', error(400, 'no'), false],
    ['the quota refused it as often as it may', { status: 429 }, false],
    ['done is done', { status: 204 }, false],
  ])('%s', async (_name, answer, expected) => {
    const { result } = await performing([answer], async ({ perform: send, readyAgain }) => {
      await send(action);
      return readyAgain(action.id);
    });
    expect(result).toEqual(expected ? { ready: true } : { ready: false, why: null });
  });

  test('has five tries over all its turns, refusals by the quota among them, and waits before each', async () => {
    const { result, requests, waits } = await performing(
      [reset, { status: 429 }, reset],
      async ({ perform: send, readyAgain }) => {
        const turns = [await send(action)];
        while ((await readyAgain(action.id)).ready) turns.push(await send(action));
        return turns.map(({ outcome, message }) => `${outcome}: ${message?.replace(/ \(\w+\)/, '')}`);
      },
    );
    expect({ requests, waits: waits.length }).toEqual({ requests: 5, waits: 4 });
    expect(result).toEqual([
      'unknown: no answer; it may have been carried out',
      'unknown: no answer, after 3 tries; it may have been carried out',
      'unknown: no answer, after 4 tries; it may have been carried out',
      'unknown: no answer, after 5 tries; it may have been carried out',
    ]);
  });

  test('waits as long as the service asks before the reading, and goes at once after it', async () => {
    const answers: ScriptedAnswer[] = [{ status: 503, headers: { 'retry-after': '30' } }, { status: 204 }];
    const { result, waits } = await performing(answers, async ({ perform: send, readyAgain }, clock) => {
      await send(action);
      const ready = [await readyAgain(action.id), await readyAgain(action.id)];
      return { ready, waited: [...clock.waits], outcome: (await send(action)).outcome };
    });
    expect(result).toEqual({ ready: [{ ready: true }, { ready: true }], waited: [30_250], outcome: 'done' });
    expect(waits).toEqual([30_250]);
  });

  test('and is refused then is unknown: an earlier try may have come through late', async () => {
    const { result } = await performing([reset, error(409, 'taken')], async ({ perform: send, readyAgain }) => [
      (await send(action)).outcome,
      (await readyAgain(action.id)).ready,
      (await send(action)).outcome,
      (await readyAgain(action.id)).ready,
    ]);
    expect(result).toEqual(['unknown', true, 'unknown', false]);
  });

  test('is not sent again when the service asks for too long a wait, and when the run has no retries left: it says why', async () => {
    const long = await performing(
      [{ status: 503, headers: { 'retry-after': '600' } }],
      async ({ perform: send, readyAgain }) => {
        await send(action);
        return [await readyAgain(action.id), await send(action)];
      },
    );
    const asks = expect.stringMatching(/^the service asks to wait until \S+, which is longer than allowed$/);
    const said = expect.stringMatching(
      /^status 503; the service asks to wait until \S+, which is longer than allowed; not carried out$/,
    );
    expect([long.result, long.requests]).toEqual([
      [
        { ready: false, why: asks },
        { id: action.id, outcome: 'failed', status: 503, message: said },
      ],
      1,
    ]);
    const actions = Array.from({ length: 120 }, (_, index) => ({ ...action, id: `action-${index}` }));
    const many = await performing([reset], async ({ perform: send, readyAgain }) => {
      for (const each of actions) await send(each);
      const turns = [];
      for (const { id } of actions) turns.push(await readyAgain(id));
      return turns;
    });
    const none = { ready: false, why: 'this run has made all the retries it may make' };
    expect(many.result).toEqual([...Array(100).fill({ ready: true }), ...Array(20).fill(none)]);
  });
});

describe('secrets', () => {
  const request: PlannedRequest = {
    operation: 'set_prompt_partials',
    method: 'PUT',
    path: '/prompts/login/partials',
    body: { login: { 'form-content-start': '${env:CRM_PASSWORD}', other: '${env:CRM_PASSWORD}' } },
    secrets: [{ pointer: '/login/form-content-start', env: 'CRM_PASSWORD' }],
  };

  test('are put into the body when it is sent, at their places only, and not into the plan', async () => {
    await using bench = await startBench([{ status: 200 }]);
    const outcome = await writing(bench.options, ({ perform: send }) => send(actionOf(request)), {
      CRM_PASSWORD: 'planted-stream-secret',
    });
    expect(outcome).toMatchObject({ outcome: 'done' });
    expect(JSON.parse(bench.server.requests[0]?.body ?? '')).toEqual({
      login: { 'form-content-start': 'planted-stream-secret', other: '${env:CRM_PASSWORD}' },
    });
    expect(JSON.stringify(request)).not.toContain('planted');
  });

  test('that are not set send nothing', async () => {
    await using bench = await startBench([{ status: 200 }]);
    const outcome = await writing(bench.options, ({ perform: send }) => send(actionOf(request)));
    expect(outcome).toEqual({
      id: 'the-action',
      outcome: 'not_attempted',
      status: null,
      message: 'CRM_PASSWORD not set; nothing was sent',
    });
    expect(bench.server.requests).toEqual([]);
  });

  test('that the service says back are not shown', async () => {
    await using bench = await startBench([
      { status: 400, body: { statusCode: 400, error: 'Bad Request', message: 'planted-stream-secret is too short' } },
    ]);
    const outcome = await writing(bench.options, ({ perform: send }) => send(actionOf(request)), {
      CRM_PASSWORD: 'planted-stream-secret',
    });
    expect(outcome.message).toBe('status 400: *** is too short');
  });
});

describe('a write that the service does not have', () => {
  const row: Operation = { ...createRateLimitPolicy, id: 'create', path: '/things' } as Operation;
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
        await reader.list(listRateLimitPolicies, {});
        return write(actionOf(deletePolicyRequest));
      },
    );
    expect(outcome).toEqual({ id: 'the-action', outcome: 'done', status: 204, message: null });
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
      message: `the token endpoint of ${new URL(bench.server.url).host} refused the client: status 403, access_denied; nothing was sent`,
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
      message: 'stopped before there was a token; nothing was sent',
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
      { outcome: 'failed', status: 429, message: 'status 429; stopped while waiting to try again' },
    ],
    [
      'a busy service: unknown',
      { status: 503 },
      {
        outcome: 'unknown',
        status: 503,
        message: 'status 503; stopped while waiting to try again; it may have been carried out',
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

describe('a request that fits no operation is refused before anything is sent', () => {
  test.each([
    [{ ...deletePolicyRequest, operation: 'delete_everything' }, 'there is no operation delete_everything'],
    [{ ...deletePolicyRequest, method: 'PUT' as const }, 'delete_rate_limit_policy is not sent with PUT'],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies' },
      '/rate-limit-policies is no path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/' },
      '/rate-limit-policies/ is no path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/a/b' },
      '/rate-limit-policies/a/b is no path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/..' },
      '/rate-limit-policies/.. is no path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/%2e%2E' },
      '/rate-limit-policies/%2e%2E is no path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/%zz' },
      '/rate-limit-policies/%zz is no path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/a?b=c' },
      '/rate-limit-policies/a?b=c is no path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: 'http://127.0.0.1:9/rate-limit-policies/a' },
      'http://127.0.0.1:9/rate-limit-policies/a is no path of delete_rate_limit_policy',
    ],
    [{ ...deletePolicyRequest, body: { x: 1 } }, 'delete_rate_limit_policy takes no body'],
    [
      { operation: 'remove_role_permissions', method: 'DELETE' as const, path: '/roles/r/permissions' },
      'remove_role_permissions needs a body',
    ],
  ])('%j', async (request, message) => {
    await using bench = await startBench([{ status: 204 }]);
    const attempt = writing(bench.options, (connection) => connection.perform(actionOf(request)));
    await expect(attempt).rejects.toMatchObject({ name: 'InternalError', message });
    expect(bench.server.bytesReceived()).toBe(0);
  });
});
