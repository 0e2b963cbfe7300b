import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/model/kind.ts';
import { linkKinds, onlyPlanned } from '../../src/plan/link-kinds.ts';
import { buildAction } from '../support/build-action.ts';
import { buildDecision } from '../support/build-decision.ts';
import { buildFinding } from '../support/build-plan.ts';

const all = (_kind: string, _key: string) => true;
const add = buildAction({ kind: 'apis', key: 'a', part: 'add', action: 'add' });
const cut = buildAction({ kind: 'apis', key: 'a', part: 'remove', action: 'remove' });
const grant = buildAction({ kind: 'roles', key: 'r', part: 'add', action: 'add' });
const revoke = buildAction({ kind: 'roles', key: 'r', part: 'remove', action: 'remove' });

const apis = (about: Partial<Decision>) => buildDecision(0, 0, { kind: 'apis', actions: [add, cut], ...about });
const roles = (about: Partial<Decision>) => buildDecision(0, 0, { kind: 'roles', actions: [grant, revoke], ...about });
const missing = buildFinding('LIVE_NOT_FOUND', { kind: 'roles', key: 'r' });

function linkedActions(decisions: readonly Decision[], isSelected = all) {
  const { decisions: linked } = linkKinds(decisions, isSelected);
  return {
    needs: Object.fromEntries(linked.flatMap(({ actions }) => actions.map(({ id, needs }) => [id, needs]))),
    findings: linked.flatMap(({ findings }) => findings),
  };
}

describe('actions of different kinds', () => {
  test('an action needs those that provide what it follows', () => {
    const decisions = [
      apis({
        links: [
          { id: add.id, provides: ['x'] },
          { id: cut.id, after: ['no x', 'never'] },
        ],
      }),
      roles({
        links: [
          { id: grant.id, after: ['x'] },
          { id: revoke.id, provides: ['no x'] },
        ],
      }),
    ];
    expect(linkedActions(decisions)).toEqual({
      needs: { [add.id]: [], [cut.id]: [revoke.id], [grant.id]: [add.id], [revoke.id]: [] },
      findings: [],
    });
  });

  test('an item is left out if nothing provides what it requires', () => {
    const requirement = {
      key: 'r',
      token: 'y',
      unmet: (provided: ReadonlySet<string>) => ({ ...missing, message: [...provided].join() }),
    };
    const decisions = [apis({ links: [{ id: add.id, provides: ['x'] }] }), roles({ requirements: [requirement] })];
    expect(linkedActions(decisions)).toEqual({
      needs: { [add.id]: [], [cut.id]: [] },
      findings: [{ ...missing, message: 'x' }],
    });
    const provided = [apis({ links: [{ id: add.id, provides: ['y'] }] }), roles({ requirements: [requirement] })];
    expect(linkedActions(provided).findings).toEqual([]);
    // The action that provides it is not in the plan.
    expect(linkedActions(provided, (kind) => kind === 'roles').findings).toEqual([{ ...missing, message: '' }]);
    expect(linkedActions(provided, (kind) => kind === 'apis').findings).toEqual([]);
  });

  test('an item is not left out if an earlier action of the same run has provided what it requires', () => {
    const requirements = [{ key: 'r', token: 'y', unmet: () => missing }];
    const linked = (done: readonly string[]) => linkKinds([roles({ requirements })], all, undefined, done).decisions[0];
    expect(linked(['y'])).toMatchObject({ actions: [{ id: grant.id }, { id: revoke.id }], findings: [] });
    expect(linked(['x'])).toMatchObject({ actions: [], findings: [missing] });
  });

  test('what is left out, or not planned, takes its losses and gains along', () => {
    const loss = ({ id }: { readonly id: string }) => ({ id, item: id });
    const about = { losses: [revoke, cut].map(loss), asked: [revoke, cut].map(loss), gains: [grant.id, add.id] };
    const requirements = [{ key: 'r', token: 'y', unmet: () => missing }];
    const both = roles({ ...about, actions: [grant, revoke, add, cut], requirements });
    const ofApis = { losses: [loss(cut)], asked: [loss(cut)], gains: [add.id] };
    expect(linkKinds([both], all).decisions).toMatchObject([{ ...ofApis, actions: [add, cut], findings: [missing] }]);
    expect(onlyPlanned([both], [add, cut])).toMatchObject([{ ...ofApis, actions: [add, cut] }]);
    expect(onlyPlanned([both], both.actions)).toEqual([both]);
  });

  test('what an item that is left out provides is missing as well', () => {
    const unmet = (key: string) => () => ({ ...missing, key });
    const decisions = [
      roles({
        requirements: [{ key: 'r', token: 'y', unmet: unmet('r') }],
        links: [{ id: grant.id, provides: ['z'] }],
      }),
      apis({ requirements: [{ key: 'a', token: 'z', unmet: unmet('a') }] }),
    ];
    expect(linkedActions(decisions)).toEqual({
      needs: {},
      findings: [
        { ...missing, key: 'r' },
        { ...missing, key: 'a' },
      ],
    });
  });

  test('an action that withdraws what an item relies on is left out', () => {
    const { decisions, relying } = linkKinds(
      [apis({ links: [{ id: cut.id, withdraws: ['x', 'y'] }] })],
      all,
      (token) => (token === 'y' ? [missing] : []),
    );
    expect(relying).toEqual([missing]);
    expect(decisions[0]).toMatchObject({ actions: [{ id: add.id }] });
  });

  test('a loss of another item is left out if another action of the plan counts it', () => {
    const loss = { id: cut.id, item: 'roles/r#x', unless: ['no x'] };
    expect(linkKinds([apis({ losses: [loss] })], all).decisions).toMatchObject([{ losses: [loss] }]);
    const elsewhere = [apis({ losses: [loss] }), roles({ links: [{ id: revoke.id, provides: ['no x'] }] })];
    expect(linkKinds(elsewhere, all).decisions[0]).toMatchObject({ losses: [] });
  });

  test('without any of this, decisions stay as they are', () => {
    const decisions = [apis({}), roles({})];
    expect(linkKinds(decisions, all).decisions).toBe(decisions);
  });
});
