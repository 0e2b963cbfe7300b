import { type FormatContext, planOf, type Renderer, type ReportDocument, warningsOf } from '../document.ts';
import { composeView } from '../view/compose-view.ts';
import { type Article, problemsArticle, problemsMarkup, pullArticle, viewArticle } from './articles.ts';
import { pageStyle } from './assets.generated.ts';
import { html, ownMarkup } from './markup.ts';
import { openPlaces, type PageContext } from './rows.ts';
import { openSideBySide } from './side-by-side.ts';

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
  if (document.type === 'checks') return viewArticle(view, { ...page, warnings: null, closing: [] });
  const others = warningsOf(document);
  const warnings = others.length === 0 ? null : problemsMarkup(others, page);
  const made = { label: 'made', text: `${planOf(document).generated_at} by tenant-sync ${context.version}` };
  return viewArticle(view, { ...page, warnings, closing: [made] });
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
