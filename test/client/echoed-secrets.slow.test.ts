// What a service repeats of a secret, in forms that no list foresees, reaches no message, hint, event or cause.
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../src/client/service-error.ts';
import type { PlannedRequest } from '../../src/model/plan.generated.ts';
import { operations as streamOperations } from '../../src/service/event-streams/description.generated.ts';
import { operations as policies } from '../../src/service/rate-limit-policies/description.generated.ts';
import { echoes, partIn } from '../support/echoes.ts';
import type { ScriptedAnswer } from '../support/fault-server.ts';
import { removeRolePermissions } from '../support/role-operations.ts';
import { thorough } from '../support/thorough.ts';
import { actionOf, type Bench, clientCredentialsFor, reading, startBench, writing } from './builders.ts';

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjaSJ9.q7Zp0Lk3Vd8Xw2Bn5Tr9Yc4Hm6Jf1Gs';
const clientSecret = 'Kx81vQzR4mWn27LpYt0uGd93sHcJbE65aFoT';
const hook = 'Bearer Zr5Tq0Nd83WmPx1Lc7VyKb94HsJg26FuAoEi';
const pointer = '/destination/configuration/webhook_authorization/header_value';
const stream: PlannedRequest = {
  operation: streamOperations.create.id,
  method: 'POST',
  path: '/event-streams',
  body: {
    name: 'crm',
    subscriptions: [{ event_type: 'user.created' }],
    destination: {
      type: 'webhook',
      configuration: {
        webhook_endpoint: 'https://crm.example/hook',
        webhook_authorization: { method: 'custom_header', header_key: 'x-key', header_value: '${env:HOOK}' },
      },
    },
  },
  secrets: [{ pointer, env: 'HOOK' }],
};
const removal: PlannedRequest = {
  operation: removeRolePermissions.id,
  method: 'DELETE',
  path: '/roles/rol_1/permissions',
  body: { permissions: [{ resource_server_identifier: 'https://orders.example/', permission_name: 'read:orders' }] },
};

const withStatus = (status: number, message: string): ScriptedAnswer => ({
  status,
  headers: { location: `https://other.example/${encodeURIComponent(message)}` },
  body: { statusCode: status, error: message, message, errorCode: message, error_description: message },
});
const statuses = [302, 400, 401, 403, 404, 409, 422, 429, 500, 503];
/** Both texts with every status in a thorough run; otherwise every status with one of them, and the next form with the other. */
const failures = (echo: string, form: number): readonly ScriptedAnswer[] => [
  ...[`Rejected: ${echo}`, echo].flatMap((message, which) =>
    statuses
      .filter((_status, index) => thorough || (form + index + which) % 2 === 0)
      .map((status) => withStatus(status, message)),
  ),
  { status: 400, body: { statusCode: 400, error: echo } },
  { status: 400, body: echo },
];

const formsOf = (...secrets: readonly string[]) =>
  Object.entries(echoes).flatMap(([name, encode], index) =>
    secrets.map((secret) => [`${name}: ${secret.slice(0, 12)}`, encode(secret), index] as const),
  );

function expectNothingOf(echo: string, shown: unknown): void {
  const text = inspect(shown, { depth: 20, breakLength: Number.POSITIVE_INFINITY, maxStringLength: null });
  expect(partIn(text, echo), text).toBe(null);
}

/** A server for one answer after the other, each with its own events. The token endpoint gives the same, or `ofTokens`. */
async function startAnswering(ofTokens?: ScriptedAnswer) {
  let answer: ScriptedAnswer = {};
  const bench = await startBench(({ path }) => (path.startsWith('/oauth/token') ? (ofTokens ?? answer) : answer));
  const begin = (next: ScriptedAnswer) => {
    answer = next;
    bench.events.length = 0;
  };
  return { ...bench, begin };
}

async function resultOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => [error, error instanceof ServiceError && error.diagnostic]);
}

test.each(formsOf(clientSecret))('the token endpoint repeats %s', async (_name, echo, form) => {
  const successes: readonly ScriptedAnswer[] = [
    { body: { token_type: echo, expires_in: echo, [echo]: echo } },
    { body: { access_token: echo.replaceAll(/\s/g, '\n'), token_type: 'Bearer', expires_in: -1, scope: echo } },
    { body: echo },
  ];
  await using bench = await startAnswering();
  const options = { ...bench.options, debug: true, credentials: credentialsFor(bench) };
  for (const answer of [...failures(echo, form), ...successes]) {
    bench.begin(answer);
    const error = await reading(options, ({ reader }) => resultOf(reader.list(policies.list, {})));
    const outcome = await writing(options, ({ perform }) => perform(actionOf(removal)));
    expect(JSON.stringify(outcome)).toContain('The token endpoint of');
    expectNothingOf(echo, [error, outcome, bench.events]);
  }
});

function credentialsFor({ server }: Bench) {
  return { ...clientCredentialsFor(server), clientSecret };
}

test.each(formsOf(hook, token))('a write with a secret is answered with %s', async (_name, echo, form) => {
  const id = 'est_1';
  const successes: readonly ScriptedAnswer[] = [
    { status: 201, body: { id, destination: { type: echo, configuration: {} } } },
    { status: 201, body: { id: 5, [echo]: echo } },
    { status: 201, body: { error: echo } },
    { status: 202, body: { id, name: echo } },
  ];
  await using bench = await startAnswering();
  const options = { ...bench.options, debug: true, credentials: { token } };
  for (const answer of [...failures(echo, form), ...successes]) {
    bench.begin(answer);
    const performed = await writing(options, ({ perform }) => perform(actionOf(stream)), { HOOK: hook });
    const { refusal: _refusal, ...outcome } = performed;
    expectNothingOf(echo, [outcome, bench.events]);
  }
});

test.each(formsOf(token, clientSecret, hook.slice(7)))(
  'any other request is answered with %s',
  async (_name, echo, form) => {
    await using bench = await startAnswering({ body: { access_token: token, token_type: 'Bearer' } });
    const options = { ...bench.options, debug: true, credentials: credentialsFor(bench) };
    for (const answer of failures(echo, form)) {
      bench.begin(answer);
      const said = await writing(
        options,
        async ({ perform, reader }) => {
          await perform(actionOf(stream));
          const { refusal: _refusal, ...outcome } = await perform(actionOf(removal));
          return [outcome, await resultOf(reader.list(streamOperations.list, {}))];
        },
        { HOOK: hook },
      );
      expectNothingOf(echo, [said, bench.events]);
    }
  },
);

test('a response that is no HTTP, and repeats the request, is in no cause', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (request) => socket.end(`HTTP/1.1 200 OK\r\n${request.toString('latin1')}\r\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  await using bench = await startBench([{}]);
  const credentials = { clientId: 'ci', clientSecret, authUrl: url, audience: 'a' };
  const options = { ...bench.options, baseUrl: `${url}/api/v2`, credentials, debug: true };
  const error = await reading(options, ({ reader }) => resultOf(reader.list(policies.list, {})));
  expect(JSON.stringify(error)).toContain('HTTPParserError');
  expectNothingOf(clientSecret, [error, bench.events]);
});

describe('what remains of the response to a write with a secret', () => {
  const message =
    "Payload validation error: 'Object didn't pass validation for format strict-https-uri: Bearer' on property destination.configuration.webhook_endpoint (Endpoint), on property destination.other";
  test.each<[string, object, string]>([
    ['the status', { message: 'no' }, 'status 400'],
    ['a known code', { errorCode: 'invalid_body', message: 'no' }, 'status 400: invalid_body'],
    ['no other code', { errorCode: 'bearer_zr5', message: 'no' }, 'status 400'],
    [
      'properties that were sent',
      { errorCode: 'invalid_body', message },
      'status 400: invalid_body on property destination.configuration.webhook_endpoint',
    ],
    [
      'members of lists',
      { message: 'Expected type string on property subscriptions[0].event_type.' },
      'status 400: on property subscriptions[0].event_type',
    ],
    ['a name that was sent', { message: 'Additional properties not allowed: name' }, 'status 400: on property name'],
  ])('%s', async (_name, about, expected) => {
    const body = { statusCode: 400, error: 'Bad Request', ...about };
    await using bench = await startBench([{ status: 400, body }]);
    const outcome = await writing(bench.options, ({ perform }) => perform(actionOf(stream)), { HOOK: hook });
    expect(outcome).toMatchObject({ outcome: 'failed', status: 400, message: expected });
  });
});
