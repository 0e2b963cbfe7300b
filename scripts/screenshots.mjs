// Pictures of the HTML report for the documents: the plan of examples/acme on the embedded tenant, as people see it first.
//
//   npm run docs:screenshots
//
// They are made by the Chromium of the system, whose fonts differ, so no test compares them.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium, launchOptions, noChromium } from './chromium.mjs';

const root = join(import.meta.dirname, '..');
const main = join(root, 'dist/cli/main.cjs');
const port = 4571;
const env = {
  PATH: process.env.PATH,
  TENANT_SYNC_BASE_URL: `http://127.0.0.1:${port}/api/v2`,
  TENANT_SYNC_CLIENT_ID: 'acme-ci',
  TENANT_SYNC_CLIENT_SECRET: 'acme-ci-local-only',
};
const views = [
  { name: 'html-report-light', colorScheme: 'light', viewport: { width: 1200, height: 860 } },
  { name: 'html-report-dark', colorScheme: 'dark', viewport: { width: 1200, height: 860 } },
  { name: 'html-report-diff', colorScheme: 'light', viewport: { width: 1200, height: 560 }, at: '.diff' },
  { name: 'html-report-narrow', colorScheme: 'light', viewport: { width: 800, height: 1130 } },
  { name: 'html-report-phone', colorScheme: 'dark', viewport: { width: 390, height: 800 } },
  { name: 'html-report-printed', colorScheme: 'dark', media: 'print', viewport: { width: 794, height: 1123 } },
];

const browserPath = findChromium();
if (browserPath === null) throw new Error(noChromium);
const folder = mkdtempSync(join(tmpdir(), 'tenant-sync-pictures-'));
const report = join(folder, 'plan.html');
const server = spawn(process.execPath, [main, 'serve', '--port', `${port}`, '--seed', 'examples/acme/live.json'], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch(launchOptions(browserPath));
try {
  await once(server.stdout, 'data');
  const options = ['plan', 'examples/acme', '--report', `html=${report}`];
  const { status } = spawnSync(process.execPath, [main, ...options], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 2],
  });
  if (status !== 0) throw new Error(`the plan ended with ${status}`);
  for (const view of views) await takePicture(view);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true });
}

/** The first screen, or the part around the first element that matches `at`. */
async function takePicture({ name, at, media, ...context }) {
  const page = await browser.newPage(context);
  await page.goto(pathToFileURL(report).href);
  if (media !== undefined) {
    await page.emulateMedia({ media });
    // Only paper has the margins of a sheet.
    await page.addStyleTag({ content: 'body { padding: 14mm }' });
  }
  if (at !== undefined) {
    await page.evaluate((selector) => {
      const row = document.querySelector(selector)?.closest('.row');
      window.scrollTo(0, (row?.getBoundingClientRect().top ?? 0) - 12);
    }, at);
  }
  await page.screenshot({ path: join(root, 'docs/pictures', `${name}.png`) });
  await page.close();
}
