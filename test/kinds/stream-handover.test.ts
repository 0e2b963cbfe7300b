// A stream whose status the files do not declare takes over events if it delivers on the tenant, and only then.
import { describe, expect, test } from 'vitest';
import type { OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

type Status = 'enabled' | 'disabled';

interface Stream {
  readonly name: string;
  readonly status?: Status;
  readonly subscriptions: readonly { readonly event_type: string }[];
  readonly destination: object;
}

const stream = (name: string, status: Status | undefined, ...events: readonly string[]): Stream => ({
  name,
  ...(status !== undefined && { status }),
  subscriptions: events.map((event_type) => ({ event_type })),
  destination: { type: 'action', configuration: { action_id: 'act_1' } },
});

interface Given {
  readonly live: readonly Stream[];
  readonly declared: readonly Stream[];
  /** The operation that the service refuses. */
  readonly refused?: string;
  /** A stream that others disable as soon as it is created or updated. */
  readonly disabled?: string;
}

/** The plan, and what becomes of it. */
async function planAndApply({ live, declared, refused, disabled }: Given) {
  const event_streams = live.map((one) => ({ id: `est_0000000000000000${one.name}`, ...one }));
  const { env, tenant } = await tenantWith({ event_streams } as Seed, {
    faults: refused === undefined ? [] : [{ operation: refused, kind: 'status', status: 400, times: 9 }],
    onRequest: ({ method, path }) => {
      if (disabled === undefined || method === 'GET' || path.includes('token')) return;
      void tenant.change((state) => {
        state['event_streams'] = (state['event_streams'] ?? []).map((one) =>
          one.name === disabled ? { ...one, status: 'disabled' } : one,
        );
      });
    },
  });
  const path = await folder({ 'tenant.yaml': JSON.stringify({ event_streams: declared }) });
  const run = (...argv: readonly string[]) => runCommand([...argv, path, '--format', 'json'], { env });
  const { actions } = JSON.parse((await run('plan')).stdout) as Plan;
  const { outcomes } = JSON.parse((await run('apply', '--yes')).stdout) as OutcomesDocument;
  const effects = actions.flatMap((action) => action.effects);
  const nameOf = (id: string) => id.replace('event_streams/', '');
  return {
    needs: Object.fromEntries(actions.map(({ action, key, needs }) => [`${action} ${key}`, needs.map(nameOf)])),
    effects: effects.flatMap(({ severity, key, message }) => (key === 'b' ? `${severity}: ${message}` : [])),
    others: effects.flatMap(({ key, code }) => (key === 'b' ? [] : `${key}: ${code}`)),
    outcomes: Object.fromEntries(outcomes.map(({ id, outcome }) => [nameOf(id), outcome])),
  };
}

const deleted = {
  kept: 'note: is deleted; another stream still delivers its events to the action act_1',
  lost: 'warning: is deleted: the action act_1 no longer receives user.created',
};
const fewer = {
  kept: 'note: has fewer subscriptions; another stream still delivers its events to the action act_1',
  lost: 'warning: has fewer subscriptions: the action act_1 no longer receives user.created',
};
const b = stream('b', 'enabled', 'user.created');
const gaining = stream('a', undefined, 'user.deleted', 'user.created');

describe('a stream without a declared status that gets the event of one that is deleted', () => {
  test.each<readonly [Status, Awaited<ReturnType<typeof planAndApply>>]>([
    [
      'enabled',
      {
        needs: { 'update a': [], 'delete b': ['a'] },
        effects: [deleted.kept],
        others: [],
        outcomes: { a: 'failed', b: 'not_attempted' },
      },
    ],
    [
      'disabled',
      {
        needs: { 'update a': [], 'delete b': [] },
        effects: [deleted.lost],
        others: [],
        outcomes: { a: 'failed', b: 'done' },
      },
    ],
  ])('is %s on the tenant, and its change is refused', async (status, expected) => {
    const live = [stream('a', status, 'user.deleted'), b];
    expect(await planAndApply({ live, declared: [gaining], refused: 'update_event_stream' })).toEqual(expected);
    const { outcomes, ...same } = await planAndApply({ live, declared: [gaining] });
    expect(same).toEqual({ needs: expected.needs, effects: expected.effects, others: [] });
    expect(outcomes).toEqual({ a: 'done', b: 'done' });
  });

  test.each<readonly [Status, Status, readonly string[], string]>([
    ['disabled', 'enabled', ['a'], deleted.kept],
    ['enabled', 'disabled', [], deleted.lost],
  ])('a declared status wins: %s on the tenant, declared %s', async (status, declared, needs, effect) => {
    expect(
      await planAndApply({
        live: [stream('a', status, 'user.deleted'), b],
        declared: [{ ...gaining, status: declared }],
      }),
    ).toMatchObject({ needs: { 'delete b': needs }, effects: [effect] });
  });

  test('of two, the one that delivers takes it over', async () => {
    expect(
      await planAndApply({
        live: [stream('a', 'disabled', 'user.deleted'), b, stream('c', 'enabled', 'user.updated')],
        declared: [gaining, stream('c', undefined, 'user.updated', 'user.created')],
      }),
    ).toMatchObject({ needs: { 'delete b': ['c'] }, effects: [deleted.kept] });
  });
});

test.each<readonly [Status, string]>([
  ['enabled', deleted.kept],
  ['disabled', deleted.lost],
])('a stream that has the event already, and is %s', async (status, effect) => {
  const a = stream('a', undefined, 'user.created');
  expect(await planAndApply({ live: [{ ...a, status }, b], declared: [a] })).toEqual({
    needs: { 'delete b': [] },
    effects: [effect],
    others: [],
    outcomes: { b: 'done' },
  });
});

test.each<readonly [Status, object]>([
  ['enabled', { needs: { 'update a': [], 'update b': ['a'] }, effects: [fewer.kept] }],
  ['disabled', { needs: { 'update a': [], 'update b': [] }, effects: [fewer.lost] }],
])('a stream that gets the event of one that goes on without it, and is %s', async (status, expected) => {
  const live = [stream('a', status, 'user.deleted'), stream('b', 'enabled', 'user.created', 'user.updated')];
  const declared = [gaining, stream('b', undefined, 'user.updated')];
  expect(await planAndApply({ live, declared })).toEqual({
    ...expected,
    others: [],
    outcomes: { a: 'done', b: 'done' },
  });
});

test('a stream that is deleted while it is disabled has nothing to take over', async () => {
  const live = [stream('a', 'enabled', 'user.deleted'), stream('b', 'disabled', 'user.created')];
  expect(await planAndApply({ live, declared: [gaining], refused: 'update_event_stream' })).toEqual({
    needs: { 'update a': [], 'delete b': [] },
    effects: [],
    others: [],
    outcomes: { a: 'failed', b: 'done' },
  });
});

describe('a new stream without a declared status', () => {
  const declared = [stream('a', undefined, 'user.created')];
  const planned = {
    needs: { 'create a': [], 'delete b': ['a'] },
    effects: [deleted.kept],
    others: ['a: STREAM_NEW_RECEIVER'],
  };

  test.each<readonly [string, Partial<Given>, object]>([
    ['takes over', {}, { a: 'done', b: 'done' }],
    ['is refused', { refused: 'create_event_stream' }, { a: 'failed', b: 'not_attempted' }],
    ['delivers nothing once it is created', { disabled: 'a' }, { a: 'unknown', b: 'conflict' }],
  ])('%s', async (_name, given, outcomes) => {
    expect(await planAndApply({ live: [b], declared, ...given })).toEqual({ ...planned, outcomes });
  });
});
