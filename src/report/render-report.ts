import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import { viewAnnotations } from './annotations.ts';
import {
  type Format,
  type FormatContext,
  framed,
  type Renderer,
  type ReportContext,
  type ReportDocument,
} from './document.ts';
import { jsonText, markdownCode } from './escape.ts';
import { renderDiagnostics } from './render-diagnostics.ts';
import { renderPull } from './render-pull.ts';
import { composeDrift } from './view/compose-drift.ts';
import { composeOutcomes } from './view/compose-outcomes.ts';
import { composePlan, workText } from './view/compose-plan.ts';
import { groupRows } from './view/group-rows.ts';
import type { PlanView, ViewSection } from './view/plan-view.ts';
import { viewMarkdown } from './view-markdown.ts';
import { viewText } from './view-text.ts';
import { cutName, quantity, thousands } from './wording.ts';

/** Documents one after the other, with an empty line between them. */
export const textOf: Renderer = (documents, context) =>
  framed(['', '\n', ''], documents, (document) => renderOne(document, 'text', context));

export const markdownOf: Renderer = (documents, context) => {
  const [texts, titles]: [string[], string[]] = [[], []];
  for (const document of documents) {
    texts.push(renderOne(document, 'markdown', context));
    titles.push(titleOf(document));
  }
  return texts.length < 2 ? texts : [withinComment(texts, titles)];
};

/** In UTF-16 units: a comment has at most 65,536 characters, of which each has at least one. */
const longestComment = 65_000;
/** Names of documents that were omitted. */
const longestList = 2_000;

/** Documents that fit, completely and in their order; the others by name. */
function withinComment(texts: readonly string[], titles: readonly string[]): string {
  let left = longestComment - longestList;
  const shown = texts.map((text) => {
    const fits = text.length < left;
    if (fits) left -= text.length + 1;
    return fits;
  });
  const omitted = titles.filter((_, index) => !shown[index]);
  const rest = omitted.length === 0 ? [] : [omittedText(omitted)];
  return [...texts.filter((_, index) => shown[index]), ...rest].join('\n');
}

function omittedText(titles: readonly string[]): string {
  let size = 0;
  const named = titles
    .map((title) => markdownCode(title))
    .filter((title) => {
      size += title.length + 2;
      return size < longestList - 200;
    });
  const more = titles.length - named.length;
  const names = [...named, ...(more > 0 ? [`${thousands(more)} more`] : [])].join(', ');
  return `… and ${quantity(titles.length, 'more document')}, omitted to fit the size limit of a comment: ${names}. Show each with a command of its own.\n`;
}

function titleOf(document: ReportDocument): string {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return cutName(`${document.type} of ${document.plan.tenant.name}`);
    case 'outcomes':
      return cutName(`outcomes of ${document.outcomes.plan.tenant.name}`);
    case 'pull':
      return cutName(`pull of ${document.pull.tenant.name}`);
    case 'diagnostics':
      return `errors of ${document.command}`;
  }
}

export const annotationsOf: Renderer = (documents, context) =>
  framed(['', '', ''], documents, (document) => renderOne(document, 'github', context));

/** The result of a run as itself; several as a list. */
export const jsonOf: Renderer = (documents, context) =>
  framed(context.isList ? ['[\n', ',\n', '\n]\n'] : ['', '', '\n'], documents, (document) =>
    renderOne(document, 'json', context).trimEnd(),
  );

function renderOne(document: ReportDocument, format: Format, context: FormatContext): string {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return renderPlan(document.plan, document.type, format, context);
    case 'outcomes':
      return renderOutcomes(document.outcomes, format, context);
    case 'pull':
      return renderPull(document.pull, format, context.style, context.folder);
    case 'diagnostics': {
      const { diagnostics, files, command } = document;
      return renderDiagnostics(diagnostics, format, context.style, files, context.folder, command);
    }
  }
}

/** `drift` describes the same plan from the tenant's side. */
export type PlanSide = 'plan' | 'drift';

export function renderPlan(plan: Plan, side: PlanSide, format: Format, context: ReportContext): string {
  return render(plan, () => planView(plan, side, context), format, context);
}

function planView(plan: Plan, side: PlanSide, context: Omit<ReportContext, 'style'>): PlanView {
  return side === 'plan' ? composePlan(plan, context.kinds, context) : composeDrift(plan, context.kinds, context);
}

export function renderOutcomes(document: OutcomesDocument, format: Format, context: ReportContext): string {
  return render(document, () => composeOutcomes(document, context.kinds, context), format, context);
}

/** A document in one format; JSON is the document itself. */
function render(document: object, compose: () => PlanView, format: Format, context: ReportContext): string {
  const { style, folder, width = null, detail = 'compact' } = context;
  switch (format) {
    case 'json':
      return jsonText(document);
    case 'text':
      return viewText(compose(), { style, width, detail });
    case 'markdown':
      return viewMarkdown(compose(), detail);
    case 'github':
      return viewAnnotations(compose(), folder);
  }
}

type ConfirmationOptions = Pick<ReportContext, 'style' | 'kinds' | 'width'>;

/** `Apply 12 changes with 13 requests to https://login.acme.example/api/v2?` */
export function confirmationQuestion(plan: Plan): string {
  return `Apply ${workText(plan)} to ${plan.tenant.base_url}?`;
}

/** The most rows of a section: this text follows the complete plan. */
const namedRows = 20;

/** Shown before the confirmation: what to check first, what apply destroys, and what it overwrites without having read it. */
export function renderConfirmation(plan: Plan, { style, kinds, width = null }: ConfirmationOptions): string {
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
