// The plans of several tenants, and what they need approved together.

import { problem } from '../diagnostics/problem.ts';
import { isPlainText, quotedText } from '../edit/scalar-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { projectFile } from '../model/file-source.ts';
import type { Plan, Selection } from '../model/plan.generated.ts';
import type { SelectedTenant } from '../model/selection.generated.ts';
import { deletionLimit, type Reviewed, type ReviewGroup, reviewGroups } from '../plan/review.ts';
import { few, quantity } from '../report/wording.ts';
import { plan } from '../sync/plan.ts';
import type { CommandContext } from './context.ts';
import { type Ended, type Prepared, runOne, type Use } from './each-tenant.ts';
import type { Arguments } from './parse-arguments.ts';
import { withoutSecrets } from './print-document.ts';
import { given } from './run-options.ts';
import type { WavePlan } from './saved.ts';
import { nameOf } from './targets.ts';

/** Makes a plan as the options ask for it. */
export function planUse({ approve, changed }: Arguments, unchanged?: 'documented'): Use {
  return (inputs) => plan({ ...inputs, ...given({ approve, changed: changed || unchanged }) });
}

/** Plans a part of one tenant, of which a plan is known. */
export function planAgain(
  context: CommandContext,
  tenant: Pick<Prepared, 'target' | 'inputs'>,
  selection: Selection,
): Promise<Ended> {
  return runOne(context, tenant, (inputs) => plan({ ...inputs, selection }));
}

/** The plan that was made of a tenant; null if there are only errors. */
export function planIn({ result }: Ended): Plan | null {
  return result !== null && 'plan' in result ? result.plan : null;
}

/** The plans of a run by the names of their tenants in the project, as they are saved: without secrets. */
export function namedPlans({ output }: CommandContext, ended: readonly Ended[]): readonly WavePlan[] {
  return ended.map(({ target, document }) => {
    const shown = withoutSecrets(document, output.mask);
    const plan = shown.type === 'plan' ? shown.plan : null;
    return { name: nameOf(target), wave: target.tenant?.wave ?? 1, plan };
  });
}

/**
 * One error for each code that nothing approves. `tenants`, by default of the complete project, are those whose approvals
 * are known: saved plans may be those of more tenants than a wave has.
 */
export function reviewTenants(
  plans: readonly Reviewed[],
  tenants: readonly Pick<SelectedTenant, 'tenant' | 'approvals'>[],
  ofProject = tenants.length,
): readonly Diagnostic[] {
  const approved = new Set(tenants.flatMap(({ tenant, approvals }) => approvals.map((code) => `${tenant} ${code}`)));
  const limit = deletionLimit(plans.length, ofProject);
  const groups = reviewGroups(plans, limit, (name, code) => approved.has(`${name} ${code}`));
  return groups.map((group) => refusalOf(group, limit));
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
