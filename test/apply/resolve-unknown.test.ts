// What a fresh plan shows about actions of unknown outcome.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Doubtful, type Resolution, resolveRun, resolveUnknown } from '../../src/apply/resolve-unknown.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildFinding, buildPlan, buildSummary, withUnreadable } from '../support/build-plan.ts';

const managed = new Set(['rate_limit_policies', 'roles', 'prompts', 'event_streams']);
const doubtful = (action: Action): Doubtful => ({
  ...action,
  isRequest: (request) => isDeepStrictEqual(request, action.request),
});
const options = { managed, requestOf: ({ request }: Action) => request };

const policy = buildAction({ key: 'stale' });
const other = buildAction({ key: 'stale', request: { ...policy.request, path: '/rate-limit-policies/rlp_2' } });
const pairs = (part: 'add' | 'remove', name: string, about: Partial<Action> = {}): Action =>
  buildAction({
    kind: 'roles',
    key: 'Support',
    part,
    action: part,
    reason: 'missing',
    request: {
      operation: 'o',
      method: part === 'add' ? 'POST' : 'DELETE',
      path: '/roles/rol_1/permissions',
      body: { permissions: [name] },
    },
    ...about,
  });
const put = buildAction({ kind: 'prompts', key: 'login', action: 'put', reason: 'different' });

describe('resolving', () => {
  test.each<[string, Action, Plan, Resolution]>([
    ['no such action: done', policy, buildPlan(), 'not_needed'],
    ['the same request: not carried out', policy, buildPlan({ actions: [policy] }), 'needed'],
    ['another request for the same item: a third state', policy, buildPlan({ actions: [other] }), 'unknown'],
    ['a kind that could not be read', policy, withUnreadable(buildPlan(), 'rate_limit_policies'), 'unknown'],
    ['the same in another kind', policy, withUnreadable(buildPlan(), 'event_streams'), 'not_needed'],
    ['sent whether it is needed or not', put, buildPlan({ actions: [{ ...put, reason: 'unreadable' }] }), 'unknown'],
    [
      'a secret that is sent again cannot be compared',
      put,
      buildPlan({ actions: [{ ...put, reason: 'rotated' }] }),
      'unknown',
    ],
    [
      'a kind that the selection left out',
      policy,
      buildPlan({ left_out: [{ kind: 'rate_limit_policies', key: '*', what: 'not_read' }] }),
      'unknown',
    ],
    [
      'the rest of a kind of which it was the one item',
      policy,
      buildPlan({
        selection: { only: [policy.id], except: [], rotate: [] },
        left_out: [{ kind: 'rate_limit_policies', key: '*', what: 'not_read' }],
      }),
      'not_needed',
    ],
    [
      'the same where the entire kind is left out as well',
      policy,
      buildPlan({
        selection: { only: [policy.id], except: ['rate_limit_policies'], rotate: [] },
        left_out: [{ kind: 'rate_limit_policies', key: '*', what: 'not_read' }],
      }),
      'unknown',
    ],
    [
      'an item that the selection left out',
      policy,
      buildPlan({ left_out: [{ kind: 'rate_limit_policies', key: 'stale', what: 'delete' }] }),
      'unknown',
    ],
    [
      'another item that it left out',
      policy,
      buildPlan({ left_out: [{ kind: 'rate_limit_policies', key: 'stal', what: 'delete' }] }),
      'not_needed',
    ],
    [
      'a difference without an action',
      policy,
      buildPlan({ findings: [buildFinding('LIVE_DUPLICATE', { key: 'stale' })] }),
      'unknown',
    ],
    [
      'a finding that is no difference',
      policy,
      buildPlan({ findings: [buildFinding('LIVE_SECRET_NOT_COMPARED', { key: 'stale' })] }),
      'not_needed',
    ],
    [
      'what a rule keeps now',
      policy,
      buildPlan({ findings: [buildFinding('LIVE_PROTECTED', { key: 'stale' })] }),
      'unknown',
    ],
    [
      'a removal from a role that is protected now',
      pairs('remove', 'a'),
      buildPlan({ findings: [buildFinding('LIVE_PROTECTED', { kind: 'roles', key: pairs('remove', 'a').key })] }),
      'unknown',
    ],
    [
      'an add whose role still has a remove before it',
      pairs('add', 'a'),
      buildPlan({ actions: [pairs('remove', 'b')] }),
      'not_needed',
    ],
    [
      'the rest of a large change is numbered anew',
      pairs('add', 'b', { batch: 2 }),
      buildPlan({ actions: [pairs('add', 'b')] }),
      'needed',
    ],
    ['and cut anew', pairs('add', 'b', { batch: 2 }), buildPlan({ actions: [pairs('add', 'c')] }), 'unknown'],
    [
      'a role that was left out',
      pairs('add', 'a'),
      buildPlan({ left_out: [{ kind: 'roles', key: 'Support', what: 'not_read' }] }),
      'unknown',
    ],
  ])('%s', (_name, action, fresh, expected) => {
    expect([...resolveUnknown([doubtful(action)], fresh, managed)]).toEqual([[action.id, expected]]);
  });

  test('a kind that the files no longer manage', () => {
    expect([...resolveUnknown([doubtful(policy)], buildPlan(), new Set(['event_streams']))]).toEqual([
      [policy.id, 'unknown'],
    ]);
  });
});

test('outcomes are resolved and counted, and what is known stays', () => {
  const gone = buildAction({ key: 'gone' });
  const plan = buildPlan({ actions: [policy, gone, put, pairs('remove', 'a')] });
  const fresh = withUnreadable(buildPlan({ actions: [policy] }), 'prompts');
  const unknown = ({ id }: Action, message: string | null) => ({
    id,
    outcome: 'unknown' as const,
    status: null,
    message,
  });
  const failed = {
    id: 'roles/Support#remove',
    outcome: 'failed' as const,
    status: 400,
    message: 'status 400',
  };
  const document = {
    format_version: '2.0' as const,
    plan,
    outcomes: [unknown(policy, 'no response'), unknown(gone, null), unknown(put, 'no response'), failed],
    summary: buildSummary({ failed: 1, unknown: 3 }),
    verification: null,
  };
  const run = resolveRun(document, fresh, new Map([[policy.id, { ready: true }]]), options);
  expect([...run.resolved].sort()).toEqual([gone.id, policy.id]);
  expect([[...run.undone], [...run.again], [...run.waiting.keys()]]).toEqual([[policy.id], [policy.id], []]);
  expect(run.document).toEqual({
    ...document,
    outcomes: [
      {
        id: policy.id,
        outcome: 'failed',
        status: null,
        message: 'no response; verified by reading: it was not carried out',
      },
      { id: gone.id, outcome: 'done', status: null, message: 'verified by reading: it was carried out' },
      unknown(put, 'no response'),
      failed,
    ],
    summary: buildSummary({ done: 1, failed: 2, unknown: 1 }),
  });
});

test('of what was not attempted, what the tenant still needs is left', () => {
  const [done, open] = [buildAction({ key: 'done by somebody else' }), buildAction({ key: 'open' })];
  const plan = buildPlan({ actions: [done, open] });
  const outcomes = plan.actions.map(({ id }) => ({
    id,
    outcome: 'not_attempted' as const,
    status: null,
    message: 'waited',
  }));
  const run = resolveRun({ plan, outcomes }, buildPlan({ actions: [open] }), new Map(), options);
  expect({ ...run, document: run.document.outcomes }).toEqual({
    document: outcomes,
    resolved: new Set(),
    undone: new Set(),
    again: new Set(),
    waiting: new Map([[open.id, open.request]]),
  });
});
