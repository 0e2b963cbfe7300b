import { describe, expect, test } from 'vitest';
import { type FormatContext, joined, type ReportDocument } from '../../src/report/document.ts';
import { jsonOf, markdownOf } from '../../src/report/render-report.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { deletePolicy } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';

const context: FormatContext = {
  style: plainStyle,
  kinds: standInKinds,
  folder: '',
  version: '1.2.3',
};

function planOf(name: string, size: number): ReportDocument {
  const actions = Array.from({ length: size }, (_, index) => deletePolicy(`client_id:${index}`, `rlp_${index}`));
  return {
    type: 'plan',
    plan: buildPlan({ tenant: { name, base_url: 'https://login.acme.example/api/v2', api: 'full' }, actions }),
    diagnostics: [],
  };
}

const titles = (text: string) => text.match(/^## tenant-sync/gm)?.length;

describe('several documents in one comment', () => {
  test('are complete if they fit', async () => {
    const text = await joined(markdownOf([planOf('a', 1), planOf('b', 2)], context));
    expect(titles(text)).toBe(2);
    expect(text).not.toContain('omitted');
  });

  test('one that does not fit is named, and does not displace a smaller one', async () => {
    const documents = [planOf('small', 1), planOf('large `x`', 5_000), planOf('last', 1)];
    const text = await joined(markdownOf(documents, context));
    expect(text.length).toBeLessThan(65_536);
    expect(titles(text)).toBe(2);
    expect(text).toContain(
      '… and 1 more document, omitted to fit the size limit of a comment: `` plan of large `x` ``.',
    );
  });

  test('a thousand fit, and all are counted', async () => {
    const documents = Array.from({ length: 1_000 }, (_, index) => planOf(`tenant-${index}\u202e`.repeat(9), 1));
    const text = await joined(markdownOf(documents, context));
    expect(text.length).toBeLessThan(65_536);
    const omitted = Number(/… and (\d+) more documents/.exec(text)?.[1]);
    expect(omitted + (titles(text) ?? 0)).toBe(1_000);
  });
});

test('JSON is a list for a list, and a document for a document', async () => {
  expect(JSON.parse(await joined(jsonOf([planOf('a', 0)], { ...context, isList: true })))).toHaveLength(1);
  expect(JSON.parse(await joined(jsonOf([planOf('a', 0)], context))).format_version).toBe('2.0');
});
