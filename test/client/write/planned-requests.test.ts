import { describe, expect, test } from 'vitest';
import { openWriteConnection } from '../../../src/client/write-connection.ts';
import type { WriteConnection } from '../../../src/model/client.ts';
import type { Operation } from '../../../src/model/operation.ts';
import { notAttempted, type PerformedAction } from '../../../src/model/outcome.ts';
import type { PlannedRequest } from '../../../src/model/plan.generated.ts';
import { operations as clientOperations } from '../../../src/service/clients/description.generated.ts';
import { operations as policyOperations } from '../../../src/service/rate-limit-policies/description.generated.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { ScriptedAnswer } from '../../support/fault-server.ts';
import { operations as roleOperations } from '../../support/role-operations.ts';
import {
  actionOf,
  deletePolicyRequest,
  errorResponse,
  perform,
  putPartialsRequest,
  resetConnection,
  secretToken,
  startBench,
  writing,
} from '../builders.ts';

const removal = {
  operation: 'remove_role_permissions',
  method: 'DELETE',
  path: '/roles/rol_Zx1/permissions',
  body: { permissions: [{ resource_server_identifier: 'https://orders.example/', permission_name: 'delete:orders' }] },
} as const;
const removalRequest = { ...removal, body: { permissions: [...removal.body.permissions] } };

describe('exactly the planned request is sent', () => {
  test('a delete, without a body', async () => {
    const { outcome, requests } = await perform([{ status: 204 }]);
    expect(outcome).toEqual({
      id: 'the-action',
      outcome: 'done',
      status: 204,
      message: null,
    });
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
    const { body } = putPartialsRequest;
    const { outcome, requests } = await perform([{ status: 200, body }], putPartialsRequest);
    expect(outcome).toEqual({
      id: 'the-action',
      outcome: 'done',
      status: 200,
      message: null,
    });
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

describe('a POST', () => {
  const create: Operation = { ...policyOperations.delete, id: 'create', method: 'POST', path: '/things' } as Operation;
  test.each<[string, ScriptedAnswer, number, object]>([
    ['is sent again after 429, of which nothing has come', { status: 429 }, 5, { outcome: 'failed', status: 429 }],
    ['is not sent again after 503', { status: 503 }, 1, { outcome: 'unknown', status: 503 }],
    ['is not sent again after a broken connection', resetConnection, 1, { outcome: 'unknown', status: null }],
  ])('%s', async (_name, answer, tries, expected) => {
    await using bench = await startBench([answer]);
    const connection = openWriteConnection(bench.options, [create], () => undefined);
    const outcome = await connection.perform(actionOf({ operation: 'create', method: 'POST', path: '/things' }));
    await connection.close();
    expect(outcome).toMatchObject(expected);
    expect(bench.server.requests).toHaveLength(tries);
  });
});

describe('a POST that a read has shown not to be carried out', () => {
  const create: Operation = { ...policyOperations.delete, id: 'create', method: 'POST', path: '/things' } as Operation;
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
    ['its connection broke', resetConnection, true],
    ['a proxy responded', { status: 503 }, true],
    ['a 500 may be caused by the request', { status: 500 }, false],
    ['a page from somebody else', { status: 200, body: '<html>' }, false],
    ['a refusal is known', errorResponse(400, 'no'), false],
    ['the quota refused it as often as it may', { status: 429 }, false],
    ['done is done', { status: 204 }, false],
  ])('%s', async (_name, answer, expected) => {
    const { result } = await performing([answer], async ({ perform: send, mayResend }) => {
      await send(action);
      return mayResend(action.id);
    });
    expect(result).toBe(expected);
  });

  test('has five tries in all, 429s included, and waits before each', async () => {
    const { result, requests, waits } = await performing(
      [resetConnection, { status: 429 }, resetConnection],
      async ({ perform: send, mayResend }) => {
        const turns = [await send(action)];
        while (mayResend(action.id)) turns.push(await send(action));
        return turns.map(({ outcome, message }) => `${outcome}: ${message?.replace(/ \(\w+\)/, '')}`);
      },
    );
    expect({ requests, waits: waits.length }).toEqual({ requests: 5, waits: 4 });
    expect(result).toEqual([
      'unknown: no response; it may have been carried out',
      'unknown: no response, after 3 tries; it may have been carried out',
      'unknown: no response, after 4 tries; it may have been carried out',
      'unknown: no response, after 5 tries; it may have been carried out',
    ]);
  });

  test('waits before the read, and is sent right after it', async () => {
    const answers: ScriptedAnswer[] = [{ status: 503, headers: { 'retry-after': '30' } }, { status: 204 }];
    const { result, waits } = await performing(answers, async ({ perform: send, mayResend }, clock) => {
      await send(action);
      return { ready: mayResend(action.id), waited: [...clock.waits], outcome: (await send(action)).outcome };
    });
    expect(result).toEqual({ ready: true, waited: [30_250], outcome: 'done' });
    expect(waits).toEqual([30_250]);
  });

  test('is sent for as long as any other from then on, however long the read took', async () => {
    const answers: ScriptedAnswer[] = [{ status: 503 }, { status: 503 }, { status: 204 }];
    const { result } = await performing(answers, async ({ perform: send, mayResend }, clock) => {
      await send(action);
      clock.advance(3_600_000);
      await send(action);
      return [mayResend(action.id), (await send(action)).outcome];
    });
    expect(result).toEqual([true, 'done']);
  });

  const waiting = { ...notAttempted(action, 'no reading'), waits: true };

  test('keeps its further tries while it waits for a reading', async () => {
    let before: PerformedAction | null = null;
    const { result, requests } = await performing(
      [{ status: 503 }, { status: 204 }],
      async ({ perform: send, mayResend }) => {
        const turn = async (result: PerformedAction | null) => {
          before = result;
          const { outcome, waits } = await send(action, () => before);
          return [outcome, waits, mayResend(action.id)];
        };
        return [await turn(null), await turn(waiting), await turn(waiting), await turn(null)];
      },
    );
    expect(result).toEqual([
      ['unknown', undefined, true],
      ['unknown', true, true],
      ['unknown', true, true],
      ['done', undefined, false],
    ]);
    expect(requests).toBe(2);
  });

  test('is begun anew if nothing was sent before it waits for a reading', async () => {
    const { result, requests } = await performing([{ status: 204 }], async ({ perform: send, mayResend }) => {
      const turns = [];
      for (let turn = 0; turn < 9; turn += 1) turns.push((await send(action, () => waiting)).outcome);
      return [new Set(turns), mayResend(action.id), (await send(action)).outcome];
    });
    expect(result).toEqual([new Set(['not_attempted']), false, 'done']);
    expect(requests).toBe(1);
  });

  test('and is refused then is unknown: an earlier try may have come through late', async () => {
    const { result } = await performing(
      [resetConnection, errorResponse(409, 'taken')],
      async ({ perform: send, mayResend }) => [
        (await send(action)).outcome,
        mayResend(action.id),
        (await send(action)).outcome,
        mayResend(action.id),
      ],
    );
    expect(result).toEqual(['unknown', true, 'unknown', false]);
  });

  test('is not sent again when the service asks for too long a wait, and when the run has no retries left: it says why', async () => {
    const long = await performing(
      [{ status: 503, headers: { 'retry-after': '600' } }],
      async ({ perform: send, mayResend }) => [await send(action), mayResend(action.id)],
    );
    const said = expect.stringMatching(
      /^status 503; the service asks to wait until \S+, which is longer than allowed; it may have been carried out$/,
    );
    expect([long.result, long.requests]).toEqual([
      [{ id: action.id, outcome: 'unknown', status: 503, message: said }, false],
      1,
    ]);
    const many = await performing([resetConnection], async ({ perform: send, mayResend }) => {
      const turns = [];
      for (let index = 0; index < 120; index += 1) {
        const { message } = await send({ ...action, id: `action-${index}` });
        turns.push([mayResend(`action-${index}`), message?.includes('the run has used up its retries')]);
      }
      return turns;
    });
    expect(many.result).toEqual([...Array(100).fill([true, false]), ...Array(20).fill([false, true])]);
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
      message: 'CRM_PASSWORD is not set; nothing was sent',
    });
    expect(bench.server.requests).toEqual([]);
  });

  test('that the service says back are not shown, and no other word of its response', async () => {
    await using bench = await startBench([
      { status: 400, body: { statusCode: 400, error: 'Bad Request', message: 'planted-stream-secret is too short' } },
    ]);
    const outcome = await writing(bench.options, ({ perform: send }) => send(actionOf(request)), {
      CRM_PASSWORD: 'planted-stream-secret',
    });
    expect(outcome).toMatchObject({ message: 'status 400', refusal: 'planted-stream-secret is too short' });
  });
});

describe('a request that fits no operation is refused before anything is sent', () => {
  test.each([
    [{ ...deletePolicyRequest, operation: 'delete_everything' }, 'there is no operation delete_everything'],
    [{ ...deletePolicyRequest, method: 'PUT' as const }, 'delete_rate_limit_policy is not sent with PUT'],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies' },
      '/rate-limit-policies is not a path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/' },
      '/rate-limit-policies/ is not a path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/a/b' },
      '/rate-limit-policies/a/b is not a path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/..' },
      '/rate-limit-policies/.. is not a path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/%2e%2E' },
      '/rate-limit-policies/%2e%2E is not a path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/%zz' },
      '/rate-limit-policies/%zz is not a path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: '/rate-limit-policies/a?b=c' },
      '/rate-limit-policies/a?b=c is not a path of delete_rate_limit_policy',
    ],
    [
      { ...deletePolicyRequest, path: 'http://127.0.0.1:9/rate-limit-policies/a' },
      'http://127.0.0.1:9/rate-limit-policies/a is not a path of delete_rate_limit_policy',
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

describe('the id of the response to a create', () => {
  const create = { operation: 'create_role', method: 'POST', path: '/roles', body: { name: 'a' } } as const;
  const createClient = { ...create, operation: 'create_client', path: '/clients' } as const;
  const update = { operation: 'update_role', method: 'PATCH', path: '/roles/rol_2', body: { name: 'b' } } as const;
  const add = { ...removal, operation: 'add_role_permissions', method: 'POST' } as const;
  const created = { status: 200, body: { id: 'rol_1', name: 'a' } };

  test.each<readonly [string, ScriptedAnswer, PlannedRequest, string | undefined]>([
    ['is in the outcome', created, create, 'rol_1'],
    ['is none in a response without one', { status: 200, body: {} }, create, undefined],
    ['is none in a response that is no JSON', { status: 200, body: '<html>' }, create, undefined],
    ['is none in a refusal', errorResponse(400, 'no'), create, undefined],
    ['is none in an error that has an id', { status: 400, body: { id: 'req_1', message: 'no' } }, create, undefined],
    ['of a client is its client_id', { status: 201, body: { client_id: 'cli_1', id: 'x' } }, createClient, 'cli_1'],
    ['is none of an update', created, update, undefined],
    ['is none of an add', created, { ...add, body: { permissions: [...removal.body.permissions] } }, undefined],
  ])('%s', async (_name, answer, request, id) => {
    await using bench = await startBench([answer]);
    const connection = openWriteConnection(
      bench.options,
      [...roleOperations, ...Object.values(clientOperations)],
      () => undefined,
    );
    const performed = await connection.perform(actionOf(request));
    await connection.close();
    expect(performed.created).toBe(id);
  });
});
