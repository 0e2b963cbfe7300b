import type { ChecksDocument } from '../model/checks.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import { annotationLines, diagnosticNotice, viewNotices } from './annotations.ts';
import { type Format, framed, type Renderer, type ReportContext, type ReportDocument, tenantOf } from './document.ts';
import { joinLines, jsonText, markdownCode } from './escape.ts';
import { diagnosticsData, diagnosticsMarkdown, diagnosticsText, problemsHeadline } from './render-diagnostics.ts';
import { pullData, pullMarkdown, pullText } from './render-pull.ts';
import { composeView } from './view/compose-view.ts';
import { workText } from './view/headline.ts';
import { checkFirst } from './view/plan-view.ts';
import { viewMarkdown } from './view-markdown.ts';
import { viewText } from './view-text.ts';
import { cutText, quantity, shortList } from './wording.ts';

/** Documents one after the other, with an empty line between them. */
export const textOf: Renderer = (documents, context) =>
  framed(['', '\n', ''], documents, (document) => renderDocument(document, 'text', context));

/**
 * In UTF-16 units: a comment has at most 65,536 characters, of which each has at least one. The rest is for the names of
 * documents that are omitted.
 */
const longestTogether = 55_000;
const mostNames = 10;

/**
 * One document is as long as it may be; of several, those that fit are complete, and the others are named. What is critical
 * is cut to half of what is left instead.
 */
export const markdownOf: Renderer = function* (documents, context) {
  const omitted: string[] = [];
  let left = documents.length === 1 ? Number.POSITIVE_INFINITY : longestTogether;
  let between = '';
  for (const document of documents) {
    const complete = renderDocument(document, 'markdown', context);
    const isCut = complete.length >= left && complete.includes(`\n### ${checkFirst}\n`);
    const text = isCut ? renderDocument(document, 'markdown', { ...context, longest: left / 2 }) : complete;
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
  return document.type === 'checks' ? 'last checks' : `${document.type} of ${tenantOf(document)?.name}`;
}

export const annotationsOf: Renderer = (documents, context) =>
  framed(['', '', ''], documents, (document) => renderDocument(document, 'github', context));

/** The result of a run as itself; several as a list. */
export const jsonOf: Renderer = (documents, context) =>
  framed(context.isList ? ['[\n', ',\n', '\n]\n'] : ['', '', '\n'], documents, (document) =>
    renderDocument(document, 'json', context).trimEnd(),
  );

export function renderDocument(document: ReportDocument, format: Format, context: ReportContext): string {
  if (format === 'json') return jsonText(dataOf(document));
  if (document.type === 'pull')
    return format === 'markdown' ? pullMarkdown(document.pull, context) : pullText(document.pull, context);
  if (document.type === 'diagnostics') {
    if (format === 'text') return diagnosticsText(document, context.style);
    if (format === 'markdown') return diagnosticsMarkdown(document);
    return annotationLines(document.diagnostics.map(diagnosticNotice)) + joinLines([problemsHeadline(document)]);
  }
  const view = composeView(document, context);
  if (format === 'markdown') return viewMarkdown(view, context);
  // GitHub shows the text in the log of the job.
  return (format === 'github' ? annotationLines(viewNotices(view)) : '') + viewText(view, context);
}

function dataOf(document: ReportDocument): object {
  switch (document.type) {
    case 'checks':
      return { format_version: '1.0', tenants: [...document.tenants] } satisfies ChecksDocument;
    case 'diagnostics':
      return diagnosticsData(document);
    case 'outcomes':
      return document.outcomes;
    case 'pull':
      return pullData(document.pull);
    default:
      return document.plan;
  }
}

/** `Apply 12 changes (3 losses) with 13 requests to https://login.acme.example/api/v2?` */
export function confirmationQuestion(plan: Plan): string {
  return `Apply ${workText(plan)} to ${plan.tenant.base_url}?`;
}
