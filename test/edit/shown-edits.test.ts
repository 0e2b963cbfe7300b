// The edit that a report shows, made by hand, gives exactly the file that the editor writes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEdits } from '../../src/edit/edit-yaml.ts';
import { revise } from '../../src/edit/edits.ts';
import { approvalEdit, editHeader } from '../../src/edit/header-edits.ts';
import type { WrittenMapping, WrittenValue } from '../../src/edit/written-value.ts';
import type { ApprovalEdit } from '../../src/model/plan.generated.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { withLineFeeds } from '../../src/values/line-ends.ts';
import { renderPlan } from '../report/render.ts';
import { buildPlan, buildRefusal } from '../support/build-plan.ts';
import { propertyRuns } from '../support/thorough.ts';
import { randomFrom, randomLayout, randomValue } from './layouts.ts';

const code = 'c0de'.repeat(6);
const cases = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 10 }), fc.nat());

/** A text editor keeps the line ends of a file, and shows no byte order mark. */
const linesOf = (text: string) => (text === '' ? [] : withLineFeeds(text).replace(/\n$/, '').split('\n'));
const layoutOf = (value: WrittenMapping, seed: number) => randomLayout(value, seed).replace(/^\ufeff/, '');

/** The files after what the report of a refused plan says, as lines. */
function madeByHand(edit: ApprovalEdit, texts: ReadonlyMap<string, string>) {
  const plan = buildPlan({ refusals: [buildRefusal([], { approve: code, approve_in: edit })] });
  const report = renderPlan(plan, 'plan', 'text', { style: plainStyle, kinds: [], folder: '' }).split('\n');
  const start = report.findIndex((line) => line.startsWith('  To approve: '));
  const lines = report.slice(start + 1, report.indexOf(`  or: add --approve ${code} to apply`));
  const sentence = report[start]?.slice('  To approve: '.length) ?? '';
  const [, count = '1'] = /th(?:is line|ese (\d+) lines)/.exec(sentence) ?? [];
  expect(lines).toHaveLength(Number(count));
  const [, created] = /^create (\S+) with /.exec(sentence) ?? [];
  const [, file = created ?? '', line = '1'] = / at (\S+):(\d+)/.exec(sentence) ?? [];
  const [, replaced = sentence.startsWith('replace') ? '1' : '0'] = /^replace (\d+) lines /.exec(sentence) ?? [];
  const before = linesOf(texts.get(file) ?? '');
  const written = lines.map((text) => text.slice('      '.length));
  return { file, lines: before.toSpliced(Number(line) - 1, Number(replaced), ...written) };
}

const withCode = ({ approvals = [], ...header }: WrittenMapping): WrittenMapping => ({
  ...header,
  approvals: [...(approvals as readonly WrittenValue[]), code],
});

/** A mapping with this member between others, one of which is equal to `shared`, so that it may be an alias. */
function around(name: string, member: WrittenValue, shared: WrittenValue, seed: number): WrittenMapping {
  const { first = '', ...others } = randomValue(seed, 8);
  return { first, [name]: member, shared, ...others };
}

test('for a header, in any layout', () => {
  fc.assert(
    fc.property(cases, ([seed, size, layout]) => {
      const { number } = randomFrom(seed);
      const known = ['a', 'b', 'a'].slice(number(4)).map((letter) => letter.repeat(24));
      const { first = '', ...others } = randomValue(seed, size);
      const header = { first, ...(known.length > 0 && { approvals: known }), ...others };
      const yaml = new Map([
        ['a.yaml', layoutOf(around('tenant', header, number(2) === 0 ? known : header, seed), layout)],
      ]);
      const files = { at: '', header: 'a.yaml', yaml };
      const edits = openEdits(yaml);
      editHeader(files, edits, (before) => ({ ...before, ...withCode(before) }));
      const expected = { file: 'a.yaml', lines: linesOf(edits.texts().get('a.yaml') ?? '') };
      expect(madeByHand(approvalEdit(files, code), yaml)).toEqual(expected);
    }),
    propertyRuns(1500, 60),
  );
});

test('for files without a header', () => {
  fc.assert(
    fc.property(cases, ([seed, size, layout]) => {
      const yaml = new Map(seed % 2 === 0 ? [['tenant.yaml', layoutOf(randomValue(seed, size), layout)]] : []);
      const files = { at: '', header: null, yaml };
      const edits = openEdits(yaml);
      const { created } = editHeader(files, edits, withCode);
      const expected = linesOf(created ?? edits.texts().get('tenant.yaml') ?? '');
      expect(madeByHand(approvalEdit(files, code), yaml)).toEqual({ file: 'tenant.yaml', lines: expected });
    }),
    propertyRuns(500, 30),
  );
});

test('for the approvals of a project', () => {
  fc.assert(
    fc.property(cases, ([seed, , layout]) => {
      const { number } = randomFrom(seed);
      const approvals = ['a', 'b', code[0] ?? ''].slice(number(4)).map((letter) => ({
        code: letter.repeat(24),
        tenants: number(2) === 0 ? ['acme'] : ['other', 'acme'],
      }));
      const value = approvals.length === 0 ? randomValue(seed, 8) : around('approvals', approvals, approvals, seed);
      const text = layoutOf(value, layout);
      const yaml = new Map([['tenant-sync.yaml', text]]);
      const edits = openEdits(yaml);
      const before = edits.tree('tenant-sync.yaml').written as WrittenMapping;
      const after = { ...before, approvals: [...approvals, { code, tenants: ['acme'] }] };
      revise(edits.at('tenant-sync.yaml', ''), before, before, after);
      const project = { tenant: 'acme', file: { file: 'tenant-sync.yaml', text } };
      const edit = approvalEdit({ at: '', header: null, yaml: new Map(), project }, code);
      const expected = linesOf(edits.texts().get('tenant-sync.yaml') ?? '');
      expect(madeByHand(edit, yaml)).toEqual({ file: 'tenant-sync.yaml', lines: expected });
    }),
    propertyRuns(1500, 60),
  );
});
