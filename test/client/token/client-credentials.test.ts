import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { operations as streams } from '../../../src/service/event-streams/description.generated.ts';
import { operations as policyOperations } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { stoppedClock } from '../../support/fake-clock.ts';
import type { FaultServer, RecordedRequest, ScriptedAnswer } from '../../support/fault-server.ts';
import { clientCredentialsFor, clientSecret, diagnosticOf, policyPage, reading, startBench } from '../builders.ts';

type Connection = Parameters<Parameters<typeof reading>[1]>[0];

const list = ({ reader }: Connection) => reader.list(policyOperations.list, {});
const done = { ok: true, arrivedAt: expect.any(Number), items: [] };
const token = (access_token: string, more = {}): ScriptedAnswer => ({
  body: { access_token, token_type: 'Bearer', expires_in: 3600, ...more },
});
const isTokenRequest = (request: RecordedRequest) => request.path.startsWith('/oauth/');

/** A bench with client credentials; the token requests and the other requests are answered by one script each. */
async function startTokenBench(
  tokens: (request: RecordedRequest, count: number) => ScriptedAnswer,
  api: (request: RecordedRequest, count: number) => ScriptedAnswer = () => ({ body: policyPage([]) }),
) {
  const asked: RecordedRequest[] = [];
  const called: RecordedRequest[] = [];
  const bench = await startBench((request) =>
    isTokenRequest(request) ? tokens(request, asked.push(request)) : api(request, called.push(request)),
  );
  const options = { ...bench.options, credentials: clientCredentialsFor(bench.server) };
  return { ...bench, options, asked, called };
}

const tokenPaths = (requests: readonly RecordedRequest[]) => requests.map(({ path }) => path);
const bearers = (requests: readonly RecordedRequest[]) => requests.map(({ headers }) => headers.authorization);

describe('client credentials', () => {
  test('are sent as a form, once for a run, and the token goes with every request', async () => {
    await using bench = await startTokenBench(() => token('t1'));
    await reading(bench.options, async (connection) => {
      expect(await Promise.all([list(connection), list(connection), list(connection)])).toEqual([done, done, done]);
      expect(await list(connection)).toEqual(done);
    });
    expect(bench.asked).toHaveLength(1);
    expect(bench.asked[0]).toMatchObject({
      method: 'POST',
      path: '/oauth/token/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(bench.asked[0]?.headers.authorization).toBeUndefined();
    expect([...new URLSearchParams(bench.asked[0]?.body)]).toEqual([
      ['grant_type', 'client_credentials'],
      ['client_id', 'client-1'],
      ['client_secret', clientSecret],
      ['audience', `${bench.server.baseUrl}/`],
    ]);
    expect(bearers(bench.called)).toEqual(Array(4).fill('Bearer t1'));
  });

  test.each([404, 405])(
    'are sent to the path without the last slash where the first answers %i, and that is remembered',
    async (status) => {
      await using bench = await startTokenBench((request) =>
        request.path.endsWith('/') ? { status } : token('t1', { expires_in: 100 }),
      );
      await reading(bench.options, async (connection) => {
        await list(connection);
        bench.clock.advance(100_000);
        await list(connection);
      });
      expect(tokenPaths(bench.asked)).toEqual(['/oauth/token/', '/oauth/token', '/oauth/token']);
    },
  );

  test('are sent below the path of the authorization URL', async () => {
    await using bench = await startBench((request) =>
      request.method === 'POST' ? token('t1') : { body: policyPage([]) },
    );
    await reading(
      {
        ...bench.options,
        credentials: { ...clientCredentialsFor(bench.server), authUrl: `${bench.server.url}/auth/` },
      },
      list,
    );
    expect(tokenPaths(bench.server.requests)).toEqual(['/auth/oauth/token/', '/api/v2/rate-limit-policies?take=100']);
  });
});

describe('the audience of a token', () => {
  const full = (server: FaultServer) => `${server.baseUrl}/`;
  const bare = () => '/api/v2/';
  const audienceOf = ({ body }: RecordedRequest) => new URLSearchParams(body).get('audience');
  const refused = (status: number, error?: string): ScriptedAnswer => ({
    status,
    body: { error, error_description: 'no' },
  });

  /** A bench without a set audience, whose token endpoint refuses all audiences but one. */
  async function startAudienceBench(
    accepts: (server: FaultServer) => string,
    refusal: (request: RecordedRequest) => ScriptedAnswer | null = () => null,
  ) {
    const bench = await startTokenBench((request) => {
      const isAccepted = audienceOf(request) === accepts(bench.server);
      return refusal(request) ?? (isAccepted ? token('t1', { expires_in: 100 }) : refused(403, 'access_denied'));
    });
    const { audience: _audience, ...credentials } = clientCredentialsFor(bench.server);
    return { ...bench, options: { ...bench.options, credentials } };
  }

  test.each<[string, (server: FaultServer) => string, (server: FaultServer) => readonly string[]]>([
    ['the base URL and a slash', full, (server) => [full(server), full(server)]],
    ['the bare path if that is refused', bare, (server) => [full(server), bare(), bare()]],
  ])('is %s, and what worked is remembered', async (_name, accepts, expected) => {
    await using bench = await startAudienceBench(accepts);
    await reading(bench.options, async (connection) => {
      expect(await list(connection)).toEqual(done);
      bench.clock.advance(100_000);
      expect(await list(connection)).toEqual(done);
    });
    expect(bench.asked.map(audienceOf)).toEqual(expected(bench.server));
  });

  test.each<[number, string | undefined, boolean]>([
    [403, 'access_denied', true],
    [400, 'invalid_target', true],
    [401, 'invalid_target', true],
    [403, 'invalid_target', true],
    [400, 'invalid_request', true],
    [401, 'invalid_request', true],
    // A wrong client or secret, another grant type, a service in trouble.
    [401, 'access_denied', false],
    [401, 'invalid_client', false],
    [400, 'invalid_client', false],
    [403, 'unauthorized_client', false],
    [400, 'unsupported_grant_type', false],
    [400, undefined, false],
    [403, undefined, false],
    [403, 'Client is not authorized to access this audience', false],
    [404, 'invalid_target', false],
    [500, 'invalid_target', false],
  ])('%i %s: tries the other one: %s', async (status, error, isTried) => {
    await using bench = await startAudienceBench(bare, () => refused(status, error));
    const audiences = await reading(bench.options, async (connection) => {
      await list(connection).catch(() => {});
      return bench.asked.map(audienceOf);
    });
    expect(audiences.includes(bare())).toBe(isTried);
  });

  test('is found where the path has no slash, with three requests', async () => {
    await using bench = await startAudienceBench(bare, ({ path }) => (path.endsWith('/') ? { status: 404 } : null));
    expect(await reading(bench.options, list)).toEqual(done);
    expect(bench.asked.map((request) => [request.path, audienceOf(request)])).toEqual([
      ['/oauth/token/', full(bench.server)],
      ['/oauth/token', full(bench.server)],
      ['/oauth/token', bare()],
    ]);
  });

  test('that neither works ends the run, with both values', async () => {
    await using bench = await startAudienceBench(() => 'urn:other');
    const diagnostic = await reading(bench.options, (connection) => diagnosticOf(list(connection)));
    expect(bench.asked.map(audienceOf)).toEqual([full(bench.server), bare()]);
    expect(diagnostic).toMatchObject({
      code: 'SERVICE_TOKEN_REFUSED',
      hint: expect.stringContaining(
        `TENANT_SYNC_AUDIENCE, which is ${full(bench.server)}, or if refused ${bare()}`,
      ) as string,
    });
  });

  test('that no API of the tenant has: the hint shows the form that a tenant with a custom domain needs', async () => {
    const unknown = { error: 'access_denied', error_description: `Service not enabled within domain: ${clientSecret}` };
    await using bench = await startAudienceBench(bare, () => ({ status: 403, body: unknown }));
    expect(await reading(bench.options, (connection) => diagnosticOf(list(connection)))).toEqual({
      code: 'SERVICE_TOKEN_REFUSED',
      severity: 'error',
      message: `The token endpoint of ${new URL(bench.server.url).host} refused the client: status 403: access_denied, because the tenant has no API with the audience ${full(bench.server)} or ${bare()}.`,
      hint: 'set TENANT_SYNC_AUDIENCE to https://TENANT.REGION.auth0.com/api/v2/, with the domain that the tenant had before its custom domain, and a slash at the end',
    });
  });

  test('that is set is used alone', async () => {
    await using bench = await startAudienceBench(bare);
    const credentials = { ...bench.options.credentials, audience: 'urn:set' };
    const diagnostic = await reading({ ...bench.options, credentials }, (connection) => diagnosticOf(list(connection)));
    expect(bench.asked.map(audienceOf)).toEqual(['urn:set']);
    expect(diagnostic.hint).toMatch(/TENANT_SYNC_AUDIENCE, which is urn:set$/);
  });
});

describe('the lifetime of a token', () => {
  test.each<[string, number | undefined, number, number]>([
    ['3600 s is used for 3540 s', 3600, 3539, 1],
    ['3600 s is not used after that', 3600, 3540, 2],
    ['100 s is used for half of it', 100, 49, 1],
    ['100 s is not used after that', 100, 50, 2],
    ['1 s is used for half of it', 1, 0.4, 1],
    ['unknown is used until it is refused', undefined, 1_000_000, 1],
  ])('%s', async (_name, expiresIn, seconds, requests) => {
    await using bench = await startTokenBench((_request, count) => token(`t${count}`, { expires_in: expiresIn }));
    await reading(bench.options, async (connection) => {
      await list(connection);
      bench.clock.advance(seconds * 1000);
      await list(connection);
    });
    expect(bench.asked).toHaveLength(requests);
    expect(bearers(bench.called)).toEqual(['Bearer t1', `Bearer t${requests}`]);
  });
});

describe('a 401 in the middle', () => {
  test('gets one new token for all requests that are under way, and each is sent again once', async () => {
    const waiting: (() => void)[] = [];
    const bench = await startBench(async (request): Promise<ScriptedAnswer> => {
      if (isTokenRequest(request)) return token(`t${tokens.push(request)}`);
      called.push(request);
      if (called.length === 1 || request.headers.authorization === 'Bearer t2') return { body: policyPage([]) };
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 4) for (const go of waiting) go();
      });
      return { status: 401 };
    });
    const tokens: RecordedRequest[] = [];
    const called: RecordedRequest[] = [];
    await using _closing = bench;
    const listings = await reading(
      { ...bench.options, credentials: clientCredentialsFor(bench.server) },
      async (connection) => {
        await list(connection);
        return Promise.all(Array.from({ length: 4 }, () => list(connection)));
      },
    );
    expect(listings).toEqual(Array(4).fill(done));
    expect(tokens).toHaveLength(2);
    expect(bearers(called)).toEqual([...Array(5).fill('Bearer t1'), ...Array(4).fill('Bearer t2')]);
    expect(bench.clock.waits).toEqual([]);
  });

  test('a request that was refused late uses the token that others have fetched', async () => {
    let late: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      late = resolve;
    });
    let asked = 0;
    let called = 0;
    await using bench = await startBench(async (request): Promise<ScriptedAnswer> => {
      if (isTokenRequest(request)) {
        asked += 1;
        return token(`t${asked}`);
      }
      called += 1;
      // The first request of a connection goes alone.
      if (called === 1 || request.headers.authorization === 'Bearer t2')
        return { body: request.path.includes('event') ? { eventStreams: [] } : policyPage([]) };
      if (request.path.includes('event')) await held;
      return { status: 401 };
    });
    await reading({ ...bench.options, credentials: clientCredentialsFor(bench.server) }, async (connection) => {
      expect(await list(connection)).toEqual(done);
      const slow = connection.reader.list(streams.list, {});
      expect(await list(connection)).toEqual(done);
      late();
      expect(await slow).toEqual(done);
    });
    expect(asked).toBe(2);
  });

  test('a second 401 ends the run', async () => {
    await using bench = await startTokenBench(
      (_request, count) => token(`t${count}`),
      () => ({
        status: 401,
        body: { statusCode: 401, error: 'Unauthorized', message: 'the client is not global (t2)' },
      }),
    );
    const diagnostic = await reading(bench.options, (connection) => diagnosticOf(list(connection)));
    expect(diagnostic).toMatchObject({
      code: 'SERVICE_UNAUTHORIZED',
      message: `${new URL(bench.server.url).host} refused the token: status 401: the client is not global (***).`,
    });
    expect([bench.asked.length, bench.called.length]).toEqual([2, 2]);
  });

  test('a new token that is refused ends the run', async () => {
    await using bench = await startTokenBench(
      (_request, count) => (count === 1 ? token('t1') : { status: 403, body: { error: 'access_denied' } }),
      () => ({ status: 401 }),
    );
    expect(await reading(bench.options, (connection) => diagnosticOf(list(connection)))).toMatchObject({
      code: 'SERVICE_TOKEN_REFUSED',
    });
    expect(bench.called).toHaveLength(1);
  });
});

describe('a token endpoint that gives no token', () => {
  const no = 'returned no token:';
  const something = 'returned no valid token:';
  const rule = 'of token.schema.json';
  const cases: readonly [string, ScriptedAnswer, Diagnostic['code'], string, number][] = [
    [
      '401',
      { status: 401, body: { error: 'access_denied', error_description: `Unauthorized ${clientSecret}` } },
      'SERVICE_TOKEN_REFUSED',
      'refused the client: status 401: access_denied',
      1,
    ],
    [
      '403',
      { status: 403, body: { error: 'access_denied' } },
      'SERVICE_TOKEN_REFUSED',
      'refused the client: status 403: access_denied',
      1,
    ],
    [
      '400 of another shape',
      { status: 400, body: `no: ${clientSecret}` },
      'SERVICE_TOKEN_REFUSED',
      'refused the client: status 400',
      1,
    ],
    ['404 on both paths', { status: 404 }, 'SERVICE_TOKEN_REFUSED', 'refused the client: status 404', 2],
    [
      'a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
      'SERVICE_FAILED',
      `${no} status 307; redirects are not followed`,
      1,
    ],
    ['500', { status: 500 }, 'SERVICE_FAILED', `${no} status 500, after 5 tries`, 5],
    ['503', { status: 503 }, 'SERVICE_FAILED', `${no} status 503, after 5 tries`, 5],
    ['429', { status: 429 }, 'SERVICE_RATE_LIMITED', `${no} status 429, after 5 tries`, 5],
    [
      'no access_token',
      { body: { token_type: 'Bearer' } },
      'CONTRACT_BROKEN',
      `${something} the document violates the rule required {"missingProperty":"access_token"} ${rule}`,
      1,
    ],
    [
      'expires_in 0',
      token('t1', { expires_in: 0 }),
      'CONTRACT_BROKEN',
      `${something} /expires_in violates the rule minimum {"comparison":">=","limit":1} ${rule}`,
      1,
    ],
    [
      'negative expires_in',
      token('t1', { expires_in: -5 }),
      'CONTRACT_BROKEN',
      `${something} /expires_in violates the rule minimum {"comparison":">=","limit":1} ${rule}`,
      1,
    ],
    [
      'expires_in as text',
      token('t1', { expires_in: '3600' }),
      'CONTRACT_BROKEN',
      `${something} /expires_in violates the rule type {"type":"integer"} ${rule}`,
      1,
    ],
    [
      'a token that splits a header',
      token('a\r\nb'),
      'CONTRACT_BROKEN',
      `${something} /access_token violates the rule pattern {"pattern":"^[\\\\x21-\\\\x7e]+$"} ${rule}`,
      1,
    ],
    [
      'another type of token',
      token('t1', { token_type: 'mac' }),
      'CONTRACT_BROKEN',
      `${something} /token_type violates the rule pattern {"pattern":"^[Bb]earer$"} ${rule}`,
      1,
    ],
    ['text', { body: 'hello' }, 'CONTRACT_BROKEN', `${something} the body is not JSON`, 1],
    [
      'HTML',
      { headers: { 'content-type': 'text/html' }, body: '<h1>hello</h1>' },
      'CONTRACT_BROKEN',
      `${something} status 200, but the body is text/html instead of JSON, as from a proxy`,
      1,
    ],
    [
      'HTML with 403',
      { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>hello</h1>' },
      'SERVICE_FAILED',
      'returned no token: status 403: the body is text/html instead of JSON, as from a proxy',
      1,
    ],
    ['an empty body', {}, 'CONTRACT_BROKEN', `${something} the body is empty`, 1],
  ];
  test.each(cases)('%s', async (_name, answer, code, message, requests) => {
    await using bench = await startTokenBench(() => answer);
    const diagnostic = await reading(bench.options, (connection) => diagnosticOf(list(connection)));
    const hints: Partial<Record<Diagnostic['code'], string>> = {
      SERVICE_TOKEN_REFUSED: `check TENANT_SYNC_CLIENT_ID, TENANT_SYNC_CLIENT_SECRET or the private key, TENANT_SYNC_AUTH_URL and TENANT_SYNC_AUDIENCE, which is ${bench.server.baseUrl}/`,
      SERVICE_FAILED: 'check TENANT_SYNC_AUTH_URL, and rerun when its token endpoint responds',
      SERVICE_RATE_LIMITED: 'rerun later, or set TENANT_SYNC_TOKEN to a token that you have',
      CONTRACT_BROKEN: 'check TENANT_SYNC_AUTH_URL: another service or a proxy may be responding there',
    };
    const hint = hints[code];
    expect(diagnostic).toEqual({
      code,
      severity: 'error',
      message: `The token endpoint of ${new URL(bench.server.url).host} ${message}.`,
      ...(hint !== undefined && { hint }),
    });
    expect([bench.asked.length, bench.called.length]).toEqual([requests, 0]);
  });

  test('a body that is too large', async () => {
    await using bench = await startTokenBench(() => token('t1'));
    const diagnostic = await reading({ ...bench.options, limits: { maxResponseBytes: 10 } }, (connection) =>
      diagnosticOf(list(connection)),
    );
    expect(diagnostic).toMatchObject({
      code: 'CONTRACT_BROKEN',
      message: expect.stringContaining('the body is too large') as string,
    });
  });

  test('is retried when it is busy, and waits are reported', async () => {
    await using bench = await startTokenBench((_request, count) =>
      count < 3 ? { status: 503, headers: { 'retry-after': '2' } } : token('t1'),
    );
    expect(await reading(bench.options, list)).toEqual(done);
    expect(bench.clock.waits).toEqual([2250, 2250]);
    expect(bench.events[0]).toEqual({ type: 'waiting', operation: 'token', ms: 2250, reason: 'status 503' });
  });

  test('a connection that breaks every time, without any response', async () => {
    await using bench = await startTokenBench(() => ({ fault: { type: 'reset' } }));
    const diagnostic = await reading(bench.options, (connection) => diagnosticOf(list(connection)));
    expect(diagnostic).toMatchObject({
      code: 'SERVICE_UNREACHABLE',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ cannot be reached: \w+ after 5 tries\.$/) as string,
    });
    expect(bench.asked).toHaveLength(5);
  });

  test('a connection that breaks every time, after a response', async () => {
    await using bench = await startTokenBench(
      (_request, count) => (count === 1 ? token('t1') : { fault: { type: 'reset' } }),
      () => ({ status: 401 }),
    );
    const diagnostic = await reading(bench.options, (connection) => diagnosticOf(list(connection)));
    expect(diagnostic).toMatchObject({
      code: 'SERVICE_FAILED',
      message: expect.stringMatching(/returned no token: no response \(\w+\), after 5 tries\.$/) as string,
    });
  });

  test('the signal cuts the wait for it short', async () => {
    const stop = new AbortController();
    await using bench = await startTokenBench(() => ({ status: 503 }));
    const clock = stoppedClock(() => stop.abort(new Error('stopped by the user')));
    await expect(reading({ ...bench.options, clock, signal: stop.signal }, list)).rejects.toThrow(
      'stopped by the user',
    );
  });

  test('a failed request for a token is not remembered', async () => {
    await using bench = await startTokenBench((_request, count) =>
      count === 1 ? { status: 403, body: { error: 'x' } } : token('t1'),
    );
    await reading(bench.options, async (connection) => {
      expect(await diagnosticOf(list(connection))).toMatchObject({ code: 'SERVICE_TOKEN_REFUSED' });
      expect(await list(connection)).toEqual(done);
    });
  });

  test('a header that cannot be sent is our own bug', async () => {
    await using bench = await startTokenBench(() => token('t1'));
    await expect(reading({ ...bench.options, userAgent: 'a\nb' }, list)).rejects.toMatchObject({
      name: 'InternalError',
    });
  });
});
