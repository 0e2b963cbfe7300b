// What holds over several runs: convergence and determinism, against series that were made by hand.
import { expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { buildPermission as pair } from '../support/build-permission.ts';
import { buildFinding, buildPlan } from '../support/build-plan.ts';
import { checkSeries, type Series, unreached } from './check-series.ts';
import { actions, before, meaning, policy, stream, withPairs } from './sample-history.ts';

/** As the files of the sample want it. */
const reached: Seed = {
  rate_limit_policies: [policy('a', 2), policy('c')],
  roles: [
    { id: 'rol_1', name: 'Support', permissions: [pair('keep'), pair('new')] },
    { id: 'rol_2', name: 'Other', permissions: [pair('theirs')] },
  ],
  prompts: { login: { partials: { login: { start: 'after' } } } },
  event_streams: [stream('s')],
};
const plan = buildPlan();
const series = (parts: Partial<Series> = {}): Series => ({
  meaning,
  codes: [0],
  last: { code: 0, plan },
  after: reached,
  repeated: ['{}', '{}'],
  ...parts,
});
const told = (parts: Partial<Series>) =>
  checkSeries(series(parts)).map(({ invariant, message }) => `${invariant}: ${message}`);

test.each<[string, Partial<Series>]>([
  ['one run', {}],
  ['two runs', { codes: [1, 0] }],
  [
    'what cannot be read is sent again',
    { last: { code: 2, plan: buildPlan({ actions: [{ ...actions.put, reason: 'unreadable' }] }) } },
  ],
  [
    'what cannot be corrected is told',
    {
      after: { ...reached, event_streams: [stream('s', 'disabled')] },
      meaning: { ...meaning, streams: [{ name: 's', status: 'enabled', events: ['user.created'], destination: null }] },
      last: {
        code: 0,
        plan: buildPlan({ findings: [buildFinding('LIVE_DIFFERENT', { kind: 'event_streams', key: 's' })] }),
      },
    },
  ],
])('good: %s', (_name, parts) => {
  expect(told(parts)).toEqual([]);
});

test.each<[string, Partial<Series>, string]>([
  ['no run reaches 0', { codes: [1, 1] }, 'I6: the applies without faults answered 1, 1'],
  ['it takes three runs', { codes: [1, 1, 0] }, 'I6: the applies without faults answered 1, 1, 0'],
  ['there is no plan', { last: { code: 1, plan: null } }, 'I6: the plan after them answered 1 and told no plan'],
  [
    'the plan is not empty',
    { last: { code: 2, plan: buildPlan({ actions: [actions.put] }) } },
    'I6: the plan after them is not empty: prompts/login',
  ],
  ['an empty plan answers 2', { last: { code: 2, plan } }, 'I6: the plan after them answered 2'],
  ['two plans differ', { repeated: ['{}', '{"a":1}'] }, 'I10: two plans of the same files and the same tenant differ'],
  [
    'the plan is empty, but nothing was reached',
    { after: withPairs(reached, 'rol_1', () => [pair('new')]) },
    'I6: the plan after them is empty, but roles/rol_1 lacks keep of https://orders.example/',
  ],
])('bad: %s', (_name, parts, message) => {
  expect(told(parts)).toEqual([message]);
});

test('every kind is judged', () => {
  expect(unreached(meaning, before).map(({ place, what }) => `${place} ${what}`)).toEqual([
    'rate_limit_policies/oauth_authentication_api/client/a is not as declared',
    'rate_limit_policies/oauth_authentication_api/client/c is missing',
    'rate_limit_policies/oauth_authentication_api/client/b is not declared',
    'event_streams/t is not declared',
    'roles/rol_1 lacks new of https://orders.example/',
    'roles/rol_1 holds old of https://orders.example/',
    'prompts/login has not the text of login/login/start',
    'prompts/login still has login/login/end',
  ]);
});

test.each<[string, Partial<typeof meaning>, string[]]>([
  [
    'a protected item',
    {
      protect: {
        rate_limit_policies: ['b'],
        event_streams: ['t'],
        roles: ['rol_1'],
        prompts: ['login'],
      },
    },
    [],
  ],
  [
    'an undeclared item that is not to be deleted',
    { keep: ['rate_limit_policies', 'event_streams', 'roles', 'prompts'] },
    ['holds old of https://orders.example/', 'still has login/login/end'],
  ],
])('%s may stay, and no part of a declared one', (_name, parts, left) => {
  const places = unreached({ ...meaning, ...parts }, before).map(({ what }) => what);
  expect(
    places.filter((what) => what.startsWith('holds') || what.startsWith('still') || what === 'is not declared'),
  ).toEqual(left);
});
