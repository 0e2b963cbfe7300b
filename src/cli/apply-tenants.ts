// An apply to several tenants: all are planned, reviewed and confirmed before the first write.

import { problem } from '../diagnostics/problem.ts';
import { asReadNow } from '../engine/as-read-now.ts';
import { kinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.generated.ts';
import { quantity } from '../report/wording.ts';
import { declined } from '../sync/apply.ts';
import type { CommandContext } from './context.ts';
import { atOnce, eachTenant, type Prepared, prepared } from './each-tenant.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import { terminalWidth } from './output.ts';
import { planAgain, planIn, planUse, reviewScope, reviewTenants } from './plan-tenants.ts';
import { rendered, reportErrors } from './print-document.ts';
import { reportTenants } from './report-tenants.ts';
import { ownTargets } from './results.ts';
import { withBase } from './run-options.ts';
import { digestOfPlans, type NamedPlan } from './saved-plans.ts';
import { nameOf, type Target } from './targets.ts';
import { type ApplyOne, applyWaves, type Planned } from './waves.ts';

/** `saved`: the plans to apply; without them, all tenants are planned now. Returns the exit code. */
export async function applySeveral(
  context: CommandContext,
  selected: readonly Target[],
  saved: readonly NamedPlan[] | null,
  applyOne: ApplyOne,
): Promise<number> {
  const { arguments: options } = context;
  const { targets, save } = await ownTargets(context, selected);
  const planned = await plannedTenants(context, await prepared(context, targets), saved);
  const reviewed = saved ?? planned.map((tenant) => ({ name: nameOf(tenant.target), plan: tenant.plan }));
  const scope = reviewScope(selected, saved?.length ?? targets.length, options.approve);
  const review = reviewTenants(reviewed, scope);
  const why = await whyNot(context, planned, [
    ...review.filter(({ code }) => code !== 'GUARD_REFUSED'),
    ...notExpected(digestOfPlans(reviewed), options.expect),
  ]);
  if (why.length > 0) {
    await reportErrors(context, why);
    return exitCode.refused;
  }
  const { ended, notBegun } = await applyWaves(context, planned, applyOne, save);
  return reportTenants(context, ended, [...review, ...notBegun]);
}

/** Prints the plans and asks, unless something refuses them. Empty if they may be applied. */
async function whyNot(
  context: CommandContext,
  planned: readonly Planned[],
  refused: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const { arguments: options, output, io } = context;
  const isSaved = planned.some(({ ended }) => ended === null);
  // A saved plan was printed when it was saved. What is confirmed is what it does now, whatever the file shows.
  if (!options.yes && isSaved)
    await printPlans(context, await atOnce(options.parallel, planned, (one) => asPlannedNow(context, one)));
  else if (!isSaved && (options.format === 'text' || !options.yes)) await printPlans(context, planned);
  const changing = planned.filter(isChanging);
  if (refused.length > 0 || options.yes || changing.length === 0) return refused;
  return (await io.confirm(output.mask(questionOf(changing.flatMap(({ plan }) => plan ?? []))))) ? [] : [declined];
}

function isChanging({ plan }: Planned): boolean {
  return plan !== null && plan.actions.length > 0;
}

async function asPlannedNow(context: CommandContext, one: Planned): Promise<Planned> {
  const { plan: saved } = one;
  if (saved === null || !isChanging(one)) return one;
  const now = planIn(await planAgain(context, one, saved.selection));
  return { ...one, plan: now && asReadNow(saved, now, kinds) };
}

/** The saved plan of each tenant, or one that is made now. */
async function plannedTenants(
  context: CommandContext,
  tenants: readonly Prepared[],
  saved: readonly NamedPlan[] | null,
): Promise<readonly Planned[]> {
  if (saved !== null) {
    const plans = new Map(saved.map(({ name, plan }) => [name, plan]));
    return tenants.map((tenant) => ({ ...tenant, plan: plans.get(nameOf(tenant.target)) ?? null, ended: null }));
  }
  const { arguments: options, io } = context;
  const ended = await withBase(io, options, (baseOf, problems) => {
    if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
    return eachTenant(context, tenants, planUse(options, baseOf, options.changed || 'documented'));
  });
  return tenants.map((tenant, index) => {
    const one = ended[index] ?? null;
    return { ...tenant, plan: one && planIn(one), ended: one };
  });
}

/** As the result, or, where that has another format, for the confirmation alone. */
async function printPlans(context: CommandContext, planned: readonly Planned[]): Promise<void> {
  const { io, output, arguments: options } = context;
  const isResult = options.format === 'text';
  const sink = isResult ? io.stdout : io.stderr;
  const style = isResult ? output.resultStyle : output.talkStyle;
  const documents = planned.flatMap(({ plan }) =>
    plan === null ? [] : [{ type: 'plan', plan, diagnostics: [] } as const],
  );
  const about = { kinds, isList: true, style, width: terminalWidth(sink) };
  for await (const piece of rendered(context, documents, 'text', about)) sink.write(piece);
}

function notExpected(digest: string, expected: string | undefined): Diagnostic[] {
  if (expected === undefined || expected === digest) return [];
  const message = `The digest of all plans is ${digest}, but --expect names ${expected}.`;
  return [problem('PLAN_NOT_EXPECTED', message, 'review the plans again, and repeat the command with their digest')];
}

function questionOf(plans: readonly Plan[]): string {
  const requests = plans.reduce((sum, { summary }) => sum + summary.requests, 0);
  return `Apply the changes of ${quantity(plans.length, 'tenant')} with ${quantity(requests, 'request')}?`;
}
