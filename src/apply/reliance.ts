import type { AnyKind } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { memoized } from '../values/memoized.ts';

/** Ids of actions that another one relies on. The lists of an action are always the same, and others may share them. */
export type Reliance = readonly string[];

/**
 * What an action relies on: its needs, and everything that grants what it revokes. It is sent only if all of that is done
 * and, for a removal, shown by a reading.
 *
 * A deletion revokes an item, so it relies on every create of its kind: a renamed item is a create and a delete. A role
 * that loses a permission relies on every grant of the same permission to any role, because a user may have both roles.
 *
 *   add p to A, add q to B, remove p from B     the removal relies on the first one
 *   create x, create y, delete z                the deletion relies on both
 *
 * The service takes more with a deleted item: a client goes with its grants, a connection with its clients. What goes is not in
 * the action, so the deletion relies on everything that gives something of the kind, or of one whose items go along.
 */
export function openReliance(
  actions: readonly Action[],
  kinds: readonly Pick<AnyKind, 'name' | 'access' | 'references'>[],
): (action: Action) => readonly Reliance[] {
  const planned = new Set(actions.map(({ id }) => id));
  const accessOf = new Map(kinds.map(({ name, access }) => [name, access]));
  const along = memoized((kind: string) =>
    kinds.filter(({ references }) => references?.goneWith?.includes(kind)).map(({ name }) => anythingOf(name)),
  );
  /** What an action grants and revokes: the item itself, and what its kind adds. */
  const exchange = (action: Action) => {
    const { grants = [], revokes = [] } = accessOf.get(action.kind)?.(action) ?? {};
    const named = (parts: readonly string[]) => parts.map((part) => `${action.kind} ${part}`);
    const gives = action.action === 'create' || action.action === 'add' || grants.length > 0;
    return {
      grants: [...(gives ? [anythingOf(action.kind)] : []), ...named(grants)],
      revokes: [
        ...(action.action === 'delete' ? [anythingOf(action.kind), ...along(action.kind)] : []),
        ...named(revokes),
      ],
    };
  };
  const given = actions.flatMap((action) => exchange(action).grants.map((what) => ({ what, id: action.id })));
  const givers = new Map([...groupBy(given, ({ what }) => what)].map(([what, all]) => [what, all.map(({ id }) => id)]));
  const known = new Map<string, readonly Reliance[]>();
  return (action) => {
    const before = known.get(action.id);
    if (before !== undefined) return before;
    const needs = action.needs.filter((id) => planned.has(id));
    const granted = exchange(action).revokes.flatMap((what) => (givers.has(what) ? [givers.get(what) ?? []] : []));
    const relied = [...(needs.length === 0 ? [] : [needs]), ...granted];
    known.set(action.id, relied);
    return relied;
  };
}

function anythingOf(kind: string): string {
  return `${kind} *`;
}
