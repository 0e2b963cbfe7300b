import { findingTraits } from '../model/findings.ts';
import type { AnyKind, Decision, KeepRules } from '../model/kind.ts';
import { type ItemReference, idPrefix, type Names } from '../model/names.ts';
import { isGone, isReleased, type Node } from '../model/nodes.ts';
import { idIn, type Operation } from '../model/operation.ts';
import type { Action, Effect, Finding } from '../model/plan.generated.ts';
import type { LiveState, Unreadable } from '../model/reader.ts';
import { groupBy } from '../values/group-by.ts';
import { memberOf } from '../values/json-pointer.ts';
import { listOf } from '../values/list-of.ts';
import { onlyPlanned } from './link-kinds.ts';

/** The live items of a kind that name others, whether the files have a section for it or not. */
export interface LiveReferrers {
  readonly kind: AnyKind;
  readonly live: LiveState<unknown>;
  readonly keep: KeepRules;
  readonly names: Names;
  /** Ids of those that actions of their own delete. */
  readonly deleted: ReadonlySet<string>;
}

/** An item that names one which is deleted. */
interface Affected {
  readonly id: string;
  /** `moorings/Delft/a` */
  readonly item: string;
  readonly key: string;
  readonly node: Node;
  readonly isDeleted: boolean;
  readonly isProtected: boolean;
  readonly gone: ItemReference['gone'];
  /** The other one as this one names it, and its id. */
  readonly to: Node;
  readonly toId: string;
}

/** Ids of the items that a decision deletes, by id of the action. */
export function deletedIds(
  { actions }: Pick<Decision, 'actions'>,
  operations: readonly Operation[],
): ReadonlyMap<string, string> {
  const rows = new Map(operations.map((operation) => [operation.id, operation]));
  return new Map(
    actions.flatMap(({ id, action, request }) => {
      const row = action === 'delete' ? rows.get(request.operation) : undefined;
      const deleted = row === undefined ? null : idIn(row, request.path);
      return deleted === null ? [] : [[id, deleted] as const];
    }),
  );
}

/**
 * A decision with what its deletions do to the items that name what they delete.
 *
 *   deleted    they are losses of the deletion, unless actions of their own delete them; a protected one keeps the other
 *   dropped    a note for each
 *   refused    the other one is kept, unless an action of the plan changes or deletes them first
 *   not read   nothing is deleted, and the plan is not complete
 */
export function withGone(decision: Decision, kind: AnyKind, referrers: readonly LiveReferrers[]): Decision {
  const [unread] = referrers.flatMap(({ kind: other, live }) => (live.readable ? [] : [{ other, why: live }]));
  if (unread !== undefined) return withoutDeletions(decision, kind, unread.other, unread.why);
  const ids = deletedIds(decision, kind.operations);
  const deleted = new Set(ids.values());
  const byId = groupBy(
    referrers.flatMap((one) => affectedBy(one, kind.name, deleted)),
    ({ toId }) => toId,
  );
  const affected = ({ id }: Action, gone: ItemReference['gone']) =>
    (byId.get(ids.get(id) ?? '') ?? []).filter((one) => one.gone === gone);
  const kept: Finding[] = [];
  const actions = decision.actions.flatMap((action): Action[] => {
    const along = affected(action, 'deleted');
    const held = along.filter(({ isProtected }) => isProtected);
    if (held.length > 0) {
      const which = `${itemsOf(held)}, which the service deletes with it, ${held.length === 1 ? 'is' : 'are'} protected`;
      kept.push(findingOf(action, 'LIVE_PROTECTED', `kept because ${which}`));
      return [];
    }
    const notes = affected(action, 'dropped').map(({ item }) => `is removed from ${item} by the service`);
    return notes.length === 0 ? [action] : [{ ...action, notes: [...(action.notes ?? []), ...notes] }];
  });
  const [planned = decision] = onlyPlanned([decision], actions);
  const one = kind.noun?.one ?? `item of ${kind.name}`;
  const lostWith = (action: Action): Effect[] =>
    affected(action, 'deleted').flatMap(({ isDeleted, node, key, id }) => {
      const message = `is deleted by the service with the ${one} ${action.key}`;
      return isDeleted ? [] : [{ code: 'ACCESS_LOST', severity: 'warning', message, kind: node.kind, key, id }];
    });
  return {
    ...planned,
    actions,
    effectsOf: (part) => {
      const own = planned.effectsOf?.(part);
      return (action) => [...(own?.(action) ?? []), ...lostWith(action)];
    },
    findings: [...decision.findings, ...kept],
    losses: [
      ...planned.losses,
      ...actions.flatMap((action) =>
        affected(action, 'deleted').map(({ id, item, node }) => ({
          ...{ id: action.id, item: `${item}#${id}`, unless: [isGone(node)], along: node.kind },
        })),
      ),
    ],
    requirements: [
      ...(planned.requirements ?? []),
      ...actions.flatMap((action) => {
        const holding = affected(action, 'refused');
        const why = `the service refuses to delete it while ${itemsOf(holding)} ${holding.length === 1 ? 'names' : 'name'} it`;
        const unmet = () => findingOf(action, 'LIVE_UNDELETABLE', why);
        return holding.map(({ to, node }) => ({ key: action.key, token: isReleased(to, node), unmet }));
      }),
    ],
  };
}

function affectedBy(
  { kind, live, keep, names, deleted }: LiveReferrers,
  to: string,
  going: ReadonlySet<string>,
): Affected[] {
  const { references, naming, name } = kind;
  if (references === undefined || naming === undefined || !live.readable) return [];
  const isProtected = (item: unknown, key: string) =>
    [key, ...(naming.protectedAs?.(item, names) ?? [])].some((text) => keep.isProtected(text));
  return live.items.flatMap((item) => {
    const id = String(memberOf(item, naming.idField));
    return references.live(item, names).flatMap((reference): Affected[] => {
      if (reference.to !== to || reference.below !== undefined) return [];
      const named = names.find(to, reference.name, reference.by);
      const toId = 'id' in named ? named.id : undefined;
      if (toId === undefined || !going.has(toId)) return [];
      const key = naming.nameOf(item, names) ?? idPrefix + id;
      return [
        {
          ...{ id, item: `${name}/${key}`, key, node: { kind: name, key: idPrefix + id }, gone: reference.gone },
          ...{ isDeleted: deleted.has(id), isProtected: isProtected(item, key) },
          ...{ to: { kind: to, key: reference.name }, toId },
        },
      ];
    });
  });
}

/** What goes along is not known, so nothing goes. */
function withoutDeletions(decision: Decision, { name, noun }: AnyKind, other: AnyKind, why: Unreadable): Decision {
  const actions = decision.actions.filter(({ action }) => action !== 'delete');
  const [planned = decision] = onlyPlanned([decision], actions);
  const message = `${why.message}; no ${noun?.one ?? `item of ${name}`} is deleted, because it is not known which ${other.noun?.many ?? other.name} the service deletes with it`;
  const [source = null] = decision.actions.map((action) => action.source);
  const finding: Finding = {
    ...{ code: why.code, severity: findingTraits(why).severity, kind: name, key: '*', message, origin: null, source },
  };
  return { ...planned, unreadable: why, findings: [finding, ...planned.findings] };
}

function itemsOf(affected: readonly Affected[]): string {
  return listOf([...new Set(affected.map(({ item }) => item))]);
}

function findingOf({ kind, key, reason, source }: Action, code: Finding['code'], why: string): Finding {
  const state = reason === 'absent' ? 'declared absent' : 'on the tenant but not declared';
  const message = `${state}; ${why}`;
  return { code, severity: findingTraits({ code }).severity, kind, key, message, origin: null, source };
}
