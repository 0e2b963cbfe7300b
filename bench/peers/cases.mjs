/**
 * What is measured. `fewest` is what the API asks of anybody who compares first, without the request for a token.
 * `overlap`: the peer sleeps in its own throttle of 8 requests a second for most of a run that takes minutes, so its runs may
 * overlap without a change to what they use.
 */
import { numbers, policies, policy, prompts, role, roles } from './material.mjs';

const twenty = policies(20);
const texts = { login: '<p>A</p>', 'login-id': '<p>B</p>', signup: '<p>C</p>', 'signup-id': '<p>D</p>' };
const mixed = {
  rate_limit_policies: policies(10),
  roles: roles(10, 10),
  prompts: prompts({ login: '<p>A</p>', signup: '<p>C</p>', 'login-id': '<p>B</p>' }),
};
const fifty = roles(50, 10);
const thousand = { rate_limit_policies: policies(1_000) };

const nothing = {
  name: 'apply, nothing changed: 10 policies, 10 roles, 3 prompts',
  task: 'apply',
  live: mixed,
  declared: mixed,
  fewest: 15,
};
const onePolicy = {
  name: 'apply, one of 20 policies changed',
  task: 'apply',
  live: { rate_limit_policies: twenty },
  declared: { rate_limit_policies: [policy(0, 99), ...twenty.slice(1)] },
  fewest: 2,
};
const stale = {
  name: 'apply, 100 stale of 110 policies deleted',
  task: 'apply',
  live: { rate_limit_policies: policies(110) },
  declared: { rate_limit_policies: policies(10) },
  fewest: 102,
};
const swap = {
  name: 'apply, one permission swapped in one of 50 roles',
  task: 'apply',
  live: { roles: fifty },
  declared: { roles: [role(0, [...numbers(9), 10]), ...fifty.slice(1)] },
  fewest: 53,
};
const onePartial = {
  name: 'apply, one of 4 partials changed',
  task: 'apply',
  live: { prompts: prompts(texts) },
  declared: { prompts: prompts({ ...texts, login: '<p>Z</p>' }) },
  fewest: 5,
};
const smallPlan = {
  name: 'plan, 100 policies',
  task: 'plan',
  live: { rate_limit_policies: policies(100) },
  declared: { rate_limit_policies: policies(100) },
  fewest: 1,
};
const largePlan = {
  name: 'plan, 10,000 policies',
  task: 'plan',
  live: { rate_limit_policies: policies(10_000) },
  declared: { rate_limit_policies: policies(10_000) },
  fewest: 100,
};
const longApply = {
  name: 'apply, nothing changed: 1,000 policies',
  task: 'apply',
  live: thousand,
  declared: thousand,
  fewest: 10,
  overlap: true,
};
const longPreviewed = {
  ...longApply,
  name: 'the same, the peer with `--dry-run --apply`',
  task: 'previewedApply',
  overlap: false,
};

const startUp = { name: 'start-up: `--version`', task: 'version' };
const slow = ['--latency', '50'];
const limited = ['--rate', '10/s,10'];

export const groups = [
  {
    title: 'No latency',
    serve: [],
    cases: [startUp, smallPlan, nothing, onePolicy, stale, swap, onePartial, largePlan, longApply, longPreviewed],
  },
  { title: '50 ms of latency', serve: slow, cases: [smallPlan, nothing, onePolicy, stale, swap, onePartial] },
  { title: '10 requests a second, bursts of 10', serve: limited, cases: [nothing, swap] },
];

/** Enough to see that it works. */
export const quickGroups = [
  { title: 'No latency', serve: [], cases: [startUp, onePolicy] },
  { title: '10 requests a second, bursts of 10', serve: limited, cases: [onePolicy] },
];

const swapInOne = { live: { roles: [role(0, numbers(5))] }, declared: { roles: [role(0, [1, 2, 3, 4, 5])] } };
const fiveOfTen = { live: { rate_limit_policies: policies(10) }, declared: { rate_limit_policies: policies(5) } };

/** A connection that is reset in the middle of an apply, as rules of `tenant-sync serve --fault`. */
export const accidents = [
  {
    name: 'role of 5, one permission swapped; every add is reset',
    fault: 'add_role_permissions:reset',
    ...swapInOne,
  },
  { name: 'the same; the first add is reset', fault: 'add_role_permissions:reset:times=1', ...swapInOne },
  {
    name: 'the same; the remove is performed, and its response is lost',
    fault: 'remove_role_permissions:reset:after=commit:times=1',
    ...swapInOne,
  },
  {
    name: '5 of 10 policies deleted; the third delete is reset',
    fault: 'delete_rate_limit_policy:reset:nth=3',
    ...fiveOfTen,
  },
];

export const quickAccidents = accidents.slice(0, 1);
