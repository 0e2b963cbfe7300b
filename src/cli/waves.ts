// Wave by wave, each tenant gets exactly its plan.
import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import type { CommandContext } from './context.ts';
import { atOnce, type Ended, errorsOf, type Prepared, runOne, type SaveResult, type Use } from './each-tenant.ts';
import { exitCode } from './exit-codes.ts';
import { planAgain, planIn } from './plan-tenants.ts';
import { few, nameOf } from './targets.ts';

/** A tenant with the plan that it gets, or with how its planning ended. */
export interface Planned extends Prepared {
  readonly plan: Plan | null;
  /** Null for a plan that was saved. */
  readonly ended: Ended | null;
}

/** How a plan is applied to its tenant. */
export type ApplyOne = (saved: Plan) => Use;

/**
 * A wave begins if every tenant of the one before ended well and still is as declared. After as many failures as
 * --max-failures, no other tenant begins. `notBegun`: why some tenants got nothing.
 */
export async function applyWaves(
  context: CommandContext,
  tenants: readonly Planned[],
  applyOne: ApplyOne,
  save: SaveResult,
) {
  const { parallel, wave, maxFailures = Number.POSITIVE_INFINITY } = context.arguments;
  const results = new Map<Planned, Ended[]>();
  const waves = [...groupBy(tenants, ({ target }) => target.tenant?.wave ?? 1)].sort(([one], [other]) => one - other);
  let failures = 0;
  const begin = async (one: Planned, isChecked: boolean) => {
    if (failures >= maxFailures || context.io.signal.aborted) return;
    const ended = one.plan === null ? (one.ended ?? noPlan(one)) : await runOne(context, one, applyOne(one.plan));
    results.set(one, [ended]);
    if (ended.code !== exitCode.done) failures += 1;
    // The result of a tenant that is checked is complete with the check.
    if (!isChecked || ended.code !== exitCode.done) await save(ended);
  };
  const finish = async (one: Planned, isChecked: boolean) => {
    const [ended] = results.get(one) ?? [];
    if (ended?.code !== exitCode.done) return;
    const again = isChecked ? await changedAgain(context, one) : null;
    if (again !== null) {
      results.set(one, [ended, again]);
      failures += 1;
      await save(again, 'again');
    }
    if (isChecked) await save(ended);
  };
  for (const [index, [, ofWave]] of waves.entries()) {
    // The wave after --wave is another run.
    const isChecked = index < waves.length - 1 || wave !== undefined;
    await atOnce(parallel, ofWave, (one) => begin(one, isChecked));
    await atOnce(parallel, ofWave, (one) => finish(one, isChecked));
    if (failures > 0 || context.io.signal.aborted) break;
  }
  const left = tenants.filter((tenant) => !results.has(tenant));
  const ended = tenants.flatMap((tenant) => results.get(tenant) ?? []);
  return { ended, notBegun: left.length === 0 ? [] : [notBegun(left)] };
}

/** A tenant that could not be planned when the others were saved. */
function noPlan({ target }: Planned): Ended {
  const tenant = nameOf(target);
  const message = `${tenant}: there is no saved plan, because none could be made.`;
  const document = errorsOf(tenant, 'apply', [problem('PLAN_STALE', message, 'save the plans again')]);
  return { target, document, beside: [], code: exitCode.refused, result: null };
}

/**
 * Plans a tenant again that got something, or whose saved plan needed no reading. Null if everything was read, and every
 * declared item that can be corrected is as declared.
 */
async function changedAgain(
  context: CommandContext,
  { plan: applied, ended: planned, ...tenant }: Planned,
): Promise<Ended | null> {
  const isUntouched = applied?.actions.length === 0 && (planned !== null || applied.selection.changed === true);
  if (applied === null || isUntouched) return null;
  const ended = await planAgain(context, tenant, { ...applied.selection, rotate: [] });
  const plan = planIn(ended);
  if (plan === null || !plan.complete) return { ...ended, code: exitCode.failed };
  if (!plan.actions.some(isDeclared)) return null;
  const message = `${nameOf(tenant.target)}: it differs from the files again after the apply.`;
  const differs = problem('APPLY_WAVE', message, 'find out what else changes it, and apply again');
  return { ...ended, beside: [differs], code: exitCode.failed };
}

/** What is sent without a reading is sent by every apply, and undeclared items were not there when it was planned. */
function isDeclared({ reason }: Action): boolean {
  return reason !== 'undeclared' && reason !== 'unreadable';
}

function notBegun(left: readonly Planned[]): Diagnostic {
  const names = left.map(({ target }) => nameOf(target));
  const message = `The run ended before all waves were done, so nothing was sent to ${few(names)}.`;
  return problem('APPLY_WAVE', message, 'correct what the outcomes show, and apply again');
}
