// Which actions run together, and what they wait for.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reliance } from '../../src/apply/reliance.ts';
import { schedule } from '../../src/apply/schedule.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { propertyRuns } from '../support/thorough.ts';

const needsOf = ({ needs }: Action): readonly Reliance[] => [needs];

describe('workers', () => {
  /** Attempts that end in an order of their own; returns how many were in flight together, and in which order they began. */
  async function run(keys: readonly string[], endNext: (count: number) => number) {
    const actions = keys.map((key, index) => buildAction({ id: `${index}`, key }));
    const open: { readonly action: Action; readonly end: () => void }[] = [];
    const begun: string[] = [];
    let most = 0;
    let ended = false;
    const all = schedule(actions, needsOf, (action) => {
      const inFlight = open.map((each) => each.action.key);
      expect(inFlight, 'two of one item at once').not.toContain(action.key);
      begun.push(action.id);
      return new Promise<void>((end) => {
        open.push({ action, end });
        most = Math.max(most, open.length);
      });
    }).then(() => {
      ended = true;
    });
    while (!ended) {
      if (open.length > 0) open.splice(endNext(open.length), 1)[0]?.end();
      await new Promise(setImmediate);
    }
    await all;
    return { begun, most, ids: actions.map(({ id }) => id) };
  }

  test('never more than sixteen at once', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    expect((await run(keys, () => 0)).most).toBe(16);
    expect((await run(['a', 'b'], () => 0)).most).toBe(2);
    expect((await run([], () => 0)).most).toBe(0);
  });

  test('every action once, those of one item in their order, whichever ends first', async () => {
    const item = fc.integer({ min: 0, max: 25 }).map(String);
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 60 }), fc.infiniteStream(fc.nat()), async (keys, ends) => {
        const { begun, ids } = await run(keys, (count) => (ends.next().value ?? 0) % count);
        expect([...begun].sort()).toEqual([...ids].sort());
        for (const key of new Set(keys)) {
          const ofKey = ids.filter((_, index) => keys[index] === key);
          expect(begun.filter((id) => ofKey.includes(id))).toEqual(ofKey);
        }
      }),
      propertyRuns(30),
    );
  });
});

describe('the order', () => {
  /** Attempts actions that take as many turns as their key says; returns the order in which they began and ended. */
  async function run(actions: readonly Action[], relied = needsOf) {
    const order: string[] = [];
    await schedule(actions, relied, async ({ id, key }) => {
      order.push(`+${id}`);
      for (let turn = 0; turn < Number(key); turn += 1) await new Promise(setImmediate);
      order.push(`-${id}`);
    });
    return (first: string, then: string) => order.indexOf(first) < order.indexOf(then);
  }
  const of = (kind: string, action: Action['action'], turns: number, needs: string[] = [], id = `${kind} ${action}`) =>
    buildAction({ id, kind, key: String(turns), action, needs });

  test('a removal waits for what it relies on, also of another kind', async () => {
    const grants = ['a', 'b'].map((id) => of('client_grants', 'create', 5, [], id));
    const actions = [...grants, ...['c', 'd'].map((id) => of('clients', 'delete', 0, [], id))];
    const all = grants.map(({ id }) => id);
    const isBefore = await run(actions, ({ needs, action }) => (action === 'delete' ? [all] : [needs]));
    for (const id of ['+c', '+d']) expect(all.every((grant) => isBefore(`-${grant}`, id))).toBe(true);
  });

  test('a kind goes through its stages: everything is granted before anything is taken away', async () => {
    const actions = [
      of('roles', 'create', 5),
      of('roles', 'add', 9),
      of('roles', 'update', 3),
      of('roles', 'remove', 1),
      of('roles', 'delete', 0),
    ];
    const isBefore = await run(actions);
    for (const grant of ['-roles create', '-roles add']) expect(isBefore(grant, '+roles update')).toBe(true);
    for (const removal of ['+roles remove', '+roles delete']) expect(isBefore('-roles update', removal)).toBe(true);
  });

  test('a slow kind holds up no other, except for what is needed', async () => {
    const slow = of('prompts', 'put', 50);
    const isBefore = await run([
      slow,
      of('roles', 'remove', 1),
      of('event_streams', 'delete', 1, [slow.id]),
      of('event_streams', 'delete', 2, [], 'other delete'),
    ]);
    expect(isBefore('-roles remove', '-prompts put')).toBe(true);
    expect(isBefore('-prompts put', '+event_streams delete')).toBe(true);
    expect(isBefore('-other delete', '-prompts put')).toBe(true);
  });

  test('what another kind needs comes first, in both directions', async () => {
    const scope = of('resource_servers', 'add', 9);
    const grant = of('roles', 'add', 3, [scope.id]);
    const revoke = of('roles', 'remove', 9, [grant.id]);
    const isBefore = await run([scope, grant, revoke, of('resource_servers', 'remove', 1, [revoke.id])]);
    expect(isBefore('-resource_servers add', '+roles add')).toBe(true);
    expect(isBefore('-roles remove', '+resource_servers remove')).toBe(true);
  });
});
