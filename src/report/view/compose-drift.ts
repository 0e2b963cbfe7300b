import type { AnyKind } from '../../model/kind.ts';
import type { Action, Finding, Plan } from '../../model/plan.generated.ts';
import { quantity, thousands } from '../wording.ts';
import { type ActionRow, actionRow, actionRows, type Detail, isDestructive } from './action-rows.ts';
import { classOf, findingRow, findingsOf } from './findings.ts';
import { namingKinds } from './items.ts';
import { planFacts, tenantOf, uncheckedKinds } from './plan-facts.ts';
import type { PlanView, Row, Sign, ViewSection } from './plan-view.ts';
import {
  bareRow,
  errorSection,
  isFilled,
  lastSections,
  remarksOf,
  scopeText,
  section,
  sortedRows,
} from './sections.ts';

/** How the tenant differs from the files in one item. */
type DriftStatus = 'undeclared' | 'missing' | 'different' | 'unread';

const statusOfCode: Readonly<Record<string, DriftStatus>> = {
  LIVE_UNDECLARED: 'undeclared',
  LIVE_UNDELETABLE: 'undeclared',
  LIVE_MISSING: 'missing',
};
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
  { detail = 'compact' }: { readonly detail?: Detail } = {},
): PlanView {
  const kinds = namingKinds(known, plan.actions);
  const rows: Record<DriftStatus, Row[]> = { undeclared: [], missing: [], different: [], unread: [] };
  for (const item of actionRows(plan.actions, kinds, { detail, access: driftAccess })) {
    const status = statusOfItem(item);
    rows[status].push(seenFromTenant(item, status));
  }
  for (const finding of plan.findings) {
    const status = statusOfFinding(finding);
    if (status !== null) rows[status].push(findingRow(finding, kinds, signs[status]));
  }
  const kept = findingsOf(plan, 'kept').filter(({ code }) => code !== 'LIVE_UNDECLARED');
  const counts = {
    deletions: rows.undeclared.length,
    changes: rows.different.length,
    additions: rows.missing.length,
    access: 0,
    unread: rows.unread.length,
  };
  const total = counts.deletions + counts.changes + counts.additions;
  return {
    name: 'drift',
    tenant: tenantOf(plan),
    facts: planFacts(plan),
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
    status('different', 'Different: what apply would change'),
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

/** Null for what is no difference. */
function statusOfFinding(finding: Finding): DriftStatus | null {
  const status = Object.hasOwn(statusOfCode, finding.code) ? statusOfCode[finding.code] : undefined;
  if (classOf(finding) === 'error') return null;
  return status ?? (classOf(finding) === 'difference' ? 'different' : null);
}

/** A request planned because a kind cannot be read proves no difference. */
function statusOfItem({ actions, row }: ActionRow): DriftStatus {
  if (actions.some(({ reason }) => reason === 'unreadable')) return 'unread';
  if (row.verb === 'delete' && !actions.some(({ action }) => action === 'put')) return 'undeclared';
  if (row.verb === 'add') return 'missing';
  const directions = new Set(actions.map((action) => directionOf(action)));
  const [only] = directions;
  return directions.size === 1 && only !== undefined ? only : 'different';
}

/** The code of a difference that an action would fix. */
export function driftCode(action: Action): string {
  if (action.reason === 'duplicate') return 'LIVE_DUPLICATE';
  return codes[action.reason === 'unreadable' ? 'unread' : directionOf(action)];
}

function directionOf(action: Action): DriftStatus {
  if (action.action === 'put' || action.action === 'update') return 'different';
  return isDestructive(action) ? 'undeclared' : 'missing';
}

const driftAccess = { lost: 'also has', gained: 'lacks' } as const;

/** The row of one difference, as drift shows it. */
export function driftRow(action: Action, kinds: readonly AnyKind[]): Row {
  const item = actionRow([action], kinds, { detail: 'compact', access: driftAccess });
  return seenFromTenant(item, statusOfItem(item));
}

/** Without the request: drift reports a state, not the change that would fix it. */
function seenFromTenant(item: ActionRow, status: DriftStatus): Row {
  const { row, actions } = item;
  const code = actions.map(driftCode).find((own) => own === 'LIVE_DUPLICATE') ?? codes[status];
  return bareRow({
    ...row,
    verb: null,
    sign: signs[status],
    details: row.details.filter(({ label }) => !ofRequest.has(label)),
    annotation: row.annotation && {
      level: status === 'unread' ? 'notice' : 'warning',
      title: code,
      sentence: `${row.noun} ${row.name} ${seenText(item, status)}${row.what === '' ? '' : `: ${row.what}`}`,
      source: row.source,
    },
  });
}

const seenTexts: Readonly<Record<DriftStatus, string>> = {
  undeclared: 'is on the tenant, but not in the files',
  missing: 'is in the files, but not on the tenant',
  different: 'differs from the files',
  unread: 'cannot be compared',
};

/** An item that has or lacks a part is in both. */
function seenText({ row, actions }: ActionRow, status: DriftStatus): string {
  if (actions.some(({ reason }) => reason === 'duplicate')) return 'is on the tenant more than once';
  return seenTexts[row.verb === 'change' && status !== 'unread' ? 'different' : status];
}

/** Details of the request that would fix the difference. */
const ofRequest: ReadonlySet<string> = new Set(['request', 'operation', 'id', 'reason', 'note']);

function conclusionOf(plan: Plan, kinds: readonly AnyKind[], differences: number): string[] {
  if (differences > 0 || plan.findings.some(({ severity }) => severity === 'error')) return [];
  if (!plan.complete) return ['Drift unknown: live state is incomplete.'];
  const scope = scopeText(plan);
  const unchecked = uncheckedKinds(plan, kinds);
  return unchecked === '' ? [`No drift${scope}.`] : [`No drift${scope}, except for what cannot be read: ${unchecked}.`];
}
