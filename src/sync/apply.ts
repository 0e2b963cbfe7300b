import { isAbsolute } from 'node:path';
import { outcomesDocument, refusedOutcomes } from '../apply/apply-plan.ts';
import { type Knowledge, openKnowledge } from '../apply/knowledge.ts';
import { openWriteConnection } from '../client/write-connection.ts';
import { problem } from '../diagnostics/problem.ts';
import { checkPlan } from '../document/parse-document.ts';
import { asReadNow } from '../engine/as-read-now.ts';
import { applyChecks, guards, runChecks, savedChecks, savedWithFresh } from '../engine/checks.ts';
import { connected, maxStalenessMs, type Session, visibleWithinMs } from '../engine/connected.ts';
import { declaredNow } from '../engine/desired-fingerprint.ts';
import { approvedByLast, isUnresolved, lastApplyEvent, resolvedActions } from '../engine/last-apply.ts';
import { load, stateProblems } from '../engine/load.ts';
import { loadWithBase } from '../engine/load-base.ts';
import { withApprovalEdit } from '../engine/make-plan.ts';
import type { ApplyOptions } from '../engine/options.ts';
import { performPlan } from '../engine/perform-plan.ts';
import { type PlanRead, planAgain, readPlan } from '../engine/read-plan.ts';
import { type ApplyRefused, type ApplyResult, type Invalid, invalid, runOf } from '../engine/results.ts';
import { withTenantLocked } from '../engine/with-tenant-locked.ts';
import type { ApplyState } from '../journal/open-apply-state.ts';
import type { ConnectOptions, WriteConnection } from '../model/client.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { AnyKind } from '../model/kind.ts';
import type { PerformedAction } from '../model/outcome.ts';
import type { Plan } from '../model/plan.generated.ts';
import { type ApprovedLeft, approvedBefore, approvedParts } from '../plan/approved-before.ts';
import { approvalOf } from '../plan/rules.ts';
import { databaseSecrets } from '../secrets/credentials.ts';
import { openMasker, shortestSecret } from '../secrets/masker.ts';

/** Makes the plan, checks it, has it confirmed, and performs exactly what was confirmed. */
export async function apply(given: ApplyOptions): Promise<ApplyResult> {
  const { hide, mask } = openMasker({ shortest: shortestSecret });
  for (const secret of databaseSecrets(given.stateUrl)) hide(secret);
  const onSecret = (secret: string) => {
    hide(secret);
    given.onSecret?.(secret);
  };
  const options = { ...given, onSecret };
  const { saved } = options;
  return runOf('apply', options, async (emit) => {
    const problems = optionProblems(options);
    if (problems.length > 0) return invalid(problems);
    const early = saved === undefined ? [] : (await runChecks(savedChecks, saved, options)).refusals;
    if (saved !== undefined && early.length > 0) return refused(saved, early);
    const loaded = await (saved === undefined
      ? loadWithBase({ ...options, changed: options.changed === true || 'documented' })
      : load({ ...options, selection: saved.selection }));
    if (loaded.status === 'invalid') return loaded;
    const missing = stateProblems(loaded.desired, options.stateUrl);
    if (missing.length > 0) return invalid(missing);
    emit({ type: 'warnings', diagnostics: loaded.warnings });

    // Locked before the tenant is read: a plan made while another apply runs is stale when that one ends.
    return withTenantLocked(options, given.mask ?? mask, async (state) => {
      if (isUnresolved(state.last)) emit(lastApplyEvent(state.last));
      const open = (connect: ConnectOptions, kinds: readonly AnyKind[]) =>
        openWriteConnection(
          connect,
          kinds.flatMap(({ operations }) => operations),
          options.secret,
        );
      return connected(open, loaded, options, (session) => applyPlan(session, state, options));
    });
  });
}

/** With the tenant locked: read, check, confirm, perform. */
async function applyPlan(
  session: Session<WriteConnection>,
  state: ApplyState,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const { connection, emit, loaded } = session;
  const { saved, confirm } = options;
  const { last } = state;
  const left = approvedByLast(last, options.clock.now());

  const read = await (saved === undefined ? readPlan(session, { inspects: true, left }) : readSaved(session, saved));
  if (read.status === 'invalid') return read;
  // Frozen: what is confirmed is what is performed, whatever listeners do with it.
  const plan = freezeDeep(saved === undefined ? read.plan : asReadNow(saved, read.plan, session.options.kinds));
  const managed = new Set(loaded.desired.sections.keys());
  if (isUnresolved(last)) emit({ type: 'last_apply_resolved', actions: resolvedActions(last, read.plan, managed) });
  const knowledge = knowledgeOf(session, plan, read.began, options);
  if (saved !== undefined) knowledge.learn(read, plan.actions);
  const ended = plan.actions.flatMap((action) => knowledge.ended(action) ?? []);
  emit({ type: 'planned', plan, ended });

  const checked = saved === undefined ? plan : await checkedSaved(plan, read.plan, session, options, left);
  const { refusals, warnings } = await runChecks(applyChecks, checked, {
    ...options,
    connection,
    now: read.plan,
    asserted: loaded.desired.tenant.base_url !== undefined,
  });
  if (refusals.length > 0) return refused(plan, refusals);
  emit({ type: 'warnings', diagnostics: warnings });

  const conflicts = options.allOrNothing === true ? conflictsOf(ended) : [];
  if (conflicts.length > 0) return refused(plan, conflicts);
  if (plan.actions.some((action) => knowledge.ended(action) === null) && confirm !== 'skip') {
    if (!(await confirm(plan))) return refused(plan, [declined]);
    knowledge.expire();
    const later = await guardsAgain(checked, knowledge, session, options, left);
    if (later.length > 0) return refused(plan, later);
  }
  if (options.signal?.aborted) return { status: 'stopped' };
  const isOwed = last !== null && last.rotations.length > 0;
  if (plan.actions.length === 0 && !isOwed && !isUnresolved(last))
    return { status: 'applied', outcomes: outcomesDocument(plan, []), complete: true, diagnostics: [], bug: null };
  const { desired } = loaded;
  const isLeft =
    checked.refusals.every(({ approved_by }) => approved_by?.by === 'interrupted apply') &&
    approvedBefore(checked, left) !== null;
  const isReviewed =
    isLeft || (plan.review !== undefined && approvalOf(plan.review, desired, options.approve) !== null);
  const since = (isLeft && left?.since) || new Date(options.clock.now()).toISOString();
  const parts = { ...options, approved: { since, parts: approvedParts(checked, isReviewed) } };
  return performPlan(plan, read.plan, session, state, knowledge, parts);
}

/** What cannot be applied of a saved plan that is applied as a whole or not at all. */
function conflictsOf(ended: readonly PerformedAction[]): readonly Diagnostic[] {
  const hint = 'make a new plan and have it reviewed, or apply the other actions without --all-or-nothing';
  return ended
    .filter(({ outcome }) => outcome !== 'done')
    .map(({ id, message }) => problem('PLAN_CONFLICT', `${id}: ${message}. Nothing was sent.`, hint));
}

/** A saved plan with what the guards refuse of it now. */
function checkedSaved(
  saved: Plan,
  fresh: Plan,
  { loaded }: Session,
  options: Pick<ApplyOptions, 'approve' | 'expect'>,
  left: ApprovedLeft | null,
): Promise<Plan> {
  const { desired, written } = loaded;
  const approval = (code: string) => approvalOf(code, desired, options.approve);
  return withApprovalEdit(savedWithFresh(saved, fresh, approval, options.expect, left), written);
}

/**
 * Guards are evaluated again after a confirmation: what is left of a kind may be gone meanwhile. This is the reading that
 * its writes need anyway; a kind that is read item by item is read for each write.
 */
async function guardsAgain(
  checked: Plan,
  knowledge: Knowledge,
  session: Session,
  options: ApplyOptions,
  left: ApprovedLeft | null,
): Promise<readonly Diagnostic[]> {
  const listed = new Set(
    session.options.kinds.filter(({ reading }) => reading && !reading.each).map(({ name }) => name),
  );
  const open = checked.actions.filter(
    (action) => listed.has(action.kind) && action.precondition !== null && knowledge.ended(action) === null,
  );
  if (open.length === 0) return [];
  const fresh = await planAgain(session, open, checked);
  knowledge.learn(fresh, open);
  const now = await checkedSaved(checked, fresh.plan, session, options, left);
  return (await runChecks([guards], now, options)).refusals;
}

/** Plans the items of a saved plan afresh, and reads nothing else. */
async function readSaved(session: Session, saved: Plan): Promise<PlanRead> {
  if (saved.actions.length > 0) return planAgain(session, saved.actions, saved, { inspects: true });
  const began = session.options.clock.monotonic();
  return { status: 'read', plan: saved, began, arrivedAt: began };
}

/** What is known of the items of a plan, and how to read them again: a part of the path that made the plan. */
function knowledgeOf(
  session: Session<WriteConnection>,
  plan: Plan,
  plannedAt: number,
  options: ApplyOptions,
): Knowledge {
  const { kinds, clock, signal } = session.options;
  const mostMs = maxStalenessMs(options);
  const { snapshots } = session;
  let readings = snapshots.share();
  const knowledge = openKnowledge(plan, {
    kinds,
    managed: new Set(session.loaded.desired.sections.keys()),
    clock,
    plannedAt,
    // By the clocks of two machines, if it was saved.
    madeAt: clock.monotonic() + Math.min(0, Date.parse((options.saved ?? plan).generated_at) - clock.now()),
    maxStalenessMs: mostMs,
    visibleWithinMs: visibleWithinMs(options),
    signal,
    prefersList: snapshots.prefersList,
    seenByNow: snapshots.seenByNow,
    declaredNow: (action) => declaredNow(action, session.loaded.desired),
    read: async (about, since, what) => {
      const snapshot = readings.since(Math.max(since, clock.monotonic() - mostMs / 2));
      const listed = what === 'list' ? (about[0]?.kind ?? null) : null;
      const again = await planAgain(session, about, plan, { snapshot, listed });
      return { ...again, ...snapshot.oldest() };
    },
  });
  const expire = () => {
    readings = snapshots.share();
    knowledge.expire();
  };
  return { ...knowledge, expire };
}

/** Errors of a program that uses the library; the command line cannot make them. */
function optionProblems({ saved, stateFolder, stateUrl }: ApplyOptions): readonly Diagnostic[] {
  if (stateUrl === undefined && !isAbsolute(stateFolder ?? '')) {
    const hint = 'set it to a folder for the lock and the journal, or set stateUrl to a database';
    return [problem('OPTION_INVALID', `stateFolder must be an absolute path; it is ${stateFolder}.`, hint)];
  }
  if (saved === undefined) return [];
  const checked = checkPlan(saved, 'the saved plan');
  return checked.status === 'parsed' ? [] : checked.diagnostics;
}

export const declined = problem(
  'CONFIRMATION_DECLINED',
  'The plan was not confirmed, so nothing was sent.',
  'rerun apply to confirm the plan',
);

function refused(plan: Plan, refusals: readonly Diagnostic[]): ApplyRefused | Invalid {
  // If only secrets are wrong, the plan itself is valid.
  const aboutSecrets: readonly string[] = ['ENV_MISSING', 'ENV_INVALID', 'CONFIG_CREDENTIAL_EXPOSED'];
  if (refusals.every(({ code }) => aboutSecrets.includes(code))) return invalid(refusals);
  const why = refusals.map(({ code }) => code).join(', ');
  return { status: 'refused', plan, refusals, outcomes: refusedOutcomes(plan, why) };
}

/** Freezes a value and everything in it, so that a reader cannot change it. Returns the value. */
function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(Object.freeze(value))) freezeDeep(child);
  return value;
}
