import { describe, expect, test } from 'vitest';
import { checkResponseBody } from '../../src/embedded-tenant/http/response.ts';
import { eventStreamsTenant } from '../../src/embedded-tenant/kinds/event-streams.ts';
import type { Operation, Shape } from '../../src/model/operation.ts';
import type { RouteResponse, TenantResource } from '../../src/model/tenant-resource.ts';
import { operations as streamOperations } from '../../src/service/event-streams/description.generated.ts';
import { operations as policies } from '../../src/service/rate-limit-policies/description.generated.ts';
import { authorizedRequest, openTenant } from '../support/start-tenant.ts';

function resourceWith(operation: Operation, response: RouteResponse): TenantResource {
  return resourceOf([{ operation, respond: () => response }]);
}

function resourceOf(routes: TenantResource['routes']): TenantResource {
  return { ...eventStreamsTenant, routes };
}

async function request(resource: TenantResource, method: string, path: string) {
  const tenant = await openTenant({}, { resources: [resource] });
  return (await tenant.fetch(await authorizedRequest(tenant, method, path))).json();
}

describe('the tenant validates its own responses', () => {
  test.each<[string, RouteResponse, string]>([
    [
      'no page',
      { status: 200, body: [] },
      "The response body violates event-streams.schema.json#/$defs/page: 'Expected type object but found type array'.",
    ],
    [
      'no body',
      { status: 200 },
      "The response body violates event-streams.schema.json#/$defs/page: 'Expected type object but found type undefined'.",
    ],
    [
      'a stream without an id',
      { status: 200, body: { eventStreams: [{ name: 'n' }] } },
      "The response body violates event-streams.schema.json#/$defs/page: 'Missing required property: id' on property eventStreams[0].",
    ],
    ['another status', { status: 204 }, 'The response to list_event_streams has status 204 instead of 200.'],
  ])('%s', async (_name, response, message) => {
    expect(await request(resourceWith(streamOperations.list, response), 'GET', '/event-streams')).toEqual({
      statusCode: 500,
      error: 'Internal Server Error',
      message,
    });
  });

  test('a body where none is allowed', async () => {
    const response = await request(
      resourceWith(policies.delete, { status: 204, body: {} }),
      'DELETE',
      '/rate-limit-policies/rlp_1',
    );
    expect(response).toEqual({
      statusCode: 500,
      error: 'Internal Server Error',
      message: 'The response to delete_rate_limit_policy has a body, but the operation allows none.',
    });
  });

  test('a refusal gets the error format', async () => {
    const response = await request(
      resourceWith(streamOperations.list, {
        status: 403,
        message: 'Not on this plan',
        errorCode: 'insufficient_entitlement',
      }),
      'GET',
      '/event-streams',
    );
    expect(response).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'Not on this plan',
      errorCode: 'insufficient_entitlement',
    });
  });

  test('a status without a reason phrase', async () => {
    const response = await request(
      resourceWith(streamOperations.list, { status: 499, message: 'x' }),
      'GET',
      '/event-streams',
    );
    expect(response).toEqual({ statusCode: 499, error: 'Error', message: 'x' });
  });

  test('a schema that reports no error', () => {
    const validate = Object.assign((_value: unknown): _value is never => false, { errors: null });
    const shape: Shape<never> = { schema: 'x.schema.json', validate };
    expect(() => checkResponseBody(shape, {})).toThrow(
      "The response body violates x.schema.json: 'Value violates x.schema.json'.",
    );
  });
});

test('several methods on one path', async () => {
  const other: Operation = { ...streamOperations.list, id: 'create_event_stream', method: 'POST', success: 200 };
  const respond = () => ({ status: 200, body: { eventStreams: [] } });
  const routes = [streamOperations.list, other].map((operation) => ({ operation, respond }));
  const tenant = await openTenant({}, { resources: [resourceOf(routes)] });
  const headers = { Authorization: `Bearer ${await tenant.token()}` };
  const send = (method: string) => tenant.fetch(new Request(`${tenant.baseUrl}/event-streams`, { method, headers }));
  expect([(await send('GET')).status, (await send('POST')).status]).toEqual([200, 200]);
  expect((await send('PUT')).headers.get('Allow')).toBe('GET, HEAD, POST');
});
