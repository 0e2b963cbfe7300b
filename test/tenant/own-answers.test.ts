import { describe, expect, test } from 'vitest';
import type { Operation, Shape } from '../../src/model/operation.ts';
import type { TenantAnswer, TenantPart } from '../../src/model/tenant-resource.ts';
import { listEventStreams } from '../../src/resources/event-streams/operations.ts';
import { deleteRateLimitPolicy } from '../../src/resources/rate-limit-policies/operations.ts';
import { checkOwnBody } from '../../src/tenant/http/check-response.ts';
import { openTenant } from '../support/start-tenant.ts';

function partThatAnswers(operation: Operation, answer: TenantAnswer): TenantPart {
  return {
    section: 'event_streams',
    open: () => ({ routes: [{ operation, answer: () => answer }], snapshot: () => [] }),
  };
}

async function ask(part: TenantPart, method: string, path: string) {
  const tenant = await openTenant({}, { parts: [part] });
  const answer = await tenant.fetch(
    new Request(`${tenant.baseUrl}${path}`, { method, headers: { Authorization: `Bearer ${await tenant.token()}` } }),
  );
  return answer.json();
}

describe('the tenant judges its own answers', () => {
  test.each<[string, TenantAnswer, string]>([
    [
      'no page',
      { status: 200, body: [] },
      "Own answer breaks event-streams.schema.json#/$defs/page: 'Expected type object but found type array'.",
    ],
    [
      'no body',
      { status: 200 },
      "Own answer breaks event-streams.schema.json#/$defs/page: 'Expected type object but found type undefined'.",
    ],
    [
      'a stream without a name',
      { status: 200, body: { eventStreams: [{ id: 'est_1' }] } },
      "Own answer breaks event-streams.schema.json#/$defs/page: 'Missing required property: name' on property eventStreams[0].",
    ],
    ['another status', { status: 204 }, 'Own answer to list_event_streams has status 204, not 200.'],
  ])('%s', async (_name, answer, message) => {
    expect(await ask(partThatAnswers(listEventStreams, answer), 'GET', '/event-streams')).toEqual({
      statusCode: 500,
      error: 'Internal Server Error',
      message,
    });
  });

  test('a body where none is allowed', async () => {
    const answer = await ask(
      partThatAnswers(deleteRateLimitPolicy, { status: 204, body: {} }),
      'DELETE',
      '/rate-limit-policies/rlp_1',
    );
    expect(answer).toEqual({
      statusCode: 500,
      error: 'Internal Server Error',
      message: 'Own answer to delete_rate_limit_policy has a body where none is allowed.',
    });
  });

  test('a refusal of a kind is put into the error shape', async () => {
    const answer = await ask(
      partThatAnswers(listEventStreams, {
        status: 403,
        message: 'Not on this plan',
        errorCode: 'insufficient_entitlement',
      }),
      'GET',
      '/event-streams',
    );
    expect(answer).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'Not on this plan',
      errorCode: 'insufficient_entitlement',
    });
  });

  test('a status without a reason phrase', async () => {
    const answer = await ask(partThatAnswers(listEventStreams, { status: 499, message: 'x' }), 'GET', '/event-streams');
    expect(answer).toEqual({ statusCode: 499, error: 'Error', message: 'x' });
  });

  test('a part that stops to answer an operation is a bug of ours', async () => {
    let opened = 0;
    const part: TenantPart = {
      section: 'event_streams',
      open: () => ({
        routes:
          opened++ === 0
            ? [{ operation: listEventStreams, answer: () => ({ status: 200, body: { eventStreams: [] } }) }]
            : [],
        snapshot: () => [],
      }),
    };
    const tenant = await openTenant({}, { parts: [part] });
    const headers = { Authorization: `Bearer ${await tenant.token()}` };
    await tenant.change(() => undefined);
    const answer = await tenant.fetch(new Request(`${tenant.baseUrl}/event-streams`, { headers }));
    expect(await answer.json()).toEqual({
      statusCode: 500,
      error: 'Internal Server Error',
      message: 'no part answers list_event_streams',
    });
  });

  test('a schema that gives no reason', () => {
    const validate = Object.assign((_value: unknown): _value is never => false, { errors: null });
    const shape: Shape<never> = { schema: 'x.schema.json', validate };
    expect(() => checkOwnBody(shape, {})).toThrow('Own answer breaks x.schema.json.');
  });
});

test('several methods on one path', async () => {
  const other: Operation = { ...listEventStreams, id: 'create_event_stream', method: 'POST', success: 200 };
  const answer = () => ({ status: 200, body: { eventStreams: [] } });
  const routes = [listEventStreams, other].map((operation) => ({ operation, answer }));
  const tenant = await openTenant(
    {},
    { parts: [{ section: 'event_streams', open: () => ({ routes, snapshot: () => [] }) }] },
  );
  const headers = { Authorization: `Bearer ${await tenant.token()}` };
  const send = (method: string) => tenant.fetch(new Request(`${tenant.baseUrl}/event-streams`, { method, headers }));
  expect([(await send('GET')).status, (await send('POST')).status]).toEqual([200, 200]);
  expect((await send('PUT')).headers.get('Allow')).toBe('GET, POST');
});
