// Whether a saved plan whose apply was stopped may resume.
import { describe, expect, test } from 'vitest';
import { resumes } from '../../src/apply/resumes.ts';
import { resultReference } from '../../src/model/action-identity.ts';
import type { RecordedApply } from '../../src/model/outcome.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { fingerprint } from '../../src/values/fingerprint.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan, buildSummary } from '../support/build-plan.ts';

describe('a saved plan resumes after a stop', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((key) => buildAction({ key })) as [Action, Action, Action];
  const saved = buildPlan({ actions: [a, b] });
  const last = (intended: readonly Action[], about: Partial<RecordedApply> = {}): RecordedApply => ({
    baseUrl: saved.tenant.base_url,
    plan: saved.digest,
    started: '',
    summary: null,
    actions: intended.map(({ id, kind, key, request }) => ({
      id,
      kind,
      key,
      request: fingerprint(request),
      outcome: null,
    })),
    ...about,
  });
  const ended = (not_attempted: number) => ({ summary: buildSummary({ done: 1, not_attempted }) });

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
    ['a plan that was performed completely', buildPlan({ actions: [b] }), last([a, b], ended(0)), false],
    [
      'another tenant',
      buildPlan({ actions: [b], tenant: { ...saved.tenant, base_url: 'https://x/api/v2' } }),
      last([a]),
      false,
    ],
    ['another api', buildPlan({ actions: [b], tenant: { ...saved.tenant, api: 'full' } }), last([a]), false],
    ['another name', buildPlan({ actions: [b], tenant: { ...saved.tenant, name: 'x' } }), last([a]), false],
  ])('%s', (_name, now, journal, expected) => {
    expect(resumes(saved, now, journal)).toBe(expected);
  });
});

describe('with references to results', () => {
  const create = buildAction({ kind: 'roles', key: 'A', action: 'create' });
  const request = (id: string) =>
    ({ operation: 'o', method: 'POST', path: `/roles/${id}/permissions`, body: { permissions: ['p'] } }) as const;
  const add = buildAction({
    kind: 'roles',
    key: 'A',
    part: 'add',
    action: 'add',
    needs: [create.id],
    request: request(resultReference(create.id, 'id')),
  });
  const saved = buildPlan({ actions: [create, add] });
  const left = buildAction({ ...add, needs: [], request: request('rol_1') });
  const last = (...intended: readonly Action[]): RecordedApply => ({
    baseUrl: saved.tenant.base_url,
    plan: saved.digest,
    started: '',
    summary: null,
    actions: intended.map((action) => ({ ...action, request: fingerprint(action.request), outcome: null })),
  });

  test.each<[string, Action[], RecordedApply, boolean]>([
    ['the create was carried out, and what needs it has the real id now', [left], last(create), true],
    ['both were carried out', [], last(create, left), true],
    ['nothing was', [structuredClone(create), structuredClone(add)], last(), true],
    ['the action with the reference was never intended', [], last(create), false],
    ['the create was never intended', [left], last(), false],
    [
      'another request for the item',
      [buildAction({ ...left, request: { ...request('rol_1'), body: {} } })],
      last(create),
      false,
    ],
  ])('%s', (_name, actions, journal, expected) => {
    expect(resumes(saved, buildPlan({ actions }), journal)).toBe(expected);
  });
});
