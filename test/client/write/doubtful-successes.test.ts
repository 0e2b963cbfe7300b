import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/model/operation.ts';
import type { PlannedRequest } from '../../../src/model/plan.generated.ts';
import { operations as streamOperations } from '../../../src/service/event-streams/description.generated.ts';
import { setPromptPartials } from '../../../src/service/prompts/operations.ts';
import { operations as policyOperations } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { operations } from '../../../src/service/resource-servers/description.generated.ts';
import type { ScriptedAnswer } from '../../support/fault-server.ts';
import {
  addRolePermissions,
  createRole,
  deleteRole,
  removeRolePermissions,
  updateRole,
} from '../../support/role-operations.ts';
import { actionOf, allOperations, policy, startBench, writing } from '../builders.ts';

const pairs = { permissions: [{ resource_server_identifier: 'https://a.example/', permission_name: 'a' }] };
const { id: _id, ...declared } = policy(1);
const { configuration } = declared;
const stream = {
  name: 'Audit',
  subscriptions: [{ event_type: 'user.created' }, { event_type: 'user.deleted' }],
  destination: {
    type: 'webhook',
    configuration: {
      webhook_endpoint: 'https://crm.example.com/hook',
      webhook_authorization: { method: 'basic', username: 'crm', password: '${env:PASSWORD}' },
    },
  },
};
const secrets = [{ pointer: '/destination/configuration/webhook_authorization/password', env: 'PASSWORD' }];
const role = { name: 'Support', description: 'a' };
const texts = { login: { 'form-content-start': '<p>hello</p>' } };
const requests = {
  delete: { operation: policyOperations.delete.id, method: 'DELETE', path: '/rate-limit-policies/rlp_1' },
  remove: { operation: removeRolePermissions.id, method: 'DELETE', path: '/roles/r/permissions', body: pairs },
  put: { operation: setPromptPartials.id, method: 'PUT', path: '/prompts/login/partials', body: texts },
  add: { operation: addRolePermissions.id, method: 'POST', path: '/roles/r/permissions', body: pairs },
  create: { operation: policyOperations.create.id, method: 'POST', path: '/rate-limit-policies', body: declared },
  update: {
    operation: policyOperations.update.id,
    method: 'PATCH',
    path: '/rate-limit-policies/rlp_1',
    body: { configuration },
  },
  createStream: {
    operation: streamOperations.create.id,
    method: 'POST',
    path: '/event-streams',
    body: stream,
    secrets,
  },
  updateStream: {
    operation: streamOperations.update.id,
    method: 'PATCH',
    path: '/event-streams/est_1',
    body: { status: 'disabled' },
  },
  createApi: {
    operation: operations.create.id,
    method: 'POST',
    path: '/resource-servers',
    body: { identifier: 'urn:a', scopes: [{ value: 'read:orders' }] },
  },
  deleteApi: {
    operation: operations.delete.id,
    method: 'DELETE',
    path: '/resource-servers/0123456789abcdef01234567',
  },
  updateApi: {
    operation: operations.update.id,
    method: 'PATCH',
    path: '/resource-servers/0123456789abcdef01234567',
    body: { scopes: [{ value: 'read:orders' }] },
  },
  deleteStream: { operation: streamOperations.delete.id, method: 'DELETE', path: '/event-streams/est_1' },
  createRole: { operation: createRole.id, method: 'POST', path: '/roles', body: role },
  updateRole: { operation: updateRole.id, method: 'PATCH', path: '/roles/rol_1', body: { description: 'b' } },
  deleteRole: { operation: deleteRole.id, method: 'DELETE', path: '/roles/rol_1' },
} satisfies Record<string, PlannedRequest>;

type Name = keyof typeof requests;

/** Performs a request against a server that always responds like this. */
async function performed(name: Name | PlannedRequest, answer: ScriptedAnswer) {
  await using bench = await startBench([answer]);
  const action = actionOf(typeof name === 'string' ? requests[name] : name);
  return await writing(bench.options, ({ perform }) => perform(action), { PASSWORD: 'a-password' });
}

const loginPage: ScriptedAnswer = {
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Sign in</title>',
};
const ok = (body: unknown, status = 200): ScriptedAnswer => ({ status, body });
const notFound = (message: string): ScriptedAnswer => ok({ statusCode: 404, error: 'Not Found', message }, 404);

describe('a write is done only if the response is the success of its operation', () => {
  const storedStream = {
    id: 'est_1',
    ...stream,
    status: 'enabled',
    destination: {
      ...stream.destination,
      configuration: {
        ...stream.destination.configuration,
        webhook_authorization: { method: 'basic', username: 'crm' },
      },
    },
  };

  test.each<[Name, string, ScriptedAnswer]>([
    ['delete', '204', { status: 204 }],
    ['delete', '200 without a body', { status: 200 }],
    ['delete', '201 without a body', { status: 201 }],
    ['delete', 'a 404 about the item', notFound('The rate limit policy does not exist.')],
    ['remove', 'an object', ok({})],
    ['remove', 'a list', ok([])],
    ['put', 'an object', ok({ updated: true })],
    ['put', 'what is stored, with a screen called error', ok({ error: texts.login, login: texts.login })],
    ['add', 'an empty object', ok({}, 201)],
    ['create', 'the policy', ok(policy(1), 201)],
    ['update', 'the policy', ok(policy(1))],
    ['createStream', 'the stream', ok(storedStream, 201)],
    ['updateStream', 'the stream', ok({ ...storedStream, status: 'disabled' })],
    ['deleteStream', '204', { status: 204 }],
    ['createRole', 'the role', ok({ id: 'rol_1', ...role })],
    ['updateRole', 'the role', ok({ id: 'rol_1', ...role, description: 'b' })],
    ['deleteRole', 'an empty object', ok({})],
    ['deleteRole', 'a 404 about the role', notFound('The role does not exist.')],
  ])('%s: done after %s', async (name, what, answer) => {
    const request: PlannedRequest = what.includes('called error')
      ? { ...requests.put, body: { error: texts.login, ...texts } }
      : requests[name];
    expect(await performed(request, answer)).toMatchObject({ outcome: 'done' });
  });

  const unusual: readonly (readonly [string, ScriptedAnswer])[] = [
    ['a login page', loginPage],
    ['a page without a type', { body: '<html>' }],
    ['a word', { body: 'OK' }],
    ['202', { status: 202 }],
    ['203', { status: 203 }],
    ['206', { status: 206, body: {} }],
    ['207', ok({ results: [{ status: 500 }] }, 207)],
    ['a redirect to a login page', { status: 302, headers: { location: '/login' } }],
    ['a redirect after a write', { status: 303, headers: { location: '/' } }],
    ['an error in a success', ok({ error: 'not carried out' })],
    ['errors in a success', ok({ errors: [{ message: 'no' }] }, 201)],
    ['an error document in a success', ok({ statusCode: 400, message: 'no' })],
    ['an OAuth error in a success', ok({ error_description: 'no session' })],
    ['an error in a list', ok([{ error: 'not carried out' }])],
    ['a number', ok(1)],
    ['a body that breaks off', { body: { a: 'x'.repeat(100) }, fault: { type: 'cut', bytes: 3, how: 'reset' } }],
  ];
  const names = Object.keys(requests) as Name[];
  test.each(names.flatMap((name) => unusual.map(([what, answer]) => [name, what, answer] as const)))(
    '%s: unknown after %s',
    async (name, _what, answer) => {
      const outcome = await performed(name, answer);
      expect(outcome).toMatchObject({ outcome: 'unknown', message: expect.stringMatching(/; it may have been carr/) });
    },
  );

  test.each([
    [200, 'status 200, but the body is text/html instead of JSON, as from a proxy; it may have been carried out'],
    [
      502,
      'status 502: the body is text/html instead of JSON, as from a proxy, after 5 tries; it may have been carried out',
    ],
  ])('a page with %i is named by its status and its type', async (status, message) => {
    expect((await performed('put', { ...loginPage, status })).message).toBe(message);
  });

  test.each<[Name, string, ScriptedAnswer]>([
    ['create', 'the status of another operation', ok(policy(1), 200)],
    ['create', 'no body', { status: 201 }],
    ['create', 'a policy without its id', ok({ ...policy(1), id: undefined }, 201)],
    ['create', 'a list', ok([], 201)],
    ['update', 'no body', { status: 200 }],
    ['update', '204', { status: 204 }],
    ['add', '200', ok({}, 200)],
    ['deleteStream', 'a body', ok({}, 200)],
    ['createRole', '201', ok({ id: 'rol_1', ...role }, 201)],
    ['createRole', 'a role without its id', ok(role)],
    ['deleteRole', '204', { status: 204 }],
    ['delete', 'a 404 of a router', { status: 404 }],
    ['delete', 'a 404 page', { ...loginPage, status: 404 }],
    ['delete', 'a 404 without a message', ok({ statusCode: 404, error: 'Not Found' }, 404)],
    ['delete', 'a 404 that is about nothing', notFound('Not Found')],
    ['delete', 'a 404 about the route', notFound('Route DELETE:/api/v2/rate-limit-policies/rlp_1 not found')],
    ['delete', 'a 404 about the method', notFound('Cannot DELETE /api/v2/rate-limit-policies/rlp_1')],
    ['delete', 'a 404 with another status in it', ok({ statusCode: 502, error: 'x', message: 'no upstream' }, 404)],
    ['delete', 'a 404 in another form', ok({ code: 404, detail: 'no such policy' }, 404)],
  ])('%s: unknown after %s', async (name, _what, answer) => {
    expect(await performed(name, answer)).toMatchObject({
      outcome: 'unknown',
      message: expect.stringMatching(/; it may have been carried out$/),
    });
  });

  test('every operation that writes is in these tables', () => {
    const isWrite = ({ method }: Operation) => method !== 'GET';
    const tested = Object.values(requests).map(({ operation }) => operation);
    expect(tested.toSorted()).toEqual(
      allOperations
        .filter(isWrite)
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});
