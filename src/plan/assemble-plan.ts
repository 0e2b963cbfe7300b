import type { Decision, KindName } from '../model/kind.ts';
import type { Operation } from '../model/operation.ts';
import type { Action, Finding, LeftOut, Plan, PlanSummary, PlanTenant, Selection } from '../model/plan.generated.ts';
import type { GuardLimits } from '../model/tenant.generated.ts';
import { fingerprint } from './digest.ts';
import { guardPlan, withApproval } from './guard-plan.ts';
import { orderActions, orderFindings } from './order-actions.ts';
import { planScopes } from './plan-scopes.ts';
import { onlyWholeKey, selectsItem } from './selection.ts';

export interface AssembleInput {
  readonly tool: Plan['tool'];
  readonly tenant: PlanTenant;
  /** RFC 3339; the only part of a plan that two runs over the same input do not share. */
  readonly generatedAt: string;
  /** All kinds, in the order of reports. */
  readonly kinds: readonly KindName[];
  readonly decisions: readonly Decision[];
  /** All operations, for the scopes of actions. */
  readonly operations: readonly Operation[];
  /** The operations that the plan was read with. */
  readonly reads: readonly Operation[];
  /** Declared parts that the selection left out, and so were not read; key * is the whole kind. */
  readonly notRead: readonly { readonly kind: KindName; readonly key: string }[];
  readonly selection: Selection;
  readonly guards: GuardLimits;
}

/** Decisions to plan. Pure: the same input gives the same bytes. */
export function assemblePlan(input: AssembleInput): Plan {
  const { tool, tenant, generatedAt, kinds, decisions, selection } = input;
  const decided = {
    actions: decisions.flatMap(({ actions }) => actions),
    findings: decisions.flatMap(({ findings }) => findings),
  };
  const selected = ({ kind, key }: Action | Finding) => key === '*' || selectsItem(selection, kind, key);
  const actions = orderActions(decided.actions.filter(selected), kinds);
  const findings = orderFindings(decided.findings.filter(selected), kinds);
  const guarded = guardPlan(decisions, actions, input.guards);
  const lost = new Set(guarded.flatMap((guard) => guard.lost));
  const fingerprints = fingerprint({ tenant, actions, findings }, (action) => lost.has(action));
  return {
    format_version: '1.0',
    tool,
    tenant,
    generated_at: generatedAt,
    complete: decisions.every(({ unreadable }) => unreadable === null || unreadable.structural),
    selection,
    actions,
    findings,
    left_out: [
      ...notReadParts(input),
      ...orderActions(decided.actions, kinds)
        .filter((action) => !selected(action))
        .map(({ kind, key, action }) => ({ kind, key, what: action })),
      ...orderFindings(decided.findings, kinds)
        .filter((finding) => !selected(finding))
        .map(({ kind, key, code }) => ({ kind, key, what: code })),
    ],
    refusals: withApproval(guarded, fingerprints.losses),
    scopes: planScopes(input.reads, actions, input.operations),
    summary: summarize(actions, findings, decisions),
    digest: fingerprints.digest,
  };
}

/** Whole kinds, single items, and the rest of a kind of which one item was asked for. */
function notReadParts({ notRead, decisions, selection }: AssembleInput): LeftOut[] {
  const filtered = decisions
    .filter(({ kind, population }) => population.filtered && onlyWholeKey(selection, kind) !== null)
    .map(({ kind }) => kind);
  return [...notRead, ...filtered.map((kind) => ({ kind, key: '*' }))].map(({ kind, key }) => ({
    kind,
    key,
    what: 'not_read',
  }));
}

function summarize(
  actions: readonly Action[],
  findings: readonly Finding[],
  decisions: readonly Decision[],
): PlanSummary {
  const counts = { create: 0, update: 0, delete: 0, add: 0, remove: 0, put: 0 };
  for (const { action } of actions) counts[action] += 1;
  const unreadable = decisions.filter((decision) => decision.unreadable !== null).map(({ kind }) => kind);
  return { ...counts, findings: findings.length, requests: actions.length, unreadable };
}
