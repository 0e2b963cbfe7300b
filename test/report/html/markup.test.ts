import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { terminalText, visibleText } from '../../../src/report/escape.ts';
import { codeMarkup, html } from '../../../src/report/html/markup.ts';
import { propertyRuns } from '../../support/thorough.ts';
import { hostileText } from '../hostile-text.ts';

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** How a browser reads a text or the value of an attribute. */
function read(markup: string): string {
  return markup.replaceAll(/&(?:#(\d+)|([a-z]+));/g, (_reference, code, name) =>
    code === undefined ? (references[name] ?? '?') : String.fromCodePoint(Number(code)),
  );
}

describe('text in a page', () => {
  test('stays text, in which everything is visible', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const { text: markup } = html`<p title="${text}">${text}</p>`;
        const [, title = '', content = ''] = /^<p title="([^"<>']*)">([^<>"']*)<\/p>$/u.exec(markup) ?? [];
        expect(read(title)).toBe(visibleText(text));
        expect(read(content)).toBe(visibleText(text));
        expect(markup).not.toMatch(/##\[|[\0-\x1f\x7f\u2028\u202e]/);
      }),
      propertyRuns(100),
    );
  });

  test('keeps its tabs where it is code', () => {
    expect(codeMarkup('\t<a\u2028>\n').text).toBe('\t&lt;a\\u2028&gt;\\n');
  });

  test('lists are joined, null is nothing, and markup is not escaped twice', () => {
    expect(html`<ul>${['a', 'b'].map((text) => html`<li>${text}</li>`)}${null}${2_000}</ul>`.text).toBe(
      '<ul><li>a</li><li>b</li>2000</ul>',
    );
  });

  test('differs from the text of a terminal only in commands of a runner, which no line of a page can be', () => {
    expect(visibleText('##[error]\x1b')).toBe('##[error]\\x1b');
    expect(terminalText('##[error]\x1b')).toBe('# #[error]\\x1b');
  });
});
