import { cutName } from './cut-text.ts';
import type { ReportDocument } from './document.ts';
import { markdownCode } from './escape.ts';
import type { FormatContext, Renderer } from './formats.ts';
import { framed } from './pieces.ts';
import { renderDiagnostics } from './render-diagnostics.ts';
import { renderPull } from './render-pull.ts';
import { type Format, renderOutcomes, renderPlan } from './render-report.ts';
import { quantity, thousands } from './wording.ts';

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
