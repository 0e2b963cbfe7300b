// Critical effects come first in every format, and are cut last.
import { describe, expect, test } from 'vitest';
import type { Action, Effect } from '../../src/model/plan.generated.ts';
import { joined } from '../../src/report/document.ts';
import { type FormatName, formatRow } from '../../src/report/formats.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { kinds } from '../support/all-kinds.ts';
import { deletePolicy } from '../support/build-action.ts';
import { buildPlan, buildRefusal } from '../support/build-plan.ts';
import { runnerCommands } from './runner-commands.ts';

const context = { style: plainStyle, kinds, folder: '', version: '1.2.3' };
const withEffect = (selector: string, severity: Effect['severity'], message: string): Action => {
  const { kind, key, ...action } = deletePolicy(selector);
  return { kind, key, ...action, effects: [{ code: 'POLICY_FALLBACK', severity, kind, key, message }] };
};
const many = (count: number, severity: Effect['severity'], message: (index: number) => string) =>
  Array.from({ length: count }, (_none, index) =>
    withEffect(`client_id:${severity}-${index}`, severity, message(index)),
  );
async function render(format: FormatName, actions: readonly Action[]) {
  const plan = buildPlan({ actions: [...actions], refusals: [buildRefusal(actions.slice(0, 4).map(({ id }) => id))] });
  return joined((await formatRow(format).load())([{ type: 'plan', plan, diagnostics: [] }], context));
}

const few = [
  ...many(2, 'warning', (index) => `warns ${index}`),
  ...many(3, 'critical', () => 'falls back to default: block above 0/s'),
  withEffect('client_id:other', 'critical', 'falls back to default: redirect above 0/s'),
];

describe('effects that are critical', () => {
  test.each(['text', 'markdown', 'html'] as const)(
    'are the first section in %s, and equal ones one row',
    async (name) => {
      const text = await render(name, few);
      const first = text.indexOf('Check first');
      expect(first).toBeGreaterThan(0);
      const body = text.slice(first);
      const ends = ['Refused by', 'Deletions', 'warns 0'].map((part) => text.lastIndexOf(part));
      expect(Math.min(...ends)).toBeGreaterThan(first);
      const section = body.slice(0, body.search(/Refused by|REFUSED/));
      expect(section.match(/block above 0\/s/g)).toHaveLength(1);
      for (const selector of ['critical-0', 'critical-1', 'critical-2', 'other']) expect(section).toContain(selector);
    },
  );

  test('are the first annotations on GitHub, and equal ones one of them', async () => {
    const commands = runnerCommands(await render('github', few));
    const [first, second] = commands;
    const title = 'Check first: POLICY_FALLBACK';
    expect([first, second]).toMatchObject([
      { name: 'error', properties: { title } },
      { name: 'error', properties: { title } },
    ]);
    const others = commands.slice(2).filter(({ properties }) => properties['title']?.includes('POLICY_FALLBACK'));
    expect(others).toMatchObject(Array(2).fill({ name: 'warning', properties: { title: 'POLICY_FALLBACK' } }));
    expect(`${first?.message}${second?.message}`).toMatch(/critical-0.*critical-1.*critical-2/s);
  });

  test.each(['markdown', 'github'] as const)('are cut last in %s', async (name) => {
    const actions = [
      ...many(name === 'github' ? 100 : 3_000, 'warning', (index) => `warns ${index} ${'x'.repeat(80)}`),
      ...many(40, 'critical', (index) => `blocks ${index}.`),
    ];
    const text = await render(name, actions);
    const shown = Array.from({ length: 40 }, (_none, index) => `blocks ${index}`).filter((part) => text.includes(part));
    expect(shown).toHaveLength(40);
    expect(text).toMatch(name === 'github' ? /\d+ more annotations/ : /lines do not fit into this comment/);
  });
});
