import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DiagnosticsReport, PullReport } from '../document.ts';
import { excerptLines, summaryText } from '../render-diagnostics.ts';
import { summaryOf } from '../render-pull.ts';
import { originText } from '../view/items.ts';
import type { Fact, PlanView, ViewSection } from '../view/plan-view.ts';
import { groupRows, isConsequence } from '../view/shared-rows.ts';
import { formatSource } from '../wording.ts';
import { type Content, html, type Markup } from './markup.ts';
import { namesMarkup, openItemLinks, type PageContext, type PlaceOf, type RowContext, rowMarkup } from './rows.ts';

/** One document in a page. */
export interface Article {
  readonly title: string;
  readonly body: Markup;
}

/** Up to this many rows, changed texts are shown at once. */
const mostOpenRows = 50;

export interface ViewExtras extends PageContext {
  /** Warnings beside the plan; null if there are none. */
  readonly warnings: Markup | null;
  readonly closing: readonly Fact[];
}

/** A plan, its drift or its outcomes. */
export function viewArticle(view: PlanView, { warnings, closing, ...shared }: ViewExtras): Article {
  // Consequences with many rows would hide the changes below them.
  const { sections } = groupRows(view, isConsequence);
  const rows = sections.flatMap((section) => section.rows);
  const opens = rows.length <= mostOpenRows ? 'texts' : 'nothing';
  const context: RowContext = { ...shared, links: openItemLinks(rows, shared.prefix), opens };
  const notes = [...view.remarks.map(({ label, text }) => `${label}: ${text}.`), view.sends];
  return {
    title: `${view.name} of ${view.tenant.name}: ${view.headline.join(', ')}`,
    body: html`<article${rows.some(({ origin }) => originText(origin) !== '') ? html` class="with-origins"` : null}>
<header>
${headMarkup(view)}</header>
${sections.map((section) => sectionMarkup(section, context))}${warnings}${notes.map((note) => (note === '' ? null : html`<p class="note">${note}</p>\n`))}<footer>
${factsMarkup([...view.closing, ...closing])}</footer>
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
export function problemsArticle({ command, diagnostics, files }: DiagnosticsReport, page: PageContext): Article {
  const summary = summaryText(diagnostics, files);
  return {
    title: `${command}: ${summary}`,
    body: html`<article>
<header>
<p class="tool">tenant-sync ${command}</p>
<h1>${summary}</h1></header>
${diagnostics.length === 0 ? null : problemsMarkup(diagnostics, page)}</article>\n`,
  };
}

/** Each with its place, the lines of the file, and what to do. */
export function problemsMarkup(diagnostics: readonly Diagnostic[], { prefix, placeOf }: PageContext): Markup {
  const id = `${prefix}problems`;
  return html`<section class="panel ${diagnostics.some(({ severity }) => severity === 'error') ? 'error' : 'warn'}" aria-labelledby="${id}">
<h2 id="${id}">Problems</h2>
<ul class="problems">
${diagnostics.map((diagnostic) => html`<li>${problemMarkup(diagnostic, placeOf)}</li>\n`)}</ul></section>\n`;
}

function problemMarkup({ code, severity, message, hint, source, excerpt }: Diagnostic, placeOf: PlaceOf): Markup {
  const place = source === undefined ? null : html` <span class="at">${placeOf(formatSource(source), source)}</span>`;
  return html`<p><strong class="${severity}">${severity}</strong> <code>${code}</code>${place}</p>
<p>${message}</p>
${excerpt === undefined ? null : html`<pre tabindex="0">${excerptLines(excerpt).map((line) => html`${line}\n`)}</pre>\n`}${
  hint === undefined ? null : html`<p class="hint">${hint}</p>`
}`;
}

/** What a pull changes in the files. */
export function pullArticle(report: PullReport, page: PageContext): Article {
  const { tenant, files, variables, notAdded, warnings } = report;
  const summary = summaryOf(report);
  return {
    title: `pull of ${tenant.name}: ${summary}`,
    body: html`<article>
<header>
<p class="tool">tenant-sync pull</p>
<h1>${tenant.name} <span class="address">${tenant.base_url}</span></h1>
<p class="headline">${summary}</p></header>
${warnings.length === 0 ? null : problemsMarkup(warnings, page)}${files.map(
  ({ file, before, after }) => html`<section class="text" aria-label="${file}">
<h2><code>${file}</code>${before === null ? ' (new)' : null}</h2>
${page.sideBySide(file, { before, after })}</section>\n`,
)}${namesSection('Variables with secrets, which apply sends when it creates their item, changes its destination or rotates them', variables)}${namesSection(
  'Kept by protect; --add writes them',
  notAdded,
)}</article>\n`,
  };
}

function namesSection(title: string, names: readonly string[]): Markup | null {
  if (names.length === 0) return null;
  return html`<section aria-label="${title}">
<h2>${title}</h2>
${namesMarkup(names)}</section>\n`;
}
