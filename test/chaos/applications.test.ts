// The checker against histories of clients and what names them: a good one breaks no rule, each bad one the rule beside it.
import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { checkHistory } from './check-history.ts';
import { unreached } from './check-series.ts';
import type { Meaning } from './meaning.ts';
import { history, type Move, meaning as others, read } from './sample-history.ts';

const audience = 'https://orders.example/';
const client = (client_id: string, name: string) => ({ client_id, name });
const grant = (id: string, client_id: string, ...scope: readonly string[]) => ({ id, client_id, audience, scope });
const enabled = (...ids: readonly string[]) => ids.map((client_id) => ({ client_id }));
const stateOf = (clients: readonly object[], grants: readonly object[], ...ids: readonly string[]) =>
  ({
    clients,
    client_grants: grants,
    connections: [{ id: 'con_1', name: 'partner', strategy: 'oidc', enabled_clients: enabled(...ids) }],
  }) as unknown as Seed;
const [web, old] = [client('c1', 'Web'), client('c2', 'Old')];

/** Web loses the scope b, and Old goes. */
const before = stateOf([web, old], [grant('cgr_1', 'c1', 'a', 'b'), grant('cgr_2', 'c2', 'a')], 'c1', 'c2');
const meaning: Meaning = {
  ...others,
  ...{ policies: null, roles: null, prompts: null, streams: null },
  applications: {
    clients: [
      { name: 'Web', isAbsent: false, fields: {} },
      { name: 'Old', isAbsent: true, fields: {} },
    ],
    grants: [{ client: 'Web', audience, scopes: ['a'] }],
    connections: [{ name: 'partner', options: {}, enabled: ['Web'] }],
    protection: {},
  },
};

function action(
  parts: Pick<Action, 'id' | 'kind' | 'key' | 'action' | 'before'> & Partial<Action>,
  method: Action['request']['method'],
  path: string,
  body?: object,
): Action {
  return buildAction({
    reason: 'different',
    request: { operation: 'made-up', method, path, ...(body && { body }) },
    ...parts,
  });
}
const update = action(
  {
    ...{ id: 'client_grants/Web', kind: 'client_grants', key: 'Web', action: 'update' },
    before: { id: 'cgr_1', client: 'Web', audience, scope: ['a', 'b'] },
  },
  'PATCH',
  '/client-grants/cgr_1',
  { scope: ['a'] },
);
const remove = action(
  {
    ...{ id: 'connections/partner#remove', kind: 'connections', key: 'partner', action: 'remove' },
    before: { enabled_clients: ['Old'] },
  },
  'PATCH',
  '/connections/con_1/clients',
  [{ client_id: 'c2', status: false }],
);
const deletion = action(
  { id: 'clients/Old', kind: 'clients', key: 'Old', action: 'delete', before: { client_id: 'c2', name: 'Old' } },
  'DELETE',
  '/clients/c2',
);

const readings = ['/clients', '/client-grants', '/connections', '/connections/con_1/clients'].map((path) => read(path));
const write = ({ request: { method, path, body } }: Action, after: Seed): Move => ({
  ...{ type: 'request', method, path, status: 200, intended: true, change: () => after },
  ...(body && { body }),
});
const updated = stateOf([web, old], [grant('cgr_1', 'c1', 'a'), grant('cgr_2', 'c2', 'a')], 'c1', 'c2');
const removed = stateOf([web, old], [grant('cgr_1', 'c1', 'a'), grant('cgr_2', 'c2', 'a')], 'c1');
const done = stateOf([web], [grant('cgr_1', 'c1', 'a')], 'c1');

function brokenBy(afterUpdate: Seed, afterRemove: Seed, afterDelete: Seed, meant = meaning): string[] {
  const moves = [...readings, write(update, afterUpdate), write(remove, afterRemove), write(deletion, afterDelete)];
  const played = history({ before, meaning: meant, moves, plan: { actions: [update, remove, deletion] } });
  return [...new Set(checkHistory(played).map(({ invariant }) => invariant))];
}

test('a good history, in which the service takes the grant of the client with it', () => {
  expect(brokenBy(updated, removed, done)).toEqual([]);
  expect(unreached(meaning, done)).toEqual([]);
});

const withApplications = (parts: Partial<NonNullable<Meaning['applications']>>): Meaning => ({
  ...meaning,
  applications: { ...meaning.applications, ...parts } as NonNullable<Meaning['applications']>,
});

describe('a bad history', () => {
  const bothGrants = [grant('cgr_1', 'c1', 'a'), grant('cgr_2', 'c2', 'a')];
  const [noScope, nobody] = [[grant('cgr_1', 'c1'), grant('cgr_2', 'c2', 'a')], stateOf([web, old], bothGrants)];
  const unmanaged = withApplications({ connections: [{ name: 'partner', options: {}, enabled: null }] });
  const good = [updated, removed, done] as const;

  test.each<readonly [string, readonly [Seed, Seed, Seed], string, Meaning]>([
    ['a grant of another client goes with it', [updated, removed, stateOf([web], [], 'c1')], 'I1', meaning],
    ['another client goes from a connection', [updated, removed, stateOf([web], [bothGrants[0] ?? {}])], 'I1', meaning],
    ['a scope goes that the files want', [stateOf([web, old], noScope, 'c1', 'c2'), removed, done], 'I3', meaning],
    ['a connection loses a client that the files want', [updated, nobody, done], 'I3', meaning],
    ['a client goes that is not declared absent', good, 'I3', withApplications({ clients: [] })],
    ['the clients of a connection are not managed', good, 'I3', unmanaged],
  ])('%s', (_name, states, invariant, meant) => {
    expect(brokenBy(...states, meant)).toContain(invariant);
  });
});

test.each<readonly [string, Seed, string]>([
  ['a client that was to go', updated, 'clients/Old'],
  [
    'a scope that was to go',
    stateOf([web], [grant('cgr_1', 'c1', 'a', 'b')], 'c1'),
    `client_grants/Web/${audience}/client`,
  ],
  ['a client that a connection lacks', stateOf([web], [grant('cgr_1', 'c1', 'a')]), 'connections/partner'],
  ['a client that is missing', stateOf([], [], 'c1'), 'clients/Web'],
])('an end state with %s', (_name, state, place) => {
  expect(unreached(meaning, state).map((one) => one.place)).toContain(place);
});
