import { InternalError } from '../model/internal-error.ts';
import { orderProblem } from '../model/levels.ts';
import type { Action, Finding, Selection } from '../model/plan.generated.ts';
import type { AssembleInput } from './assemble-input.ts';
import { signPlan, type UnsealedPlan } from './digest.ts';
import { withEffects } from './effects.ts';
import { guardPlan } from './guard-plan.ts';
import { type LinkedKinds, linkKinds, type RelyingOn } from './link-kinds.ts';
import { orderActions, orderFindings } from './order-actions.ts';
import { noOrigins, type Origins, openOrigins } from './origins.ts';
import { approvalOf, idleApprovals, idlePatterns, ruleFindings } from './rules.ts';
import { isEverything, selectsItem } from './selection.ts';
import { countsOf, notReadParts, planBase, planScopes } from './summary.ts';

/**
 * Decisions to plan. Pure: the same input gives the same bytes. Fields that the digest does not cover may be added before
 * the plan is sealed.
 */
export function assemblePlan(given: AssembleInput): UnsealedPlan {
  const { tool, tenant, generatedAt, kinds, selection, rules } = given;
  const { decisions, relying } = linked(given, given.relyingOn, selection);
  const input = { ...given, decisions };
  const decided = {
    actions: orderActions(
      decisions.flatMap((decision) => decision.actions),
      kinds,
    ),
    findings: orderFindings(
      decisions.flatMap((decision) => decision.findings),
      kinds,
    ),
  };
  const unreadable = new Set(decisions.filter((decision) => decision.unreadable !== null).map(({ kind }) => kind));
  // An item may be named * as well; a finding about an entire kind exists only for a kind that cannot be read.
  const isAboutKind = (part: Action | Finding) => 'code' in part && part.key === '*' && unreadable.has(part.kind);
  const selected = (part: Action | Finding) => isAboutKind(part) || selectsItem(selection, part.kind, part.key);
  // Of a kind of which one identity was read, nothing else is known.
  const partial = new Set(decisions.filter(({ population }) => population.filtered).map(({ kind }) => kind));
  const isPartlyRead = ({ kind }: Action | Finding) => partial.has(kind);
  const origins = originsOf(input);
  const labelledActions = labelled(decided.actions.filter(selected), origins.ofAction, origins);
  const actions = withEffects(labelledActions, decisions);
  const idle = idlePatterns(input);
  const live = [...decided.actions, ...decided.findings];
  const found = [...ruleFindings({ ...input, live }, idle), ...decided.findings.filter(selected), ...relying];
  const complete = decisions.every(({ unreadable }) => unreadable === null || unreadable.structural);
  // A code may be for what is not a part of this plan.
  const isAll = complete && isEverything(selection);
  const wrong = orderProblem(actions);
  if (wrong !== null) throw new InternalError(wrong);
  const limits = rules.header.guards ?? {};
  const guarded = guardPlan({
    decisions,
    actions: input.again === undefined ? actions : actions.filter(input.again.isSent),
    isPart: input.again !== undefined,
    selection: input.again?.selection ?? selection,
    limits,
    idle,
    partlyRead: new Set(input.notRead.map(({ kind }) => kind)),
  });
  const { findings, refusals, digest } = signPlan({
    tenant,
    actions,
    ...guarded,
    findings: (code) => {
      const all = [...found, ...(isAll ? idleApprovals(rules, code) : [])];
      return labelled(orderFindings(all, kinds), origins.ofFinding, origins);
    },
    approvalOf: (code) => approvalOf(code, rules, input.approve),
  });
  return {
    format_version: '2.0',
    tool,
    tenant,
    generated_at: generatedAt,
    base: planBase(given.base),
    complete,
    selection,
    actions,
    findings,
    left_out: [
      ...notReadParts(input),
      ...decided.actions
        .filter((action) => !selected(action) && !isPartlyRead(action))
        .map(({ kind, key, action }) => ({ kind, key, what: action })),
      ...decided.findings
        .filter((finding) => !selected(finding) && !isPartlyRead(finding))
        .map(({ kind, key, code }) => ({ kind, key, what: code })),
    ],
    refusals,
    scopes: planScopes(input.reads, actions, input.operations),
    summary: {
      ...countsOf({ actions, findings }),
      unreadable: decisions.filter((decision) => decision.unreadable !== null).map(({ kind }) => kind),
    },
    digest,
  };
}

function originsOf({ base, selection }: AssembleInput): Origins {
  if (base === undefined || base.state === null) return noOrigins;
  const { decisions, state } = base;
  const { decisions: all, relying } = linked({ decisions }, state.relyingOn, selection);
  const findings = [...all.flatMap((decision) => decision.findings), ...relying];
  return openOrigins({ changes: state.changes, decisions, findings });
}

function linked(
  { decisions }: Pick<AssembleInput, 'decisions'>,
  relyingOn: RelyingOn | undefined,
  selection: Selection,
): LinkedKinds {
  return linkKinds(decisions, (kind, key) => selectsItem(selection, kind, key), relyingOn);
}

function labelled<Part extends Action | Finding>(
  parts: Part[],
  originOf: (part: Part) => Partial<Part>,
  origins: Origins,
): Part[] {
  return origins === noOrigins ? parts : parts.map((part) => ({ ...part, ...originOf(part) }));
}
