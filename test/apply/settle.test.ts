// What a fresh plan says about actions of which nobody knows what became.
import { describe, expect, test } from 'vitest';
import { goesOn } from '../../src/apply/goes-on.ts';
import { type Settlement, settle, settleRun } from '../../src/apply/settle.ts';
import type { KindName } from '../../src/model/kind.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import type { RecordedApply } from '../../src/model/recorded-apply.ts';
import { requestDigest } from '../../src/plan/request-digest.ts';
import { buildAction } from '../support/build-action.ts';
import { buildFinding, buildPlan, withUnreadable } from '../support/build-plan.ts';

const all: ReadonlySet<KindName> = new Set(['rate_limit_policies', 'roles', 'prompts', 'event_streams']);
const terms = { digestOf: requestDigest, managed: all };
const doubtful = ({ id, request }: Action) => ({ id, request: requestDigest(request) });

const policy = buildAction({ key: 'stale' });
const other = buildAction({ key: 'stale', request: { ...policy.request, path: '/rate-limit-policies/rlp_2' } });
const pairs = (part: string, name: string, about: Partial<Action> = {}): Action =>
  buildAction({
    id: `roles/Support${part}`,
    kind: 'roles',
    key: 'Support',
    action: part.startsWith('#add') ? 'add' : 'remove',
    reason: 'missing',
    request: {
      operation: 'o',
      method: part.startsWith('#add') ? 'POST' : 'DELETE',
      path: '/roles/rol_1/permissions',
      body: { permissions: [name] },
    },
    ...about,
  });
const put = buildAction({ kind: 'prompts', key: 'login', action: 'put', reason: 'different' });

describe('settle', () => {
  test.each<[string, Action, Plan, Settlement]>([
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
      'the same where the whole kind is left out as well',
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
      buildPlan({ findings: [buildFinding('LIVE_PROTECTED', { key: 'stale' })] }),
      'not_needed',
    ],
    [
      'an add whose role still has a remove before it',
      pairs('#add', 'a'),
      buildPlan({ actions: [pairs('#remove', 'b')] }),
      'not_needed',
    ],
    [
      'the rest of a large change is numbered anew',
      pairs('#add-2', 'b'),
      buildPlan({ actions: [pairs('#add', 'b')] }),
      'needed',
    ],
    ['and cut anew', pairs('#add-2', 'b'), buildPlan({ actions: [pairs('#add', 'c')] }), 'unknown'],
    [
      'a role that was left out',
      pairs('#add', 'a'),
      buildPlan({ left_out: [{ kind: 'roles', key: 'Support', what: 'not_read' }] }),
      'unknown',
    ],
  ])('%s', (_name, action, fresh, expected) => {
    expect([...settle([doubtful(action)], fresh, terms)]).toEqual([[action.id, expected]]);
  });

  test('a kind that the files no longer manage', () => {
    expect([...settle([doubtful(policy)], buildPlan(), { ...terms, managed: new Set(['event_streams']) })]).toEqual([
      [policy.id, 'unknown'],
    ]);
  });
});

test('outcomes are settled and counted, and what is known stays', () => {
  const gone = buildAction({ key: 'gone' });
  const plan = buildPlan({ actions: [policy, gone, put, pairs('#remove', 'a')] });
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
    format_version: '1.0' as const,
    plan,
    outcomes: [unknown(policy, 'no answer'), unknown(gone, null), unknown(put, 'no answer'), failed],
    summary: { done: 0, failed: 1, not_attempted: 0, unknown: 3 },
  };
  const settled = settleRun(document, fresh, new Map([[policy.id, { ready: true }]]), terms);
  expect([...settled.told].sort()).toEqual([gone.id, policy.id]);
  expect([[...settled.undone], [...settled.again], [...settled.waiting]]).toEqual([[policy.id], [policy.id], []]);
  expect(settled.document).toEqual({
    ...document,
    outcomes: [
      {
        id: policy.id,
        outcome: 'failed',
        status: null,
        message: 'no answer; verified by reading: it was not carried out',
      },
      { id: gone.id, outcome: 'done', status: null, message: 'verified by reading: it was carried out' },
      unknown(put, 'no answer'),
      failed,
    ],
    summary: { done: 1, failed: 2, not_attempted: 0, unknown: 1 },
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
  const settled = settleRun({ plan, outcomes }, buildPlan({ actions: [open] }), new Map(), terms);
  expect({ ...settled, document: settled.document.outcomes }).toEqual({
    document: outcomes,
    told: new Set(),
    undone: new Set(),
    again: new Set(),
    waiting: new Set([open.id]),
  });
});

describe('a saved plan goes on after a stop', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((key) => buildAction({ key })) as [Action, Action, Action];
  const saved = buildPlan({ actions: [a, b] });
  const last = (intended: readonly Action[], about: Partial<RecordedApply> = {}): RecordedApply => ({
    baseUrl: saved.tenant.base_url,
    plan: saved.digest,
    started: '',
    summary: null,
    actions: intended.map((action) => ({ ...doubtful(action), outcome: null })),
    ...about,
  });
  const ended = (not_attempted: number) => ({ summary: { done: 1, failed: 0, not_attempted, unknown: 0 } });

  test.each<[string, Plan, RecordedApply | null, boolean]>([
    ['what is missing was on its way', buildPlan({ actions: [b] }), last([a]), true],
    ['all of it was', buildPlan(), last([a, b]), true],
    ['nothing had happened', saved, last([]), true],
    ['after a stop in order', buildPlan({ actions: [b] }), last([a], ended(1)), true],
    ['what is missing never was on its way', buildPlan({ actions: [b] }), last([]), false],
    ['an action that was never approved', buildPlan({ actions: [b, c] }), last([a]), false],
    [
      'the same action with another request',
      buildPlan({ actions: [{ ...b, request: { ...b.request, path: '/x' } }] }),
      last([a, b]),
      false,
    ],
    ['no journal', buildPlan({ actions: [b] }), null, false],
    ['the journal of another plan', buildPlan({ actions: [b] }), last([a], { plan: 'sha256:x' }), false],
    ['a plan that was performed whole', buildPlan({ actions: [b] }), last([a, b], ended(0)), false],
    [
      'another tenant',
      buildPlan({ actions: [b], tenant: { ...saved.tenant, base_url: 'https://x/api/v2' } }),
      last([a]),
      false,
    ],
    ['another api', buildPlan({ actions: [b], tenant: { ...saved.tenant, api: 'full' } }), last([a]), false],
    ['another name', buildPlan({ actions: [b], tenant: { ...saved.tenant, name: 'x' } }), last([a]), false],
  ])('%s', (_name, now, journal, expected) => {
    expect(goesOn(saved, now, journal, requestDigest)).toBe(expected);
  });
});
