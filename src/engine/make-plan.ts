import { sharedReader } from '../client/memo-reader.ts';
import type { WrittenFiles } from '../model/desired.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { Glance } from '../model/reader.ts';
import { openRefusals } from '../model/refusals.ts';
import type { AssembleInput } from '../plan/assemble-input.ts';
import { assemblePlan } from '../plan/assemble-plan.ts';
import { sealPlan, type UnsealedPlan } from '../plan/digest.ts';
import { selectsKind } from '../plan/selection.ts';
import { decideKind, defaultApi, itemsNotRead, type KindInput, reached, readingOf } from './decide-kind.ts';
import { withDesired } from './desired-fingerprint.ts';
import { allOrFirstError, inspected, withClientNames, withCounts } from './shown-effects.ts';

export interface MakePlanInput
  extends KindInput,
    Pick<AssembleInput, 'kinds' | 'tool' | 'generatedAt' | 'again' | 'approve' | 'adopts'> {
  readonly baseUrl: string;
  /** The files as they are written, for the edit that approves what is refused. Default: no edit is made. */
  readonly written?: WrittenFiles;
  /** True if people read the plan: then texts are inspected, and it is counted who loses something. Default: false. */
  readonly inspects?: boolean;
  /** Reads the names of clients. Default: actions have none. */
  readonly glance?: Glance;
}

/**
 * The one path from files and live state to a plan, for `plan`, `apply` and `drift`. Throws what the reader throws if
 * the tenant cannot be reached.
 */
export async function makePlan(input: MakePlanInput): Promise<Plan> {
  const { base, ...present } = input;
  const { desired, kinds, selection, baseUrl } = present;
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
    ...present,
    tenant: { name: desired.tenant.name ?? new URL(baseUrl).host, base_url: baseUrl, api },
    reads: selected.flatMap(({ reading }) => reading?.operations ?? []),
    decisions: managed.length > 0 || input.adopts ? decisions : await reached(kinds, input, api),
    notRead: [
      ...managed.filter((part) => !selected.includes(part)).map(({ kind }) => ({ kind: kind.name, key: '*' })),
      ...selected.flatMap((part) => itemsNotRead(part, selection)),
    ],
    ...(base !== undefined && { base: { ...base, decisions: decided.flatMap(({ past }) => past ?? []) } }),
  });
  const near = plan.refusals.find(({ code }) => code === 'GUARD_NEAR_PROTECTED');
  // The pattern may match a name that was not read.
  if (near && input.own && !input.listed && decisions.some(({ kind, names }) => kind === near.kind && names === null))
    return makePlan({ ...input, listed: true, pages: new Map() });
  const counted = input.inspects ? await withCounts(plan.actions, kinds, input.reader) : plan.actions;
  const actions = input.glance ? await withClientNames(counted, kinds, api, input.glance) : counted;
  return sealPlan(await withApprovalEdit({ ...plan, actions }, input.written));
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
