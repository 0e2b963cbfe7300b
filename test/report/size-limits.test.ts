import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import { annotationLines } from '../../src/report/annotations.ts';
import { markdownDocument } from '../../src/report/markdown-document.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import type { Detail } from '../../src/report/view/plan-view.ts';
import { deletePolicy, putPartials } from '../support/build-action.ts';
import { buildFinding, buildOutcomes, buildPlan, buildRefusal } from '../support/build-plan.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';
import { thorough } from '../support/thorough.ts';
import { markdownOutsideCode } from './markdown-outside-code.ts';
import { renderOutcomes, renderPlan, renderProblems } from './render.ts';
import { runnerCommands } from './runner-commands.ts';

const context = { style: plainStyle, kinds: standInKinds, folder: '' };
const full = { ...context, detail: 'full' } as const;
const longest = 65_000;
const size = thorough ? 5_000 : 500;
const sizeOfLong = thorough ? 5_000 : 100;

function largePlan(size: number, text: string): Plan {
  const numbers = Array.from({ length: size }, (_, index) => index);
  return buildPlan({
    tenant: { name: text, base_url: text, api: 'documented' },
    actions: numbers.flatMap((index) => [
      deletePolicy(`client_id:${index}${text}`),
      putPartials(`login-${index}`, { login: { start: text } }),
    ]),
    findings: numbers.flatMap((index) => [
      buildFinding('LIVE_DIFFERENT', {
        key: `${index}${text}`,
        message: text,
        changes: [{ field: text, before: text, after: 1 }],
      }),
      buildFinding('LIVE_PROTECTED', { key: `${index}` }),
      buildFinding('LIVE_NOT_CHECKED', { kind: 'roles', key: `${index}` }),
    ]),
    left_out: numbers.map((index) => ({
      kind: 'event_streams' as const,
      key: `${index}${text}`,
      what: 'LIVE_MISSING',
    })),
    refusals: [
      buildRefusal(
        numbers.map((index) => `${index}${text}`),
        { message: text },
      ),
    ],
  });
}

/** Items that a section shows, and how many lines it states to have left out. */
function counted(markdown: string, title: string, sign: string): { readonly shown: number; readonly leftOut: number } {
  const start = markdown.indexOf(title);
  const end = markdown.slice(start + 1).search(/\n(### |<details>|digest)/);
  const section = markdown.slice(start, end < 0 ? undefined : start + 1 + end).split('\n');
  const [leftOut = '0'] = section.flatMap((line) => /^… and ([\d,]+) more lines?, omitted/.exec(line)?.[1] ?? []);
  return {
    shown: section.filter((line) => line.startsWith(`${sign} `)).length,
    leftOut: Number(leftOut.replaceAll(',', '')),
  };
}

describe('a comment', () => {
  test.each([
    ['plain', '', size],
    // A hundred such texts are more than a comment holds.
    ['long', 'long '.repeat(300), sizeOfLong],
    ['escaped', '\u202e'.repeat(900), sizeOfLong],
    ['backticks', '`'.repeat(900), sizeOfLong],
  ])('of a large plan with %s texts fits, and counts omitted items', (_name, text, size) => {
    const plan = largePlan(size, text);
    const markdown = renderPlan(plan, 'plan', 'markdown', full);
    const others = [
      renderPlan(plan, 'plan', 'markdown', context),
      ...[context, full].map((about) => renderPlan(plan, 'drift', 'markdown', about)),
    ];
    for (const comment of [markdown, ...others]) {
      expect(comment.length).toBeLessThan(longest);
      expect(() => markdownOutsideCode(comment)).not.toThrow();
      expect(comment.split('<details>')).toHaveLength(comment.split('</details>').length);
    }
    const sections = [
      ['### Deletions', '-'],
      ['### Sent by every apply', '~'],
      ['Cannot be fixed', '!'],
      ['Not checked:', '?'],
    ] as const;
    const counts = sections.map(([title, sign]) => counted(markdown.slice(markdown.indexOf('### ')), title, sign));
    // Every item has a line of its own, and more of them are omitted.
    for (const { shown, leftOut } of counts) expect(shown + leftOut).toBeGreaterThanOrEqual(size);
    const all = [...markdown.matchAll(/^… and ([\d,]+) more lines?, omitted/gm)];
    const omitted = all.reduce((sum, [, count = '']) => sum + Number(count.replaceAll(',', '')), 0);
    expect(markdown.split('\n')[1]).toContain(`**${omitted.toLocaleString('en-US')} lines do not fit`);
    expect(markdown).toMatch(/^x policy /m);
    expect(markdown).toContain('add --approve 0123456789ab');
    expect(markdown.trimEnd().split('\n').at(-1)).toBe(`digest: \`${plan.digest}\``);
  });

  test('shows every section when one alone would fill it', () => {
    const markdown = renderPlan(largePlan(2000, ''), 'plan', 'markdown', full);
    expect(counted(markdown, '### Deletions', '-').shown).toBeGreaterThan(20);
    expect(counted(markdown, 'Not checked:', '?').shown).toBeGreaterThan(10);
  });

  test('of a small plan is complete', () => {
    expect(renderPlan(largePlan(3, 'x'), 'plan', 'markdown', full)).not.toContain('omitted to fit');
  });

  test('lists all items of a refusal', () => {
    const items = Array.from({ length: 60 }, (_, index) => `item-${index}.`);
    const actions = items.map((item) => deletePolicy(`client_id:${item}`));
    const plan = buildPlan({ actions, refusals: [buildRefusal(items)] });
    for (const format of ['text', 'markdown', 'github'] as const) {
      const report = renderPlan(plan, 'plan', format, context);
      expect([format, items.filter((item) => !report.includes(item))]).toEqual([format, []]);
    }
  });

  test('states how many lines of a refusal do not fit, and where all are', () => {
    const items = Array.from({ length: 20_000 }, (_, index) => `item-${index}.`);
    const plan = buildPlan({ refusals: [buildRefusal(items)] });
    const markdown = renderPlan(plan, 'plan', 'markdown', context);
    const shown = new Set(markdown.match(/\bitem-\d+\./g)).size;
    expect(shown).toBeGreaterThan(3_000);
    const [, rest = ''] = /^… and ([\d,]+) more lines, omitted to fit/m.exec(markdown) ?? [];
    expect(markdown.split('\n')[1]).toBe(
      `**${rest} lines do not fit into this comment.** All are in the report as JSON or HTML.`,
    );
    expect(markdown.length).toBeLessThan(longest);
    const namedIn = (detail: Detail) =>
      new Set(renderPlan(plan, 'plan', 'text', { ...context, detail }).match(/item-\d+\./g)).size;
    expect([namedIn('compact'), namedIn('full')]).toEqual([10, items.length]);
  });

  test('folds every item of a refusal, and the text counts those after the tenth', () => {
    const items = Array.from({ length: 12 }, (_, index) => `item-${index}.`);
    const plan = buildPlan({ refusals: [buildRefusal(items)] });
    const markdown = renderPlan(plan, 'plan', 'markdown', context);
    const [, folded = ''] = markdown.split('<details><summary>All items of GUARD_TOO_MANY_DELETES: 12</summary>');
    expect(items.filter((item) => !folded.includes(item))).toEqual([]);
    expect(renderPlan(plan, 'plan', 'text', context)).toContain('item-9., and 2 more\n');
    expect(renderPlan(plan, 'plan', 'json', context)).toContain('item-11.');
  });

  test('names every item of a group of deletions', () => {
    const items = Array.from({ length: 200 }, (_, index) => `item-${index}.`);
    const plan = buildPlan({ actions: items.map((item) => deletePolicy(`client_id:${item}`)) });
    for (const format of ['text', 'markdown'] as const) {
      const report = renderPlan(plan, 'plan', format, context);
      expect([format, items.filter((item) => !report.includes(item))]).toEqual([format, []]);
      expect(report.split('\n').length).toBeLessThan(format === 'text' ? 30 : 260);
    }
  });

  test('names the first items of a group that is kept short, and a count', () => {
    const plan = largePlan(200, '');
    expect(renderPlan(plan, 'plan', 'text', context)).toMatch(/, and \d+ more\n/);
  });

  test(`of ${2 * size} outcomes or faults fits`, () => {
    const actions = Array.from({ length: 2 * size }, (_, index) => deletePolicy(`client_id:${index}`));
    const outcomes = actions.map(({ id }) => ({
      id,
      outcome: 'failed' as const,
      status: 500,
      message: 'x'.repeat(900),
    }));
    expect(renderOutcomes(buildOutcomes(buildPlan({ actions }), outcomes), 'markdown', context).length).toBeLessThan(
      longest,
    );
    const diagnostics = actions.map(() => ({
      code: 'CONFIG_NULL_VALUE' as const,
      severity: 'error' as const,
      message: '\x00'.repeat(900),
    }));
    const markdown = renderProblems(diagnostics, 'markdown', 1);
    expect(markdown.length).toBeLessThan(longest);
    const lines = /^```text\n(.*?)\n```$/ms.exec(markdown)?.[1]?.split('\n').length ?? 0;
    expect(markdown).toContain(
      `… and ${(3 * actions.length - 1 - lines).toLocaleString('en-US')} more lines, omitted to fit the size limit of a comment.`,
    );
  });

  test('with one line that never fits counts it', () => {
    const markdown = markdownDocument({
      name: 'plan',
      headline: 'head',
      sections: [{ title: 'Large', weight: 'folded', language: 'text', lines: ['x'.repeat(70_000)], notes: ['note'] }],
      foot: ['foot'],
    });
    expect(markdown).toBe(
      '<!-- tenant-sync plan -->\n**1 line does not fit into this comment.** All are in the report as JSON or HTML.\n\n## tenant-sync plan\n\n**head**\n\n<details><summary>Large</summary>\n\n\n… and 1 more line, omitted to fit the size limit of a comment.\n\nnote\n\n</details>\n\nfoot\n',
    );
  });
});

describe('annotations', () => {
  const annotation = (level: 'error' | 'warning' | 'notice', line: number) => ({
    level,
    code: 'T',
    source: { file: 'a.yaml', line, column: 1 },
    lines: ['m'],
  });

  test('are at most 50, the count of the others first, then the most severe', () => {
    const all = [
      ...Array.from({ length: 30 }, (_, index) => annotation('notice', index + 1)),
      ...Array.from({ length: 40 }, (_, index) => annotation('warning', index + 1)),
      annotation('error', 7),
    ];
    const commands = runnerCommands(annotationLines(all));
    expect(commands).toHaveLength(50);
    expect(commands[0]).toEqual({
      form: '::',
      name: 'notice',
      properties: { title: 'tenant-sync' },
      message: '22 more annotations; see the text report for the complete result',
    });
    expect(commands.slice(1).map(({ name }) => name)).toEqual([
      'error',
      ...Array(40).fill('warning'),
      ...Array(8).fill('notice'),
    ]);
  });

  test('count omitted ones, as severe as the most severe of them', () => {
    const all = [...Array.from({ length: 52 }, () => annotation('error', 1)), annotation('warning', 1)];
    expect(runnerCommands(annotationLines(all))[0]).toMatchObject({
      name: 'error',
      message: '4 more annotations; see the text report for the complete result',
    });
  });

  test('of 50 leave nothing to count', () => {
    expect(runnerCommands(annotationLines(Array.from({ length: 50 }, () => annotation('error', 1))))).toHaveLength(50);
  });

  test('begin with their location', () => {
    expect(runnerCommands(annotationLines([annotation('error', 3)]))).toEqual([
      { form: '::', name: 'error', properties: { file: 'a.yaml', line: '3', col: '1', title: 'T' }, message: 'm' },
    ]);
  });

  test('limit the lines of one message', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const [command] = runnerCommands(annotationLines([{ ...annotation('error', 1), lines }]));
    expect(command?.message.split('\n')).toEqual([...lines.slice(0, 24), 'and 6 more lines']);
  });
});
