import type { Counted, Decision, Link, Loss } from '../model/kind.ts';
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
 * also if it is not selected, as an action that is selected would break it. `relying`: why actions were left out that
 * would remove what declared items rely on. `done`: what is true since actions of an earlier plan, also where a list does not
 * show it yet.
 */
export function linkKinds(
  decisions: readonly Decision[],
  isSelected: IsSelected,
  relyingOn: RelyingOn = () => [],
  done: readonly string[] = [],
) {
  const isLinked = ({ links = [], requirements = [], losses }: Decision) =>
    links.length + requirements.length > 0 || losses.some(({ unless }) => unless !== undefined);
  if (!decisions.some(isLinked)) return { decisions, relying: [] };
  const links = selectedLinks(decisions, isSelected);
  const leftOut = new Set<string>();
  const relying: Finding[] = [];
  const withdrawing = links.filter(({ withdraws = [] }) => withdraws.length > 0);
  const byId = new Map(
    withdrawing.length === 0 ? [] : decisions.flatMap(({ actions }) => actions.map((one) => [one.id, one])),
  );
  for (const { id, withdraws = [] } of withdrawing) {
    const action = byId.get(id);
    const found = action === undefined ? [] : withdraws.flatMap((token) => relyingOn(token, action));
    if (found.length > 0) leftOut.add(id);
    for (const finding of found) relying.push(finding);
  }
  const errors = new Map<string, Finding[]>(decisions.map(({ kind }) => [kind, []]));
  /** Leaves out all actions of items with a requirement that nothing meets. */
  const leaveOutUnmet = (provided: ReadonlySet<string>) => {
    for (const decision of decisions) {
      const { kind, actions, requirements = [] } = decision;
      const unmet = requirements.filter(({ key, token }) => isSelected(kind, key) && !provided.has(token));
      const byKey = groupBy(actions, ({ key }) => key);
      for (const [key, ofItem] of groupBy(unmet, (requirement) => requirement.key)) {
        const open = (byKey.get(key) ?? []).filter(({ id }) => !leftOut.has(id));
        if (open.length === 0) continue;
        for (const { id } of open) leftOut.add(id);
        errors.get(kind)?.push(...ofItem.map((requirement) => requirement.unmet(provided)));
      }
    }
  };
  // An item that is left out provides nothing, which may leave out others.
  for (let before = -1; before < leftOut.size; ) {
    before = leftOut.size;
    leaveOutUnmet(new Set([...providersOf(links, leftOut).keys(), ...done]));
  }
  const providers = providersOf(links, leftOut);
  const linked = (decision: Decision): Decision => {
    const { kind, actions, losses, nested } = decision;
    const isLost = ({ unless = [] }: Loss) => !unless.some((token) => providers.has(token));
    const needs = groupBy(decision.links ?? [], ({ id }) => id);
    const needsOf = (id: string) =>
      (needs.get(id) ?? []).flatMap(({ after = [] }) => after.flatMap((token) => providers.get(token) ?? []));
    return {
      ...decision,
      actions: actions.map((action) => connected(action, needsOf(action.id))),
      findings: [...decision.findings, ...(errors.get(kind) ?? [])],
      losses: losses.filter(isLost),
      ...(nested && { nested: nested.map((parts) => ({ ...parts, losses: parts.losses.filter(isLost) })) }),
    };
  };
  const kept = decisions.flatMap(({ actions }) => actions.filter(({ id }) => !leftOut.has(id)));
  return { decisions: onlyPlanned(decisions, kept).map(linked), relying: relying.filter(isNew(decisions, isSelected)) };
}

/** A kind may have found the same error, which is then reported once. */
function isNew(decisions: readonly Decision[], isSelected: IsSelected): (finding: Finding) => boolean {
  const textOf = ({ code, kind, key, message }: Finding) => JSON.stringify([code, kind, key, message]);
  const known = new Set(
    decisions.flatMap(({ findings }) => findings.filter(({ kind, key }) => isSelected(kind, key)).map(textOf)),
  );
  return (finding) => !known.has(textOf(finding));
}

/** Decisions without what is not among `planned`, which are some of their actions. */
export function onlyPlanned(decisions: readonly Decision[], planned: readonly Action[]): readonly Decision[] {
  // Mostly, everything is planned.
  if (decisions.reduce((sum, { actions }) => sum + actions.length, 0) === planned.length) return decisions;
  const ids = new Set(planned.map(({ id }) => id));
  const isPlanned = ({ id }: { readonly id: string }) => ids.has(id);
  const counted = <Parts extends Counted>(parts: Parts): Parts => ({
    ...parts,
    losses: parts.losses.filter(isPlanned),
    asked: parts.asked.filter(isPlanned),
    gains: parts.gains.filter((id) => ids.has(id)),
  });
  return decisions.map((decision) => ({
    ...counted(decision),
    actions: decision.actions.filter(isPlanned),
    ...(decision.nested && { nested: decision.nested.map(counted) }),
  }));
}

/** Errors for the declared items, selected or not, that need a token which this action would withdraw. */
export type RelyingOn = (token: string, action: Action) => readonly Finding[];

type IsSelected = (kind: string, key: string) => boolean;

function selectedLinks(decisions: readonly Decision[], isSelected: IsSelected): Link[] {
  return decisions.flatMap(({ kind, actions, links = [] }) => {
    const keys = new Map(links.length === 0 ? [] : actions.map(({ id, key }) => [id, key]));
    return links.filter(({ id }) => keys.has(id) && isSelected(kind, keys.get(id) ?? ''));
  });
}

/** Ids of the actions that provide a token. */
function providersOf(links: readonly Link[], leftOut: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const providers = new Map<string, string[]>();
  for (const { id, provides = [] } of links) {
    if (leftOut.has(id)) continue;
    for (const token of provides) providers.set(token, [...(providers.get(token) ?? []), id]);
  }
  return providers;
}

function connected(action: Action, needs: readonly string[]): Action {
  return needs.length === 0 ? action : { ...action, needs: [...new Set([...action.needs, ...needs])] };
}
