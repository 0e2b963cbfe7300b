import { attributeMarkup, html, type Markup } from './markup.ts';
import { tokensOf } from './tokens.ts';

/**
 * A text as a browser shows it, in a frame without scripts, forms, links that open, and network: the frame is in a sandbox
 * and inherits the policy of the page. A browser loads every frame of a page at once, so it is in a template, from which
 * the script of the page takes it.
 */
export function previewFrame(title: string, text: string): Markup {
  return html`<template><iframe sandbox="" title="${title}" srcdoc="${attributeMarkup(previewDocument(text))}"></iframe></template>`;
}

const previewStyle =
  'body{margin:12px;font:15px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff}a{color:#0b57d0;text-decoration:underline}';
/**
 * What a policy does not cover completely: a browser connects to the server before it refuses a frame or a link, and some
 * elements ask for a connection or change what addresses mean. The elements are shown as text; a link leads nowhere,
 * except in its document.
 */
const connecting = /<(?=\/?(?:link|meta|base|iframe|frame|frameset|fencedframe|portal|object|embed)(?![a-z0-9-]))/gi;
const address = /(?<=[\s/"'])(?=(?:(?:xlink:)?href(?!\s*=\s*["']?(?:#|data:))|attributename)[\s=])/gi;

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
  const unconnected = body.replaceAll(connecting, '&lt;').replaceAll(address, 'data-');
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="x-dns-prefetch-control" content="off"><style>${previewStyle}</style>${unconnected}`;
}

function literal(liquid: string): string {
  return liquid.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
