// Results of several processes as those of one: in the order of the tenants, with what is true of all of them together.
import { warning } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ResultSelection } from '../model/selection.generated.ts';
import type { Reviewed } from '../plan/review.ts';
import { isDeletion } from '../plan/same-change.ts';
import { isViewed, planOf } from '../report/document.ts';
import { quantity } from '../report/wording.ts';
import { listed } from '../values/list-of.ts';
import { compareText } from '../values/text-order.ts';
import { isUnmatched, worst } from './each-tenant.ts';
import { exitCode, invalidOption } from './exit-codes.ts';
import { reviewTenants } from './plan-tenants.ts';
import type { Kept, SavedDocument } from './saved-documents.ts';
import { few } from './targets.ts';

/** What is needed of all documents at once. */
export interface Part extends Kept, Pick<SavedDocument, 'result'> {
  readonly path: string;
  /** Deletions alone. */
  readonly plan: Reviewed['plan'] | null;
}

export function partOf(path: string, { document, result }: SavedDocument, isOnly: boolean): Part {
  if (!isViewed(document)) return { path, document, result, plan: null };
  const { actions, refusals, review } = planOf(document);
  const plan = { actions: actions.filter(isDeletion), refusals, ...(review !== undefined && { review }) };
  return { path, document: isOnly ? document : null, result, plan };
}

/** Documents that are not results of tenants are left as they are, and end well. */
export function merged(parts: readonly Part[], selections: readonly ResultSelection[]) {
  const results = parts.flatMap(({ result }) => result ?? []);
  const command = commandOf([...selections, ...results]);
  const hasMatch = parts.some((part) => part.result !== null && !isUnmatched(part.document));
  const ended = parts.filter(({ result, document }) => result === null || !hasMatch || !isUnmatched(document));
  const together = [...reviewOf(parts, selections, command), ...missingOf(results, selections)];
  const codes = ended.map(({ result }) => result?.code ?? exitCode.done);
  return {
    command,
    shown: ended.toSorted(byTenant),
    together,
    code: worst([
      ...codes,
      ...together.map(({ code }) => (code === 'RESULT_MISSING' ? exitCode.failed : exitCode.refused)),
    ]),
  };
}

/** What was planned for a tenant is no result of an apply. Throws a CommandError. */
function commandOf(all: readonly { readonly command: string }[]): string {
  const [command = 'show', ...others] = new Set(all.map((one) => one.command));
  if (others.length === 0) return command;
  throw invalidOption(
    `The results are of ${listed([command, ...others].sort())}.`,
    'show those of one command at a time',
  );
}

/** As all tenants are reviewed by one run. Of an apply, only what guards of a tenant refuse: for the rest, nothing was sent. */
function reviewOf(parts: readonly Part[], selections: readonly ResultSelection[], command: string) {
  if (command === 'drift' || selections.length === 0) return [];
  const plans = parts
    .toSorted(byTenant)
    .flatMap(({ result, plan }) => (result === null ? [] : [{ name: result.tenant, plan }]));
  const tenants = selections.flatMap((selection) =>
    selection.tenants.map(({ tenant, approvals }) => ({
      name: tenant,
      approvals: approvals.map((code) => ({ code })),
    })),
  );
  const selected = new Set(tenants.map(({ name }) => name)).size;
  const ofProject = Math.max(...selections.map(({ project }) => project));
  const review = reviewTenants(plans, { tenants, selected, ofProject });
  return command === 'plan' ? review : review.filter(({ code }) => code === 'GUARD_REFUSED');
}

function byTenant({ result: one }: Part, { result: other }: Part): number {
  return compareText(one?.tenant ?? '', other?.tenant ?? '');
}

/** One warning that names the selected tenants without a result. */
function missingOf(
  results: readonly { readonly tenant: string }[],
  selections: readonly ResultSelection[],
): readonly Diagnostic[] {
  const present = new Set(results.map(({ tenant }) => tenant));
  const selected = new Set(selections.flatMap(({ tenants }) => tenants.map(({ tenant }) => tenant)));
  const missing = [...selected].filter((name) => !present.has(name)).sort(compareText);
  if (missing.length === 0) return [];
  const message = `There is no result of ${quantity(missing.length, 'tenant')}: ${few(missing)}.`;
  return [warning('RESULT_MISSING', message, 'run the command again for the shards of these tenants')];
}
