import type { Decision, Link, LiveCount } from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';

/**
 * Connects decisions of different kinds, which do not know each other, by what their actions provide, follow, require
 * and withdraw.
 *
 *   API:  add x      provides "x exists"
 *   role: add x      after "x exists"                  ->  it needs the add of the API
 *   role: add y      requires "y exists"               ->  nothing provides it: a finding, and no action for the role
 *   role: remove z   provides "role lacks z"
 *   API:  remove z   after "role lacks z", a loss of the role unless "role lacks z"
 *                                                      ->  it needs the remove of the role, which counts the loss
 *   API:  remove w   withdraws "w exists"              ->  left out if a role relies on it, with a finding
 *
 * `isSelected`: whether the plan has the actions and findings of an item. What relies on a token is an error of the plan
 * also if it is not selected, as an action that is selected would break it.
 */
export function linkKinds(
  decisions: readonly Decision[],
  isSelected: (kind: string, key: string) => boolean,
  relyingOn: RelyingOn = () => [],
): LinkedKinds {
  const isLinked = ({ links = [], requirements = [], losses }: Decision) =>
    links.length + requirements.length > 0 || losses.some(({ unless }) => unless !== undefined);
  if (!decisions.some(isLinked)) return { decisions, relying: [] };
  const errors = new Map<Decision, Finding[]>(decisions.map((decision) => [decision, []]));
  const { leftOut, relying } = withdrawn(decisions, isSelected, relyingOn);
  // An item that is left out provides nothing, which may leave out others.
  for (let before = -1; before < leftOut.size; ) {
    before = leftOut.size;
    leaveOutUnmet(decisions, isSelected, leftOut, errors);
  }
  const providers = providersOf(decisions, isSelected, leftOut);
  return {
    decisions: decisions.map((decision) => linked(decision, providers, leftOut, errors.get(decision) ?? [])),
    relying,
  };
}

/** Errors for the declared items, selected or not, that need a token which an action would withdraw. */
export type RelyingOn = (token: string) => readonly Finding[];

export interface LinkedKinds {
  readonly decisions: readonly Decision[];
  /** Why actions were left out that would remove what declared items rely on. */
  readonly relying: readonly Finding[];
}

type Errors = ReadonlyMap<Decision, Finding[]>;

/** Ids of actions that would remove what declared items rely on. */
function withdrawn(
  decisions: readonly Decision[],
  isSelected: (kind: string, key: string) => boolean,
  relyingOn: RelyingOn,
): { readonly leftOut: Set<string>; readonly relying: readonly Finding[] } {
  const leftOut = new Set<string>();
  const relying: Finding[] = [];
  for (const { link } of selectedLinks(decisions, isSelected)) {
    for (const token of link.withdraws ?? []) {
      const found = relyingOn(token);
      if (found.length > 0) leftOut.add(link.id);
      for (const finding of found) relying.push(finding);
    }
  }
  return { leftOut, relying };
}

/** Leaves out all actions of items with a requirement that nothing meets. */
function leaveOutUnmet(
  decisions: readonly Decision[],
  isSelected: (kind: string, key: string) => boolean,
  leftOut: Set<string>,
  errors: Errors,
): void {
  const provided = new Set(providersOf(decisions, isSelected, leftOut).keys());
  for (const decision of decisions) {
    const { kind, actions, requirements = [] } = decision;
    const unmet = requirements.filter(({ key, token }) => isSelected(kind, key) && !provided.has(token));
    const byKey = groupBy(actions, ({ key }) => key);
    for (const [key, ofItem] of groupBy(unmet, (requirement) => requirement.key)) {
      const open = (byKey.get(key) ?? []).filter(({ id }) => !leftOut.has(id));
      if (open.length === 0) continue;
      for (const { id } of open) leftOut.add(id);
      errors.get(decision)?.push(...ofItem.map((requirement) => requirement.unmet(provided)));
    }
  }
}

function selectedLinks(
  decisions: readonly Decision[],
  isSelected: (kind: string, key: string) => boolean,
): { readonly link: Link; readonly action: Action }[] {
  return decisions.flatMap(({ kind, actions, links = [] }) => {
    const byId = new Map(links.length === 0 ? [] : actions.map((action) => [action.id, action]));
    return links.flatMap((link) => {
      const action = byId.get(link.id);
      return action !== undefined && isSelected(kind, action.key) ? [{ link, action }] : [];
    });
  });
}

/** Ids of the actions that provide a token. */
function providersOf(
  decisions: readonly Decision[],
  isSelected: (kind: string, key: string) => boolean,
  leftOut: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const providers = new Map<string, string[]>();
  for (const { link } of selectedLinks(decisions, isSelected)) {
    if (leftOut.has(link.id)) continue;
    for (const token of link.provides ?? []) providers.set(token, [...(providers.get(token) ?? []), link.id]);
  }
  return providers;
}

function linked(
  decision: Decision,
  providers: ReadonlyMap<string, readonly string[]>,
  leftOut: ReadonlySet<string>,
  errors: readonly Finding[],
): Decision {
  const { actions, losses, links = [], population } = decision;
  const needs = new Map(links.map(({ id, after = [] }) => [id, after.flatMap((token) => providers.get(token) ?? [])]));
  const lost = losses.filter(({ unless = [] }) => !unless.some((token) => providers.has(token)));
  const kept = new Set(actions.filter(({ id }) => leftOut.has(id)).map(({ key }) => key));
  return {
    ...decision,
    actions: actions
      .filter(({ id }) => !leftOut.has(id))
      .map((action) => connected(action, needs.get(action.id) ?? [])),
    findings: [...decision.findings, ...errors],
    losses: lost,
    population: {
      ...population,
      live: population.live.map((count) => (kept.has(count.key) ? untouched(count) : count)),
    },
  };
}

function connected(action: Action, needs: readonly string[]): Action {
  return needs.length === 0 ? action : { ...action, needs: [...new Set([...action.needs, ...needs])] };
}

/** Nothing of an item is lost if its actions are left out. */
function untouched(count: LiveCount): LiveCount {
  return { ...count, left: count.parts };
}
