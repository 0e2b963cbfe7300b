import { pageScript, pageScriptHash, pageStyle } from './assets.generated.ts';
import { html, type Markup, ownMarkup } from './markup.ts';

/** One document in a page. */
export interface Article {
  readonly title: string;
  readonly body: Markup;
}

/**
 * What the page and its frames may load: nothing. The only script is the one whose hash is named, styles are written in
 * the page, and images are too.
 */
const policy = [
  "default-src 'none'",
  `script-src '${pageScriptHash}'`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

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
<script>${pageScript}</script>
</body>
</html>
`;
