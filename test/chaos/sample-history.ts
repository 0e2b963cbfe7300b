/** A small good history by hand, and pieces to spoil it with: one tenant, one plan with an action of each kind, everything done. */
import type { Outcome } from '../../src/model/outcomes.generated.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { type ActionParts, buildAction } from '../support/build-action.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { ordersApi, buildPermission as pair } from '../support/build-permission.ts';
import { buildPlan } from '../support/build-plan.ts';
import type { ForeignStep, History, RequestStep, Told } from './history.ts';
import type { Meaning } from './meaning.ts';

export const policy = (selector: string, limit = 1, id = `rlp_${selector}`) =>
  buildLivePolicy({ id, consumer_selector: selector, configuration: { action: 'block', limit } });
export const stream = (name: string, status = 'enabled', id = `est_${name}`) => ({
  id,
  name,
  status,
  subscriptions: [{ event_type: 'user.created' }],
});

/** Policies a and b, of which b shall go, a shall change, and c shall come. */
export const before: Seed = {
  rate_limit_policies: [policy('a'), policy('b')],
  roles: [
    { id: 'rol_1', name: 'Support', permissions: [pair('keep'), pair('old')] },
    { id: 'rol_2', name: 'Other', permissions: [pair('theirs')] },
  ],
  prompts: { login: { partials: { login: { start: 'before', end: 'gone' } } } },
  event_streams: [stream('s'), stream('t')],
};

export const meaning: Meaning = {
  api: 'full',
  policies: { a: policy('a', 2).configuration, c: policy('c').configuration },
  roles: [{ id: 'rol_1', name: 'Support', permissions: [`keep of ${ordersApi}`, `new of ${ordersApi}`], absent: [] }],
  prompts: { login: { login: { start: 'after' } } },
  streams: [{ name: 's', events: ['user.created'], destination: null }],
  apis: null,
  applications: null,
  protect: {},
  keep: [],
};

function action(
  parts: Pick<Action, 'id' | 'kind' | 'key' | 'action'> & ActionParts,
  method: Action['request']['method'],
  path: string,
  body?: object,
): Action {
  const request = { operation: 'made-up', method, path, ...(body && { body: { ...body } }) };
  return buildAction({ reason: 'different', before: null, request, ...parts });
}

const { id: _id, ...newPolicy } = policy('c');
export const actions = {
  create: action(
    { id: 'rate_limit_policies/c', kind: 'rate_limit_policies', key: 'c', action: 'create' },
    'POST',
    '/rate-limit-policies',
    newPolicy,
  ),
  add: action(
    { id: 'roles/rol_1#add', kind: 'roles', key: 'rol_1', action: 'add' },
    'POST',
    '/roles/rol_1/permissions',
    {
      permissions: [pair('new')],
    },
  ),
  update: action(
    { id: 'rate_limit_policies/a', kind: 'rate_limit_policies', key: 'a', action: 'update', before: policy('a') },
    'PATCH',
    '/rate-limit-policies/rlp_a',
    {
      configuration: policy('a', 2).configuration,
    },
  ),
  put: action(
    {
      id: 'prompts/login',
      kind: 'prompts',
      key: 'login',
      action: 'put',
      before: { login: { start: 'before', end: 'gone' } },
    },
    'PUT',
    '/prompts/login/partials',
    {
      login: { start: 'after' },
    },
  ),
  remove: action(
    {
      id: 'roles/rol_1#remove',
      kind: 'roles',
      key: 'rol_1',
      action: 'remove',
      before: { permissions: [pair('old')] },
    },
    'DELETE',
    '/roles/rol_1/permissions',
    {
      permissions: [pair('old')],
    },
  ),
  delete: action(
    { id: 'rate_limit_policies/b', kind: 'rate_limit_policies', key: 'b', action: 'delete', before: policy('b') },
    'DELETE',
    '/rate-limit-policies/rlp_b',
  ),
  deleteStream: action(
    { id: 'event_streams/t', kind: 'event_streams', key: 't', action: 'delete', before: stream('t') },
    'DELETE',
    '/event-streams/est_t',
  ),
} as const;

export type ActionPart = keyof typeof actions;

export const allParts = Object.keys(actions) as ActionPart[];

/** What each action makes of a state. */
export const effect: Readonly<Record<ActionPart, (state: Seed) => Seed>> = {
  create: (state) => ({
    ...state,
    rate_limit_policies: [...(state.rate_limit_policies ?? []), policy('c', 1, 'rlp_new')],
  }),
  add: (state) => withPairs(state, 'rol_1', (pairs) => [...pairs, pair('new')]),
  update: (state) => ({
    ...state,
    rate_limit_policies: (state.rate_limit_policies ?? []).map((item) =>
      item.id === 'rlp_a' ? { ...policy('a', 2), updated_at: 'now' } : item,
    ),
  }),
  put: (state) => ({ ...state, prompts: { login: { partials: { login: { start: 'after' } } } } }),
  remove: (state) =>
    withPairs(state, 'rol_1', (pairs) => pairs.filter(({ permission_name }) => permission_name !== 'old')),
  delete: (state) => ({
    ...state,
    rate_limit_policies: (state.rate_limit_policies ?? []).filter(({ id }) => id !== 'rlp_b'),
  }),
  deleteStream: (state) => ({
    ...state,
    event_streams: (state.event_streams ?? []).filter(({ id }) => id !== 'est_t'),
  }),
};

type Pairs = readonly ReturnType<typeof pair>[];

export function withPairs(state: Seed, id: string, change: (pairs: Pairs) => Pairs): Seed {
  return {
    ...state,
    roles: (state.roles ?? []).map((role) =>
      role.id === id ? { ...role, permissions: [...change(role.permissions ?? [])] } : role,
    ),
  };
}

/** A step before it has its place in the history. */
export type Move = Partial<Omit<RequestStep, 'type' | 'before' | 'after'>> & {
  readonly type: 'request' | 'foreign';
  readonly change?: (state: Seed) => Seed;
};

export const read = (path: string, parts: Partial<Move> = {}): Move => ({
  type: 'request',
  method: 'GET',
  path,
  status: 200,
  ...parts,
});

/** A write of the plan; `change` null leaves the state as it is. */
export function write(
  part: ActionPart,
  parts: Omit<Partial<Move>, 'change'> & { readonly change?: ((state: Seed) => Seed) | null } = {},
): Move {
  const { change = effect[part], ...rest } = parts;
  const { method, path, body } = actions[part].request;
  return {
    type: 'request',
    method,
    path,
    status: 200,
    intended: true,
    ...(body && { body }),
    ...(change && { change }),
    ...rest,
  };
}

export const foreign = (change: (state: Seed) => Seed): Move => ({ type: 'foreign', change });

export const readings = [
  read('/rate-limit-policies'),
  read('/roles/rol_1/permissions'),
  read('/prompts/login/partials'),
  read('/event-streams'),
];

/** Every part of the good history can be replaced; outcomes are `done` unless said otherwise. */
export interface Sketch extends Partial<Omit<History, 'steps' | 'told' | 'after'>> {
  readonly moves?: readonly Move[];
  /** What grants is read as soon as it is written, unless this says otherwise. */
  readonly readsGrants?: boolean;
  readonly told?: Partial<Told>;
  readonly plan?: Partial<Plan>;
  readonly outcomes?: Readonly<Partial<Record<ActionPart, Outcome['outcome']>>>;
}

type TimedMove = Move & { readonly at: number };

function withReading(move: TimedMove, readsGrants: boolean): TimedMove[] {
  const { method, path = '', endedAt: at = move.at } = move;
  return readsGrants && method === 'POST' ? [move, { ...read(path), at }] : [move];
}

export function history(sketch: Sketch = {}): History {
  const {
    moves = [...readings, ...allParts.map((part) => write(part))],
    told = {},
    plan = {},
    outcomes = {},
    readsGrants = true,
    ...about
  } = sketch;
  const start = about.before ?? before;
  const steps: (RequestStep | ForeignStep)[] = [];
  let state = start;
  const all = moves.flatMap((move, index) => withReading({ at: index * 1000, ...move }, readsGrants));
  for (const [order, { type, change, at, ...parts }] of all.entries()) {
    const after = change?.(state) ?? state;
    const both = { before: state, after };
    steps.push(
      type === 'foreign'
        ? { type, at, order, ...both }
        : {
            type,
            at,
            endedAt: at,
            order,
            fault: null,
            lie: null,
            operation: 'made-up',
            method: 'GET',
            path: '/',
            query: '',
            status: 200,
            intended: null,
            ...parts,
            ...both,
          },
    );
    state = after;
  }
  const planned = buildPlan({ actions: [...Object.values(actions)], ...plan });
  const names = new Map(Object.entries(actions).map(([part, { id }]) => [id, part as ActionPart]));
  const outcomeOf = ({ id }: Action): Outcome => ({
    id,
    outcome: outcomes[names.get(id) ?? 'create'] ?? 'done',
    status: 200,
    message: null,
  });
  return {
    command: 'apply',
    isSaved: false,
    meaning,
    before: start,
    after: state,
    steps,
    elapsedMs: 1000,
    signal: null,
    approved: null,
    approvedBefore: [],
    confirmedAt: null,
    lagMs: 0,
    earlierChanges: [],
    secrets: ['planted secret'],
    environment: { TENANT_VAR_STREAM_SECRET: 'planted secret' },
    ...about,
    told: {
      code: 0,
      texts: ['all is well'],
      plan: planned,
      outcomes: planned.actions.map(outcomeOf),
      verification: null,
      readable: true,
      hung: false,
      ...told,
    },
  };
}
