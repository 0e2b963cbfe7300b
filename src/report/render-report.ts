import type { Plan } from '../model/plan.generated.ts';
import { annotationLines, viewNotices } from './annotations.ts';
import {
  type Format,
  framed,
  type Renderer,
  type ReportContext,
  type ReportDocument,
  type ViewedDocument,
} from './document.ts';
import { jsonText, markdownCode } from './escape.ts';
import { renderDiagnostics } from './render-diagnostics.ts';
import { renderPull } from './render-pull.ts';
import { composeView } from './view/compose-view.ts';
import { groupRows } from './view/group-rows.ts';
import { workText } from './view/headline.ts';
import { emptyView, type PlanView, type ViewSection } from './view/plan-view.ts';
import { viewMarkdown } from './view-markdown.ts';
import { viewText } from './view-text.ts';
import { cutText, quantity, shortList, thousands } from './wording.ts';

/** Documents one after the other, with an empty line between them. */
export const textOf: Renderer = (documents, context) =>
  framed(['', '\n', ''], documents, (document) => renderDocument(document, 'text', context));

/**
 * In UTF-16 units: a comment has at most 65,536 characters, of which each has at least one. The rest is for the names of
 * documents that are omitted.
 */
const longestTogether = 55_000;
const mostNames = 10;

/** One document is as long as it may be; of several, those that fit are complete, and the others are named. */
export const markdownOf: Renderer = function* (documents, context) {
  const omitted: string[] = [];
  let left = documents.length === 1 ? Number.POSITIVE_INFINITY : longestTogether;
  let between = '';
  for (const document of documents) {
    const text = renderDocument(document, 'markdown', context);
    if (text.length >= left) {
      omitted.push(markdownCode(cutText(titleOf(document))));
      continue;
    }
    left -= text.length + 1;
    yield between + text;
    between = '\n';
  }
  const names = shortList(omitted, mostNames).join(', ');
  if (omitted.length > 0)
    yield `${between}… and ${quantity(omitted.length, 'more document')}, omitted to fit the size limit of a comment: ${names}. Show each with a command of its own.\n`;
};

function titleOf(document: ReportDocument): string {
  if (document.type === 'diagnostics') return `errors of ${document.command}`;
  const { tenant } = document.type === 'pull' ? document.pull : planOf(document);
  return `${document.type} of ${tenant.name}`;
}

function planOf(document: ViewedDocument): Plan {
  return document.type === 'outcomes' ? document.outcomes.plan : document.plan;
}

export const annotationsOf: Renderer = (documents, context) =>
  framed(['', '', ''], documents, (document) => renderDocument(document, 'github', context));

/** The result of a run as itself; several as a list. */
export const jsonOf: Renderer = (documents, context) =>
  framed(context.isList ? ['[\n', ',\n', '\n]\n'] : ['', '', '\n'], documents, (document) =>
    renderDocument(document, 'json', context).trimEnd(),
  );

export function renderDocument(document: ReportDocument, format: Format, context: ReportContext): string {
  if (document.type === 'pull') return renderPull(document.pull, format, context);
  if (document.type === 'diagnostics') return renderDiagnostics(document, format, context);
  switch (format) {
    case 'json':
      return jsonText(document.type === 'outcomes' ? document.outcomes : document.plan);
    case 'text':
      return viewText(composeView(document, context), context);
    case 'markdown':
      return viewMarkdown(composeView(document, context), context.detail);
    case 'github':
      return annotated(composeView(document, context), context);
  }
}

/** Annotations, and below them the text: GitHub shows it in the log of the job. */
function annotated(view: PlanView, context: ReportContext): string {
  return annotationLines(viewNotices(view), context.folder, []) + viewText(view, context);
}

/** `Apply 12 changes with 13 requests to https://login.acme.example/api/v2?` */
export function confirmationQuestion(plan: Plan): string {
  return `Apply ${workText(plan)} to ${plan.tenant.base_url}?`;
}

/** The most rows of a section: this text follows the complete plan. */
const namedRows = 20;

/** Shown before the confirmation: what to check first, what apply destroys, and what it overwrites without having read it. */
export function renderConfirmation(plan: Plan, context: Pick<ReportContext, 'style' | 'kinds' | 'width'>): string {
  const { name, tenant, sections } = composeView({ type: 'plan', plan, diagnostics: [] }, context);
  const critical = sections.filter((section) => section.name === 'critical');
  const losing = sections.flatMap(lossesOf);
  const losses = losing.reduce((sum, { rows }) => sum + rows.length, 0);
  const headline = [losses === 0 ? 'no losses' : quantity(losses, 'loss', 'losses')];
  const grouped = groupRows({ ...emptyView, name, tenant, headline, sections: losing });
  return viewText({ ...grouped, sections: [...critical, ...grouped.sections.map(cutSection)] }, context);
}

/** The rows of a section that are about something that is gone or overwritten afterwards. */
function lossesOf(section: ViewSection): ViewSection[] {
  const isAll = section.name === 'lost' || section.name === 'unread';
  const rows = section.rows.filter(({ isLoss }) => isAll || isLoss);
  return rows.length === 0 ? [] : [{ ...section, rows }];
}

function cutSection(section: ViewSection): ViewSection {
  const rest = section.rows.length - namedRows;
  const notes = rest > 0 ? [{ label: '…', text: `and ${thousands(rest)} more` }] : [];
  return { ...section, rows: section.rows.slice(0, namedRows), notes };
}
