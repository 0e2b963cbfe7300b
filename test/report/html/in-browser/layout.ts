import type { Page } from 'playwright-core';

/** What a reader of a page would stop at; empty if its layout is as it should be. */
export async function flawsOf(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const flaws: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > window.innerWidth) flaws.push(`the page is ${scrollWidth} px wide`);
    for (const line of document.querySelectorAll('.line'))
      if (!line.checkVisibility({ contentVisibilityAuto: true }) && line.closest('.fold:not([open])') === null)
        flaws.push(`blank: ${line.textContent}`);
    const linesOf = (range: Range) => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    for (const cell of document.querySelectorAll('.line > *, h1, h2, h3, p, dt, dd, .diff td')) {
      if (!cell.checkVisibility() || cell.matches('.sign, .unseen, .number') || cell.textContent === '') continue;
      const range = document.createRange();
      range.selectNodeContents(cell);
      // The digit 0 is half of an em wide, or a little more.
      const least = 8 * 0.5 * Number.parseFloat(getComputedStyle(cell).fontSize);
      if (linesOf(range) > 1 && cell.getBoundingClientRect().width < least)
        flaws.push(`narrower than 8 characters: ${cell.textContent}`);
      if (!cell.matches('.line > *, h1, h2, dt')) continue;
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const { index, 0: word } of (text.nodeValue ?? '').matchAll(/\p{L}{2,16}/gu)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (linesOf(range) > 1) flaws.push(`broken: ${word}`);
        }
      }
    }
    return flaws;
  });
}

/** The number of sheets. */
export function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** What is printed, without the time and the id of the file. */
export function printedOf(pdf: Buffer): string {
  return pdf.toString('latin1').replaceAll(/\/(?:CreationDate|ModDate) ?\([^)]*\)|\/ID ?\[[^\]]*\]/g, '');
}
