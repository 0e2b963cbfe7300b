import { sharedReader } from '../client/memo-reader.ts';
import type { Desired, WrittenFiles } from '../model/desired.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { Glance } from '../model/reader.ts';
import { openRefusals } from '../model/refusals.ts';
import type { PlannedBefore } from '../plan/assemble-input.ts';
import { assemblePlan } from '../plan/assemble-plan.ts';
import { sealPlan, type UnsealedPlan } from '../plan/digest.ts';
import type { RelyingOn } from '../plan/link-kinds.ts';
import { selectsKind } from '../plan/selection.ts';
import { decideKind, defaultApi, itemsNotRead, type KindInput, reached, readingOf } from './decide-kind.ts';
import { withDesired } from './desired-fingerprint.ts';
import { allOrFirstError, inspected, withClientNames, withCounts } from './shown-effects.ts';

export interface MakePlanInput extends KindInput {
  readonly kinds: readonly AnyKind[];
  readonly baseUrl: string;
  readonly tool: Plan['tool'];
  readonly generatedAt: string;
  /** Set if `watched` are all actions that are left of an earlier plan: what guards are evaluated for. */
  readonly again?: PlannedBefore;
  /** A code that is approved in addition to those of the files. */
  readonly approve?: string | undefined;
  /** The files as they are written, for the edit that approves what is refused. Default: no edit is made. */
  readonly written?: WrittenFiles;
  /** True if people read the plan: then texts are inspected, and it is counted who loses something. Default: false. */
  readonly inspects?: boolean;
  /** Reads the names of clients. Default: actions have none. */
  readonly glance?: Glance;
  /** True if the files become equal to the tenant: then no declared item relies on what an action removes. */
  readonly adopts?: boolean;
}

/**
 * The one path from files and live state to a plan, for `plan`, `apply` and `drift`. Throws what the reader throws if
 * the tenant cannot be reached.
 */
export async function makePlan(input: MakePlanInput): Promise<Plan> {
  const { desired, kinds, selection, tool, generatedAt, baseUrl, base } = input;
  const api = desired.tenant.api ?? defaultApi;
  const managed = kinds.flatMap((kind) => {
    const section = desired.sections.get(kind.name);
    return section === undefined ? [] : [{ kind, section, reading: readingOf(kind, api) }];
  });
  const selected = managed.filter(({ kind }) => selectsKind(selection, kind.name));
  const readerOf = sharedReader(
    input.reader,
    selected.flatMap(({ reading }) => reading ?? []),
  );
  const decided = await allOrFirstError(
    selected.map(async (part) => {
      const { decision, base: past } = await decideKind(part, api, { ...input, reader: readerOf() });
      const inspects = input.inspects ? await inspected(part.kind, decision) : decision;
      return { decision: withDesired(inspects, part.section), past };
    }),
  );
  const decisions = decided.map(({ decision }) => decision);
  const plan = assemblePlan({
    tool,
    tenant: { name: desired.tenant.name ?? new URL(baseUrl).host, base_url: baseUrl, api },
    generatedAt,
    kinds: kinds.map((kind) => kind.name),
    operations: kinds.flatMap((kind) => kind.operations),
    reads: selected.flatMap(({ reading }) => reading?.operations ?? []),
    decisions: managed.length > 0 || input.adopts ? decisions : await reached(kinds, input, api),
    notRead: [
      ...managed.filter((part) => !selected.includes(part)).map(({ kind }) => ({ kind: kind.name, key: '*' })),
      ...selected.flatMap((part) => itemsNotRead(part, selection)),
    ],
    selection,
    managed: managed.map(({ kind }) => kind.name),
    declared: managed.flatMap(({ kind, section }) => section.items.map(({ key }) => ({ kind: kind.name, key }))),
    ...(!input.adopts && { relyingOn: relyingOn(kinds, desired) }),
    rules: desired,
    approve: input.approve,
    again: input.again,
    ...(base !== undefined && {
      base: {
        ...base,
        state: base.state && { ...base.state, relyingOn: relyingOn(kinds, base.state.desired) },
        decisions: decided.flatMap(({ past }) => past ?? []),
      },
    }),
  });
  const near = plan.refusals.find(({ code }) => code === 'GUARD_NEAR_PROTECTED');
  // The pattern may match a name that was not read.
  if (near && input.own && !input.listed && decisions.some(({ kind, names }) => kind === near.kind && names === null))
    return makePlan({ ...input, listed: true, pages: new Map() });
  const counted = input.inspects ? await withCounts(plan.actions, kinds, input.reader) : plan.actions;
  const actions = input.glance ? await withClientNames(counted, kinds, api, input.glance) : counted;
  return sealPlan(await withApprovalEdit({ ...plan, actions }, input.written));
}

/** Asks every kind with a section about all its declared items. */
function relyingOn(kinds: readonly AnyKind[], { sections }: Desired): RelyingOn {
  return (token) => kinds.flatMap((kind) => kind.relyingOn?.(sections.get(kind.name)?.items ?? [], token) ?? []);
}

/** The code for this is loaded only if it is needed. */
export async function withApprovalEdit<Refused extends Pick<UnsealedPlan, 'refusals'>>(
  plan: Refused,
  written: WrittenFiles | undefined,
): Promise<Refused> {
  const [open] = openRefusals(plan.refusals);
  if (open === undefined || written === undefined) return plan;
  const { approvalEdit } = await import('../edit/header-edits.ts');
  const approve_in = approvalEdit(written, open.approve);
  const refusals = plan.refusals.map((refusal) =>
    refusal.approved_by === null ? { ...refusal, approve_in } : refusal,
  );
  return { ...plan, refusals };
}
