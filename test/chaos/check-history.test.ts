// The checker against histories that were made by hand: each bad one breaks the invariant that it is named by, good ones break none.
import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { ordersApi, buildPermission as pair } from '../support/build-permission.ts';
import { buildPlan, buildRefusal } from '../support/build-plan.ts';
import { checkHistory } from './check-history.ts';
import type { History, Invariant, Verification } from './history.ts';
import {
  type ActionPart,
  actions,
  allParts,
  before,
  effect,
  foreign,
  history,
  type Move,
  meaning,
  policy,
  read,
  readings,
  type Sketch,
  stream,
  withPairs,
  write,
} from './sample-history.ts';

const named = (found: History): Invariant[] => [...new Set(checkHistory(found).map(({ invariant }) => invariant))];

/** The good moves, with one part of them replaced, or more put in its place. */
const but = (part: ActionPart, ...moves: readonly Move[]): Move[] => [
  ...readings,
  ...allParts.flatMap((each) => (each === part ? moves : [write(each)])),
];
const without = (...parts: readonly ActionPart[]): Move[] => [
  ...readings,
  ...allParts.filter((part) => !parts.includes(part)).map((part) => write(part)),
];
const behind = (...moves: readonly Move[]): Move[] => [...readings, ...allParts.map((part) => write(part)), ...moves];
const first = (...moves: readonly Move[]): Move[] => [...moves, ...readings, ...allParts.map((part) => write(part))];
const unchanged = (part: ActionPart, parts: Parameters<typeof write>[1] = {}) =>
  write(part, { change: null, ...parts });
const losing =
  (name: string, role = 'rol_1') =>
  (state: Seed) =>
    withPairs(state, role, (pairs) => pairs.filter(({ permission_name }) => permission_name !== name));
const withoutPolicy =
  (id: string) =>
  (state: Seed): Seed => ({
    ...state,
    rate_limit_policies: (state.rate_limit_policies ?? []).filter((item) => item.id !== id),
  });
const withoutStream =
  (name: string) =>
  (state: Seed): Seed => ({
    ...state,
    event_streams: (state.event_streams ?? []).filter((item) => item.name !== name),
  });
const also =
  (...changes: readonly ((state: Seed) => Seed)[]) =>
  (state: Seed) =>
    changes.reduce((changed, change) => change(changed), state);
const secondCopy = (state: Seed): Seed => ({
  ...state,
  rate_limit_policies: [...(state.rate_limit_policies ?? []), policy('c', 1, 'rlp_copy')],
});
const refusedOnce = (part: ActionPart, at = 50_000, parts: Partial<Parameters<typeof write>[1]> = {}) =>
  unchanged(part, { status: 429, at, ...parts });
const times = (count: number, move: (index: number) => Move): Move[] =>
  Array.from({ length: count }, (_none, index) => move(index));
const changed =
  (selector: string, limit: number) =>
  (state: Seed): Seed => ({
    ...state,
    rate_limit_policies: (state.rate_limit_policies ?? []).map((item) =>
      item.consumer_selector === selector ? policy(selector, limit, item.id) : item,
    ),
  });
const recreated =
  (selector: string) =>
  (state: Seed): Seed => ({
    ...state,
    rate_limit_policies: (state.rate_limit_policies ?? []).map((item) =>
      item.consumer_selector === selector ? { ...item, id: 'rlp_z' } : item,
    ),
  });
/** Two items of one identity, of which the plan deletes the second. */
const twins: Sketch = {
  before: { ...before, rate_limit_policies: [policy('a', 2), policy('a', 1, 'rlp_b')] },
  plan: { actions: [buildAction({ ...actions.delete, before: policy('a', 1, 'rlp_b') })] },
};
/** `old` moves from one role to the other. */
const grantOther = {
  ...actions.add,
  id: 'roles/rol_2#add',
  key: 'rol_2',
  request: { ...actions.add.request, path: '/roles/rol_2/permissions', body: { permissions: [pair('old')] } },
};
const grantedToOther: readonly Move[] = [
  {
    ...write('add'),
    path: grantOther.request.path,
    body: grantOther.request.body,
    change: (state) => withPairs(state, 'rol_2', (pairs) => [...pairs, pair('old')]),
  },
];
/** A page of the permissions of the role that the permission moves to. */
const page = (ids: readonly string[], total: number, number = 0) =>
  read('/roles/rol_2/permissions', { query: `?page=${number}&per_page=1`, page: { ids, total } });
const movedPermission: Sketch = {
  meaning: {
    ...meaning,
    roles: [
      ...(meaning.roles ?? []),
      {
        id: 'rol_2',
        name: 'Other',
        permissions: ['theirs', 'old'].map((name) => `${name} of ${ordersApi}`),
        absent: [],
      },
    ],
  },
  plan: { actions: [grantOther, actions.remove] },
};
/** A new stream takes over the events of `t`, and of no other one. */
const handedOver: Sketch = {
  before: { ...before, event_streams: [stream('t')] },
  meaning: { ...meaning, streams: [{ name: 'n', events: ['user.created'], status: 'enabled', destination: null }] },
  plan: {
    actions: [
      buildAction({
        kind: 'event_streams',
        key: 'n',
        action: 'create',
        request: { operation: 'made-up', method: 'POST', path: '/event-streams' },
      }),
      actions.deleteStream,
    ],
  },
};
const verification = (result: Verification['result'], parts: Partial<Verification> = {}): Verification => ({
  result,
  not_shown: [],
  not_read: [],
  not_verifiable: [],
  ...parts,
});
const late = 60_000;
const done = (outcome: 'failed' | 'not_attempted' | 'unknown' | 'conflict', ...parts: readonly ActionPart[]) =>
  Object.fromEntries(parts.map((part) => [part, outcome]));

const good: Readonly<Record<string, Sketch>> = {
  'everything is done': {},
  'a permission moves to another role': {
    ...movedPermission,
    moves: [...readings, ...grantedToOther, write('remove')],
  },
  'the reading of what a removal relies on has several pages': {
    ...movedPermission,
    readsGrants: false,
    moves: [...readings, ...grantedToOther, page(['a'], 2), page(['b'], 2, 1), write('remove')],
  },
  'a pass before it broke off at a page': {
    ...movedPermission,
    readsGrants: false,
    moves: [
      ...[...readings, page(['a'], 2)],
      read('/roles/rol_2/permissions', { query: '?page=1&per_page=1', status: 404 }),
      ...[...grantedToOther, page(['a'], 2), page(['b'], 2, 1), write('remove')],
    ],
  },
  'nothing to do': { moves: readings, plan: { actions: [] } },
  'a write is refused, and told': {
    moves: but('put', unchanged('put', { status: 400, fault: 'status' })),
    outcomes: { put: 'failed' },
    told: { code: 1 },
  },
  'a write is broken after its commit, and sent again': {
    moves: but('put', write('put', { status: null }), unchanged('put')),
  },
  'a write is broken after its commit, and told as unknown': {
    moves: but('put', write('put', { status: null, fault: 'reset' })),
    outcomes: { put: 'unknown' },
    told: { code: 1 },
  },
  'a signal stops it': {
    moves: without('remove', 'delete', 'deleteStream'),
    outcomes: done('not_attempted', 'remove', 'delete', 'deleteStream'),
    told: { code: 130 },
    signal: 2,
  },
  'a grant fails, and nothing is taken away for it': {
    moves: [
      ...readings,
      unchanged('create', { status: 409, fault: 'status' }),
      unchanged('add', { status: 404, fault: 'status' }),
      write('update'),
      write('put'),
      write('deleteStream'),
    ],
    outcomes: { ...done('failed', 'create', 'add'), ...done('not_attempted', 'remove', 'delete') },
    told: { code: 1 },
  },
  'somebody else takes a permission away': { moves: first(foreign(losing('keep'))) },
  'somebody else deletes what is to go': {
    moves: but('delete', foreign(effect.delete), unchanged('delete', { status: 404 })),
  },
  'somebody else changes what is to go': {
    moves: but(
      'delete',
      foreign((state) => ({
        ...state,
        rate_limit_policies: (state.rate_limit_policies ?? []).map((item) =>
          item.id === 'rlp_b' ? policy('b', 9) : item,
        ),
      })),
      write('delete'),
    ),
  },
  'somebody else undoes a change that is sent again': {
    moves: [...readings, write('update', { status: null }), foreign(() => before), write('update')],
    plan: { actions: [actions.update] },
  },
  'somebody else adds a text that a put replaces': {
    moves: but(
      'put',
      foreign((state) => ({
        ...state,
        prompts: { login: { partials: { login: { start: 'by hand' }, more: { start: 'x' } } } },
      })),
      write('put'),
    ),
  },
  'a refusal by the quota, and a wait': { moves: but('put', refusedOnce('put', 4000), write('put', { at: 5000 })) },
  'two readings of the same are under way when one is refused': {
    moves: [
      read('/roles', { status: 429, at: 0 }),
      read('/roles', { at: 0 }),
      read('/roles', { at: 100 }),
      ...behind(),
    ],
  },
  'a write leaves with its reading, which was under way when the quota refused another': {
    moves: [
      ...readings,
      read('/rate-limit-policies', { at: 3900, endedAt: 4050 }),
      refusedOnce('update', 4000),
      write('delete', { at: 4050 }),
      write('update', { at: 9000 }),
    ],
    plan: { actions: [actions.update, actions.delete] },
  },
  'what was under way when the quota refused': {
    moves: [
      read('/rate-limit-policies', { status: 429, at: 0 }),
      ...times(17, (index) => read(`/roles/${index}/permissions`, { at: 0 })),
      read('/rate-limit-policies', { at: 1000 }),
      ...readings.slice(1).map((move) => ({ ...move, at: 2000 })),
      ...allParts.map((part) => write(part)),
    ],
  },
  'a refused token is no matter of the quota gate': {
    moves: [
      read('/oauth/token/', { operation: 'token', status: 429, at: 0 }),
      read('/oauth/token/', { operation: 'token', at: 0 }),
      ...behind(),
    ],
  },
  'the two groups of partials have limits of their own': {
    moves: [
      read('/prompts/login/partials', { status: 429, at: 0 }),
      read('/rate-limit-policies', { at: 50 }),
      ...behind(),
    ],
  },
  'a plan': { command: 'plan', moves: readings },
  'a plan that a guard refuses': {
    moves: readings,
    plan: { refusals: [buildRefusal(['b'])] },
    outcomes: done('not_attempted', ...allParts),
    told: { code: 4 },
  },
  'a plan whose refusal is approved': {
    plan: { refusals: [buildRefusal(['b'])] },
    approved: '0123456789abcdef01234567',
  },
  'what is left of a plan that was approved': {
    plan: { refusals: [buildRefusal(['b'])] },
    approvedBefore: [buildPlan({ refusals: [buildRefusal(['a', 'b'])], actions: Object.values(actions) })],
  },
  'output that cannot be read is not judged': { told: { readable: false, plan: null, outcomes: null } },
  'a killed process tells nothing': {
    moves: without('deleteStream'),
    told: { code: null, readable: false, plan: null, outcomes: null },
  },
  'a section that is not in the files': {
    meaning: { ...meaning, prompts: null },
    moves: [...readings, write('create')],
    plan: { actions: [actions.create] },
  },
  'a stamp of the time is no second effect': {
    moves: but(
      'update',
      write('update', { status: 502 }),
      write('update', {
        change: (state) => ({
          ...state,
          rate_limit_policies: (state.rate_limit_policies ?? []).map((item) => ({ ...item, updated_at: 'later' })),
        }),
      }),
    ),
  },
  'a surplus copy goes': { ...twins, moves: [...readings, write('delete')] },
  'a surplus copy goes just when another client deletes the other one': {
    ...twins,
    moves: [...readings, foreign(withoutPolicy('rlp_a')), write('delete')],
  },
  'an item that another client changed is left alone': {
    moves: [...without('delete'), foreign(changed('b', 9))],
    outcomes: { delete: 'conflict' },
    told: { code: 4 },
  },
  'an item that another client created again is left alone': {
    moves: [...without('update'), foreign(recreated('a'))],
    outcomes: { update: 'conflict' },
    told: { code: 4 },
  },
  'an item that another client deleted is created again': {
    moves: but(
      'create',
      write('create', { status: null }),
      foreign(withoutPolicy('rlp_new')),
      write('create', { change: secondCopy }),
    ),
  },
  'a creation that another client was faster with': {
    moves: [...readings, foreign(effect.create), unchanged('create', { status: 409 }), ...without('create').slice(4)],
    outcomes: { create: 'conflict' },
    told: { code: 4 },
  },
  'a conflict with a change of an earlier run': {
    earlierChanges: [{ type: 'foreign', at: 0, order: 0, before, after: changed('b', 9)(before) }],
    lagMs: 2000,
    moves: without('delete'),
    outcomes: { delete: 'conflict' },
    told: { code: 4 },
  },
  'a conflict because a page lacks an item': {
    moves: [read('/rate-limit-policies', { fault: 'drop_item' }), ...without('delete').slice(1)],
    outcomes: { delete: 'conflict' },
    told: { code: 4 },
  },
  'a change too late for any reading is overwritten': {
    moves: but('update', foreign(changed('a', 9)), write('update', { at: 14_000 })),
  },
  'a change that becomes visible late is overwritten': {
    moves: but('update', foreign(changed('a', 9)), write('update', { at: 20_000 })),
    lagMs: 6000,
  },
  'a change during a slow reading is overwritten': {
    moves: [
      read('/rate-limit-policies', { at: 0 }),
      ...readings.slice(1),
      { ...foreign(changed('a', 9)), at: 1000 },
      read('/rate-limit-policies', { at: 8000, query: '?from=x', endedAt: 15_000 }),
      write('update', { at: 24_000 }),
    ],
    plan: { actions: [actions.update] },
  },
  'only what a saved plan writes is read': {
    isSaved: true,
    moves: [read('/prompts/login/partials'), write('put')],
    plan: { actions: [actions.put] },
  },
  'an earlier change that becomes visible late is overwritten': {
    before: changed('a', 9)(before),
    earlierChanges: [{ type: 'foreign', at: 0, order: -1, before, after: changed('a', 9)(before) }],
    lagMs: 5000,
  },
  'an earlier change that becomes visible late is deleted': {
    before: changed('b', 9)(before),
    earlierChanges: [{ type: 'foreign', at: 0, order: -1, before, after: changed('b', 9)(before) }],
    lagMs: 9000,
  },
  'its own change is overwritten': {
    moves: but('put', write('put', { status: null }), unchanged('put', { at: 40_000 })),
  },
  'another client has done it already': {
    moves: [...without('delete'), foreign(effect.delete)],
  },
  'another client undoes what was verified': {
    moves: [...behind(), ...readings, foreign(changed('a', 7))],
    told: { verification: verification('verified') },
  },
  'another client undoes a change that a reading has shown': {
    moves: behind(read('/rate-limit-policies'), foreign(changed('a', 7))),
  },
  'what is not as intended is unknown': {
    moves: but('remove', unchanged('remove', { lie: 'nothing', status: 204 })),
    outcomes: { remove: 'unknown' },
    told: {
      code: 1,
      verification: verification('not_shown', { not_shown: [actions.remove.id] }),
    },
  },
  'what could not be read at the end': { told: { code: 1, verification: verification('not_read') } },
  'a lie, and a signal before anything is read': {
    moves: but('remove', unchanged('remove', { lie: 'nothing', status: 204 })),
    told: { code: 130, verification: verification('not_read', { not_read: [actions.remove.id] }) },
    signal: 2,
  },
  'a lie that no reading can find': {
    meaning: { ...meaning, api: 'documented', policies: null, streams: null },
    moves: [unchanged('put', { lie: 'nothing', status: 204 })],
    plan: { actions: [actions.put] },
  },
  'a reading that is too early shows nothing': {
    moves: but('remove', write('remove', { status: null })),
    outcomes: { remove: 'failed' },
    told: { code: 1 },
    lagMs: 2000,
  },
};

const bad: readonly (readonly [Invariant, string, Sketch])[] = [
  ['I1', 'a write that is not planned', { moves: behind({ ...write('put'), path: '/prompts/signup/partials' }) }],
  [
    'I1',
    'a planned request with another body',
    { moves: behind({ ...unchanged('put'), body: { login: { start: 'else' } } }) },
  ],
  [
    'I1',
    'a planned request without its body',
    { moves: behind({ type: 'request', method: 'DELETE', path: '/roles/rol_1/permissions', status: 204 }) },
  ],
  ['I1', 'a planned request with another method', { moves: behind({ ...unchanged('delete'), method: 'PUT' }) }],
  ['I1', 'a write of the plan command', { command: 'plan', moves: [...readings, unchanged('put')] }],
  [
    'I1',
    'a read that changes the tenant',
    { moves: behind({ ...read('/event-streams'), change: withoutStream('s') }) },
  ],
  [
    'I1',
    'a write that changes another item',
    {
      moves: but(
        'update',
        write('update', {
          change: also(effect.update, (state) => ({
            ...state,
            event_streams: [...(state.event_streams ?? []), stream('x')],
          })),
        }),
      ),
    },
  ],
  [
    'I1',
    'a write that changes another item of its kind',
    { moves: but('delete', write('delete', { change: also(effect.delete, withoutPolicy('rlp_a')) })) },
  ],
  [
    'I1',
    'a creation of another identity',
    {
      moves: but(
        'create',
        write('create', {
          change: also(effect.create, (state) => ({
            ...state,
            rate_limit_policies: [...(state.rate_limit_policies ?? []), policy('d')],
          })),
        }),
      ),
    },
  ],
  [
    'I1',
    'a secret that is not the one of the environment',
    {
      moves: [
        ...readings,
        { type: 'request', method: 'PATCH', path: '/event-streams/est_s', body: { token: 'other' }, status: 200 },
      ],
      plan: {
        actions: [
          {
            ...actions.update,
            request: {
              operation: 'x',
              method: 'PATCH',
              path: '/event-streams/est_s',
              body: { token: '${env:TENANT_VAR_STREAM_SECRET}' },
              secrets: [{ pointer: '/token', env: 'TENANT_VAR_STREAM_SECRET' }],
            },
          },
        ],
      },
    },
  ],
  [
    'I2',
    'a kept permission goes with a removal',
    { moves: but('remove', write('remove', { change: also(effect.remove, losing('keep')) })) },
  ],
  [
    'I2',
    'a kept permission goes and comes back',
    {
      moves: but(
        'remove',
        write('remove', { change: also(effect.remove, losing('keep')) }),
        write('add', { change: (state) => withPairs(state, 'rol_1', (pairs) => [...pairs, pair('keep')]) }),
      ),
    },
  ],
  [
    'I2',
    'a role that is not in the files loses a permission',
    { moves: but('remove', write('remove', { change: also(effect.remove, losing('theirs', 'rol_2')) })) },
  ],
  ['I2', 'a protected role loses a permission', { meaning: { ...meaning, protect: { roles: ['Support'] } } }],
  [
    'I2',
    'a role whose permissions are not managed loses one',
    { meaning: { ...meaning, roles: [{ id: 'rol_1', name: 'Support', permissions: null, absent: [] }] } },
  ],
  [
    'I2',
    'a role is gone',
    {
      moves: but('remove', write('remove', { change: (state) => ({ ...state, roles: (state.roles ?? []).slice(1) }) })),
    },
  ],
  [
    'I3',
    'a policy that the plan does not delete',
    { moves: but('update', write('update', { change: withoutPolicy('rlp_a') })) },
  ],
  ['I3', 'a declared policy', { meaning: { ...meaning, policies: { ...meaning.policies, b: {} } } }],
  ['I3', 'a protected policy', { meaning: { ...meaning, protect: { rate_limit_policies: ['b'] } } }],
  ['I3', 'a policy although undeclared keeps its kind', { meaning: { ...meaning, keep: ['rate_limit_policies'] } }],
  ['I3', 'a policy of a section that is not in the files', { meaning: { ...meaning, policies: null } }],
  [
    'I3',
    'a declared stream',
    { meaning: { ...meaning, streams: [...(meaning.streams ?? []), { name: 't', events: [], destination: null }] } },
  ],
  ['I3', 'a protected stream', { meaning: { ...meaning, protect: { event_streams: ['t'] } } }],
  [
    'I3',
    'a policy that never was as the plan says',
    {
      plan: {
        actions: Object.values({ ...actions, delete: buildAction({ ...actions.delete, before: policy('b', 7) }) }),
      },
    },
  ],
  [
    'I3',
    'a permission that the files do not take away',
    { moves: but('remove', write('remove', { change: losing('keep') })) },
  ],
  ['I3', 'a declared text', { moves: but('put', write('put', { change: (state) => ({ ...state, prompts: {} }) })) }],
  ['I3', 'a text of a protected prompt', { meaning: { ...meaning, protect: { prompts: ['login'] } } }],
  [
    'I3',
    'the only item of its identity, seen under two ids',
    {
      ...twins,
      before: { ...before, rate_limit_policies: [policy('a', 1, 'rlp_b')] },
      moves: [foreign((state) => state), ...readings, write('delete')],
    },
  ],
  [
    'I3',
    'a surplus copy, long after another client deleted the other one',
    { ...twins, moves: [...readings, foreign(withoutPolicy('rlp_a')), write('delete', { at: late })] },
  ],
  [
    'I3',
    'both of two items of one identity',
    {
      ...twins,
      moves: [
        ...readings,
        { ...write('delete'), path: '/rate-limit-policies/rlp_a', change: withoutPolicy('rlp_a') },
        write('delete'),
      ],
    },
  ],
  [
    'I4',
    'one creation makes two items',
    { moves: but('create', write('create', { status: null }), write('create', { change: secondCopy })) },
  ],
  [
    'I4',
    'one answer of a creation makes two items',
    { moves: but('create', write('create', { change: also(effect.create, secondCopy) })) },
  ],
  [
    'I4',
    'a change that is sent again changes again',
    {
      moves: but(
        'update',
        write('update', { status: 502 }),
        write('update', {
          change: (state) => ({
            ...state,
            rate_limit_policies: (state.rate_limit_policies ?? []).map((item) =>
              item.id === 'rlp_a' ? policy('a', 9) : item,
            ),
          }),
        }),
      ),
    },
  ],
  [
    'I4',
    'a put that is sent again changes again',
    {
      moves: but(
        'put',
        write('put', { status: 503 }),
        write('put', {
          change: (state) => ({ ...state, prompts: { login: { partials: { login: { start: 'again' } } } } }),
        }),
      ),
    },
  ],
  ['I5', 'done, and never sent', { moves: without('put') }],
  ['I5', 'done, and without effect', { moves: but('put', unchanged('put')) }],
  ['I5', 'done, and it is still there', { moves: but('delete', unchanged('delete', { status: 404 })) }],
  [
    'I5',
    'an addition is done, and nothing was added',
    { moves: but('add', unchanged('add')), plan: { actions: [actions.add] } },
  ],
  ['I5', 'a removal is done, and nothing was removed', { moves: but('remove', unchanged('remove')) }],
  ['I5', 'a change is done, and nothing was changed', { moves: but('update', unchanged('update')) }],
  ['I5', 'failed, and carried out', { outcomes: { put: 'failed' }, told: { code: 1 } }],
  ['I5', 'not attempted, and sent', { outcomes: { delete: 'not_attempted' }, told: { code: 1 } }],
  ['I5', 'unknown, and never sent', { moves: without('put'), outcomes: { put: 'unknown' }, told: { code: 1 } }],
  ['I5', 'an action without an outcome', { told: { outcomes: [] } }],
  [
    'I5',
    'outcomes of another order',
    {
      told: {
        outcomes: Object.values(actions)
          .map(({ id }) => ({ id, outcome: 'done' as const, status: 200, message: null }))
          .reverse(),
      },
    },
  ],
  ['I5', 'writes and no outcome', { told: { outcomes: null } }],
  [
    'I5',
    '0, and an action is not done',
    { moves: but('put', unchanged('put', { status: 400 })), outcomes: { put: 'failed' } },
  ],
  ['I5', '1, and everything is done', { told: { code: 1 } }],
  ['I5', 'a signal, and 0', { signal: 15 }],
  ['I5', '130 without a signal', { told: { code: 130 } }],
  ['I5', 'the code of another signal', { signal: 15, told: { code: 130 } }],
  ['I5', 'a fault of its own', { told: { texts: ['INTERNAL_ERROR: undefined is not a function'] } }],
  ['I5', '4 after writes, and no conflict', { told: { code: 4 }, outcomes: { put: 'unknown' } }],
  [
    'I5',
    '4, although an action failed',
    {
      moves: [...without('delete', 'put'), unchanged('put', { status: 400 }), foreign(changed('b', 9))],
      outcomes: { delete: 'conflict', put: 'failed' },
      told: { code: 4 },
    },
  ],
  ['I5', '0, and what was written could not be read', { told: { verification: verification('not_read') } }],
  [
    'I5',
    'done, and not as intended',
    { told: { code: 1, verification: verification('not_shown', { not_shown: [actions.put.id] }) } },
  ],
  ...(['nothing', 'empty', 'accepted', 'proxy page', 'error in JSON'] as const).map(
    (lie) =>
      [
        'I5',
        `done by a lie: ${lie}`,
        {
          moves: but('remove', unchanged('remove', { lie, status: 200 })),
          told: { verification: verification('verified') },
        },
      ] as const,
  ),
  [
    'I5',
    'done by a lie that its response shows, where nothing can be read',
    {
      meaning: { ...meaning, api: 'documented', policies: null, streams: null },
      moves: [unchanged('put', { lie: 'accepted', status: 202 })],
      plan: { actions: [actions.put] },
    },
  ],
  [
    'F1',
    'an update of what another client changed long ago',
    {
      moves: but('update', foreign(changed('a', 9)), write('update', { at: late })),
    },
  ],
  [
    'F1',
    'a deletion of what another client changed long ago',
    {
      moves: but('delete', foreign(changed('b', 9)), write('delete', { at: late })),
    },
  ],
  [
    'F1',
    'a put over texts that another client wrote long ago',
    {
      moves: but(
        'put',
        foreign((state) => ({ ...state, prompts: { login: { partials: { login: { start: 'by hand' } } } } })),
        write('put', { at: late }),
      ),
    },
  ],
  [
    'F1',
    'a removal of what another client removed long ago',
    {
      moves: but('remove', foreign(losing('old')), unchanged('remove', { at: late })),
    },
  ],
  [
    'F2',
    'a removal after a reading that failed',
    {
      moves: but('remove', read('/roles/rol_1/permissions', { status: 403 }), write('remove')),
    },
  ],
  [
    'F1',
    'a refused update of what another client changed long ago',
    {
      moves: but('update', foreign(changed('a', 9)), unchanged('update', { at: late, status: 503 })),
      outcomes: { update: 'failed' },
      told: { code: 1 },
    },
  ],
  [
    'F1',
    'a change by another client after its own',
    {
      moves: but('update', write('update', { status: null }), foreign(changed('a', 9)), write('update', { at: late })),
    },
  ],
  [
    'F1',
    'a change that became visible long ago',
    {
      moves: but('update', foreign(changed('a', 9)), write('update', { at: late })),
      lagMs: 6000,
    },
  ],
  [
    'F1',
    'a change while the plan waited to be confirmed',
    {
      moves: but('update', foreign(changed('a', 9)), write('update')),
      confirmedAt: 6000,
    },
  ],
  [
    'F1',
    'a change after the plan was saved and before anything is read',
    { moves: first(foreign(changed('a', 9))), isSaved: true },
  ],
  [
    'F1',
    'a target that never was as planned',
    {
      before: changed('a', 9)(before),
    },
  ],
  [
    'C1',
    'a conflict without another client',
    {
      moves: without('delete'),
      outcomes: { delete: 'conflict' },
      told: { code: 4 },
    },
  ],
  [
    'C1',
    'a conflict, and another client changed another item',
    {
      moves: [...without('delete'), foreign(changed('a', 9))],
      outcomes: { delete: 'conflict' },
      told: { code: 4 },
    },
  ],
  [
    'C1',
    'a conflict that was carried out',
    {
      moves: [...behind(), foreign(changed('a', 9))],
      outcomes: { update: 'conflict' },
      told: { code: 4 },
    },
  ],
  [
    'V1',
    'another client undoes a removal before it is read',
    {
      moves: behind(
        foreign((state) => withPairs(state, 'rol_1', (pairs) => [...pairs, pair('old')])),
        read('/roles/rol_1/permissions'),
      ),
    },
  ],
  [
    'V1',
    'another client undoes a removal, and nothing is read',
    {
      moves: behind(foreign((state) => withPairs(state, 'rol_1', (pairs) => [...pairs, pair('old')]))),
    },
  ],
  [
    'V1',
    'a request of its own undoes another',
    {
      moves: [
        ...readings,
        write('create'),
        write('add'),
        write('update'),
        write('put'),
        write('remove'),
        write('delete', { change: also(effect.delete, changed('a', 1)) }),
        write('deleteStream'),
      ],
    },
  ],
  ['I7', 'a secret in the output', { told: { texts: ['', 'password planted secret'] } }],
  ['I7', 'a secret in a URL', { told: { texts: ['?secret=planted%20secret'] } }],
  ['I7', 'a secret in base 64', { told: { texts: [Buffer.from('planted secret').toString('base64')] } }],
  ['I8', 'it does not end', { told: { hung: true, code: null, readable: false, plan: null, outcomes: null } }],
  ['I8', 'it takes hours', { elapsedMs: 3_600_001 }],
  ['I8', 'a write that is sent for ever', { moves: but('put', ...times(7, () => write('put'))) }],
  [
    'I8',
    'a page that is asked for, for ever',
    { moves: behind(...times(90, () => read('/event-streams', { query: '?from=x' }))) },
  ],
  [
    'I9',
    'a write before a listing',
    { moves: [write('create'), ...readings, ...allParts.slice(1).map((part) => write(part))] },
  ],
  [
    'I9',
    'a write before the streams are read',
    { moves: [...readings.slice(0, 3), ...allParts.map((part) => write(part)), ...readings.slice(3)] },
  ],
  [
    'I9',
    'a write before a listing that failed',
    {
      moves: [
        ...readings.slice(1),
        read('/rate-limit-policies', { status: 500 }),
        ...allParts.map((part) => write(part)),
      ],
    },
  ],
  [
    'I9',
    'a write of a saved plan before its listing',
    { isSaved: true, moves: [write('deleteStream')], plan: { actions: [actions.deleteStream] } },
  ],
  [
    'I9',
    'a write before roles are read',
    { moves: [...readings.filter(({ path }) => !path?.startsWith('/roles')), ...allParts.map((part) => write(part))] },
  ],
  ['I9', 'a write and 4', { told: { code: 4 } }],
  ['I9', 'a write and 3', { told: { code: 3 } }],
  ['I9', 'a write of a plan that is not complete', { plan: { complete: false } }],
  ['I9', 'a write of a plan that a guard refuses', { plan: { refusals: [buildRefusal(['b'])] } }],
  [
    'I9',
    'a write with the code of another plan',
    { plan: { refusals: [buildRefusal(['b'])] }, approved: 'ffffffffffff' },
  ],
  [
    'I9',
    'a write of a plan that takes away more than what was approved before',
    {
      plan: { refusals: [buildRefusal(['b', 'c'])] },
      approvedBefore: [buildPlan({ refusals: [buildRefusal(['a', 'b'])], actions: Object.values(actions) })],
    },
  ],
  [
    'I9',
    'a deletion that was not approved before',
    { plan: { refusals: [buildRefusal(['b'])] }, approvedBefore: [buildPlan({ refusals: [buildRefusal(['b'])] })] },
  ],
  ['I9', 'a write without a plan', { told: { plan: null, outcomes: null } }],
  [
    'G1',
    'a removal before its addition',
    {
      moves: [
        ...readings,
        write('create'),
        write('remove'),
        write('add'),
        ...(['update', 'put', 'delete', 'deleteStream'] as const).map((part) => write(part)),
      ],
    },
  ],
  [
    'G1',
    'a deletion before a creation of its kind',
    {
      moves: [...readings, write('delete'), ...allParts.filter((part) => part !== 'delete').map((part) => write(part))],
    },
  ],
  [
    'G1',
    'a removal after an addition that failed',
    { moves: but('add', unchanged('add', { status: 404 })), outcomes: { add: 'failed' }, told: { code: 1 } },
  ],
  [
    'G1',
    'a removal that is refused, before its addition',
    { moves: [...readings, unchanged('remove', { status: 503 }), ...allParts.map((part) => write(part))] },
  ],
  [
    'G1',
    'a removal of a permission before another role has it',
    { ...movedPermission, moves: [...readings, write('remove'), ...grantedToOther] },
  ],
  ['G2', 'a removal that only responses allow', { readsGrants: false }],
  [
    'G2',
    'a removal after a reading that began before the response of its addition',
    {
      ...movedPermission,
      readsGrants: false,
      moves: [
        ...readings,
        ...grantedToOther.map((move) => ({ ...move, at: 4000, endedAt: 4500 })),
        read('/roles/rol_2/permissions', { at: 4400, endedAt: 4600 }),
        write('remove'),
      ],
    },
  ],
  ...(
    [
      ['that changed its total', [page(['a'], 2), page(['b'], 3, 1)]],
      ['that has an item twice', [page(['a'], 2), page(['a'], 2, 1)]],
      ['that lacks a page', [page(['a'], 2)]],
    ] as const
  ).map(
    ([what, pages]) =>
      [
        'G2',
        `a removal after a reading ${what}`,
        { ...movedPermission, readsGrants: false, moves: [...readings, ...grantedToOther, ...pages, write('remove')] },
      ] as const,
  ),
  [
    'G2',
    'verified, and read before the last response',
    { moves: but('put', write('put'), ...readings), told: { verification: verification('verified') } },
  ],
  ...(['failed', 'not_attempted', 'unknown', 'conflict'] as const).map(
    (outcome) =>
      [
        'N1',
        `nothing goes wrong, and an action is told as ${outcome}`,
        { moves: without('put'), outcomes: { put: outcome }, told: { code: 1 } },
      ] as const,
  ),
  [
    'N1',
    'a write is refused by a server error, accepted later, and told as failed',
    {
      moves: but('put', unchanged('put', { status: 503, fault: 'status' }), write('put')),
      outcomes: { put: 'failed' },
      told: { code: 1 },
    },
  ],
  [
    'U1',
    'a user of two roles loses what moves from one to the other',
    { ...movedPermission, moves: [...readings, write('remove')] },
  ],
  [
    'U1',
    'also when the grant was acknowledged and not performed',
    {
      ...movedPermission,
      moves: [
        ...readings,
        ...grantedToOther.map((move) => ({ ...move, change: (state: Seed) => state })),
        write('remove'),
      ],
    },
  ],
  ['P1', 'a consumer falls back before what the plan creates is there', { moves: [...readings, write('delete')] }],
  [
    'P1',
    'a consumer gets what neither side had',
    { moves: but('update', write('update', { change: changed('a', 77) })) },
  ],
  [
    'S1',
    'an event has no stream while it is handed over',
    {
      ...handedOver,
      moves: [...readings, write('deleteStream')],
    },
  ],
  [
    'V1',
    'a change that only its response has shown',
    { moves: behind(foreign(changed('a', 7)), read('/rate-limit-policies')) },
  ],
  ['J1', 'a write without an intent', { moves: but('put', write('put', { intended: false })) }],
  [
    'J1',
    'a refused write without an intent',
    { moves: but('put', unchanged('put', { intended: false, status: 503 }), write('put')) },
  ],
  [
    'L1',
    'a creation of what is live',
    {
      before: { ...before, rate_limit_policies: [policy('a'), policy('b'), policy('c')] },
      moves: but('create', unchanged('create', { status: 409 })),
      outcomes: { create: 'failed', delete: 'not_attempted' },
      told: { code: 1 },
    },
  ],
  [
    'L1',
    'a creation of what is live, while others change something else',
    {
      before: { ...before, rate_limit_policies: [policy('a'), policy('b'), policy('c')] },
      moves: [foreign(losing('old')), ...readings],
      outcomes: done('not_attempted', ...allParts),
      told: { code: 1 },
    },
  ],
  [
    'Q1',
    'the refused request at once again',
    { moves: but('put', refusedOnce('put', 4000), write('put', { at: 4000 })) },
  ],
  [
    'Q1',
    'a refused reading at once again, and not later',
    { moves: [read('/roles', { status: 429, at: 0 }), read('/roles', { at: 0 }), ...behind()] },
  ],
  ['Q1', 'the refused request soon again', { moves: but('put', refusedOnce('put', 4000), write('put', { at: 4099 })) }],
  [
    'Q1',
    'another request soon after a refusal',
    {
      moves: but('update', refusedOnce('update', 4000), write('delete', { at: 4050 }), write('update', { at: 9000 })),
      plan: { actions: [actions.update, actions.delete] },
    },
  ],
  [
    'Q1',
    'more requests at the moment of a refusal than can be under way',
    {
      moves: [
        read('/rate-limit-policies', { status: 429, at: 0 }),
        ...times(18, (index) => read(`/roles/${index}/permissions`, { at: 0 })),
        ...behind(),
      ],
    },
  ],
];

describe('good histories break nothing', () => {
  test.each(Object.entries(good))('%s', (_name, sketch) => {
    expect(checkHistory(history(sketch))).toEqual([]);
  });
});

describe('bad histories break what they are named by', () => {
  test('there are at least 50 of them', () => {
    expect(bad.length).toBeGreaterThanOrEqual(50);
  });

  test.each(bad)('%s: %s', (invariant, _name, sketch) => {
    expect(named(history(sketch))).toContain(invariant);
  });
});
