import { findingTraits, isDifference } from '../../model/findings.ts';
import type { Action, FieldChange, Finding, Plan } from '../../model/plan.generated.ts';
import type { ViewContext } from '../document.ts';
import { totalText } from '../wording.ts';
import { type ActionRow, actionRows } from './action-rows.ts';
import { findingRow, findingsOf, undeclaredRow, withoutUndeclared } from './findings.ts';
import { type PlanView, type Row, type Sign, section } from './plan-view.ts';
import { agreement, endOf, errorSection, sortedRows, troubles, uncheckedKinds, viewOf } from './sections.ts';
import type { PartVerbs } from './statements.ts';

/** How the tenant differs from the files in one item. */
type DriftStatus = 'undeclared' | 'missing' | 'different' | 'unread';

/** What drift says in place of the verbs of a plan. The code agrees with the heading of the section. */
const statuses: Readonly<Record<DriftStatus, { readonly sign: Sign; readonly code: string; readonly text: string }>> = {
  undeclared: { sign: '+', code: 'LIVE_UNDECLARED', text: 'is on the tenant, but not in the files' },
  missing: { sign: '-', code: 'LIVE_MISSING', text: 'is in the files, but not on the tenant' },
  different: { sign: '~', code: 'LIVE_DIFFERENT', text: 'differs from the files' },
  unread: { sign: '?', code: 'LIVE_NOT_CHECKED', text: 'cannot be compared' },
};
const duplicate = { code: 'LIVE_DUPLICATE', text: 'is on the tenant more than once' };
const driftVerbs: PartVerbs = {
  lost: 'also has',
  gained: 'lacks',
  deletes: 'also has',
  adds: 'lacks',
  changes: 'differs in',
};
/** What a plan calls before and after. */
const sides: Readonly<Record<string, string>> = { before: 'tenant', after: 'files' };
/** Details of the request that would fix the difference, and of what it would lead to. */
const ofRequest: ReadonlySet<string> = new Set(['request', 'id', 'reason', 'note', 'effect']);

/** The same plan from the tenant's side: items that are undeclared, missing or different there. */
export function composeDrift(plan: Plan, { kinds, folder, isPart = false }: ViewContext): PlanView {
  const rows: Record<DriftStatus, Row[]> = { undeclared: [], missing: [], different: [], unread: [] };
  for (const item of actionRows(plan.actions.map(seenFromTenant), kinds, driftVerbs))
    rows[statusOf(item)].push(driftRow(item));
  const { undeclared, others } = withoutUndeclared(plan.findings, kinds);
  for (const finding of others) {
    const status = statusOfFinding(finding);
    if (status !== null) rows[status].push(findingRow(seenFromTenant(finding), kinds, statuses[status].sign));
  }
  const onTenant = rows.undeclared.length + undeclared.reduce((sum, { count }) => sum + count, 0);
  const counts = [
    [onTenant, 'not in the files'],
    [rows.missing.length, 'missing'],
    [rows.different.length, 'different'],
  ] as const;
  const isSame = counts.every(([count]) => count === 0);
  rows.undeclared.push(...undeclared.map((one) => undeclaredRow(one, kinds)));
  const kept = findingsOf(plan, 'kept').filter((finding) => !isDifference(finding));
  const end = endOf(plan, kinds, kept);
  const hasErrors = findingsOf(plan, 'error').length > 0;
  const unread = uncheckedKinds(plan, kinds);
  return viewOf(plan, folder, {
    name: 'drift',
    headline: [...troubles(plan), totalText('difference', counts, isPart ? 'no other differences' : 'no differences')],
    // Errors are no agreement.
    sentences:
      isSame && !hasErrors && !isPart
        ? [agreement(plan, kinds, { agrees: 'No drift', state: 'Drift' })]
        : unread === ''
          ? []
          : [`Not compared, because they cannot be read: ${unread}.`],
    sections: [
      errorSection(plan, kinds),
      section('undeclared', sortedRows(rows.undeclared, kinds)),
      section('missing', sortedRows(rows.missing, kinds)),
      section('different', sortedRows(rows.different, kinds)),
      section('not-compared', sortedRows(rows.unread, kinds)),
      ...end.sections,
    ],
    remarks: end.remarks,
  });
}

/**
 * From the files to the tenant: drift reports a state, not the change that would fix it. A request that cannot be
 * compared has one side alone.
 *
 *   plan   limit 80 → 100   the files have 100
 *   drift  limit 100 → 80
 */
function seenFromTenant<Of extends Action | Finding>(about: Of): Of {
  if (about.changes === undefined || ('reason' in about && about.reason === 'unreadable')) return about;
  return { ...about, changes: about.changes.map(seenChange) };
}

function seenChange({ field, before, after }: FieldChange): FieldChange {
  return { field, ...(after !== undefined && { before: after }), ...(before !== undefined && { after: before }) };
}

/** A state has no verb, and no request. */
function driftRow(item: ActionRow): Row {
  const { row, actions } = item;
  const status = statusOf(item);
  const { code, text } = actions.some(({ reason }) => reason === 'duplicate') ? duplicate : statuses[status];
  return {
    ...row,
    verb: null,
    sign: statuses[status].sign,
    texts: row.texts.map(({ before, after, ...change }) => ({ ...change, before: after, after: before })),
    details: () =>
      row.details().flatMap(({ label, text }) => (ofRequest.has(label) ? [] : { label: sides[label] ?? label, text })),
    annotation: { level: status === 'unread' ? 'notice' : 'warning', code, says: text },
  };
}

const statusOfVerb = { delete: 'undeclared', add: 'missing', change: 'different' } as const;

/** A request planned because a kind cannot be read proves no difference. A prompt exists, whatever its texts are. */
function statusOf({ actions, row: { verb } }: ActionRow): DriftStatus {
  if (actions.some(({ reason }) => reason === 'unreadable')) return 'unread';
  if (verb === null || (verb === 'delete' && actions.some(({ action }) => action === 'put'))) return 'different';
  return statusOfVerb[verb];
}

/** Null for what is no difference. Of an item that the files declare, only a part may be undeclared. */
function statusOfFinding(finding: Finding): DriftStatus | null {
  const { live } = findingTraits(finding);
  if (!isDifference(finding) || live === undefined || live === 'unmanaged') return null;
  return live === 'undeclared' && finding.source !== null ? 'different' : live;
}
