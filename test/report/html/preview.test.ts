import { describe, expect, test } from 'vitest';
import { previewFrame } from '../../../src/report/html/preview.ts';

/** The body of the document that a browser reads. */
function bodyOf(text: string): string {
  const { text: markup } = previewFrame('After: login', text);
  const [, value = ''] =
    /^<template><iframe sandbox="" title="After: login" srcdoc="([^"]*)"><\/iframe><\/template>$/.exec(markup) ?? [];
  return value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#10;', '\n')
    .replaceAll('&amp;', '&')
    .replace(/^<!doctype html>.*?<\/style>/, '');
}

describe('the document of a frame', () => {
  test.each([
    ['<b>a</b>\n"c"', '<b>a</b>\n"c"'],
    // Liquid is shown, not evaluated, and makes no element.
    ["{{ '<b>' | upcase }} {% if a < b %}", "{{ '&lt;b&gt;' | upcase }} {% if a &lt; b %}"],
    ['<b title="{{ a }}">x</b>', '<b title="{{ a }}">x</b>'],
    // No policy covers what these do.
    [
      '<LINK rel=preconnect><meta/http-equiv=refresh><base href=x></base>',
      '&lt;LINK rel=preconnect>&lt;meta/http-equiv=refresh>&lt;base data-href=x>&lt;/base>',
    ],
    ['<lin{{ a }}k><{{ b }}link rel=preconnect>', '<lin{{ a }}k><{{ b }}link rel=preconnect>'],
    ['<iframe src=x></iframe><OBJECT data=x><embed>', '&lt;iframe src=x>&lt;/iframe>&lt;OBJECT data=x>&lt;embed>'],
    // A link leads nowhere, except in its document.
    ['<a href="x">', '<a data-href="x">'],
    ['<a title="y"HREF = x><a/href=x><a\thref\n=x>', '<a title="y"data-HREF = x><a/data-href=x><a\tdata-href\n=x>'],
    [
      '<svg><a xlink:href=x><animate attributeName="href" to=x>',
      '<svg><a data-xlink:href=x><animate data-attributeName="href" to=x>',
    ],
    ['<use href="#icon"/><image href="data:,">', '<use href="#icon"/><image href="data:,">'],
    ['<linked-list><metal>', '<linked-list><metal>'],
    ['"></template><script>a</script>', '"></template><script>a</script>'],
  ])('%s', (text, body) => {
    expect(bodyOf(text)).toBe(body);
  });
});
