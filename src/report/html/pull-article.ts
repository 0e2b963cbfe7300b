import { type PullReport, summaryOf } from '../render-pull.ts';
import { html, type Markup } from './markup.ts';
import type { Article } from './page.ts';
import { problemsMarkup } from './problems.ts';
import type { SideBySide } from './side-by-side.ts';

/** What a pull changes in the files. */
export function pullArticle(report: PullReport, sideBySide: SideBySide, prefix: string): Article {
  const { tenant, files, variables, notAdded, warnings } = report;
  const summary = summaryOf(report);
  return {
    title: `pull of ${tenant.name}: ${summary}`,
    body: html`<article>
<header>
<p class="tool">tenant-sync pull</p>
<h1>${tenant.name} <span class="address">${tenant.base_url}</span></h1>
<p class="headline">${summary}</p></header>
${warnings.length === 0 ? null : problemsMarkup(warnings, `${prefix}problems`)}${files.map(
  ({ file, before, after }) => html`<section class="text" aria-label="${file}">
<h2><code>${file}</code>${before === null ? ' (new)' : null}</h2>
${sideBySide(file, { before, after, isPlain: true })}</section>\n`,
)}${namesMarkup('Set these variables where apply runs', variables)}${namesMarkup(
  'Kept by protect; --add writes them',
  notAdded,
)}</article>\n`,
  };
}

function namesMarkup(title: string, names: readonly string[]): Markup | null {
  if (names.length === 0) return null;
  return html`<section aria-label="${title}">
<h2>${title}</h2>
<ul class="names">${names.map((name) => html`<li>${name}</li>`)}</ul></section>\n`;
}
