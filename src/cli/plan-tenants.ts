// The plans of several tenants, and what they need approved together.

import { problem } from '../diagnostics/problem.ts';
import { isPlainText, quotedText } from '../edit/scalar-text.ts';
import type { PlanOptions } from '../engine/options.ts';
import type { Planned, PlanRefused } from '../engine/results.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { projectFile } from '../model/file-source.ts';
import type { Selection } from '../model/plan.generated.ts';
import { deletionLimit, type Reviewed, type ReviewGroup, reviewGroups } from '../plan/review.ts';
import { isOutOfSync } from '../plan/summary.ts';
import { quantity } from '../report/wording.ts';
import { plan } from '../sync/plan.ts';
import type { CommandContext } from './context.ts';
import { type Ended, eachTenant, type Prepared, runOne, type SaveResult, type Use } from './each-tenant.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import { type BaseOf, given, withBase } from './run-options.ts';
import type { WavePlan } from './saved-plans.ts';
import { few, nameOf, type Target } from './targets.ts';

/** Makes a plan, and shows it with what apply would refuse. */
export const planUse = {
  run: plan,
  shown(result) {
    const diagnostics = [...result.warnings, ...(result.status === 'refused' ? result.refusals : [])];
    return { document: { type: 'plan', plan: result.plan, diagnostics }, beside: diagnostics };
  },
  differs: (result) => result.status === 'planned' && isOutOfSync(result.plan),
} satisfies Use<Planned | PlanRefused>;

/** The same as the options ask for it. */
export function planUseOf(
  { approve, exitCode: asked }: CommandContext['arguments'],
  baseOf: BaseOf,
  changed: PlanOptions['changed'],
): Use<Planned | PlanRefused> {
  return {
    ...planUse,
    run: async (inputs, target) => plan({ ...inputs, ...given({ base: await baseOf(target), approve, changed }) }),
    differs: (result) => asked && planUse.differs(result),
  };
}

/** Plans each tenant, over connections that cannot write. */
export function planTenants(
  context: CommandContext,
  tenants: readonly Prepared[],
  save?: SaveResult,
  changed: PlanOptions['changed'] = context.arguments.changed,
): Promise<Ended<Planned | PlanRefused>[]> {
  const { io, arguments: options } = context;
  return withBase(io, options, async (baseOf, problems) => {
    if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
    return eachTenant(context, tenants, { ...planUseOf(options, baseOf, changed), save });
  });
}

/** Plans a part of one tenant, of which a plan is known. */
export function planAgain(
  context: CommandContext,
  tenant: Pick<Prepared, 'target' | 'inputs'>,
  selection: Selection,
): Promise<Ended<Planned | PlanRefused>> {
  return runOne(context, tenant, { ...planUse, run: (inputs) => plan({ ...inputs, selection }) });
}

/** The plans of a run by the names of their tenants in the project, as they are saved: without secrets. */
export function namedPlans(ended: readonly Ended[]): readonly WavePlan[] {
  return ended.map(({ target, document }) => ({
    name: nameOf(target),
    wave: target.tenant?.wave ?? 1,
    plan: document.type === 'plan' ? document.plan : null,
  }));
}

/** What plans are reviewed by. */
export interface ReviewScope {
  /** Of the project: saved plans may be those of more tenants than a wave has. */
  readonly approvals: readonly { readonly tenant: string; readonly code: string }[];
  /** The number of tenants that are selected, and of those of the project. */
  readonly selected: number;
  readonly ofProject: number;
  /** That of the option. */
  readonly approve?: string | undefined;
}

/** One error for each code that nothing approves. */
export function reviewTenants(
  plans: readonly Reviewed[],
  { approvals, selected, ofProject, approve }: ReviewScope,
): readonly Diagnostic[] {
  const approved = new Set(approvals.map(({ tenant, code }) => `${tenant} ${code}`));
  const limit = deletionLimit(selected, ofProject);
  const groups = reviewGroups(plans, limit, (name, code) => code === approve || approved.has(`${name} ${code}`));
  return groups.map((group) => refusalOf(group, limit));
}

/** `targets` are any of the project. */
export function reviewScope(targets: readonly Target[], selected: number, approve: string | undefined): ReviewScope {
  const tenants = targets[0]?.project?.tenants ?? [];
  const approvals = tenants.flatMap((one) => one.approvals);
  return { approvals, selected, ofProject: tenants.length || selected, approve };
}

function refusalOf({ code, tenants, refused, deleted }: ReviewGroup, limit: number): Diagnostic {
  const many = deleted.map(({ item, tenants }) => `${item} would be deleted on ${quantity(tenants, 'tenant')}`);
  const why = [...refused, ...(many.length === 0 ? [] : [`${few(many)}, and the limit is ${limit}`])].join('. ');
  const message = `${quantity(tenants.length, 'tenant')} (${tenants.join(', ')}): ${why}.`;
  const line = `- { code: ${inFlow(code)}, tenants: [${tenants.map(inFlow).join(', ')}] }`;
  const hint = `if this is intended, add to "approvals" of ${projectFile}: ${line}`;
  return problem(deleted.length === 0 ? 'GUARD_REFUSED' : 'GUARD_SAME_DELETION', message, hint);
}

function inFlow(text: string): string {
  return isPlainText(text, true) ? text : quotedText(text, '"');
}
