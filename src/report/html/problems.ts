import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DiagnosticsReport } from '../document.ts';
import { excerptLines } from '../excerpt-lines.ts';
import { summaryText } from '../render-diagnostics.ts';
import { formatSource } from '../wording.ts';
import { html, type Markup } from './markup.ts';
import type { Article } from './page.ts';

/** Errors and warnings of a run: the result of validate, or why there is no other one. */
export function problemsArticle({ command, diagnostics, files }: DiagnosticsReport, prefix: string): Article {
  const summary = summaryText(diagnostics, files);
  return {
    title: `${command}: ${summary}`,
    body: html`<article>
<header>
<p class="tool">tenant-sync ${command}</p>
<h1>${summary}</h1></header>
${diagnostics.length === 0 ? null : problemsMarkup(diagnostics, `${prefix}problems`)}</article>\n`,
  };
}

/** Each with its place, the lines of the file, and what to do. */
export function problemsMarkup(diagnostics: readonly Diagnostic[], id: string): Markup {
  return html`<section class="panel ${diagnostics.some(({ severity }) => severity === 'error') ? 'error' : 'warn'}" aria-labelledby="${id}">
<h2 id="${id}">Problems</h2>
<ul class="problems">
${diagnostics.map((diagnostic) => html`<li>${problemMarkup(diagnostic)}</li>\n`)}</ul></section>\n`;
}

function problemMarkup({ code, severity, message, hint, source, excerpt }: Diagnostic): Markup {
  const place = source === undefined ? null : html` <span class="at">${formatSource(source)}</span>`;
  return html`<p><strong class="${severity}">${severity}</strong> <code>${code}</code>${place}</p>
<p>${message}</p>
${excerpt === undefined ? null : html`<pre tabindex="0">${excerptLines(excerpt).map((line) => html`${line}\n`)}</pre>\n`}${
  hint === undefined ? null : html`<p class="hint">${hint}</p>`
}`;
}
