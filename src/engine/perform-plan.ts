import { applyPlan } from '../apply/apply-plan.ts';
import type { Knowledge } from '../apply/knowledge.ts';
import type { ApplyState } from '../journal/open-apply-state.ts';
import type { WriteConnection } from '../model/client.ts';
import { InternalError } from '../model/internal-error.ts';
import type { ApprovedRecord } from '../model/journal.generated.ts';
import { orderProblem } from '../model/levels.ts';
import type { Plan } from '../model/plan.generated.ts';
import { selectsRotation } from '../plan/selection.ts';
import type { Session } from './connected.ts';
import { lostRotations, owedRotations } from './last-apply.ts';
import type { ApplyOptions } from './options.ts';
import type { Applied } from './results.ts';

/**
 * Performs a plan that was confirmed, with a journal that is closed whatever happens. `now`: the plan that was made now;
 * not the one that is performed if that was saved. `approved`: see approvedParts.
 */
export async function performPlan(
  plan: Plan,
  now: Plan,
  session: Session<WriteConnection>,
  state: ApplyState,
  knowledge: Knowledge,
  { approved, unverified = [] }: { readonly approved: ApprovedRecord } & Pick<ApplyOptions, 'unverified'>,
): Promise<Applied> {
  const wrong = orderProblem(plan.actions);
  if (wrong !== null) throw new InternalError(wrong);
  const { connection, emit, options } = session;
  const { kinds, clock, signal = new AbortController().signal } = options;
  const owed = owedRotations(state.last, now, session.loaded.desired.sections);
  // A saved plan that is applied again finds in place what the first apply sent, with the secret.
  const asked = plan.actions.filter(
    (action) =>
      action.request.secrets !== undefined &&
      selectsRotation(plan.selection, action.kind, action.key) &&
      knowledge.ended(action)?.outcome !== 'done' &&
      !knowledge.mayBeLate(action),
  );
  const rotations = [...owed, ...asked];
  const journal = await state.begin(plan.digest, rotations, approved);
  let thrown: Applied['bug'] = null;
  const onAbort = () => {
    try {
      emit({ type: 'stopping' });
    } catch (cause) {
      // Rethrown here, it would end the process: no caller awaits the handler of a signal.
      thrown = { cause };
    }
  };
  try {
    signal.addEventListener('abort', onAbort, { once: true });
    const { document, error } = await applyPlan(plan, {
      connection,
      journal,
      kinds,
      signal,
      clock,
      knowledge,
      unverified,
      onOutcome: (action, outcome) => emit({ type: 'action_ended', action, outcome }),
    });
    // The journal keeps its failure; the outcomes of requests that were sent are still reported.
    await journal.end(document.summary).catch(() => {});
    const failures = journal.failure === null ? [] : [journal.failure.diagnostic];
    const diagnostics = [...failures, ...lostRotations(rotations, document, now)];
    const bug = error ?? thrown;
    const isDone = document.summary.done === plan.actions.length;
    const isVerified = document.verification?.result !== 'not_read';
    const complete = isDone && isVerified && bug === null && diagnostics.length === 0;
    return { status: 'applied', outcomes: document, complete, diagnostics, bug };
  } finally {
    signal.removeEventListener('abort', onAbort);
    await journal.close();
  }
}
