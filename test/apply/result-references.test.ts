// What an earlier action returned, in the requests of later ones.
import { describe, expect, test } from 'vitest';
import { applyAndResolve } from '../../src/apply/apply-and-resolve.ts';
import { hasReference, requestMatches, resultReferences } from '../../src/apply/result-references.ts';
import { resultReference } from '../../src/model/action-identity.ts';
import type { PerformedAction } from '../../src/model/outcome.ts';
import type { Action, PlannedRequest } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';

const create = buildAction({
  kind: 'roles',
  key: 'A/1: {x}#%',
  action: 'create',
  reason: 'missing',
  request: { operation: 'create_role', method: 'POST', path: '/roles', body: { name: 'A' } },
});
const id = resultReference(create.id, 'id');
const add = buildAction({
  kind: 'roles',
  key: create.key,
  part: 'add',
  action: 'add',
  reason: 'missing',
  needs: [create.id],
  request: {
    operation: 'add_role_permissions',
    method: 'POST',
    path: `/roles/${id}/permissions`,
    body: { role: id, list: [`of ${id}, twice ${id}`, 1, null], nested: { flag: true } },
  },
});
const sentWith = (value: string, inPath = value): PlannedRequest => ({
  ...add.request,
  path: `/roles/${inPath}/permissions`,
  body: { role: value, list: [`of ${value}, twice ${value}`, 1, null], nested: { flag: true } },
});
const done = (action: Action): PerformedAction => ({ id: action.id, outcome: 'done', status: 201, message: null });

/** References over a tenant that returns this for a create. */
function referencesOver(returned?: Readonly<Record<string, unknown>>) {
  const sent: PlannedRequest[] = [];
  const references = resultReferences(async (action) => {
    sent.push(action.request);
    return action.action === 'create' && returned !== undefined ? { ...done(action), returned } : done(action);
  });
  return { references, sent };
}

describe('performing', () => {
  test('a reference becomes what the action returned: escaped in the path, as it is in the body', async () => {
    const { references, sent } = referencesOver({ id: 'rol/1 $&' });
    await references.perform(create);
    expect(await references.perform(add)).toEqual(done(add));
    expect(sent).toEqual([create.request, sentWith('rol/1 $&', 'rol%2F1%20%24%26')]);
    expect(references.requestOf(add)).toEqual(sent[1]);
    expect(references.requestOf(create)).toBe(create.request);
  });

  test.each<[string, Readonly<Record<string, unknown>> | undefined]>([
    ['nothing was returned', undefined],
    ['the field is missing', { name: 'A' }],
    ['the field is not a text', { id: 7 }],
  ])('is not attempted when %s', async (_name, returned) => {
    const { references, sent } = referencesOver(returned);
    await references.perform(create);
    expect(await references.perform(add)).toEqual({
      id: add.id,
      outcome: 'not_attempted',
      status: null,
      message: `not sent because the result of ${create.id} is not known`,
    });
    expect(sent).toEqual([create.request]);
    expect(references.requestOf(add)).toBe(add.request);
  });

  test('a reading may have shown what the request is', async () => {
    const { references, sent } = referencesOver();
    references.adopt(add, sentWith('rol_7'));
    await references.perform(add);
    expect(sent).toEqual([sentWith('rol_7')]);
    expect(references.requestOf(add)).toEqual(sentWith('rol_7'));
  });

  test('what a reading shows before the item exists still refers to it', async () => {
    const { references, sent } = referencesOver({ id: 'rol_7' });
    references.adopt(add, structuredClone(add.request));
    await references.perform(create);
    await references.perform(add);
    expect(sent[1]).toEqual(sentWith('rol_7'));
  });

  test('an action whose goal is reached needs no result', async () => {
    const reached = { ...done(add), message: 'the tenant is already as planned' };
    const references = resultReferences(
      () => expect.unreachable(),
      new Map(),
      (id) => (id === add.id ? reached : null),
    );
    expect(await references.perform(add)).toEqual(reached);
  });

  test('a declared text that looks like a reference is sent as it is', async () => {
    const text = buildAction({
      kind: 'prompts',
      key: 'login',
      action: 'put',
      request: { operation: 'o', method: 'PUT', path: '/p', body: { a: id, b: '{result:roles/x:id}' } },
    });
    const { references, sent } = referencesOver({ id: 'rol_1' });
    await references.perform(create);
    await references.perform(text);
    expect(sent[1]).toBe(text.request);
    expect(hasReference(text)).toBe(false);
    expect(requestMatches(text, { ...text.request, body: { a: 'rol_1', b: '{result:roles/x:id}' } })).toBe(false);
    expect(hasReference({ ...text, needs: ['roles/other'] })).toBe(false);
  });
});

describe('a request is the planned one', () => {
  test.each<[string, PlannedRequest, boolean]>([
    ['as planned', structuredClone(add.request), true],
    ['with the real id', sentWith('rol_1'), true],
    ['with an id that needs escapes', sentWith('rol/1', 'rol%2F1'), true],
    ['with no id in the path', sentWith('rol_1', ''), false],
    ['with another path', sentWith('rol_1', 'rol_1/users'), false],
    ['with another method', { ...sentWith('rol_1'), method: 'PUT' }, false],
    ['with another operation', { ...sentWith('rol_1'), operation: 'o' }, false],
    ['without the body', { operation: add.request.operation, method: 'POST', path: '/roles/rol_1/permissions' }, false],
    ['with another field', { ...sentWith('rol_1'), body: { ...sentWith('rol_1').body, more: 1 } }, false],
    [
      'with a longer list',
      { ...sentWith('a'), body: { ...sentWith('a').body, list: ['of a, twice a', 1, null, 2] } },
      false,
    ],
    ['with another value', { ...sentWith('a'), body: { ...sentWith('a').body, nested: { flag: false } } }, false],
    ['with a value that is not a text', { ...sentWith('a'), body: { ...sentWith('a').body, role: 1 } }, false],
    [
      'with another text around the id',
      { ...sentWith('a'), body: { ...sentWith('a').body, list: ['on a, twice a', 1, null] } },
      false,
    ],
  ])('%s', (_name, request, matches) => {
    expect(requestMatches(add, request)).toBe(matches);
  });

  test('characters of regular expressions are compared as they are', () => {
    const planned = {
      needs: [create.id],
      request: { ...add.request, path: `/a.b+(c)/${id}/$`, body: { text: `[x]*${id}^\\` } },
    };
    const request = { ...planned.request, path: '/a.b+(c)/1/$', body: { text: '[x]*1^\\' } };
    expect(requestMatches(planned, request)).toBe(true);
    expect(requestMatches(planned, { ...request, path: '/axb+(c)/1/$' })).toBe(false);
  });

  test('no text of the files is a wildcard', () => {
    for (const text of ['\u0000', '{result:', '*', '.*', `${id}`]) {
      const planned = { request: { ...add.request, path: '/roles/1/permissions', body: { a: text } }, needs: [] };
      expect(requestMatches(planned, { ...planned.request, body: { a: 'another text' } }), text).toBe(false);
      const referring = { ...planned, request: { ...planned.request, body: { a: text, b: id } }, needs: [create.id] };
      const isReference = text === id;
      const sent = { ...referring.request, body: { a: 'another text', b: 'rol_1' } };
      expect(requestMatches(referring, sent), text).toBe(isReference);
    }
  });
});

test('a create whose response was lost is found, and its real id is sent in what needs it', async () => {
  const sent: PlannedRequest[] = [];
  const { document } = await applyAndResolve(
    buildPlan({ actions: [create, add] }),
    async (action) => {
      sent.push(action.request);
      return action.id === create.id ? { ...done(action), outcome: 'unknown', status: null } : done(action);
    },
    {
      signal: new AbortController().signal,
      onOutcome: () => {},
      managed: new Set(['roles']),
      readyAgain: async () => ({ ready: true }),
      planAgain: async () => buildPlan({ actions: [buildAction({ ...add, needs: [], request: sentWith('rol_9') })] }),
      record: async () => {},
    },
  );
  expect(document.outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  expect(sent).toEqual([create.request, sentWith('rol_9')]);
});
