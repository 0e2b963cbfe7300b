import { isDifference } from '../model/findings.ts';
import type { Action, LeftOut, Plan, PlanBase, PlanScopes, PlanSummary } from '../model/plan.generated.ts';
import type { AssembleInput, BaseDecided } from './assemble-input.ts';
import { onlyCompleteKeys } from './selection.ts';

/** True when a difference is proven. A request planned because a kind cannot be read proves none. */
export function hasDrift({ actions, findings }: Plan): boolean {
  return actions.some(({ reason }) => reason !== 'unreadable') || findings.some(isDifference);
}

/** True if apply would do something, or if a declared item differs and no action can correct it. */
export function isOutOfSync({ actions, findings }: Plan): boolean {
  return actions.length > 0 || findings.some((finding) => isDifference(finding) && finding.source !== null);
}

/** True if items of the files were left out of the plan because of an error that only the tenant shows. */
export function hasErrors({ findings }: Pick<Plan, 'findings'>): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** A plan for people, without actions that are not sent. */
export function withoutActions(plan: Plan, ended: readonly { readonly id: string }[]): Plan {
  const ids = new Set(ended.map(({ id }) => id));
  const actions = plan.actions.filter(({ id }) => !ids.has(id));
  return { ...plan, actions, summary: { ...plan.summary, ...countsOf({ ...plan, actions }) } };
}

/** How many actions and findings a plan has. */
export function countsOf({ actions, findings }: Pick<Plan, 'actions' | 'findings'>): Omit<PlanSummary, 'unreadable'> {
  const counts = { create: 0, update: 0, delete: 0, add: 0, remove: 0, put: 0 };
  for (const { action } of actions) counts[action] += 1;
  return { ...counts, findings: findings.length, requests: actions.length };
}

export function planBase(base: BaseDecided | undefined): PlanBase | null {
  if (base === undefined) return null;
  const { ref, commit, isBehind, state } = base;
  return {
    ref,
    commit,
    ...(isBehind && { behind: true }),
    valid: state !== null,
    header: [...(state?.changes.header ?? [])],
    sections: [...(state?.changes.sections ?? [])],
  };
}

/** Entire kinds, single items, and the rest of a kind of which only a part was selected. */
export function notReadParts({ notRead, decisions, selection, again }: AssembleInput): LeftOut[] {
  const filtered = decisions
    .filter(
      ({ kind, population, unlisted }) =>
        (unlisted === true && again === undefined) ||
        (population.filtered && onlyCompleteKeys(selection, kind) !== null),
    )
    .map(({ kind }) => kind);
  const parts = [...notRead, ...filtered.map((kind) => ({ kind, key: '*' }))];
  // Most items do not change, and each of them would be named.
  const named = selection.changed
    ? [...new Set(parts.map(({ kind }) => kind))].map((kind) => ({ kind, key: '*' }))
    : parts;
  return named.map(({ kind, key }) => ({ kind, key, what: 'not_read' }));
}

/**
 * The scopes that a token needs: to read what the plan was made from, and to send its requests; apply reads again
 * first.
 */
export function planScopes(
  { reads, kinds }: Pick<AssembleInput, 'reads' | 'kinds'>,
  actions: readonly Action[],
): PlanScopes {
  const scopeOf = new Map(kinds.flatMap(({ operations }) => operations.map(({ id, scope }) => [id, scope] as const)));
  const plan = reads.map(({ scope }) => scope);
  const writes = new Set(actions.map(({ request }) => request.operation));
  return {
    plan: sorted(plan),
    apply: sorted([...plan, ...[...writes].flatMap((operation) => scopeOf.get(operation) ?? [])]),
  };
}

function sorted(scopes: readonly string[]): string[] {
  return [...new Set(scopes)].sort();
}
