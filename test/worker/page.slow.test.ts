// The page of the last checks, in a browser, and a tenant that cannot be reached.
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import type { Clock } from '../../src/model/clock.ts';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { checkedScene } from '../support/checked-scene.ts';
import { asAdmin } from '../support/postgres.ts';

/** The queue tries again at once, or within the two seconds between its looks at the jobs. */
function withoutBackoff(url: string) {
  const waiting = 'locked_at is null and run_at > now()';
  const timer = setInterval(() => {
    void asAdmin(url, `update tenant_sync_queue._private_jobs set run_at = now() where ${waiting}`).catch(() => {});
  }, 300);
  onTestFinished(() => clearInterval(timer));
}

test('a tenant that cannot be reached stops no other, and its error is shown', async () => {
  const { run, command, tenants, url } = await checkedScene();
  withoutBackoff(url);
  await tenants.get('one')?.close();
  // The client waits less between its tries.
  const sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(ms / 50, signal);
  const { code, stderr } = await run(['worker', '.', '--once'], { clock: { ...systemClock, sleep } });
  expect(code).toBe(1);
  // The queue tries three times.
  expect(stderr.match(/one: not compared/g)).toHaveLength(3);
  const { stdout } = await command('show', '--state', '.', '--format', 'markdown');
  expect(stdout).toContain('SERVICE_UNREACHABLE');
  expect(stdout).toContain('1 not compared');
}, 120_000);

test('a result that cannot be saved is an error', async () => {
  const { check, url } = await checkedScene();
  await check();
  await asAdmin(url, 'delete from tenant_sync.checks');
  await asAdmin(url, 'alter table tenant_sync.checks add column more int not null');
  withoutBackoff(url);
  const { code, stderr } = await check();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('The job check failed: ') });
  expect(stderr).toContain('could not be compared: one, three, two.');
  expect(stderr).not.toContain('no differences');
}, 120_000);

describe.skipIf(!hasBrowser)('the page of the last checks', () => {
  const open = useBrowser();

  test('shows each tenant, since when it differs, and what differs', async () => {
    const { check, command } = await checkedScene();
    await check();
    const { stdout } = await command('show', '--state', '.', '--format', 'html');
    const { page, requests, messages, close } = await open(stdout);
    expect(await page.title()).toContain('3 tenants');
    expect(await page.locator('article').first().textContent()).toContain('1 with differences');
    expect(await page.getByRole('heading', { name: '3 tenants' }).count()).toBe(1);
    const rows = page.locator('.row').filter({ hasText: /tenant\s+(one|two|three)/ });
    expect(await rows.count()).toBe(3);
    expect(await rows.filter({ hasText: 'differs since' }).textContent()).toContain('two');
    expect(await page.locator('body').textContent()).toContain('client_id:b');
    expect([requests, messages]).toEqual([[], []]);
    if (process.env['SCREENSHOT']) await page.screenshot({ path: process.env['SCREENSHOT'], fullPage: true });
    await close();
  });
});
