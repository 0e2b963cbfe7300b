// Annotations of a GitHub Actions workflow: what is one, how severe, where, and what it says.
import { describe, expect, test } from 'vitest';
import type { PlanBase } from '../../src/model/plan.generated.ts';
import { type Format, joined, type ReportDocument } from '../../src/report/document.ts';
import { formatRow } from '../../src/report/formats.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { kinds } from '../support/all-kinds.ts';
import { deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildPlan, buildRefusal } from '../support/build-plan.ts';
import { type RunnerCommand, runnerCommands } from './runner-commands.ts';

const context = { style: plainStyle, kinds, folder: 'tenants/acme', version: '1.2.3' };
const at = (line: number, file = 'policies.yaml') => ({ file, line, column: 3 });
const plan = buildPlan({
  actions: [
    deletePolicy('client_id:old'),
    { ...removePermissions('Support', ['delete:orders']), source: at(4, 'roles.yaml') },
    putPartials('login', { login: { 'form-content-start': '<b>x</b>' } }),
  ],
  refusals: [buildRefusal(['a/b/c', 'a/b/d'])],
});
const base: PlanBase = {
  ref: 'main',
  commit: 'a'.repeat(40),
  valid: true,
  header: [{ field: 'guards.max_delete_count', before: 3, after: 99, source: at(2, 'tenant.yaml') }],
  sections: [{ kind: 'roles', change: 'removed' }],
};
const edit = { file: 'tenant.yaml', line: 5, change: 'insert', replaces: 0, lines: ['  approvals:', '    - c0de'] };

async function annotationsOf(document: ReportDocument, format: Format = 'github'): Promise<RunnerCommand[]> {
  return runnerCommands(await joined((await formatRow(format).load())([document], context)));
}

const ofPlan = (parts: Parameters<typeof buildPlan>[0]) =>
  annotationsOf({ type: 'plan', plan: buildPlan(parts), diagnostics: [] });
const titled = (commands: readonly RunnerCommand[], title: RegExp) =>
  commands.filter(({ properties }) => title.test(properties['title'] ?? ''));

test('an effect of another item has a sentence of its own', async () => {
  const lost = { code: 'ACCESS_LOST', severity: 'warning', message: 'loses read:a of x', kind: 'roles', key: 'B' };
  const gained = { ...lost, code: 'ACCESS_GAINED', message: 'gains read:b of x' };
  const found = await ofPlan({
    actions: [{ ...removePermissions('A', ['read:a']), effects: [lost, gained] as never }],
  });
  expect(found.map(({ message }) => message)).toEqual([
    'role B loses read:a of x',
    'role B gains read:b of x',
    expect.stringMatching(/^role A will be changed: loses read:a of /),
  ]);
});

test('an origin is a part of the sentence, and an effect has that of its action', async () => {
  const effect = { code: 'ACCESS_LOST', severity: 'warning', message: 'loses read:a', kind: 'roles', key: 'B' };
  const found = await ofPlan({
    actions: [{ ...deletePolicy('client_id:old'), origin: 'drift', effects: [effect as never] }],
    findings: [buildFinding('LIVE_MISSING', { key: 'a', origin: 'drift' })],
  });
  expect(found.map(({ properties }) => properties['title'])).toEqual(['ACCESS_LOST', 'plan/delete', 'LIVE_MISSING']);
  for (const { message } of found) expect(message).toMatch(/ \(drift\)$/);
});

test('changed rules are at their lines', async () => {
  const [field, gone, ...others] = titled(await ofPlan({ base }), /header|section/);
  expect(field).toMatchObject({
    name: 'warning',
    properties: { file: 'tenant.yaml', line: '2', title: 'plan/header' },
    message: 'header guards.max_delete_count changes: 3 → 99',
  });
  expect(gone).toMatchObject({ name: 'warning', properties: { title: 'plan/section' } });
  expect(others).toEqual([]);
});

describe('a refusal', () => {
  test('has its kind, its items, its place and the lines to add', async () => {
    const [policy] = plan.actions;
    const item = `rate_limit_policies/${policy?.key}#${policy?.request.path.split('/').at(-1)}`;
    const found = await ofPlan({ ...plan, refusals: [buildRefusal([item], { approve_in: edit as never })] });
    const [annotation] = titled(found, /^GUARD_/);
    expect(annotation).toMatchObject({ name: 'error', properties: { file: 'tenant.yaml', line: '4', col: '1' } });
    expect(annotation?.message.split('\n')).toEqual([
      `policy ${item.replace(/^.*(?=client_id:)/, '')}: would delete 1 of 40 live items; the limit is 12`,
      'To approve, add these 2 lines at tenant.yaml:5:',
      ...edit.lines,
    ]);
  });

  test('is one annotation, also where the run ends with it', async () => {
    const refused = { code: 'GUARD_REFUSED', severity: 'error', message: 'the plan would …' } as const;
    const found = await annotationsOf({ type: 'plan', plan, diagnostics: [refused] });
    expect(titled(found, /GUARD_/).map(({ properties }) => properties['title'])).toEqual(['GUARD_TOO_MANY_DELETES']);
  });

  test('that is approved is a notice, and shows by what', async () => {
    const approved_by = { by: 'tenant.approvals', source: { file: 'tenant.yaml', line: 7, column: 5 } } as const;
    const approved = plan.refusals.map((refusal) => ({ ...refusal, approved_by }));
    const [annotation, ...others] = titled(await ofPlan({ ...plan, refusals: approved }), /GUARD_/);
    expect(annotation).toMatchObject({ name: 'notice', properties: { file: 'tenant.yaml', line: '7' } });
    expect(annotation?.message).toContain('approved by tenant.approvals (tenant.yaml:7)');
    expect(others).toEqual([]);
  });
});
