import { locationText } from '../../diagnostics/source-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import {
  type DiagnosticsReport,
  type FormatContext,
  type PullReport,
  planOf,
  type Renderer,
  type ReportDocument,
  warningsOf,
} from '../document.ts';
import { excerptLines, problemsHeadline } from '../render-diagnostics.ts';
import { secretsTitle, summaryOf } from '../render-pull.ts';
import { composeView } from '../view/compose-view.ts';
import { originText } from '../view/items.ts';
import type { Fact, PlanView, ViewSection } from '../view/plan-view.ts';
import { groupRows, isConsequence } from '../view/shared-rows.ts';
import { pageStyle } from './assets.generated.ts';
import { type Content, html, type Markup, ownMarkup } from './markup.ts';
import { namesMarkup, openItemLinks, openPlaces, type PageContext, type RowContext, rowMarkup } from './rows.ts';
import { openSideBySide } from './side-by-side.ts';

/** One document in a page. */
interface Article {
  readonly title: string;
  readonly body: Markup;
}

/** One page for people, with everything in it: an article for each document. */
export const htmlOf: Renderer = function* (documents, context) {
  const page = { sideBySide: openSideBySide(), placeOf: openPlaces(context) };
  const others = documents.length - 1;
  let index = 0;
  for (const document of documents) {
    index += 1;
    const { title, body } = articleOf(document, context, { ...page, prefix: others === 0 ? '' : `${index}-` });
    if (index === 1) yield pageStart(others === 0 || 'group' in document ? title : `${title} and ${others} more`);
    yield body.text;
  }
  yield pageEnd;
};

function articleOf(document: ReportDocument, context: FormatContext, page: PageContext): Article {
  if (document.type === 'pull') return pullArticle(document.pull, page);
  if (document.type === 'diagnostics') return problemsArticle(document, page);
  const view = composeView(document, context);
  if (document.type === 'checks') return viewArticle(view, page);
  const made = { label: 'made', text: `${planOf(document).generated_at} by tenant-sync ${context.version}` };
  return viewArticle({ ...view, closing: [...view.closing, made] }, page, warningsOf(document));
}

/** What the page may load and run: nothing. Its style and its empty icon are written in it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/**
 * One file with everything in it. The comment shows who made it, so that --report may replace it. The policy comes
 * first: it applies to what follows.
 */
export function pageStart(title: string): string {
  return html`<!doctype html>
<!-- tenant-sync -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${ownMarkup(policy)}">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${ownMarkup(pageStyle)}</style>
</head>
<body>
<main>
`.text;
}

export const pageEnd = `</main>
</body>
</html>
`;

/** Up to this many rows, changed texts are shown at once. */
const mostOpenRows = 50;

/** A plan, its drift or its outcomes, with the warnings beside it. */
export function viewArticle(view: PlanView, page: PageContext, warnings: readonly Diagnostic[] = []): Article {
  // Consequences with many rows would hide the changes below them.
  const { sections } = groupRows(view, isConsequence);
  const rows = sections.flatMap((section) => section.rows);
  const opens = rows.length <= mostOpenRows ? 'texts' : 'nothing';
  const context: RowContext = { ...page, links: openItemLinks(rows, page.prefix), opens };
  const notes = [...view.remarks.map(({ label, text }) => `${label}: ${text}.`), view.sends];
  return {
    title: `${view.name} of ${view.tenant.name}: ${view.headline.join(', ')}`,
    body: html`<article${rows.some(({ origin }) => originText(origin) !== '') ? html` class="with-origins"` : null}>
<header>
${headMarkup(view)}</header>
${sections.map((section) => sectionMarkup(section, context))}${problemsMarkup(warnings, page)}${notes.map((note) => (note === '' ? null : html`<p class="note">${note}</p>\n`))}<footer>
${factsMarkup(view.closing)}</footer>
</article>\n`,
  };
}

function headMarkup({ name, tenant, tenants, facts, headline, sentences }: PlanView): Markup {
  const separator = html` <span aria-hidden="true">·</span> `;
  return html`<p class="tool">tenant-sync ${name}</p>
<h1>${tenant.name} <span class="address">${tenant.baseUrl}</span></h1>
<p class="headline">${headline.map((part, index) => html`${index === 0 ? null : separator}${part}`)}</p>
${tenants.length === 0 ? null : namesMarkup(tenants)}${sentences.map((sentence) => html`<p class="sentence">${sentence}</p>\n`)}${factsMarkup(facts)}`;
}

/** What is refused or went wrong is shown with its reason. */
function sectionMarkup({ name, title, panel, notes, rows }: ViewSection, context: RowContext): Markup {
  const id = `${context.prefix}${name}`;
  const rowContext: RowContext = panel === 'error' ? { ...context, opens: 'everything' } : context;
  return html`<section class="${panel === undefined ? 'list' : `panel ${panel}`}" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${notesMarkup(notes)}<ul class="rows">
${rows.map((row) => rowMarkup(row, rowContext))}</ul></section>\n`;
}

/** Lines of a file are selected with one click. */
function notesMarkup(notes: readonly Fact[]): Content {
  const lines = notes.filter(({ code }) => code === 'line');
  return notes.map((note) => {
    const { label, text, code } = note;
    if (code === undefined) return html`<p class="note">${label}: ${text}</p>\n`;
    if (note !== lines[0]) return null;
    return html`<pre class="note copy" tabindex="0">${lines.map((line) => html`${line.text}\n`)}</pre>\n`;
  });
}

function factsMarkup(facts: readonly Fact[]): Markup | null {
  if (facts.length === 0) return null;
  return html`<dl class="facts">${facts.map(({ label, text }) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>\n`;
}

/** Errors and warnings of a run: the result of validate, or why there is no other one. */
function problemsArticle(report: DiagnosticsReport, page: PageContext): Article {
  const { command, diagnostics } = report;
  const summary = problemsHeadline(report);
  return {
    title: `${command}: ${summary}`,
    body: html`<article>
<header>
<p class="tool">tenant-sync ${command}</p>
<h1>${summary}</h1></header>
${problemsMarkup(diagnostics, page)}</article>\n`,
  };
}

/** Each with its place, the lines of the file, and what to do; nothing if there are none. */
function problemsMarkup(diagnostics: readonly Diagnostic[], { prefix, placeOf }: PageContext): Markup | null {
  if (diagnostics.length === 0) return null;
  const id = `${prefix}problems`;
  return html`<section class="panel ${diagnostics.some(({ severity }) => severity === 'error') ? 'error' : 'warn'}" aria-labelledby="${id}">
<h2 id="${id}">Problems</h2>
<ul class="problems">
${diagnostics.map((diagnostic) => html`<li>${problemMarkup(diagnostic, placeOf)}</li>\n`)}</ul></section>\n`;
}

function problemMarkup(
  { code, severity, message, hint, source, excerpt }: Diagnostic,
  placeOf: PageContext['placeOf'],
): Markup {
  const place = source === undefined ? null : html` <span class="at">${placeOf(locationText(source), source)}</span>`;
  return html`<p><strong class="${severity}">${severity}</strong> <code>${code}</code>${place}</p>
<p>${message}</p>
${excerpt === undefined ? null : html`<pre tabindex="0">${excerptLines(excerpt).map((line) => html`${line}\n`)}</pre>\n`}${
  hint === undefined ? null : html`<p class="hint">${hint}</p>`
}`;
}

/** What a pull changes in the files. */
function pullArticle(report: PullReport, page: PageContext): Article {
  const { tenant, files, variables, notAdded, warnings } = report;
  const summary = summaryOf(report);
  return {
    title: `pull of ${tenant.name}: ${summary}`,
    body: html`<article>
<header>
<p class="tool">tenant-sync pull</p>
<h1>${tenant.name} <span class="address">${tenant.base_url}</span></h1>
<p class="headline">${summary}</p></header>
${problemsMarkup(warnings, page)}${files.map(
  ({ file, before, after }) => html`<section class="text" aria-label="${file}">
<h2><code>${file}</code>${before === null ? ' (new)' : null}</h2>
${page.sideBySide(file, { before, after })}</section>\n`,
)}${namesSection(secretsTitle, variables)}${namesSection('Kept by protect; --add writes them', notAdded)}</article>\n`,
  };
}

function namesSection(title: string, names: readonly string[]): Markup | null {
  if (names.length === 0) return null;
  return html`<section aria-label="${title}">
<h2>${title}</h2>
${namesMarkup(names)}</section>\n`;
}
