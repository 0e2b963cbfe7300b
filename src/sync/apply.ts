import { isAbsolute } from 'node:path';
import { outcomesDocument, refusedOutcomes } from '../apply/apply-plan.ts';
import { resumes } from '../apply/resumes.ts';
import { openWriteConnection } from '../client/write-connection.ts';
import { problem } from '../diagnostics/problem.ts';
import type { ApplyState } from '../journal/open-apply-state.ts';
import type { ConnectOptions, WriteConnection } from '../model/client.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Operation } from '../model/operation.ts';
import type { Plan } from '../model/plan.generated.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import { applyChecks, runChecks } from './checks.ts';
import { connected, type Session } from './connected.ts';
import { isUnresolved, lastApplyEvent, resolvedActions } from './last-apply.ts';
import { load } from './load.ts';
import type { ApplyOptions } from './options.ts';
import { checkPlan } from './parse-plan.ts';
import { performPlan } from './perform-plan.ts';
import { readPlan } from './read-plan.ts';
import { type ApplyRefused, type ApplyResult, type Invalid, invalid } from './results.ts';
import { runOf } from './run-of.ts';
import { withTenantLocked } from './with-tenant-locked.ts';

/** Makes the plan, checks it, has it confirmed, and performs exactly what was confirmed. */
export async function apply(options: ApplyOptions): Promise<ApplyResult> {
  const { saved } = options;
  return runOf('apply', options, async (emit) => {
    const problems = optionProblems(options);
    if (problems.length > 0) return invalid(problems);
    const loaded = await load(saved === undefined ? options : { ...options, selection: saved.selection });
    if (loaded.status === 'invalid') return loaded;
    emit({ type: 'warnings', diagnostics: loaded.warnings });

    // Locked before the tenant is read: a plan made while another apply runs is stale when that one ends.
    return withTenantLocked(options, async (state) => {
      if (isUnresolved(state.last)) emit(lastApplyEvent(state.last));
      const open = (connect: ConnectOptions) => openWriteConnection(connect, operationsOf(options), options.secret);
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

  const read = await readPlan(session);
  if (read.status === 'invalid') return read;
  // Frozen: what is confirmed is what is performed, whatever listeners do with it.
  const plan = freezeDeep(read.plan);
  const { forecast } = read;
  const managed = new Set(loaded.desired.sections.keys());
  if (isUnresolved(last)) emit({ type: 'last_apply_resolved', actions: resolvedActions(last, plan, managed) });
  emit({ type: 'planned', plan, forecast });

  const resumed = saved !== undefined && resumes(saved, plan, last) ? saved : null;
  const { refusals, warnings } = await runChecks(applyChecks, plan, { ...options, connection, forecast, resumed });
  if (refusals.length > 0) return refused(plan, refusals);
  emit({ type: 'warnings', diagnostics: warnings });

  if (plan.actions.length > 0 && !(await confirm(plan, forecast))) return refused(plan, [declined]);
  if (options.signal?.aborted) return { status: 'stopped' };
  if (plan.actions.length === 0 && resumed === null && !isUnresolved(last)) return nothingToDo(plan);
  return performPlan(plan, { session, state, managed, resumed });
}

/** Errors of a program that uses the library; the command line cannot make them. */
function optionProblems({ saved, stateFolder }: ApplyOptions): readonly Diagnostic[] {
  if (!isAbsolute(stateFolder ?? '')) {
    const hint = 'set it to a folder for the lock and the journal';
    return [problem('OPTION_INVALID', `stateFolder must be an absolute path; it is ${stateFolder}.`, hint)];
  }
  if (saved === undefined) return [];
  const checked = checkPlan(saved, 'the saved plan');
  return checked.status === 'parsed' ? [] : checked.diagnostics;
}

function operationsOf({ kinds }: ApplyOptions): Operation[] {
  return kinds.flatMap(({ operations }) => operations);
}

const declined = problem(
  'CONFIRMATION_DECLINED',
  'The plan was not confirmed, so nothing was sent.',
  'rerun apply to confirm the plan',
);

function refused(plan: Plan, refusals: readonly Diagnostic[]): ApplyRefused | Invalid {
  // If only secrets are wrong, the plan itself is valid.
  const aboutSecrets: readonly string[] = ['ENV_MISSING', 'CONFIG_CREDENTIAL_EXPOSED'];
  if (refusals.every(({ code }) => aboutSecrets.includes(code))) return invalid(refusals);
  const why = refusals.map(({ code }) => code).join(', ');
  return { status: 'refused', plan, refusals, outcomes: refusedOutcomes(plan, why) };
}

function nothingToDo(plan: Plan): ApplyResult {
  return { status: 'applied', outcomes: outcomesDocument(plan, []), complete: true, diagnostics: [], bug: null };
}
