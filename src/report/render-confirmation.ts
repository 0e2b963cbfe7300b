import type { AnyKind } from '../model/kind.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { Style } from './style.ts';
import { composePlan, workText } from './view/compose-plan.ts';
import { groupRows } from './view/group-rows.ts';
import type { PlanView, ViewSection } from './view/plan-view.ts';
import { viewText } from './view-text.ts';
import { quantity, thousands } from './wording.ts';

export interface ConfirmationOptions {
  readonly style: Style;
  readonly kinds: readonly AnyKind[];
  readonly width: number | null;
}

/** `Apply 12 changes with 13 requests to https://login.acme.example/api/v2?` */
export function confirmationQuestion(plan: Plan): string {
  return `Apply ${workText(plan)} to ${plan.tenant.base_url}?`;
}

/** The most rows of a section: this text follows the complete plan. */
const namedRows = 20;

/** Shown before the confirmation: what to check first, what apply destroys, and what it overwrites without having read it. */
export function renderConfirmation(plan: Plan, { style, kinds, width }: ConfirmationOptions): string {
  const view = composePlan(plan, kinds);
  const critical = view.sections.filter(({ name }) => name === 'critical');
  const losing = view.sections.flatMap(lossesOf);
  const losses = losing.reduce((sum, { rows }) => sum + rows.length, 0);
  const shown: PlanView = {
    ...view,
    facts: [],
    headline: [losses === 0 ? 'no losses' : quantity(losses, 'loss', 'losses')],
    sentences: [],
    sections: losing,
    remarks: [],
    sends: '',
    closing: [],
  };
  const grouped = groupRows(shown);
  const cut = grouped.sections.map((section) => ({
    ...section,
    rows: section.rows.slice(0, namedRows),
    notes: restOf(section),
  }));
  return viewText({ ...grouped, sections: [...critical, ...cut] }, { style, width, detail: 'compact' });
}

/** The rows of a section that are about something that is gone or overwritten afterwards. */
function lossesOf(section: ViewSection): ViewSection[] {
  if (section.name !== 'lost' && !isOfItems.has(section.name)) return [];
  const rows =
    section.name === 'lost' ? section.rows : section.rows.filter(({ isLoss }) => isLoss || section.name === 'unread');
  return rows.length === 0
    ? []
    : [{ ...section, rows: rows.map((row) => ({ ...row, texts: row.isLoss ? row.texts : [] })) }];
}

const isOfItems: ReadonlySet<string> = new Set(['deletions', 'changes', 'additions', 'unread']);

function restOf({ rows }: ViewSection): ViewSection['notes'] {
  const rest = rows.length - namedRows;
  return rest > 0 ? [{ label: '…', text: `and ${thousands(rest)} more` }] : [];
}
