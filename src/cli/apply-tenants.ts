// An apply to several tenants: all are planned, reviewed and confirmed before the first write.

import { problem } from '../diagnostics/problem.ts';
import type { ApplyResult } from '../engine/results.ts';
import { kinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.generated.ts';
import { quantity } from '../report/wording.ts';
import type { CommandContext } from './context.ts';
import { type Prepared, prepared, reportTenants, type Use } from './each-tenant.ts';
import { exitCode } from './exit-codes.ts';
import { openFinishedTenants } from './finished-tenants.ts';
import { terminalWidth } from './output.ts';
import { planOf, planTenants, reviewTenants } from './plan-tenants.ts';
import { rendered, reportErrors } from './print-document.ts';
import { digestOfPlans, type NamedPlan } from './saved-plans.ts';
import type { Target } from './targets.ts';
import { applyWaves, type Planned, type TenantOptions } from './waves.ts';

/** `saved`: the plans to apply; without them, all tenants are planned now. Returns the exit code. */
export async function applySeveral(
  context: CommandContext,
  targets: readonly Target[],
  saved: readonly NamedPlan[] | null,
  chosen: TenantOptions,
  shown: Use<ApplyResult>['shown'],
): Promise<number> {
  const { arguments: options, output, io } = context;
  const { approve, expect, resume, yes } = options;
  const finished = await openFinishedTenants(chosen.stateFolder, resume);
  const tenants = (await prepared(context, targets)).filter((tenant) => !finished.has(tenant));
  const planned = await plannedTenants(context, tenants, saved);
  const plans = saved ?? planned.map(({ target, plan }) => ({ name: target.tenant?.name ?? '', plan }));
  const review = reviewTenants(plans, targets, { approve, selected: saved?.length ?? targets.length });
  const others = notExpected(digestOfPlans(plans), expect);
  if (options.format === 'text' || !yes) await printPlans(context, planned);
  const open = [...review.filter(({ code }) => code !== 'GUARD_REFUSED'), ...others];
  if (open.length > 0) return refuse(context, open);
  const changing = planned.flatMap(({ plan }) => (plan === null || plan.actions.length === 0 ? [] : [plan]));
  if (!yes && changing.length > 0 && !(await io.confirm(output.mask(questionOf(changing)))))
    return refuse(context, [declined]);
  if (changing.length > 0)
    output.talk(`Run ${finished.run}: --resume ${finished.run} skips the tenants that it finishes.`);
  const { ended, notBegun } = await applyWaves(context, planned, { chosen, shown, finished });
  return reportTenants(context, ended, [...review, ...notBegun]);
}

/** The saved plan of each tenant, or one that is made now. */
async function plannedTenants(
  context: CommandContext,
  tenants: readonly Prepared[],
  saved: readonly NamedPlan[] | null,
): Promise<readonly Planned[]> {
  const plans = new Map(saved?.map(({ name, plan }) => [name, plan]));
  if (saved !== null)
    return tenants.map((tenant) => ({
      ...tenant,
      plan: plans.get(tenant.target.tenant?.name ?? '') ?? null,
      ended: null,
    }));
  const ended = await planTenants(context, tenants, context.arguments.changed || 'documented');
  return tenants.map((tenant, index) => {
    const one = ended[index] ?? null;
    return { ...tenant, plan: one && planOf(one), ended: one };
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

/** Nothing was sent to any tenant. */
async function refuse(context: CommandContext, why: readonly Diagnostic[]): Promise<number> {
  await reportErrors(context, why);
  return exitCode.refused;
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

export const declined = problem(
  'CONFIRMATION_DECLINED',
  'The plan was not confirmed, so nothing was sent.',
  'rerun apply to confirm the plan',
);
