// The script and the style of the HTML report as one module: the script in plain JavaScript, with the hash that the policy of
// the page names. Both are written into every page, so both are short.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const folder = join(import.meta.dirname, '../src/report/html/browser');

export async function pageAssets() {
  const script = await compiledScript();
  const style = compactStyle(await readFile(join(folder, 'page.css'), 'utf8'));
  const hash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
  // In a page, both end at the first end tag, and a comment of HTML changes how a script is read.
  if (/<\/|<!--/.test(script + style)) throw new Error('the script or the style of the page has a mark of HTML');
  return [
    '// Compiled from src/report/html/browser by npm run generate.\n',
    `export const pageScript = ${JSON.stringify(script)};`,
    `export const pageScriptHash = ${JSON.stringify(hash)};`,
    `export const pageStyle = ${JSON.stringify(style)};`,
    '',
  ].join('\n');
}

async function compiledScript() {
  const build = await rolldown({ input: join(folder, 'page.ts'), platform: 'browser', tsconfig: false });
  const { output } = await build.generate({ format: 'iife', minify: true });
  await build.close();
  return output[0].code.trim();
}

/** Without comments, indentation and line ends. */
function compactStyle(style) {
  return style
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '')
    .trim();
}
