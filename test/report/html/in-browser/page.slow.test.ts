// The HTML report in Chromium: what it loads, what it runs, and how people use it.
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanView, Row } from '../../../../src/report/view/plan-view.ts';
import { hasBrowser, useBrowser } from '../../../support/browser.ts';
import { runCommand } from '../../../support/run-command.ts';
import { startTenant, withTestClient } from '../../../support/start-tenant.ts';
import { buildRow, buildSection, buildView, pageOf } from '../build-view.ts';
import { attacks, hostileTexts } from './attacks.ts';
import { flawsOf, pagesOf, printedOf } from './layout.ts';

const text = `<p class="notice">Log out when you leave.</p>
{% if prompt.screen == "login" %}
  <a href="https://acme.example/terms" title='Terms of {{ tenant.name }}'>Terms &amp; conditions</a>
{% endif %}
`;

const examples = join(import.meta.dirname, '../../../../examples');

/** A plan with everything that a page can show. */
const sample = buildView({
  headline: ['REFUSED by 1 guard', '5 changes: 2 to delete, 2 to change, 1 to add'],
  sentences: ['4 changes from this pull request; applying these files would revert 1 change made on the tenant.'],
  facts: [{ label: 'only', text: 'roles' }],
  sections: [
    buildSection({
      name: 'refused',
      title: 'Refused by 1 guard',
      panel: 'error',
      notes: [{ label: 'To approve', text: 'approvals: [b7a98ac2daf4b7a98ac2daf4]' }],
      rows: [buildRow({ sign: 'x', verb: null, name: '', what: '', sentence: 'too many', names: ['a', 'b'] })],
    }),
    buildSection({
      name: 'lost',
      title: 'Loses access',
      rows: [buildRow({ sign: '-', kind: 'roles', noun: 'role', name: 'Support', what: 'loses refund:orders' })],
    }),
    buildSection({
      name: 'effects',
      title: 'Effects',
      rows: [buildRow({ sign: '!', verb: null, what: 'limit cut by more than half' })],
    }),
    buildSection({
      name: 'deletions',
      title: 'Deletions',
      rows: [
        buildRow({ sign: '-', verb: 'delete', name: 'old-storefront', origin: 'change', what: 'allow' }),
        buildRow({ sign: '-', verb: 'delete', kind: 'event_streams', noun: 'stream', name: 'legacy', origin: 'drift' }),
      ],
    }),
    buildSection({
      rows: [
        buildRow({ origin: 'change' }),
        buildRow({
          kind: 'prompts',
          noun: 'prompt',
          name: 'login-id',
          what: 'form-content-start',
          origin: 'change',
          texts: [
            {
              label: 'login-id / form-content-start',
              before: text,
              after: text.replace('Log', 'Sign'),
              source: { file: 'partials/notice.liquid', line: 1, column: 1 },
            },
          ],
        }),
      ],
    }),
    buildSection({
      name: 'additions',
      title: 'Additions',
      rows: [
        buildRow({ sign: '+', verb: 'add', name: 'kiosk', origin: 'both', count: 12, names: ['kiosk-1', 'kiosk-2'] }),
      ],
    }),
  ],
  remarks: [{ label: '1 item kept (protected)', text: 'policy default' }],
  sends: 'Apply sends 5 requests.',
  closing: [{ label: 'digest', text: 'sha256:0123456789abcdef' }],
});

describe.skipIf(!hasBrowser)('the HTML report in Chromium', () => {
  const open = useBrowser();

  test('asks for nothing and has no message on its console', async () => {
    const { page, requests, messages, close } = await open(pageOf(sample));
    await page.mouse.wheel(0, 10_000);
    expect(requests).toEqual([]);
    expect(messages).toEqual([]);
    await close();
  });

  test.each([
    { name: 'light', options: { colorScheme: 'light' } },
    { name: 'dark', options: { colorScheme: 'dark' } },
    { name: 'light, 360 px', options: { colorScheme: 'light', viewport: { width: 360, height: 740 } } },
    { name: 'dark, 360 px', options: { colorScheme: 'dark', viewport: { width: 360, height: 740 } } },
  ] as const)('is accessible: $name', async ({ options }) => {
    const { page, close } = await open(pageOf(sample), options);
    await page.evaluate(openAll);
    expect(await violationsOf(page)).toEqual([]);
    const { width, visible } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      visible: window.innerWidth,
    }));
    expect(width).toBeLessThanOrEqual(visible);
    await close();
  });

  test('shows who loses access without scrolling, also on a phone', async () => {
    for (const viewport of [
      { width: 1280, height: 720 },
      { width: 360, height: 740 },
    ]) {
      const view = { ...sample, sections: sample.sections.filter(({ name }) => name !== 'refused') };
      const { page, close } = await open(pageOf(view), { viewport });
      const box = await page.getByText('loses refund:orders').boundingBox();
      expect((box?.y ?? viewport.height) + (box?.height ?? 0)).toBeLessThan(viewport.height);
      await close();
    }
  });

  test('shows who loses access on the first screen of a refused plan, however many items are refused', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `client_id:app-${index}`);
    const header = buildSection({ name: 'header', title: 'Changed rules', rows: [buildRow({ verb: null })] });
    const sections = sample.sections.flatMap((section) => {
      if (section.name !== 'refused') return [section];
      const refused = buildRow({
        sign: 'x',
        verb: null,
        name: '',
        what: 'would delete 200 items',
        details: () => [],
        names,
      });
      return [{ ...section, rows: [refused] }, header];
    });
    const viewport = { width: 1280, height: 900 };
    const { page, close } = await open(pageOf({ ...sample, sections }), { viewport });
    const box = await page.getByText('loses refund:orders').boundingBox();
    expect((box?.y ?? viewport.height) + (box?.height ?? 0)).toBeLessThan(viewport.height);
    const last = page.getByText('client_id:app-199');
    expect(await last.isVisible()).toBe(false);
    await page.getByText('180 more').click();
    expect(await last.isVisible()).toBe(true);
    await close();
  });

  describe('of the plan of examples/acme', () => {
    let acme = '';
    beforeAll(async () => {
      const seed = JSON.parse(await readFile(join(examples, 'acme/live.json'), 'utf8'));
      const tenant = await startTenant(withTestClient(seed));
      const forge = {
        GITHUB_SERVER_URL: 'https://forge.example',
        GITHUB_REPOSITORY: 'acme/identity',
        GITHUB_SHA: 'c'.repeat(40),
        GITHUB_WORKSPACE: examples,
      };
      const env = { ...tenant.env, ...forge };
      acme = (await runCommand(['plan', 'acme', '--format', 'html'], { cwd: examples, env })).stdout;
      await tenant.close();
    });

    test.each(['light', 'dark'] as const)('shows losses first, %s', async (colorScheme) => {
      const viewport = { width: 1280, height: 800 };
      const { page, requests, messages, close } = await open(acme, { colorScheme, viewport });
      for (const lost of ['loses approve:discounts, refund:orders', 'loses update:orders']) {
        const box = await page.getByText(lost).first().boundingBox();
        expect((box?.y ?? viewport.height) + (box?.height ?? 0)).toBeLessThan(viewport.height);
      }
      expect(await violationsOf(page)).toEqual([]);
      await page.evaluate(openAll);
      expect(await violationsOf(page)).toEqual([]);
      expect({ requests, messages }).toEqual({ requests: [], messages: [] });
      await close();
    });

    test('breaks no word and leaves no row blank', async () => {
      for (const html of [acme, pageOf(sample)]) {
        const { page, close } = await open(html);
        for (const state of ['closed', 'open']) {
          if (state === 'open') await page.evaluate(openAll);
          for (const width of [390, 800, 960, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            expect({ state, width, flaws: await flawsOf(page) }).toEqual({ state, width, flaws: [] });
          }
        }
        await close();
      }
    });

    test('has rows of as many lines as fit', async () => {
      const { page, close } = await open(acme);
      for (const [width, lines] of [
        [390, 3],
        [800, 2],
        [960, 2],
        [1280, 1],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        const row = page.locator('.delete > .line', { hasText: 'client_id:old-storefront' });
        const tops = await row.evaluate((line) =>
          ['.name', '.what', '.place'].map((cell) => line.querySelector(cell)?.getBoundingClientRect().top ?? 0),
        );
        // Those of one line differ by less than half of it.
        expect({ width, lines: new Set(tops.map((top) => Math.round(top / 12))).size }).toEqual({ width, lines });
        const [list, what] = await row.evaluate((line) => [
          line.getBoundingClientRect().width,
          line.querySelector('.what')?.getBoundingClientRect().width ?? 0,
        ]);
        expect(what).toBeGreaterThan(Math.min(319, (list ?? 0) * 0.75));
      }
      await close();
    });

    test('prints on at most 4 sheets, light from a dark page as well, with what needs no action', async () => {
      const printed: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, close } = await open(acme, { colorScheme, viewport: { width: 688, height: 800 } });
        const pdf = await page.pdf({ format: 'A4', printBackground: true });
        expect(pagesOf(pdf)).toBeLessThanOrEqual(4);
        printed.push(printedOf(pdf));
        await page.emulateMedia({ media: 'print', colorScheme });
        expect(await flawsOf(page)).toEqual([]);
        for (const text of ['audit-log', 'cannot be compared'])
          expect(await page.getByText(text).last().isVisible()).toBe(true);
        const ending = () =>
          page.locator('footer').evaluate((footer) => window.getComputedStyle(footer, '::before').content);
        expect(await ending()).toContain('Not printed: what rows with › open to');
        await page.evaluate(openAll);
        expect(await ending()).toBe('none');
        await close();
      }
      expect(printed[1]).toBe(printed[0]);
    });

    test('lays out 500 rows of a list at once, and prints all', async () => {
      const rows = Array.from({ length: 600 }, (_, index) => buildRow({ name: `app-${index}`, details: () => [] }));
      const { page, close } = await open(pageOf(buildView({ sections: [buildSection({ rows })] })));
      expect(await flawsOf(page)).toHaveLength(100);
      await page.emulateMedia({ media: 'print' });
      expect(await flawsOf(page)).toEqual([]);
      await close();
    });

    test('prints the names that are behind a number', async () => {
      const names = Array.from({ length: 40 }, (_, index) => `client_id:app-${index}`);
      const rows = [buildRow({ sign: 'x', verb: null, name: '', what: 'would delete 40 items', names })];
      const { page, close } = await open(pageOf(buildView({ sections: [buildSection({ panel: 'error', rows })] })));
      const last = page.getByText('client_id:app-39');
      expect(await last.isVisible()).toBe(false);
      await page.emulateMedia({ media: 'print' });
      expect(await last.isVisible()).toBe(true);
      await close();
    });

    test('links an effect to its deletion, and a location to its line', async () => {
      const { page, close } = await open(acme, { viewport: { width: 800, height: 400 } });
      const deletion = page.locator('#deletions ~ .rows li', { hasText: 'client_id:old-storefront' });
      await page.locator('#effects ~ .rows').getByRole('link', { name: 'client_id:old-storefront' }).click();
      expect(await deletion.evaluate((row) => row.matches(':target'))).toBe(true);
      const { y = -1 } = (await deletion.boundingBox()) ?? {};
      expect(Math.round(y)).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(400);
      const place = page.getByRole('link', { name: 'roles.yaml:5' });
      expect(await place.getAttribute('href')).toBe(
        `https://forge.example/acme/identity/blob/${'c'.repeat(40)}/acme/roles.yaml#L5`,
      );
      await close();
    });
  });

  test('opens its rows with the keyboard, and has no script', async () => {
    const { page, close } = await open(pageOf(sample), { javaScriptEnabled: false });
    expect(await page.locator('.row:visible').count()).toBe(8);
    expect(await page.locator('script').count()).toBe(0);
    const line = page.getByLabel('details of policy old-storefront');
    await line.focus();
    await page.keyboard.press('Enter');
    const row = page.locator('.row', { hasText: 'old-storefront' });
    expect(await row.locator('details[open]').count()).toBe(1);
    // All of its line opens and closes it.
    await row.locator('.what').click({ force: true });
    expect(await row.locator('details[open]').count()).toBe(0);
    await close();
  });

  describe('against attacks', () => {
    /** Counts connections: some of what a page can start is no request that a browser shows. */
    let server: Server;
    let connections = 0;
    let origin = '';
    beforeAll(async () => {
      server = createServer((_request, response) => response.end('window.ran = true'));
      server.on('connection', () => {
        connections += 1;
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      server.close();
    });

    test('the attacks do connect and run without the policy and the sandbox', async () => {
      const { page, close } = await open(
        attacks(origin)
          .filter((attack) => !attack.includes('<meta'))
          .join('\n'),
      );
      await page.waitForFunction(() => document.documentElement.hasAttribute('data-ran'));
      await expect.poll(() => connections).toBeGreaterThan(0);
      await close();
    });

    test('text is text, wherever it stands in a page', async () => {
      const texts = [...hostileTexts, ...attacks(origin)];
      const { page, requests, messages, close } = await open(pageOf(hostileView(texts)));
      const before = connections;
      const benign = await open(pageOf(hostileView(texts.map((_text, index) => `benign ${index}`))));
      const tags = (of: Page) =>
        of.evaluate(() =>
          [...document.querySelectorAll(':not(iframe, mark, .diff *)')].map(({ tagName }) => tagName).join(' '),
        );
      expect(await tags(page)).toBe(await tags(benign.page));
      expect({ requests, messages, connections }).toEqual({ requests: [], messages: [], connections: before });
      expect(await page.evaluate(() => document.documentElement.hasAttribute('data-ran'))).toBe(false);
      await close();
      await benign.close();
    });
  });

  test('opens 2,000 changes in less than 2 s', async () => {
    const verbs = ['delete', 'change', 'add'] as const;
    const rows = Array.from(
      { length: 2_000 },
      (_empty, index): Row =>
        buildRow({
          name: `client_id:app-${index}`,
          verb: verbs[index % 3] ?? null,
          kind: `kind_${index % 5}`,
          noun: `kind ${index % 5}`,
          origin: index % 2 === 0 ? 'change' : 'drift',
          details: () =>
            Array.from({ length: 6 }, (_none, line) => ({ label: `field ${line}`, text: `value ${index}` })),
          texts:
            index % 20 === 0
              ? [{ label: 'login / start', before: text, after: text.replace('Log', 'Sign'), source: null }]
              : [],
        }),
    );
    const html = pageOf(buildView({ sections: [buildSection({ rows })] }));
    let least = Number.POSITIVE_INFINITY;
    // The shortest of some times is that of an idle machine, and other tests keep it busy for a minute.
    for (const end = Date.now() + 100_000; least >= 2_000 && Date.now() < end; ) {
      const { page, close } = await open(html, { viewport: { width: 1280, height: 900 } });
      least = Math.min(least, await page.evaluate(measureOpening));
      await close();
    }
    console.info(`2,000 changes: opened in ${Math.round(least)} ms`);
    expect(least).toBeLessThan(2_000);
  }, 120_000);
});

function openAll(): void {
  for (const details of document.querySelectorAll('details')) details.open = true;
}

/** From the start of the navigation to the second frame. */
async function measureOpening(): Promise<number> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return performance.now();
}

async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    () => (globalThis as unknown as { axe: typeof axe }).axe.run(document, { iframes: false }) as Promise<AxeResults>,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** A view with one of the texts in every place that takes a text. */
function hostileView(texts: readonly string[]): PlanView {
  let next = 0;
  const some = () => texts[next++ % texts.length] ?? '';
  const fact = () => ({ label: some(), text: some() });
  const row = () =>
    buildRow({
      kind: some(),
      noun: some(),
      name: some(),
      names: [some(), some()],
      what: some(),
      sentence: some(),
      place: some(),
      origin: 'change',
      texts: [{ label: some(), before: some(), after: some(), source: { file: some(), line: 1, column: 1 } }],
      details: () => [fact()],
    });
  const section = (name: 'refused' | 'lost' | 'changes') =>
    buildSection({ name, title: some(), notes: [fact()], rows: texts.map(row) });
  return buildView({
    tenant: { name: some(), baseUrl: some() },
    facts: [fact()],
    headline: [some()],
    sentences: [some()],
    sections: [section('refused'), section('lost'), section('changes')],
    remarks: [fact()],
    sends: some(),
    closing: [fact()],
  });
}
