// What an update would lose and a plan does not know: it is read immediately before each try, sent, and shown nowhere.
import { describe, expect, test } from 'vitest';
import { openWriteConnection } from '../../../src/client/write-connection.ts';
import { notAttempted } from '../../../src/model/outcome.ts';
import type { PlannedRequest } from '../../../src/model/plan.generated.ts';
import { operations } from '../../../src/service/connections/description.generated.ts';
import type { ScriptedAnswer } from '../../support/fault-server.ts';
import { actionOf, errorResponse, resetConnection, startBench } from '../builders.ts';

const path = '/connections/con_1';
const request: PlannedRequest = {
  operation: operations.update.id,
  method: 'PATCH',
  path,
  body: { options: { scope: 'openid', login: { url: 'https://idp.example/' }, pin: '${env:PIN}' } },
  secrets: [{ pointer: '/options/pin', env: 'PIN' }],
  live: ['/options/client_secret', '/options/login/new', '/options/gone', '/options/made/here', '/options/__proto__'],
};
const item = (secret: string) => ({
  id: 'con_1',
  name: 'partner',
  strategy: 'oidc',
  options: JSON.parse(
    `{ "client_secret": "${secret}", "login": { "new": ["planted-text-7", "refresh_token", "sha256", "https://idp.example/"] }, "made": { "here": true }, "__proto__": { "a": 1 } }`,
  ),
});
const sentOptions = (secret: string) =>
  JSON.parse(
    `{ "scope": "openid", "login": { "url": "https://idp.example/", "new": ["planted-text-7", "refresh_token", "sha256", "https://idp.example/"] }, "pin": "1234",
       "client_secret": "${secret}", "made": { "here": true }, "__proto__": { "a": 1 } }`,
  );
const saved: ScriptedAnswer = { status: 200, body: item('any') };

async function performed(
  answers: (reading: number) => ScriptedAnswer,
  writes: readonly ScriptedAnswer[],
  {
    planned = request,
    before = () => null,
  }: { planned?: PlannedRequest; before?: () => ReturnType<typeof notAttempted> | null } = {},
) {
  const counts = { GET: 0, PATCH: 0 };
  const hidden: string[] = [];
  await using bench = await startBench(
    ({ method }) => (method === 'GET' ? answers(counts.GET++) : (writes[counts.PATCH++] ?? saved)),
    { onSecret: (secret) => hidden.push(secret), isKnownText: (text) => text === 'https://idp.example/', debug: true },
  );
  const connection = openWriteConnection(bench.options, Object.values(operations), () => '1234');
  const outcome = await connection.perform(actionOf(planned), before).finally(() => connection.close());
  const bodies = bench.server.requests.flatMap(({ method, body }) => (method === 'PATCH' ? [JSON.parse(body)] : []));
  return { outcome, bodies, hidden, events: bench.events, reads: counts.GET, requests: bench.server.requests };
}

const reading = (secret = 'planted-secret-of-idp'): ScriptedAnswer => ({ body: item(secret) });

test('the places get what the item has there, and what is gone is left out; the plan stays as it is', async () => {
  const planned = structuredClone(request);
  const { outcome, bodies, requests } = await performed(() => reading(), [saved], { planned });
  expect(outcome).toMatchObject({ outcome: 'done', status: 200 });
  expect(bodies).toEqual([{ options: sentOptions('planted-secret-of-idp') }]);
  expect(Object.hasOwn(bodies[0].options, '__proto__')).toBe(true);
  expect(requests.map((one) => `${one.method} ${one.path}`)).toEqual([`GET /api/v2${path}`, `PATCH /api/v2${path}`]);
  expect(planned).toEqual(request);
});

test('each try sends what was read immediately before it', async () => {
  const { outcome, bodies } = await performed(
    (index) => reading(`planted-${index}`),
    [{ status: 429 }, resetConnection, saved],
  );
  expect(outcome).toMatchObject({ outcome: 'done' });
  expect(bodies.map(({ options }) => options.client_secret)).toEqual(['planted-0', 'planted-1', 'planted-2']);
});

test('its texts are hidden before they are sent, and no message or event has one', async () => {
  const echo = errorResponse(400, 'planted-secret-of-idp and planted-text-7 on property options.scope');
  const { outcome, hidden, events } = await performed(() => reading(), [echo]);
  expect(hidden).toEqual(expect.arrayContaining(['planted-secret-of-idp', 'planted-text-7', '1234']));
  // A word hides half of a report, and what the files have is in it anyway.
  expect(hidden.filter((text) => ['refresh_token', 'sha256', 'https://idp.example/'].includes(text))).toEqual([]);
  expect(outcome.message).toBe('status 400: on property options.scope');
  expect(JSON.stringify([outcome.message, events])).not.toContain('planted');
});

describe('nothing is sent', () => {
  test.each<[string, ScriptedAnswer, string]>([
    ['forbidden', errorResponse(403, 'Insufficient scope'), 'status 403'],
    ['gone', errorResponse(404, 'The connection does not exist'), 'status 404'],
    ['a server error', { status: 500 }, 'status 500'],
    ['no item', { body: [] }, 'the response is an array where an object was expected'],
    ['another thing', { body: { id: 5 } }, 'violates the rule'],
    ['the token is refused', { status: 401 }, 'refused the token'],
    ['a broken connection', resetConnection, 'cannot be reached'],
  ])('if the reading fails: %s', async (_name, answer, why) => {
    const { outcome, bodies } = await performed(() => answer, []);
    expect(bodies).toEqual([]);
    expect(outcome).toMatchObject({ outcome: 'not_attempted', status: null });
    expect(outcome.message).toMatch(/^not sent, because it could not be read again: /);
    expect(outcome.message).toContain(why);
  });

  test('and nothing is read if the action has ended', async () => {
    const { outcome, reads } = await performed(() => reading(), [], {
      before: () => notAttempted({ id: 'the-action' }, 'not sent: something else'),
    });
    expect({ reads, message: outcome.message }).toEqual({ reads: 0, message: 'not sent: something else' });
  });

  test('if it cannot be read again for a further try, the first one may have been carried out', async () => {
    const { outcome, bodies } = await performed(
      (index) => (index === 0 ? reading() : { status: 500 }),
      [resetConnection],
    );
    expect(bodies).toHaveLength(1);
    expect(outcome).toMatchObject({ outcome: 'unknown' });
    expect(outcome.message).toContain('could not be read again');
  });

  test('for a request whose own item nothing reads', async () => {
    const planned = {
      operation: operations.create.id,
      method: 'POST',
      path: '/connections',
      body: {},
      live: ['/a'],
    } as const;
    const attempt = performed(() => reading(), [], { planned: { ...planned, live: ['/a'] } });
    await expect(attempt).rejects.toMatchObject({
      name: 'InternalError',
      message: 'nothing reads what create_connection sends back',
    });
  });
});
