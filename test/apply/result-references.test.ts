// References to what earlier actions create, in the requests of later ones.
import { describe, expect, test } from 'vitest';
import { hasReference, requestMatches } from '../../src/apply/result-references.ts';
import { resultReference } from '../../src/model/action-identity.ts';
import type { PerformedAction } from '../../src/model/outcome.ts';
import type { Action, PlannedRequest } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan, withUnreadable } from '../support/build-plan.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { kindRead, runApply, type ScriptedApply, seeing } from '../support/run-apply.ts';

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

/** An apply on a tenant that shows the item under an id in these readings, and in none before them. */
async function applied(idIn: (reading: number) => string | null, script: Partial<ScriptedApply> = {}) {
  const intended: PlannedRequest[] = [];
  let readings = 0;
  let isDone = false;
  const { document, sent, reads } = await runApply(buildPlan({ actions: [create, add] }), {
    plans: () => {
      const shown = idIn(readings++);
      if (shown === null) return buildPlan({ actions: [create, add] });
      return buildPlan({ actions: isDone ? [] : [{ ...add, request: sentWith(shown) }] });
    },
    options: {
      journal: {
        intend: async ({ request }) => void intended.push(request),
        outcome: async (outcome) => {
          isDone ||= outcome.id === add.id && outcome.outcome === 'done';
        },
        lostLock: () => null,
      },
    },
    ...script,
  });
  return { outcomes: document.outcomes, intended, sent, reads };
}

describe('the action that is sent', () => {
  test('has the id that a reading shows, whatever the response was', async () => {
    const { intended, reads, outcomes } = await applied(() => 'rol_7');
    expect(intended).toEqual([create.request, sentWith('rol_7')]);
    expect(reads[0]).toBe(`roles/${create.key} roles/${create.key}#add`);
    expect(outcomes).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
  });

  test('waits until one shows it', async () => {
    const { intended, outcomes } = await applied((reading) => (reading < 3 ? null : 'rol_7'));
    expect(intended).toEqual([create.request, sentWith('rol_7')]);
    expect(outcomes).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
  });

  test('is not sent if none ever does', async () => {
    const { intended, outcomes } = await applied(() => null);
    expect(intended).toEqual([create.request]);
    expect(outcomes).toMatchObject([
      { outcome: 'unknown' },
      { outcome: 'not_attempted', message: expect.stringContaining('no reading shows') as string },
    ]);
  });

  test('is not sent if another client has given it meanwhile', async () => {
    const { sent, messages } = await runApply(buildPlan({ actions: [create, add] }), {
      tries: { [create.id]: ['lost'] },
      plans: () => buildPlan(),
    });
    expect([sent, messages[1]]).toEqual([[create.key], 'the tenant is already as planned']);
  });

  test('has a declared text that looks like a reference as it is', () => {
    const text = buildAction({
      kind: 'prompts',
      key: 'login',
      action: 'put',
      request: { operation: 'o', method: 'PUT', path: '/p', body: { a: id, b: '{result:roles/x:id}' } },
    });
    expect(hasReference(text)).toBe(false);
    expect(requestMatches(text, { ...text.request, body: { a: 'rol_1', b: '{result:roles/x:id}' } })).toBe(false);
    expect(hasReference({ ...text, needs: ['roles/other'] })).toBe(false);
    expect(hasReference({ ...text, needs: [create.id] })).toBe(true);
  });
});

describe('a request is the planned one', () => {
  test.each<[string, PlannedRequest, boolean]>([
    ['as planned', structuredClone(add.request), true],
    ['with the real id', sentWith('rol_1'), true],
    ['with an id that needs escapes', sentWith('rol/1', 'rol%2F1'), true],
    ['with no id in the path', sentWith('rol_1', ''), false],
    ['with the real id in the body alone, as a reading during the create has it', sentWith('rol_1', id), true],
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

const done = ({ id }: Action): PerformedAction => ({ id, outcome: 'done', status: 201, message: null });

test('a create whose response was lost is found, and its real id is sent in what needs it', async () => {
  const sent: PlannedRequest[] = [];
  const { outcomes } = await runApply(buildPlan({ actions: [create, add] }), {
    plans: () => buildPlan({ actions: sent.length < 2 ? [{ ...add, needs: [], request: sentWith('rol_9') }] : [] }),
    options: {
      connection: {
        mayResend: () => true,
        perform: async (action) => {
          sent.push(action.request);
          return action.id === create.id ? { ...done(action), outcome: 'unknown', status: null } : done(action);
        },
      },
    },
  });
  expect(outcomes).toEqual(['done', 'done']);
  expect(sent).toEqual([create.request, sentWith('rol_9')]);
});

interface GivenToNew {
  /** The id of the response to the create. */
  readonly created?: string;
  /** The ids of lists, before and after it. */
  readonly before?: readonly string[];
  readonly later?: readonly string[];
  readonly expected?: readonly string[];
  readonly message?: string;
}
const noId = 'not sent: no reading shows the id of what it is for';

test.each<[string, GivenToNew]>([
  ['has the id of a reading', {}],
  ['has the id of a reading and of the response', { created: 'rol_9' }],
  ['is not sent to the role that had the name before', { created: 'rol_8', message: noId }],
  ['is not sent to a role that was there, if the response has no id', { before: ['rol_9'], message: noId }],
  [
    'waits for a list with the id of the response',
    {
      created: 'rol_8',
      later: ['rol_9'],
      expected: ['unknown', 'not_attempted'],
      message: `not sent: no reading shows that ${create.id} was carried out, which has to come first`,
    },
  ],
])('what is given to a role that was created %s', async (_name, { created, before, later, message, ...more }) => {
  const { expected = ['done', message === undefined ? 'done' : 'not_attempted'] } = more;
  const sent: PlannedRequest[] = [];
  const { outcomes, messages } = await runApply(buildPlan({ actions: [create, add] }), {
    plans: () => buildPlan({ actions: sent.length < 2 ? [{ ...add, needs: [], request: sentWith('rol_9') }] : [] }),
    knowledge: { seenByNow: seeing(before, later) },
    options: {
      connection: {
        mayResend: () => true,
        perform: async (action) => {
          sent.push(action.request);
          return { ...done(action), ...(action.id === create.id && created !== undefined && { created }) };
        },
      },
    },
  });
  expect(outcomes).toEqual(expected);
  expect(sent).toEqual(message === undefined ? [create.request, sentWith('rol_9')] : [create.request]);
  expect(messages[1] ?? undefined).toBe(message);
});

describe('what an item that was there gets of a new one', () => {
  const client = buildAction({ kind: 'clients', key: 'Web "shop"', action: 'create', reason: 'missing' });
  const enable = buildAction({
    kind: 'connections',
    key: 'users',
    part: 'enabled_clients add',
    action: 'add',
    needs: [client.id],
    request: {
      operation: 'add_connection_enabled_clients',
      method: 'PATCH',
      path: '/connections/con_1/clients',
      body: [
        { client_id: 'cli_0', status: true },
        { client_id: resultReference(client.id, 'client_id'), status: true },
      ],
    },
  });
  const enabled = (id: string): PlannedRequest => ({
    ...enable.request,
    body: [
      { client_id: 'cli_0', status: true },
      { client_id: id, status: true },
    ],
  });

  test.each<[string, { readonly before?: readonly string[]; readonly created?: string; readonly isSent: boolean }]>([
    ['is sent with the id that a reading shows', { before: ['con_1', 'cli_0'], isSent: true }],
    ['is sent if the response has the same id', { before: ['con_1'], created: 'cli "9"', isSent: true }],
    ['is not sent with the id of another response', { before: ['con_1'], created: 'cli_8', isSent: false }],
    ['is not sent with the id of an item that was there', { before: ['con_1', 'cli "9"'], isSent: false }],
  ])('%s', async (_name, { before, created, isSent }) => {
    const sent: PlannedRequest[] = [];
    const { messages } = await runApply(buildPlan({ actions: [client, enable] }), {
      plans: () =>
        buildPlan({ actions: sent.length < 2 ? [{ ...enable, needs: [], request: enabled('cli "9"') }] : [] }),
      kinds: [kindRead('clients'), kindRead('connections')],
      knowledge: { seenByNow: seeing(before) },
      options: {
        connection: {
          mayResend: () => true,
          perform: async (action) => {
            sent.push(action.request);
            return { ...done(action), ...(action.id === client.id && created !== undefined && { created }) };
          },
        },
      },
    });
    expect(sent).toEqual(isSent ? [client.request, enabled('cli "9"')] : [client.request]);
    expect(messages[1] ?? undefined).toBe(isSent ? undefined : noId);
  });
});

test('a reading that fails says nothing about a new role', async () => {
  const { outcomes, document } = await runApply(buildPlan({ actions: [create] }), {
    plans: () => ({ ...withUnreadable(buildPlan(), create.kind), complete: false }),
    knowledge: { seenByNow: seeing([], []) },
    options: {
      connection: { mayResend: () => false, perform: async (action) => ({ ...done(action), created: 'rol_8' }) },
    },
  });
  expect(outcomes).toEqual(['done']);
  expect(document.verification).toMatchObject({ result: 'not_read', not_shown: [], not_read: [create.id] });
});

test('what was given to a new role is read as given to its id, and not to whatever role has the name', async () => {
  const clock = startFakeClock();
  const asked: string[] = [];
  let isGiven = false;
  const { outcomes } = await runApply(buildPlan({ actions: [create, add] }), {
    clock,
    knowledge: {
      read: async (about) => {
        asked.push(...about.filter(({ id }) => id === add.id).map(({ request }) => request.path));
        const actions = isGiven ? [] : [{ ...add, needs: [], request: sentWith('rol_9') }];
        return { plan: buildPlan({ actions }), began: clock.monotonic(), arrivedAt: clock.monotonic() };
      },
    },
    options: {
      connection: {
        mayResend: () => true,
        perform: async (action) => {
          clock.advance(1);
          isGiven = action.id === add.id;
          return done(action);
        },
      },
    },
  });
  expect(outcomes).toEqual(['done', 'done']);
  expect([asked[0], asked.at(-1)]).toEqual([add.request.path, sentWith('rol_9').path]);
});
