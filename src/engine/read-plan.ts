import type { FreshReading } from '../apply/knowledge.ts';
import { requestMatches } from '../apply/result-references.ts';
import { itemId } from '../model/action-identity.ts';
import type { AnyKind } from '../model/kind.ts';
import { isRemoval } from '../model/levels.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { itemSelector, parseSelector } from '../values/selector.ts';
import type { Session } from './connected.ts';
import { type PlanParts, planFor } from './make-plan.ts';
import { type Invalid, invalid } from './results.ts';
import { idleRotation, unmatchedOnly } from './selectors.ts';

export interface PlanRead extends FreshReading {
  readonly status: 'read';
}

/** Reads the tenant and makes the plan. */
export async function readPlan(
  session: Session,
  more: Pick<PlanParts, 'inspects' | 'glance' | 'left'> = {},
): Promise<PlanRead | Invalid> {
  const { loaded, options } = session;
  const began = options.clock.monotonic();
  const plan = await planFor(session, loaded.selection, {
    written: loaded.written,
    ...more,
    ...(loaded.base !== undefined && { base: loaded.base }),
  });
  // What changed may be on neither side: an item that the files do not have any more.
  const only = loaded.selection.changed ? [] : unmatchedOnly(plan, loaded.desired, options.kinds);
  const unmatched = [...only, ...idleRotation(plan, options.kinds)];
  if (unmatched.length > 0) return invalid(unmatched);
  return { status: 'read', plan, began, arrivedAt: began };
}

/**
 * Plans the items of some actions of an earlier plan again, and reads nothing else. Of a kind whose complete list is read,
 * everything that the selection covers is planned: an action may need one now that it did not need before. `listed`: such
 * a kind; one whose items are read by their ids is another if it loses any.
 */
export async function planAgain(
  session: Session,
  about: readonly Action[],
  { actions: all, selection }: Pick<Plan, 'actions' | 'selection'>,
  { listed, ...more }: Pick<PlanParts, 'snapshot' | 'inspects'> & { readonly listed?: string | null } = {},
): Promise<PlanRead> {
  const { kinds, clock } = session.options;
  const began = clock.monotonic();
  // With the removals that they need: what other items lose by those is no loss by these. And with what they need of other
  // kinds: a scope that the plan adds is none on the tenant yet.
  const [given, needed] = [new Set(about), new Set(about.flatMap(({ needs }) => needs))];
  const isOther = ({ kind }: Action) => about.every((one) => one.kind !== kind);
  const isAlso = (one: Action) => needed.has(one.id) && !given.has(one) && (isRemoval(one) || isOther(one));
  const actions = [...about, ...all.filter(isAlso)];
  const losing = new Set(actions.filter(({ action }) => action === 'delete').map(({ kind }) => kind));
  const isListed = ({ name, reading }: AnyKind) => {
    if (reading?.each !== false) return false;
    return name === listed || (losing.has(name) && reading.source?.get !== undefined && !reading.source.filterOf);
  };
  const lists = new Set(kinds.filter(isListed).map(({ name }) => name));
  const byItem = groupBy(actions, itemId);
  const only = [
    ...[...byItem.values()].flatMap(([item]) => (item === undefined || lists.has(item.kind) ? [] : itemSelector(item))),
    ...[...lists].flatMap((kind) => {
      const named = selection.only.filter((text) => parseSelector(text).kind === kind);
      return named.length > 0 ? named : [kind];
    }),
  ];
  const isSent = (fresh: Action) =>
    (byItem.get(itemId(fresh)) ?? []).some((planned) => requestMatches(planned, fresh.request));
  const parts = { ...more, listed: listed != null, watched: actions, again: { selection, isSent, watched: actions } };
  return { status: 'read', plan: await planFor(session, { ...selection, only }, parts), began, arrivedAt: began };
}
