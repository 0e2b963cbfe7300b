// The style of the HTML report as a module. It is written into every page, so it is short.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function pageAssets() {
  const style = compactStyle(await readFile(join(import.meta.dirname, '../src/report/html/page.css'), 'utf8'));
  // In a page, it ends at the first end tag.
  if (style.includes('</')) throw new Error('the style of the page has a mark of HTML');
  return `// Compiled from src/report/html/page.css by npm run generate.\n\nexport const pageStyle = ${JSON.stringify(style)};\n`;
}

/** Without comments, indentation and line ends. */
function compactStyle(style) {
  return style
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '')
    .trim();
}
