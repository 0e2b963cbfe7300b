// The last checks of the tenants of a project, which show --state and the page of a worker have.
import { expect, test } from 'vitest';
import type { CheckedTenant } from '../../src/model/checks.generated.ts';
import { joined } from '../../src/report/document.ts';
import { type FormatName, formatRow } from '../../src/report/formats.ts';
import { plainStyle } from '../../src/report/terminal.ts';

const context = { style: plainStyle, kinds: [], folder: '', version: '1.2.3' };

function checked(tenant: string, exit_code: number | null, differs_since: string | null = null): CheckedTenant {
  const at = '2026-11-23T19:30:00.000Z';
  return { tenant, last: exit_code === null ? null : { command: 'drift', at, exit_code }, differs_since };
}

const since = '2026-11-22T08:00:00.000Z';
const tenants = [
  checked('same', 0),
  checked('refused', 4, since),
  checked('never', null),
  checked('unreachable', 1, since),
  checked('differs', 2, since),
];
const render = async (format: FormatName, of: readonly CheckedTenant[]) =>
  joined((await formatRow(format).load())([{ type: 'checks', tenants: of }], context));

test('the most urgent tenants are first, with when they were checked and since when they differ', async () => {
  expect(await render('text', tenants)).toMatchInlineSnapshot(`
    "5 tenants   1 not compared   1 never checked   2 with differences   1 without differences   oldest check: 2026-11-23 19:30 UTC

    The last check failed
      x tenant  unreachable  differs since 2026-11-22 08:00 UTC, checked 2026-11-23 19:30 UTC

    Never checked
      ? tenant  never        never checked

    Different
      ~ tenant  refused      differs since 2026-11-22 08:00 UTC, checked 2026-11-23 19:30 UTC
      ~ tenant  differs      differs since 2026-11-22 08:00 UTC, checked 2026-11-23 19:30 UTC

    No differences
      = tenant  same         checked 2026-11-23 19:30 UTC
    "
  `);
});

test('annotations name what is not compared as an error, and what differs or was never checked as a warning', async () => {
  const levels = [...(await render('github', tenants)).matchAll(/^::(\w+) title=(\S+)::tenant (\w+)/gm)];
  expect(levels.map((found) => found.slice(1))).toEqual([
    ['error', 'check/failed', 'unreachable'],
    ['warning', 'check/never', 'never'],
    ['warning', 'check/differs', 'refused'],
    ['warning', 'check/differs', 'differs'],
  ]);
});

test('without a tenant there is no oldest check', async () => {
  expect(await render('text', [])).not.toContain('oldest');
  expect(JSON.parse(await render('json', tenants))).toEqual({ format_version: '1.0', tenants });
});
