import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/model/operation.ts';
import type { PlannedRequest } from '../../../src/model/plan.generated.ts';
import { setPromptPartials } from '../../../src/resources/prompts/operations.ts';
import { createRateLimitPolicy, deleteRateLimitPolicy } from '../../../src/resources/rate-limit-policies/operations.ts';
import { addRolePermissions, removeRolePermissions } from '../../../src/resources/roles/operations.ts';
import type { ScriptedAnswer } from '../../support/fault-server.ts';
import { actionOf, policy, startBench, writing } from '../builders.ts';

const pairs = { permissions: [{ resource_server_identifier: 'https://a.example/', permission_name: 'a' }] };
const sent: Readonly<Record<string, PlannedRequest>> = {
  delete: { operation: deleteRateLimitPolicy.id, method: 'DELETE', path: '/rate-limit-policies/rlp_1' },
  remove: { operation: removeRolePermissions.id, method: 'DELETE', path: '/roles/r/permissions', body: pairs },
  put: { operation: setPromptPartials.id, method: 'PUT', path: '/prompts/login/partials', body: {} },
  add: { operation: addRolePermissions.id, method: 'POST', path: '/roles/r/permissions', body: pairs },
  create: { operation: createRateLimitPolicy.id, method: 'POST', path: '/rate-limit-policies', body: {} },
};
const html: ScriptedAnswer = {
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Sign in</title>',
};

describe("a write is done when the response can be the service's own", () => {
  test.each<[string, keyof typeof sent & string, ScriptedAnswer, 'done' | 'unknown']>([
    ['nothing', 'delete', { status: 204 }, 'done'],
    ['any success of a documented operation', 'delete', { status: 202 }, 'done'],
    ['a word', 'delete', { body: 'OK' }, 'done'],
    ['JSON of any form from a documented operation', 'remove', { body: '[]' }, 'done'],
    ['a page from a proxy, for each of them', 'delete', html, 'unknown'],
    ['a page from a proxy, for each of them', 'remove', html, 'unknown'],
    ['a page from a proxy, for each of them', 'put', html, 'unknown'],
    ['a page from a proxy, for each of them', 'add', html, 'unknown'],
    ['a page from a proxy, for each of them', 'create', html, 'unknown'],
    ['the created policy', 'create', { status: 201, body: policy(1) }, 'done'],
    ['a created policy without its id', 'create', { status: 201, body: { ...policy(1), id: undefined } }, 'unknown'],
    ['a list', 'create', { status: 201, body: [] }, 'unknown'],
    ['an empty body', 'create', { status: 201 }, 'done'],
    ['an empty object', 'add', { status: 201, body: {} }, 'done'],
  ])('%s: %s', async (_name, request, answer, outcome) => {
    await using bench = await startBench([answer]);
    const outcomeOf = await writing(bench.options, ({ perform }) => perform(actionOf(sent[request] as PlannedRequest)));
    expect(outcomeOf.outcome).toBe(outcome);
    if (outcome === 'unknown')
      expect(outcomeOf.message).toMatch(/^status 20[01], but .*; it may have been carried out$/);
  });

  test('a done write returns the object of its response where its schema is known', async () => {
    const returnedBy = async (request: PlannedRequest, answer: ScriptedAnswer) => {
      await using bench = await startBench([answer]);
      return (await writing(bench.options, ({ perform }) => perform(actionOf(request)))).returned;
    };
    const create = sent['create'] as PlannedRequest;
    expect(await returnedBy(create, { status: 201, body: policy(1) })).toEqual(policy(1));
    expect(await returnedBy(create, { status: 201 })).toBeUndefined();
    expect(await returnedBy(create, { status: 201, body: [] })).toBeUndefined();
    expect(await returnedBy(sent['delete'] as PlannedRequest, { body: { id: 'rlp_1' } })).toBeUndefined();
  });

  test('every operation that writes is one of these forms', () => {
    const documented = (row: Operation) => row.api === 'documented';
    expect([deleteRateLimitPolicy, removeRolePermissions, setPromptPartials].every(documented)).toBe(true);
    expect([addRolePermissions, createRateLimitPolicy].some(documented)).toBe(false);
  });
});
