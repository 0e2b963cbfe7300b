import { findingTraits, isDifference } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Action, FieldChange, Finding, Plan } from '../../model/plan.generated.ts';
import { quantity, thousands } from '../wording.ts';
import { type ActionRow, actionRow, actionRows, type Detail } from './action-rows.ts';
import { bareRow } from './bare-row.ts';
import type { PlanExtras } from './compose-plan.ts';
import { findingRow, findingsOf } from './findings.ts';
import { namingKinds } from './items.ts';
import type { PartVerbs } from './part-lists.ts';
import { exceptions, planFacts, tenantOf } from './plan-facts.ts';
import type { PlanView, Row, Sign, ViewSection } from './plan-view.ts';
import { errorSection, isFilled, lastSections, remarksOf, scopeText, section, sortedRows } from './sections.ts';
import { undeclaredRow, withoutUndeclared } from './undeclared.ts';

/** How the tenant differs from the files in one item. */
type DriftStatus = 'undeclared' | 'missing' | 'different' | 'unread';

const signs: Readonly<Record<DriftStatus, Sign>> = { undeclared: '+', missing: '-', different: '~', unread: '?' };
/** The code agrees with the heading of the section. */
const codes: Readonly<Record<DriftStatus, string>> = {
  undeclared: 'LIVE_UNDECLARED',
  missing: 'LIVE_MISSING',
  different: 'LIVE_DIFFERENT',
  unread: 'LIVE_NOT_CHECKED',
};

/** The same plan from the tenant's side: items that are undeclared, missing or different there. */
export function composeDrift(
  plan: Plan,
  known: readonly AnyKind[],
  { detail = 'compact', folder }: Pick<PlanExtras, 'detail' | 'folder'> = {},
): PlanView {
  const kinds = namingKinds(known, plan.actions);
  const rows: Record<DriftStatus, Row[]> = { undeclared: [], missing: [], different: [], unread: [] };
  for (const item of actionRows(plan.actions, kinds, { detail })) {
    const status = statusOf(item);
    rows[status].push(seenFromTenant(item, status, kinds, detail));
  }
  const { undeclared, others } = withoutUndeclared(plan.findings, kinds);
  const reported = undeclared.map((one) => undeclaredRow(one, signs.undeclared, 'warning'));
  const hidden = undeclared.reduce((sum, { count }) => sum + count, 0);
  for (const finding of others) {
    const status = statusOfFinding(finding);
    if (status !== null) rows[status].push(findingRow(seenFinding(finding), kinds, signs[status]));
  }
  const kept = findingsOf(plan, 'kept').filter((finding) => !isDifference(finding));
  const counts = {
    deletions: rows.undeclared.length + hidden,
    changes: rows.different.length,
    additions: rows.missing.length,
    access: 0,
    unread: rows.unread.length,
  };
  rows.undeclared.push(...reported);
  const total = counts.deletions + counts.changes + counts.additions;
  return {
    name: 'drift',
    tenant: tenantOf(plan),
    facts: planFacts(plan, folder),
    headline: headlineOf(plan, counts, total),
    counts,
    origins: null,
    base: plan.base,
    sentences: conclusionOf(plan, kinds, total),
    sections: driftSections(plan, rows, kept, kinds).filter(isFilled),
    remarks: remarksOf(plan, kinds, kept),
    sends: '',
    closing: [],
    moreClosing: [],
  };
}

function driftSections(
  plan: Plan,
  rows: Readonly<Record<DriftStatus, readonly Row[]>>,
  kept: readonly Finding[],
  kinds: readonly AnyKind[],
): ViewSection[] {
  const visible = { weight: 'visible' } as const;
  const status = (name: Exclude<DriftStatus, 'unread'>, title: string) =>
    section(name, title, sortedRows(rows[name], kinds), visible);
  return [
    errorSection(plan, kinds),
    status('undeclared', 'On the tenant, but not in the files'),
    status('missing', 'In the files, but not on the tenant'),
    status('different', 'Different: files → tenant'),
    section('unread', 'Not compared, because live state cannot be read', sortedRows(rows.unread, kinds)),
    ...lastSections(plan, kinds, kept),
  ];
}

function headlineOf(plan: Plan, counts: PlanView['counts'], total: number): string[] {
  const errors = findingsOf(plan, 'error').length;
  const { deletions: undeclared, additions: missing, changes: different } = counts;
  const parts = [
    ...(undeclared > 0 ? [`${thousands(undeclared)} not in the files`] : []),
    ...(missing > 0 ? [`${thousands(missing)} missing`] : []),
    ...(different > 0 ? [`${thousands(different)} different`] : []),
  ];
  return [
    ...(plan.complete ? [] : ['INCOMPLETE']),
    ...(errors > 0 ? [quantity(errors, 'error')] : []),
    total === 0 ? 'no differences' : `${quantity(total, 'difference')}: ${parts.join(', ')}`,
  ];
}

/** Null for what is no difference. Of an item that the files declare, only a part may be undeclared. */
function statusOfFinding(finding: Finding): DriftStatus | null {
  const { live } = findingTraits(finding);
  if (!isDifference(finding) || live === undefined || live === 'unmanaged') return null;
  return live === 'undeclared' && finding.source !== null ? 'different' : live;
}

const statusOfVerb = { delete: 'undeclared', add: 'missing', change: 'different' } as const;

/** A request planned because a kind cannot be read proves no difference. A prompt exists, whatever its texts are. */
function statusOf({ actions, row: { verb } }: ActionRow): DriftStatus {
  if (actions.some(({ reason }) => reason === 'unreadable')) return 'unread';
  if (verb === null || (verb === 'delete' && actions.some(({ action }) => action === 'put'))) return 'different';
  return statusOfVerb[verb];
}

/** The difference that one action would fix: its code, and its row as drift shows it. */
export function driftCheck(action: Action, kinds: readonly AnyKind[]): { readonly code: string; readonly row: Row } {
  const item = actionRow([action], kinds, { detail: 'compact' });
  const status = statusOf(item);
  return { code: codeOf([action], status), row: seenFromTenant(item, status, kinds, 'compact') };
}

function codeOf(actions: readonly Action[], status: DriftStatus): string {
  return actions.some(({ reason }) => reason === 'duplicate') ? 'LIVE_DUPLICATE' : codes[status];
}

const driftVerbs: PartVerbs = {
  lost: 'also has',
  gained: 'lacks',
  deletes: 'also has',
  adds: 'lacks',
  changes: 'differs in',
};

/**
 * From the files to the tenant, and without the request: drift reports a state, not the change that would fix it.
 *
 *   plan   limit 80 → 100   the files have 100
 *   drift  limit 100 → 80
 */
function seenFromTenant(
  { row, actions }: ActionRow,
  status: DriftStatus,
  kinds: readonly AnyKind[],
  detail: Detail,
): Row {
  const seen = actionRow(actions.map(seenAction), kinds, { detail, verbs: driftVerbs }).row;
  return bareRow({
    ...row,
    what: seen.what,
    long: seen.long,
    texts: row.texts.map(({ before, after, ...text }) => ({ ...text, before: after, after: before })),
    verb: null,
    sign: signs[status],
    details: seen.details.flatMap(({ label, text }) =>
      ofRequest.has(label) ? [] : [{ label: sides[label] ?? label, text }],
    ),
    annotation: ({ noun, name, what, source }) => ({
      level: status === 'unread' ? 'notice' : 'warning',
      title: codeOf(actions, status),
      sentence: `${noun} ${name} ${seenText(actions, status)}${what === '' ? '' : `: ${what}`}`,
      source,
    }),
  });
}

/** What the tenant has in place of what the files have. A request that cannot be compared has one side alone. */
function seenAction(action: Action): Action {
  const { changes, reason } = action;
  if (reason === 'unreadable') return action;
  return changes === undefined ? action : { ...action, changes: changes.map(seenChange) };
}

function seenFinding(finding: Finding): Finding {
  return finding.changes === undefined ? finding : { ...finding, changes: finding.changes.map(seenChange) };
}

function seenChange({ field, before, after }: FieldChange): FieldChange {
  return { field, ...(after !== undefined && { before: after }), ...(before !== undefined && { after: before }) };
}

const seenTexts: Readonly<Record<DriftStatus, string>> = {
  undeclared: 'is on the tenant, but not in the files',
  missing: 'is in the files, but not on the tenant',
  different: 'differs from the files',
  unread: 'cannot be compared',
};

function seenText(actions: readonly Action[], status: DriftStatus): string {
  return actions.some(({ reason }) => reason === 'duplicate') ? 'is on the tenant more than once' : seenTexts[status];
}

/** What a plan calls before and after. */
const sides: Readonly<Record<string, string>> = { before: 'tenant', after: 'files' };
/** Details of the request that would fix the difference, and of what it would lead to. */
const ofRequest: ReadonlySet<string> = new Set(['request', 'operation', 'id', 'reason', 'note', 'effect']);

function conclusionOf(plan: Plan, kinds: readonly AnyKind[], differences: number): string[] {
  if (differences > 0 || plan.findings.some(({ severity }) => severity === 'error')) return [];
  if (!plan.complete) return ['Drift unknown: live state is incomplete.'];
  const scope = scopeText(plan);
  const except = exceptions(plan, kinds).join(' and ');
  return [except === '' ? `No drift${scope}.` : `No drift${scope}, except for ${except}.`];
}
