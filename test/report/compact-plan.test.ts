// The compact form: groups, order, widths.
import { describe, expect, test } from 'vitest';
import type { Action, Effect } from '../../src/model/plan.generated.ts';
import { displayWidth, fitStart, plainStyle, wrapWords } from '../../src/report/terminal.ts';
import { kinds } from '../support/all-kinds.ts';
import { deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildPlan, buildRefusal } from '../support/build-plan.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';
import { renderPlan } from './render.ts';

const context = { style: plainStyle, kinds: standInKinds, folder: '' };
const deletions = (count: number) => Array.from({ length: count }, (_none, index) => deletePolicy(`app-${index + 1}`));

describe('the same change on many items', () => {
  test('is one group with a count', () => {
    const text = renderPlan(buildPlan({ actions: deletions(315) }), 'plan', 'text', context);
    expect(text).toContain('315 changes: 315 to delete');
    expect(text).toMatch(
      /- policy {2}315 items {2}.* not in the files\n {6}.*app-1, .*app-2, .*app-3, .*app-4, .*app-314, .*app-315\n/,
    );
    expect(text).not.toContain('--detail full lists all.');
    expect(text.split('\n').length).toBeLessThan(15);
    const markdown = renderPlan(buildPlan({ actions: deletions(315) }), 'plan', 'markdown', context);
    expect(markdown).toMatch(/^- policy {2}315 items /m);
  });

  test('is written item by item in a short plan, and in the full form', () => {
    const short = renderPlan(buildPlan({ actions: deletions(50) }), 'plan', 'text', context);
    const full = renderPlan(buildPlan({ actions: deletions(315) }), 'plan', 'text', { ...context, detail: 'full' });
    expect(short.match(/^ {2}- policy /gm)).toHaveLength(50);
    expect(full.match(/^ {2}- policy /gm)).toHaveLength(315);
  });
});

test('the same effect on many items is one group, whatever applies now, in natural order', () => {
  const actions = deletions(60).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const withEffects = actions.map((action, index) => {
    const message = `falls back to default: block above 100/s (now: block above ${index}/s)`;
    const effect = {
      code: 'POLICY_FALLBACK',
      severity: 'warning',
      kind: action.kind,
      key: action.key,
      message,
    } as const;
    return { ...action, effects: [effect] };
  });
  const text = renderPlan(buildPlan({ actions: withEffects }), 'plan', 'text', context);
  expect(text).toMatch(
    /! policy {2}60 items {2}each falls back to default: block above 100\/s {2}.*\n {6}.*app-1, .*app-2, .*app-3, .*app-59, .*app-60\n/,
  );
  expect(text).not.toContain('(now:');
});

test.each([
  [30, 'app-1, app-2, app-3, app-4, '],
  [10_001, 'app-1, app-10, app-100, app-1000, '],
])('of %i refused items, the names begin with %s', (count, names) => {
  const items = Array.from({ length: count }, (_none, index) => `rate_limit_policies/app-${index + 1}`).sort();
  const text = renderPlan(buildPlan({ refusals: [buildRefusal(items)] }), 'plan', 'text', context);
  expect(text).toMatch(new RegExp(`^      ${names}`, 'm'));
});

test('effects are in the order of their severity, and of what they reach', () => {
  const effectOn = (selector: string, parts: Partial<Effect>): Action => {
    const { kind, key, ...action } = deletePolicy(selector);
    const effect = { code: 'POLICY_LIMIT_CUT', severity: 'warning', kind, key, message: 'm', ...parts } as const;
    return { kind, key, ...action, effects: [effect] };
  };
  const actions = [
    effectOn('a', {}),
    effectOn('b', { reach: 'group' }),
    effectOn('c', { severity: 'critical' }),
    effectOn('d', { reach: 'all' }),
  ];
  const text = renderPlan(buildPlan({ actions }), 'plan', 'text', context);
  expect(text.match(/(?<=^ {2}! policy .*)[a-d](?= {2}m)/gm)).toEqual(['c', 'd', 'b', 'a']);
});

test('the headline counts each item where it is', () => {
  const lost = { ...removePermissions('Support', ['read:a']), reason: 'undeclared' as const };
  const text = renderPlan(buildPlan({ actions: [deletePolicy('app'), lost] }), 'plan', 'text', { ...context, kinds });
  expect(text).toContain('2 changes: 1 to delete, 1 to change access');
});

test.each([40, 80])('a line that differs after column %d shows the difference', (width) => {
  const lineOf = (word: string) => `${'The same start. '.repeat(6)}${word} the same end. ${'And more. '.repeat(3)}`;
  const partials = (word: string) => ({ login: { a: lineOf(word) } });
  const action = { ...putPartials('login', partials('NEW')), before: partials('OLD'), reason: 'different' as const };
  const plan = buildPlan({ actions: [action] });
  const text = renderPlan(plan, 'plan', 'text', { ...context, kinds, width });
  expect(text).toMatch(/^ {6}-….*OLD/m);
  expect(text).toMatch(/^ {6}\+….*NEW/m);
  expect(renderPlan(plan, 'plan', 'text', { ...context, kinds })).toContain(`      -${lineOf('OLD')}`.slice(0, 90));
});

test('an annotation shows that a change reverts drift', () => {
  const labelled = (origin: 'change' | 'drift' | 'both') => ({ ...deletePolicy(origin), origin });
  const plan = buildPlan({ actions: [labelled('change'), labelled('drift'), labelled('both')] });
  const lines = renderPlan(plan, 'plan', 'github', context)
    .split('\n')
    .filter((line) => line.startsWith('::'));
  expect(lines.find((line) => line.includes('change will be deleted:'))).toMatch(/not in the files$/);
  expect(lines.find((line) => line.includes('drift will be deleted:'))).toMatch(/ \(drift\)$/);
  expect(lines.find((line) => line.includes('both will be deleted:'))).toMatch(/ \(both\)$/);
});

test('names are in the order in which people sort them; the plan keeps its own', () => {
  const actions = ['app-10', 'app-2', 'app-1'].map((name) => deletePolicy(name));
  const plan = buildPlan({ actions });
  const names = [...renderPlan(plan, 'plan', 'text', context).matchAll(/app-\d+/g)].map(([name]) => name);
  expect(names).toEqual(['app-1', 'app-2', 'app-10']);
  expect(plan.actions).toBe(actions);
});

test.each([40, 60, 80, 120, 200])('no line is longer than a terminal of %d columns', (width) => {
  const plan = buildPlan({
    actions: [
      deletePolicy('顧客'.repeat(40)),
      deletePolicy('app'),
      putPartials('login', { login: { a: 'x'.repeat(300) } }),
    ],
    findings: [
      buildFinding('LIVE_MISSING', {
        message: 'word '.repeat(60),
        source: { file: `${'f/'.repeat(60)}a.yaml`, line: 3, column: 1 },
      }),
    ],
  });
  const lines = renderPlan(plan, 'plan', 'text', { ...context, width }).split('\n');
  expect(lines.filter((line) => !line.startsWith('digest') && displayWidth(line) > width)).toEqual([]);
  const piped = renderPlan(plan, 'plan', 'text', context);
  expect(piped).toContain('顧客'.repeat(40));
  expect(piped).toContain('a.yaml:3');
});

test('a row is in columns, in one line without them, or below its item', () => {
  const limited = (name: string, limit: number) =>
    deletePolicy(name, name, { before: { configuration: { action: 'block', limit } } });
  const plan = buildPlan({ actions: [limited('a', 100), limited('b', 1_000_000_000_000)] });
  const linesOf = (width: number) =>
    renderPlan(plan, 'plan', 'text', { ...context, kinds, width })
      .split('\n')
      .filter((line) => /^ {2}- | {6}\S/.test(line));
  expect(linesOf(200)).toEqual([
    '  - policy  a  block above 100/s            not in the files',
    '  - policy  b  block above 1000000000000/s  not in the files',
  ]);
  expect(linesOf(55)).toEqual([
    '  - policy  a  block above 100/s  not in the files',
    '  - policy b',
    '      block above 1000000000000/s  not in the files',
  ]);
});

test('texts are measured and cut in columns', () => {
  expect(['a', '顧', 'e\u0301', '👋', '→'].map(displayWidth)).toEqual([1, 2, 1, 2, 1]);
  expect(fitStart('abcdef', 4)).toBe('abc…');
  expect(fitStart('顧客顧客', 4)).toBe('顧…');
  expect(wrapWords('a - bcd efgh', 5)).toEqual(['a', '- bcd', 'efgh']);
});
