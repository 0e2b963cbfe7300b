import { changeOf, type Item, itemId } from '../model/action-identity.ts';
import { findingTraits } from '../model/findings.ts';
import type { Action, Effect, Finding, Plan, PlannedRequest } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { groupBy } from '../values/group-by.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf } from '../values/json-pointer.ts';
import { hasReference, requestMatches } from './result-references.ts';

/** The kinds that the files manage: a plan does not cover others. */
export type ManagedKinds = ReadonlySet<string>;

/** What a plan that was made again shows about an action. */
export type Comparison =
  /** It is planned as before: same request, same precondition. The request has real ids in place of references. */
  | { readonly state: 'unchanged'; readonly request: PlannedRequest }
  /** Its goal is reached, so it is not planned any more. */
  | { readonly state: 'reached' }
  /**
   * Something else is planned for the item; null if the item needs attention for another reason, as a finding shows.
   * `notes`: why the same request would not do the same any more.
   */
  | {
      readonly state: 'changed';
      readonly now: Action | null;
      readonly finding: Finding | null;
      readonly notes: readonly string[];
    }
  /** The item could not be read: the reading failed, or nothing can read it. */
  | { readonly state: 'unread'; readonly why: string; readonly failed: boolean };

/** The plan that fresh ones are compared with: indexed once, for all of them. */
export interface EarlierPlan {
  /** The actions of an item. */
  readonly plannedFor: (item: Item) => readonly Action[];
  /** No action of the plan was to correct what it reported. */
  readonly reported: (finding: Finding) => boolean;
}

const nothing: EarlierPlan = { plannedFor: () => [], reported: () => false };

/**
 * The one comparison of a plan that was made again with an earlier one: of this run, a saved one, or what a journal has of
 * one. Requests are compared first.
 *
 *   planned  update p: 100 -> 50, when p was 100
 *   fresh    update p: 100 -> 50     unchanged
 *   fresh    nothing for p           reached: p is 50
 *   fresh    update p: 80 -> 50      changed: p is 80
 */
export function comparePlans(
  fresh: Plan,
  managed: ManagedKinds = new Set(),
  { plannedFor, reported }: EarlierPlan = nothing,
) {
  const byItem = groupBy(fresh.actions, itemId);
  const found = groupBy(fresh.findings, itemId);
  const findingsOf = (item: Item) => (found.get(itemId(item)) ?? []).filter((finding) => !reported(finding));
  const actionsOf = (item: Item): readonly Action[] => byItem.get(itemId(item)) ?? [];

  /** An item can be left out alone, such as a connection whose clients have names that could not be read. */
  const unreadItem = (item: Item): Finding | undefined =>
    (found.get(itemId(item)) ?? []).find((finding) => findingTraits(finding).isUnread);
  /** Why the plan shows nothing about an item that it selects; null if it shows it. */
  const whyUnread = (item: Item): string | null => {
    const { kind } = item;
    if (!managed.has(kind)) return `the files do not manage ${kind}`;
    if (!fresh.summary.unreadable.includes(kind)) return unreadItem(item)?.message ?? null;
    const finding = fresh.findings.find((candidate) => candidate.kind === kind && candidate.key === '*');
    return finding?.message ?? `${kind} could not be read`;
  };
  /**
   * What the action needs now and no action of the earlier plan does: others have taken away meanwhile what replaces what
   * this one takes.
   */
  const newNeeds = ({ needs }: Action): readonly string[] => {
    if (needs.length === 0) return [];
    const needed = new Set(needs);
    return fresh.actions
      .filter((need) => needed.has(need.id) && plannedFor(need).every(({ id }) => id !== need.id))
      .map(({ id, action }) => `needs ${action} of ${id} before it, which was not planned`);
  };

  /** Whether an update of a new item does no more than what the create leaves to the update after it. */
  const isLeft = (create: Action, update: Action): boolean =>
    create.action === 'create' &&
    update.action === 'update' &&
    plannedFor(create).some(({ needs, request: { body } }) => needs.includes(create.id) && sets(body, update));

  return {
    actionsOf,
    /** The action with the request of an earlier one, and with its precondition, if that is still planned and does no more. */
    unchanged: (action: Action): Action | undefined =>
      actionsOf(action).find(
        (same) =>
          same.precondition === action.precondition &&
          requestMatches(action, same.request) &&
          newNotes(action, same).length === 0,
      ),
    /** What the plan shows about an action. */
    of(action: Action): Comparison {
      // A secret that is asked for is planned whatever the tenant has.
      const ofItem = actionsOf(action).filter(({ reason }) => reason !== 'rotated' || action.reason === 'rotated');
      const same = ofItem.find(({ request }) => requestMatches(action, request));
      const notes = same === undefined ? [] : [...newNotes(action, same), ...newNeeds(same)];
      if (same !== undefined && hasSamePrecondition(action, same) && notes.length === 0)
        return { state: 'unchanged', request: same.request };
      // Where its item has to be created, the one that it takes something from may have another name now.
      const isLost = (one: Action) => action.action === 'remove' && one.action === 'create';
      const isPlanned = (one: Action) => one.id === action.id || sharesElements(action, one);
      const other = same ?? ofItem.find((one) => (isPlanned(one) && !isLeft(action, one)) || isLost(one));
      if (other !== undefined) return { state: 'changed', now: other, finding: null, notes };
      const why = whyUnread(action);
      // A tenant that had the feature when the plan was made has lost it.
      const isLacking = ({ kind, code }: Finding) => kind === action.kind && code === 'LIVE_NOT_ON_TENANT';
      if (why !== null)
        return {
          state: 'unread',
          why,
          failed: !fresh.complete || fresh.findings.some(isLacking) || unreadItem(action) !== undefined,
        };
      const finding = leftBy(action, findingsOf(action));
      return finding === null ? { state: 'reached' } : { state: 'changed', now: ofItem[0] ?? null, finding, notes };
    },
    /** Whether it means that there is nothing to do that the plan has no such action. */
    isReached: (action: Planned): boolean => whyUnread(action) === null && leftBy(action, findingsOf(action)) === null,
    whyUnread,
  };
}

/**
 * Whether two actions add to the same set, or remove from it, and have an element in common. Once the first request of
 * several was carried out, or half of it, the elements that are left are in other requests.
 */
function sharesElements(one: Action, other: Action): boolean {
  if (changeOf(one.part) !== changeOf(other.part)) return false;
  const texts = new Set(elementsOf(one));
  return elementsOf(other).some((text) => texts.has(text));
}

function elementsOf({ action, before, after }: Action): readonly string[] {
  const elements = action === 'add' ? after : action === 'remove' ? before : null;
  return Object.values(elements ?? {}).flatMap((list) => (Array.isArray(list) ? list.map(canonicalJson) : []));
}

/** Whether a body has all that an update is for; what the update sends beside that, the service may have filled in. */
function sets(body: unknown, { changes = [], request }: Action): boolean {
  const isIn = ({ field }: { readonly field: string }) =>
    field.split('.').reduce<unknown>(memberOf, body) !== undefined;
  return hasKeysOf(body, request.body) || (changes.length > 0 && changes.every(isIn));
}

function hasKeysOf(body: unknown, other: unknown): boolean {
  if (!isRecord(body) || !isRecord(other)) return true;
  return Object.entries(other).every(([key, value]) => Object.hasOwn(body, key) && hasKeysOf(body[key], value));
}

/** Whether an item is left without an action although it may need one. */
function leavesOpen(finding: Finding): boolean {
  const { differs, live } = findingTraits(finding);
  return differs === true && live !== 'undeclared';
}

/** Whether a live item is kept although no item of the files needs it. */
function keeps(finding: Finding): boolean {
  const { live } = findingTraits(finding);
  return live === 'undeclared' || live === 'unmanaged';
}

/**
 * What reviewers were not shown, and no precondition covers: fields of the live item that are lost, what is critical, and
 * other items that lose access, such as roles that have a scope now which is removed. Other effects depend on how much
 * was read.
 */
export function newNotes({ notes = [], effects }: Action, fresh: Action): readonly string[] {
  const others = fresh.effects.filter(
    ({ code, severity, kind, key }) =>
      severity === 'critical' || (code === 'ACCESS_LOST' && (kind !== fresh.kind || key !== fresh.key)),
  );
  const isShown = ({ code, severity, message, kind, key, id, api, permissions = [] }: Effect) =>
    effects.some(
      (one) =>
        one.code === code &&
        (severity !== 'critical' || one.severity === 'critical' || one.message === message) &&
        one.kind === kind &&
        one.id === id &&
        (id !== undefined || one.key === key) &&
        one.api === api &&
        permissions.every((permission) => one.permissions?.includes(permission)),
    );
  return [
    ...(fresh.notes ?? []).filter((note) => !notes.includes(note)),
    ...others
      .filter((effect) => !isShown(effect))
      .map(({ kind, key, message }) => `has an effect on ${kind}/${key}: ${message}`),
  ];
}

/** What an action with a reference relies on exists only since an earlier action of the same plan. */
function hasSamePrecondition(action: Action, same: Action): boolean {
  return action.precondition === same.precondition || hasReference(action);
}

/** Whether a plan shows if an action is in effect: what cannot be compared is planned whatever the tenant has. */
export function canBeRead({ reason, precondition }: Action): boolean {
  return precondition !== null && reason !== 'unreadable' && reason !== 'rotated';
}

type Planned = Item & Partial<Pick<Action, 'action' | 'part'>>;

/**
 * Why the goal of an action is not reached although it is not planned any more: what it was to delete or remove may be
 * under a rule that keeps it now, because it has another name. Null if the goal is reached.
 */
function leftBy(action: Planned, findings: readonly Finding[]): Finding | null {
  // A journal has no names of actions, but the parts of an add and of a removal; one without a part may be a deletion.
  const does = action.action ?? action.part?.split(' ', 1)[0] ?? 'delete';
  const keeping = does === 'delete' ? findings.findLast(keeps) : undefined;
  const protecting = does === 'remove' ? findings.findLast(({ code }) => code === 'LIVE_PROTECTED') : undefined;
  return keeping ?? findings.findLast(leavesOpen) ?? protecting ?? null;
}
