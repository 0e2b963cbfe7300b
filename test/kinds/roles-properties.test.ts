// Laws of the exact set difference: for any declaration and anything held, what the plan sends makes the one into the other.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roles as kind } from '../../src/kinds/roles/index.ts';
import type { Decision } from '../../src/model/kind.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import type { DeclaredRole, PermissionPair } from '../../src/service/roles/permissions.ts';
import { memberOf } from '../../src/values/json-pointer.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keeping } from '../support/keep-rules.ts';
import { liveRoles } from '../support/live-roles.ts';
import { propertyRuns } from '../support/thorough.ts';

const every: readonly PermissionPair[] = ['https://a.example/', 'https://b.example/', 'https://😀.example/'].flatMap(
  (resource_server_identifier) =>
    ['read', 'write', 'admin', '\ue000'].map((permission_name) => ({ resource_server_identifier, permission_name })),
);
const somePairs = fc.shuffledSubarray([...every]);

const scenario = fc.record({
  declared: fc.option(somePairs, { nil: undefined }),
  absent: somePairs,
  held: somePairs,
  isProtected: fc.boolean(),
  keepsParts: fc.boolean(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** A pair is in one of the two lists at most: the check of the files has seen to that. */
function roleOf({ declared, absent }: Scenario): DeclaredRole {
  const absent_permissions = absent.filter((pair) => !declared?.includes(pair));
  return { id: 'r', ...(declared === undefined ? {} : { permissions: declared }), absent_permissions };
}

function decide(parts: Scenario, held = parts.held): Decision {
  const keep = keeping({ isProtected: () => parts.isProtected, keepsParts: parts.keepsParts });
  const desired = desiredSection([['r', roleOf(parts)]]);
  return kind.decide({
    desired,
    live: liveRoles([{ id: 'r', permissions: held }]),
    keep,
    api: 'full',
    rotate: new Set(),
  });
}

const textOf = ({ resource_server_identifier: api, permission_name: permission }: PermissionPair) =>
  `${permission} of ${api}`;
const textsOf = (pairs: readonly PermissionPair[] = []) => new Set(pairs.map(textOf));
const sentBy = ({ request }: Action) => textsOf(memberOf(request.body, 'permissions') as readonly PermissionPair[]);
const sent = ({ actions }: Decision, name: Action['action']) =>
  new Set(actions.filter(({ action }) => action === name).flatMap((action) => [...sentBy(action)]));
/** What is held once everything is sent. */
function applied(decision: Decision, held: readonly PermissionPair[]): Set<string> {
  const removed = sent(decision, 'remove');
  return new Set([...textsOf(held), ...sent(decision, 'add')].filter((text) => !removed.has(text)));
}

test('what is sent makes what is held into what is declared, and does not touch the rest', () => {
  fc.assert(
    fc.property(scenario, (parts) => {
      const decision = decide(parts);
      const { permissions, absent_permissions: absent } = roleOf(parts);
      const unwanted = textsOf(absent);
      // Without a declaration everything held is as it shall be, apart from what must be absent.
      const keepsAll = parts.isProtected || parts.keepsParts || permissions === undefined;
      const wanted = [...textsOf(permissions), ...(keepsAll ? textsOf(parts.held) : [])].filter(
        (text) => parts.isProtected || !unwanted.has(text),
      );
      expect(applied(decision, parts.held)).toEqual(new Set(wanted));
    }),
    propertyRuns(100),
  );
});

test('what is added is not held, what is removed is, and no pair is sent twice', () => {
  fc.assert(
    fc.property(scenario, (parts) => {
      const decision = decide(parts);
      const before = textsOf(parts.held);
      expect([...sent(decision, 'add')].filter((text) => before.has(text))).toEqual([]);
      expect([...sent(decision, 'remove')].filter((text) => !before.has(text))).toEqual([]);
      const all = decision.actions.flatMap((action) => [...sentBy(action)]);
      expect(new Set(all).size).toBe(all.length);
    }),
    propertyRuns(100),
  );
});

test('guards count exactly the pairs that nobody named', () => {
  fc.assert(
    fc.property(scenario, (parts) => {
      const decision = decide(parts);
      const named = textsOf(roleOf(parts).absent_permissions);
      const unnamed = [...sent(decision, 'remove')].filter((text) => !named.has(text));
      expect(decision.losses.map(({ item }) => item)).toEqual(unnamed.map((text) => `roles/r#${text}`));
    }),
    propertyRuns(100),
  );
});

test('the order in which the tenant lists pairs changes nothing', () => {
  fc.assert(
    fc.property(scenario, fc.infiniteStream(fc.nat()), (parts, numbers) => {
      const shuffled = parts.held
        .map((pair) => ({ pair, rank: numbers.next().value as number }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ pair }) => pair);
      expect(JSON.stringify(decide(parts, shuffled))).toBe(JSON.stringify(decide(parts)));
    }),
    propertyRuns(100),
  );
});

test('a role that is as declared has no action', () => {
  fc.assert(
    fc.property(scenario, (parts) => {
      const now = applied(decide(parts), parts.held);
      const held = every.filter((pair) => now.has(textOf(pair)));
      expect(decide(parts, held).actions).toEqual([]);
    }),
    propertyRuns(100),
  );
});
