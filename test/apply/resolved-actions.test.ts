// What a fresh plan shows about actions of unknown outcome.
import { describe, expect, test } from 'vitest';
import type { Resolution } from '../../src/engine/events.ts';
import { resolvedActions } from '../../src/engine/last-apply.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { fingerprint } from '../../src/values/fingerprint.ts';
import { buildAction } from '../support/build-action.ts';
import { buildFinding, buildPlan, withUnreadable } from '../support/build-plan.ts';

const managed = new Set(['rate_limit_policies', 'roles', 'prompts', 'event_streams']);
const resolved = (action: Action, fresh: Plan, kinds: ReadonlySet<string> = managed) => {
  const { id, kind, key, part, request } = action;
  const place = { kind, key, ...(part !== undefined && { part }) };
  const recorded = { id, ...place, request: fingerprint(request), outcome: 'unknown' } as const;
  return resolvedActions({ actions: [recorded] }, fresh, kinds);
};

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
const ofSet = (does: 'add' | 'remove', first: string) => pairs(does, first, { part: `${does} permissions ${first}` });
const selecting = (selection: Partial<Plan['selection']>) =>
  buildPlan({ selection: { only: [], except: [], rotate: [], ...selection } });
const put = buildAction({ kind: 'prompts', key: 'login', action: 'put', reason: 'different' });

describe('resolving', () => {
  test.each<[string, Action, Plan, Resolution]>([
    ['no such action: done', policy, buildPlan(), 'not_needed'],
    ['the same request: not carried out', policy, buildPlan({ actions: [policy] }), 'needed'],
    ['another request for the same item: a third state', policy, buildPlan({ actions: [other] }), 'unknown'],
    [
      'other elements of the same set are left',
      ofSet('add', 'a'),
      buildPlan({ actions: [ofSet('add', 'b')] }),
      'unknown',
    ],
    ['elements are removed', ofSet('add', 'a'), buildPlan({ actions: [ofSet('remove', 'b')] }), 'not_needed'],
    ['a kind that could not be read', policy, withUnreadable(buildPlan(), 'rate_limit_policies'), 'unknown'],
    ['the same in another kind', policy, withUnreadable(buildPlan(), 'event_streams'), 'not_needed'],
    ['sent whether it is needed or not', put, buildPlan({ actions: [{ ...put, reason: 'unreadable' }] }), 'unknown'],
    [
      'a secret that is sent again cannot be compared',
      put,
      buildPlan({ actions: [{ ...put, reason: 'rotated' }] }),
      'unknown',
    ],
    ['a kind that the selection left out', policy, selecting({ except: ['rate_limit_policies'] }), 'unknown'],
    ['a kind of which it was the one item', policy, selecting({ only: [policy.id] }), 'not_needed'],
    [
      'the same where the entire kind is left out as well',
      policy,
      selecting({ only: [policy.id], except: ['rate_limit_policies'] }),
      'unknown',
    ],
    ['an item that the selection left out', policy, selecting({ except: [policy.id] }), 'unknown'],
    ['another item that it left out', policy, selecting({ except: ['rate_limit_policies/stal'] }), 'not_needed'],
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
    ['an add of another permission', pairs('add', 'b'), buildPlan({ actions: [pairs('add', 'c')] }), 'unknown'],
    ['a role that was left out', pairs('add', 'a'), selecting({ only: ['roles/other'] }), 'unknown'],
  ])('%s', (_name, action, fresh, expected) => {
    expect(resolved(action, fresh)).toEqual([{ id: action.id, resolution: expected }]);
  });

  test('a kind that the files no longer manage', () => {
    expect(resolved(policy, buildPlan(), new Set(['event_streams']))).toEqual([
      { id: policy.id, resolution: 'unknown' },
    ]);
  });
});
