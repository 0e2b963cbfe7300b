import { parse } from 'parse5';
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/model/plan.generated.ts';
import { joined, type ReportDocument } from '../../../src/report/document.ts';
import { htmlOf } from '../../../src/report/html/render-html.ts';
import { plainStyle } from '../../../src/report/terminal.ts';
import { kinds } from '../../support/all-kinds.ts';
import { deletePolicy } from '../../support/build-action.ts';
import { buildPlan, buildRefusal } from '../../support/build-plan.ts';
import { attributeOf, elementsOf, textOf } from './read-html.ts';

const deletions = Array.from({ length: 60 }, (_, index) => ({
  ...deletePolicy(`client_id:app-${index}`, `rlp_${index}`),
  origin: 'drift' as const,
  effects: [
    {
      code: 'POLICY_FALLBACK',
      severity: 'warning',
      message: `falls back to default: block above 100/s (now: block above ${index}/s)`,
      kind: 'rate_limit_policies',
      key: `oauth_authentication_api/client/client_id:app-${index}`,
    } as never,
  ],
}));
const items = deletions.map(({ key }, index) => `rate_limit_policies/${key}#rlp_${index}`);
const lines = ['  approvals:', '    - c0de'];
const plan: Plan = buildPlan({
  actions: deletions,
  base: { ref: 'main', commit: '0123456789abcdef0123456789abcdef01234567', valid: true, header: [], sections: [] },
  refusals: [
    buildRefusal(items, {
      approve_in: {
        file: 'tenant.yaml',
        line: 3,
        change: 'insert',
        replaces: 0,
        lines: lines as [string, ...string[]],
      },
    }),
  ],
});

async function page(document: ReportDocument) {
  const context = { style: plainStyle, kinds, folder: '', version: '1.2.3' };
  return parse(await joined(htmlOf([document], context as never)));
}

test('a refusal shows 20 names with their ids, the others behind them, and the lines to copy', async () => {
  const refused = { code: 'GUARD_REFUSED', severity: 'error', message: 'The plan would …' } as const;
  const document = await page({ type: 'plan', plan, diagnostics: [refused] });
  const [panel] = elementsOf(document, 'section').filter((one) => textOf(one).startsWith('\nRefused by 1 guard'));
  if (panel === undefined) throw new Error('no refusal');
  const [first, rest] = elementsOf(panel, 'ul').filter((list) => list.attrs.some(({ value }) => value === 'names'));
  const names = (list: typeof first) => (list === undefined ? [] : elementsOf(list, 'li').map(textOf));
  expect(names(first)).toEqual(items.slice(0, 20).map((_, index) => `client_id:app-${index}#rlp_${index}`));
  expect(names(rest)).toHaveLength(40);
  expect(elementsOf(panel, 'summary').map(textOf)).toContain('40 more');
  expect(elementsOf(panel, 'pre').map(textOf)).toEqual([`${lines.join('\n')}\n`]);
  expect(textOf(panel)).toContain('add --approve 0123456789abcdef01234567 to apply');
  expect(textOf(document)).not.toContain('GUARD_REFUSED');
});

test('the same effect of many items is one line, and each deletion has its own', async () => {
  const document = await page({ type: 'plan', plan, diagnostics: [] });
  const rows = elementsOf(document, 'li').filter((one) => /^row (?!error)/.test(attributeOf(one, 'class') ?? ''));
  expect(rows.filter((row) => textOf(row).includes('falls back to default: block above 100/s'))).toHaveLength(61);
  expect(rows.filter((row) => textOf(row).includes('60 items'))).toHaveLength(1);
  expect(rows).toHaveLength(61);
});

test('the base is named once', async () => {
  const text = textOf(await page({ type: 'plan', plan, diagnostics: [] }));
  expect(text.match(/main at 0123456789ab/g)).toHaveLength(1);
  expect(text.match(/base:?/g)).toHaveLength(1);
});
