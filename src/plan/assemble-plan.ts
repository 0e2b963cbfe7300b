import type { Desired } from '../model/desired.ts';
import { InternalError } from '../model/internal-error.ts';
import type { Decision } from '../model/kind.ts';
import { orderProblem } from '../model/levels.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { isSettled } from '../model/reader.ts';
import { groupBy } from '../values/group-by.ts';
import { approvedBefore } from './approved-before.ts';
import type { AssembleInput } from './assemble-input.ts';
import { signPlan, type UnsealedPlan } from './digest.ts';
import { guardPlan } from './guard-plan.ts';
import { linkKinds, onlyPlanned } from './link-kinds.ts';
import { orderActions, orderFindings } from './order-actions.ts';
import { type Origins, openOrigins } from './origins.ts';
import { providedBy, relyingOnNodes } from './references.ts';
import { approvalOf, idleApprovals, otherCode, ruleFindings } from './rules.ts';
import { isEverything, selectsItem } from './selection.ts';
import { countsOf, notReadParts, planBase, planScopes } from './summary.ts';

/**
 * Decisions to plan: the same input gives the same bytes. Effects are set on the actions of the decisions, which are made
 * for one plan. Fields that the digest does not cover may be added before the plan is sealed.
 */
export function assemblePlan(given: AssembleInput): UnsealedPlan {
  const { tool, tenant, generatedAt, selection, desired } = given;
  const kinds = given.kinds.map(({ name }) => name);
  const { decisions, relying } = linked(given, given.decisions, desired);
  const input = { ...given, decisions };
  const allActions = decisions.flatMap((decision) => decision.actions);
  const allFindings = decisions.flatMap((decision) => decision.findings);
  const orderedActions = orderActions(allActions, kinds);
  const unreadable = decisions.filter((decision) => decision.unreadable !== null).map(({ kind }) => kind);
  // An item may be named * as well; a finding about an entire kind exists only for a kind that cannot be read.
  const isAboutKind = (part: Action | Finding) => 'code' in part && part.key === '*' && unreadable.includes(part.kind);
  const selected = (part: Action | Finding) => isAboutKind(part) || selectsItem(selection, part.kind, part.key);
  // Of a kind of which one identity was read, nothing else is known.
  const partial = new Set(decisions.filter(({ population }) => population.filtered).map(({ kind }) => kind));
  const isLeftOut = (part: Action | Finding) => !selected(part) && !partial.has(part.kind);
  const origins = originsOf(input);
  const actions = labelled(orderedActions.filter(selected), origins?.ofAction);
  const planned = onlyPlanned(decisions, actions);
  setEffects(actions, planned);
  const live = () => [...allActions, ...allFindings];
  const found = [...ruleFindings({ ...input, live }), ...allFindings.filter(selected), ...relying];
  const complete = decisions.every(({ unreadable }) => unreadable === null || isSettled(unreadable));
  // A code may be for what is not a part of this plan.
  const isAll = complete && isEverything(selection);
  const guarded = guardPlan({ ...input, decisions: planned }, actions);
  // Without needs, the order is that of the stages.
  const wrong = actions.some(({ needs }) => needs.length > 0) ? orderProblem(actions) : null;
  if (wrong !== null) throw new InternalError(wrong);
  const earlier = approvedBefore({ ...guarded, actions }, input.left);
  const { findings, refusals, digest, review } = signPlan({
    tenant,
    actions,
    complete,
    ...guarded,
    shared: desired.ofProject ? guarded.shared() : null,
    findings: (code) => {
      // The code that approved an interrupted apply still does.
      const others = earlier === null ? otherCode(desired, code, input.approve) : [];
      const idle = isAll && earlier === null ? idleApprovals(desired, code) : [];
      const all = [...found, ...idle, ...others];
      return labelled(orderFindings(all, kinds), origins?.ofFinding);
    },
    approvalOf: (code) => approvalOf(code, desired, input.approve) ?? earlier,
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
      ...orderedActions.filter(isLeftOut).map(({ kind, key, action }) => ({ kind, key, what: action })),
      ...orderFindings(allFindings.filter(isLeftOut), kinds).map(({ kind, key, code }) => ({ kind, key, what: code })),
    ],
    refusals,
    scopes: planScopes(input, actions),
    summary: { ...countsOf({ actions, findings }), unreadable },
    ...(review !== undefined && { review }),
    digest,
  };
}

const none: readonly never[] = [];

/** Decisions that know each other; every kind with a section is asked about all its declared items. */
function linked(
  { kinds, selection, adopts, again }: AssembleInput,
  decisions: readonly Decision[],
  { sections }: Pick<Desired, 'sections'>,
) {
  const itemsOf = (kind: string) => sections.get(kind)?.items ?? none;
  const relyingOn = (token: string, action: Action) =>
    adopts
      ? none
      : [
          ...kinds.flatMap((kind) => kind.relyingOn?.(itemsOf(kind.name), token) ?? none),
          ...relyingOnNodes(kinds, itemsOf, token, action),
        ];
  const planned = new Set(decisions.flatMap(({ actions }) => actions.map(({ id }) => id)));
  const done = (again?.watched ?? none).filter(({ id }) => !planned.has(id));
  const isSelected = (kind: string, key: string) => selectsItem(selection, kind, key);
  return linkKinds(decisions, isSelected, relyingOn, providedBy(done, kinds));
}

/** Null without a base, or with one that is not valid. */
function originsOf(input: AssembleInput): Origins | null {
  const { decisions = [], state = null } = input.base ?? {};
  if (state === null) return null;
  const { decisions: all, relying } = linked(input, decisions, state.desired);
  const findings = [...all.flatMap((decision) => decision.findings), ...relying];
  return openOrigins(state.changes, decisions, findings);
}

function labelled<Part>(parts: Part[], originOf: ((part: Part) => Partial<Part>) | undefined): Part[] {
  return originOf === undefined ? parts : parts.map((part) => ({ ...part, ...originOf(part) }));
}

/**
 * Sets the effects of the actions of a plan, which each kind derives from what the plan contains of it. In place: copies
 * of 100,000 actions take a tenth of a second.
 */
export function setEffects(actions: readonly Action[], decisions: readonly Decision[]): void {
  const byKind = groupBy(actions, ({ kind }) => kind);
  for (const { kind, losses, nested = [], effectsOf } of decisions) {
    const planned = byKind.get(kind);
    if (effectsOf === undefined || planned === undefined) continue;
    const effects = effectsOf({ actions: planned, losses: [...losses, ...nested.flatMap((parts) => parts.losses)] });
    for (const action of planned) action.effects = effects(action);
  }
}
