import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { findChromium, launchOptions, noChromium } from '../../scripts/chromium.mjs';

/** True if a browser is there. Where none is, the run shows it, and a run of CI fails. */
export const hasBrowser = findChromium() !== null;
if (!hasBrowser) {
  if (process.env['CI']) throw new Error(noChromium);
  console.warn(noChromium);
}

export interface OpenPage {
  readonly page: Page;
  /** What the page and its frames asked for, without their own files. */
  readonly requests: readonly string[];
  /** Errors and warnings on its console. */
  readonly messages: readonly string[];
  close(): Promise<void>;
}

/** A browser for the tests of a file. Each page is a file, opened in a profile of its own. */
export function useBrowser(): (html: string, options?: BrowserContextOptions) => Promise<OpenPage> {
  let browser: Browser | undefined;
  let folder = '';
  beforeAll(async () => {
    const path = findChromium();
    if (path !== null) browser = await chromium.launch(launchOptions(path));
    folder = await mkdtemp(join(tmpdir(), 'tenant-sync-page-'));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  let pages = 0;
  return async (html, options = {}) => {
    if (browser === undefined) throw new Error(noChromium);
    pages += 1;
    const file = join(folder, `${pages}.html`);
    await writeFile(file, html);
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const own = pathToFileURL(file).href;
    const requests: string[] = [];
    const messages: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(own) && request.url() !== 'about:srcdoc') requests.push(request.url());
    });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) messages.push(message.text());
    });
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(own);
    return { page, requests, messages, close: () => context.close() };
  };
}
