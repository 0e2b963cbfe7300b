import { InternalError } from '../model/internal-error.ts';
import type { Decision } from '../model/kind.ts';
import { orderProblem } from '../model/levels.ts';
import type { Operation } from '../model/operation.ts';
import type {
  Action,
  Finding,
  LeftOut,
  Plan,
  PlanBase,
  PlanScopes,
  PlanTenant,
  Selection,
} from '../model/plan.generated.ts';
import { planChecksum, signPlan } from './digest.ts';
import { withEffects } from './effects.ts';
import type { FileChanges } from './file-changes.ts';
import { guardPlan } from './guard-plan.ts';
import { type LinkedKinds, linkKinds, type RelyingOn } from './link-kinds.ts';
import { orderActions, orderFindings } from './order-actions.ts';
import { noOrigins, type Origins, openOrigins } from './origins.ts';
import { approvalOf, idleApprovals, idlePatterns, type Rules, ruleFindings } from './rules.ts';
import { isEverything, onlyCompleteKeys, selectsItem } from './selection.ts';
import { countsOf } from './summary.ts';

export interface AssembleInput {
  readonly tool: Plan['tool'];
  readonly tenant: PlanTenant;
  /** RFC 3339; the only part of a plan, with its checksum, that two runs over the same input do not share. */
  readonly generatedAt: string;
  /** Names of all kinds, in the order of reports. */
  readonly kinds: readonly string[];
  readonly decisions: readonly Decision[];
  /** All operations, for the scopes of actions. */
  readonly operations: readonly Operation[];
  /** The operations that the plan was read with. */
  readonly reads: readonly Operation[];
  /** Kinds with a section. */
  readonly managed: readonly string[];
  /** Every declared item, also those that the selection leaves out. */
  readonly declared: readonly { readonly kind: string; readonly key: string }[];
  /** Declared parts that the selection left out, and that were not read for this reason; key * is the entire kind. */
  readonly notRead: readonly { readonly kind: string; readonly key: string }[];
  readonly selection: Selection;
  /** For every declared item; default: none relies on anything. */
  readonly relyingOn?: RelyingOn;
  readonly rules: Rules;
  /** Set if an earlier plan is made again: guards are evaluated for what is sent of that plan. */
  readonly again?: PlannedBefore | undefined;
  /** A code that is approved in addition to those of the rules. */
  readonly approve?: string | undefined;
  /** Makes it a three-way plan. */
  readonly base?: BaseDecided;
}

export interface BaseDecided extends Pick<PlanBase, 'ref' | 'commit'> {
  readonly isBehind: boolean;
  /** Null if the files of the base have errors. */
  readonly state: { readonly changes: FileChanges; readonly relyingOn?: RelyingOn } | null;
  /** For the files of the base, on the live state of the plan. */
  readonly decisions: readonly Decision[];
}

export interface PlannedBefore {
  /** The selection of the earlier plan; that of this plan names what is read. */
  readonly selection: Selection;
  /** Whether an action of this plan is one of the earlier plan. */
  readonly isSent: (action: Action) => boolean;
}

/** A plan without its checksum. */
export type UnsealedPlan = Omit<Plan, 'checksum'>;

/** The checksum is computed when it is read: people need none, and it takes as long as the JSON of the plan. */
export function sealPlan(plan: UnsealedPlan): Plan {
  let checksum: string | undefined;
  return {
    ...plan,
    get checksum() {
      checksum ??= planChecksum(plan);
      return checksum;
    },
  };
}

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

function planBase(base: BaseDecided | undefined): PlanBase | null {
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
function notReadParts({ notRead, decisions, selection, again }: AssembleInput): LeftOut[] {
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
function planScopes(
  reads: readonly Operation[],
  actions: readonly Action[],
  operations: readonly Operation[],
): PlanScopes {
  const scopeOf = new Map(operations.map(({ id, scope }) => [id, scope]));
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
