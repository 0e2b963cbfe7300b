import { attributeMarkup, html, type Markup } from './markup.ts';
import { tokensOf } from './tokens.ts';

/**
 * A text as a browser shows it, in a frame without scripts, forms, links that open, and network: the frame is in a sandbox
 * and inherits the policy of the page.
 */
export function previewFrame(title: string, text: string): Markup {
  return html`<iframe sandbox="" loading="lazy" title="${title}" srcdoc="${attributeMarkup(previewDocument(text))}"></iframe>`;
}

const previewStyle = 'body{margin:12px;font:15px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff}';
/** Elements that no policy covers completely: they can connect to a server, or change what addresses mean. */
const connecting = /<(?=\/?(?:link|meta|base)(?![a-z0-9-]))/gi;

/** Liquid is not evaluated: between tags it is text, and in a tag it is a part of the tag. */
function previewDocument(text: string): string {
  let body = '';
  let done = 0;
  for (const { name, start, end, isInText } of tokensOf(text)) {
    if (name !== 'liquid' || !isInText) continue;
    body += text.slice(done, start) + literal(text.slice(start, end));
    done = end;
  }
  body += text.slice(done);
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="x-dns-prefetch-control" content="off"><style>${previewStyle}</style>${body.replaceAll(connecting, '&lt;')}`;
}

function literal(liquid: string): string {
  return liquid.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
