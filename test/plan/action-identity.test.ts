// Ids of actions: one per identity, whatever the keys hold.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openReliance } from '../../src/apply/reliance.ts';
import { resolvedActions } from '../../src/engine/last-apply.ts';
import {
  type ActionIdentity,
  actionId,
  itemId,
  referencePattern,
  resultReference,
} from '../../src/model/action-identity.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import { fingerprint } from '../../src/values/fingerprint.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';
import { propertyRuns } from '../support/thorough.ts';

describe('ids', () => {
  test.each<[ActionIdentity, string]>([
    [{ kind: 'roles', key: 'Support' }, 'roles/Support'],
    [{ kind: 'roles', key: 'Support', part: 'add' }, 'roles/Support#add'],
    [{ kind: 'roles', key: 'Support', part: 'add#2' }, 'roles/Support#add%232'],
    [{ kind: 'roles', key: 'Support#add' }, 'roles/Support%23add'],
    [{ kind: 'roles', key: '100 % {a/b}' }, 'roles/100 %25 %7Ba/b%7D'],
  ])('%j: %s', (identity, id) => {
    expect(actionId(identity)).toBe(id);
  });

  const text = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'A', '#', '%', '2', '3', '5', '-', '/', '{', '}', ':', 'add'),
      minLength: 1,
      maxLength: 6,
    }),
    fc.string({ minLength: 1 }),
  );
  const identity: fc.Arbitrary<ActionIdentity> = fc.oneof(
    fc.record({ kind: fc.constantFrom('roles', 'prompts'), key: text }),
    fc.record({ kind: fc.constantFrom('roles', 'prompts'), key: text, part: text }),
  );
  const tuple = ({ kind, key, part }: ActionIdentity) => JSON.stringify([kind, key, part ?? null]);

  test('law: two identities have one id only if they are equal', () => {
    fc.assert(
      fc.property(fc.array(identity, { maxLength: 40 }), (identities) => {
        const known = new Map<string, string>();
        for (const each of identities) {
          const id = actionId(each);
          expect(known.get(id) ?? tuple(each), id).toBe(tuple(each));
          known.set(id, tuple(each));
        }
      }),
      propertyRuns(2_000),
    );
  });

  test('law: two items have one text only if they are equal', () => {
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        expect(itemId(one) === itemId(other)).toBe(one.kind === other.kind && one.key === other.key);
      }),
      propertyRuns(100),
    );
  });

  test('law: a reference to any action reads back', () => {
    fc.assert(
      fc.property(identity, fc.constantFrom('id', 'client_id'), (each, field) => {
        const found = [...`before ${resultReference(actionId(each), field)} behind`.matchAll(referencePattern)];
        expect(found.map(([, id, name]) => [id, name])).toEqual([[actionId(each), field]]);
      }),
      propertyRuns(100),
    );
  });
});

describe('a role named like a part of another is a role of its own', () => {
  const role = (key: string, part: 'add' | 'remove', needs: string[] = []) =>
    buildAction({
      kind: 'roles',
      key,
      part,
      action: part,
      needs,
      request: { operation: 'o', method: 'POST', path: '/roles/rol_1/permissions', body: { permissions: ['a'] } },
    });

  test('when unknown outcomes are resolved', () => {
    const managed = new Set(['roles']);
    const { id, request } = role('A', 'remove');
    const recorded = { id, kind: 'roles', key: 'A', part: 'remove', request: fingerprint(request), outcome: null };
    const resolved = (fresh: Plan) =>
      resolvedActions({ actions: [recorded] }, fresh, managed).map(({ resolution }) => resolution);
    const namesake = role('A#remove', 'remove');
    expect(resolved(buildPlan({ actions: [namesake] }))).toEqual(['not_needed']);
    const leftOut = (key: string) => buildPlan({ selection: { only: [], except: [`roles/${key}`], rotate: [] } });
    expect(resolved(leftOut('A#remove'))).toEqual(['not_needed']);
    expect(resolved(leftOut('A'))).toEqual(['unknown']);
  });

  test('when needs are checked', () => {
    const [add, namesake] = [role('A', 'add'), role('A#add', 'add')];
    const remove = role('A', 'remove', [add.id]);
    expect(openReliance([add, namesake, remove], [])(remove)).toEqual([[add.id]]);
  });
});
