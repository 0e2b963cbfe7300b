import type { ReportDocument } from './document.ts';
import type { FormatContext, Renderer } from './formats.ts';
import { renderDiagnostics } from './render-diagnostics.ts';
import { renderPull } from './render-pull.ts';
import { renderOutcomes, renderPlan } from './render-report.ts';
import type { Format } from './report.ts';

/** Documents one after the other, with an empty line between them. */
export const textOf: Renderer = (documents, context) =>
  documents.map((document) => renderOne(document, 'text', context)).join('\n');

export const markdownOf: Renderer = (documents, context) =>
  documents.map((document) => renderOne(document, 'markdown', context)).join('\n');

export const annotationsOf: Renderer = (documents, context) =>
  documents.map((document) => renderOne(document, 'github', context)).join('');

/** The result of a run as itself; several as a list. */
export const jsonOf: Renderer = (documents, context) => {
  const texts = documents.map((document) => renderOne(document, 'json', context));
  return context.isList ? `[\n${texts.map((text) => text.trimEnd()).join(',\n')}\n]\n` : texts.join('');
};

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
