// What one item gains, loses or changes is named completely, however much it is.
import { describe, expect, test } from 'vitest';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { joined } from '../../src/report/document.ts';
import { type FormatName, formatRow } from '../../src/report/formats.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { kinds } from '../support/all-kinds.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPermission } from '../support/build-permission.ts';
import { buildFinding, buildPlan } from '../support/build-plan.ts';
import { renderPlan } from './render.ts';

const context = { style: plainStyle, kinds, folder: '', version: '1.2.3' };
const render = async (format: FormatName, plan: Plan) =>
  joined((await formatRow(format).load())([{ type: 'plan', plan, diagnostics: [] }], context));
const namesOf = (word: string) => Array.from({ length: 40 }, (_none, index) => `read:${word}-of-department-${index}`);
const gained = [...namesOf('report'), 'super:admin'];
const lost = [...namesOf('bill'), 'stop:payments'];

function permissions(action: 'add' | 'remove', names: readonly string[]): Action {
  const pairs = names.map((name) => buildPermission(name));
  return buildAction({
    kind: 'roles',
    key: 'Interns',
    part: action,
    action,
    reason: action === 'add' ? 'missing' : 'undeclared',
    before: action === 'add' ? null : { permissions: pairs },
    after: action === 'add' ? { permissions: pairs } : null,
    request: { operation: 'o', method: 'POST', path: '/p', body: { permissions: pairs } },
  });
}

const subscriptions = [...namesOf('event'), 'zone.deleted'];
const scopes = [...namesOf('scope'), 'zone:all'];
const points = [...namesOf('point'), 'zone'];
const stream = { destination: { type: 'action', configuration: { action_id: 'a' } } };

const actions: readonly (readonly [string, readonly string[], readonly Action[]])[] = [
  ['permissions of a role', [...gained, ...lost], [permissions('add', gained), permissions('remove', lost)]],
  [
    'scopes of an API',
    scopes,
    [
      buildAction({
        kind: 'resource_servers',
        action: 'remove',
        before: { scopes: scopes.map((value) => ({ value })) },
        request: { operation: 'o', method: 'PATCH', path: '/p', body: { scopes: [] } },
      }),
    ],
  ],
  [
    'subscriptions of a stream that changes',
    subscriptions,
    [
      buildAction({
        kind: 'event_streams',
        action: 'update',
        reason: 'different',
        before: { ...stream },
        after: { ...stream },
        changes: [
          { field: 'subscriptions', before: ['other'], after: subscriptions },
          { field: 'status', before: 'disabled', after: 'enabled' },
        ],
      }),
    ],
  ],
  [
    'subscriptions of a stream that is added',
    subscriptions,
    [
      buildAction({
        kind: 'event_streams',
        action: 'create',
        reason: 'missing',
        before: null,
        after: { ...stream, subscriptions: subscriptions.map((event_type) => ({ event_type })) },
      }),
    ],
  ],
  [
    'partials of a prompt',
    points,
    [
      buildAction({
        kind: 'prompts',
        key: 'login',
        action: 'put',
        reason: 'different',
        before: { login: { other: 'gone' } },
        after: { login: Object.fromEntries(points.map((point) => [point, 'text'])) },
      }),
    ],
  ],
];

describe.each(actions)('%s', (_name, names, planned) => {
  const plan = buildPlan({ actions: [...planned] });
  const formats: readonly FormatName[] = ['text', 'markdown', 'github', 'html'];

  test.each(formats)('are all in %s', async (format) => {
    const text = (await render(format, plan)).replaceAll(/\s+/g, ' ');
    for (const name of names) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
    // Details have complete values, which are cut.
    if (format === 'text' || format === 'markdown' || format === 'github') expect(text).not.toContain('more character');
  });

  test('are all on a terminal, and no line is longer', () => {
    const lines = renderPlan(plan, 'plan', 'text', { ...context, width: 80 }).split('\n');
    for (const name of names) expect(lines.join('\n')).toContain(name);
    expect(lines.filter((line) => !line.startsWith('digest') && line.length > 80)).toEqual([]);
  });
});

test('a prompt in drift has the verbs of a state', () => {
  const action = buildAction({
    kind: 'prompts',
    key: 'login',
    action: 'put',
    reason: 'different',
    before: { login: { a: 'live', b: 'live' } },
    after: { login: { a: 'new', c: 'new' } },
  });
  const text = renderPlan(buildPlan({ actions: [action] }), 'drift', 'text', context);
  expect(text).toMatch(/~ prompt +login +differs in a; lacks c; also has b\n/);
});

test('one more changed line is shown in place of its number, and others are counted where they are', () => {
  const prompt = (lines: number, key: string) =>
    buildAction({
      kind: 'prompts',
      key,
      action: 'put',
      reason: 'different',
      before: { [key]: { a: '', b: '' } },
      after: { [key]: { a: namesOf('x').slice(0, lines).join('\n'), b: 'end' } },
    });
  const textOf = (lines: number) =>
    renderPlan(buildPlan({ actions: [prompt(lines, 'login')] }), 'plan', 'text', context);
  expect(textOf(5)).toContain('+read:x-of-department-4');
  expect(textOf(5)).not.toContain('more line');
  expect(textOf(7)).toMatch(/department-3\n {6}and 3 more lines\n {6}login \/ b.*:\n/);
});

test('40 roles that lose the same are one row of a long page', async () => {
  const roles = Array.from({ length: 60 }, (_none, index) => ({
    ...permissions('remove', ['read:a']),
    key: `role-${index}`,
    id: `roles/role-${index}#remove`,
  }));
  const page = await render('html', buildPlan({ actions: roles }));
  expect(page).toContain('each loses read:a of orders.example');
});

test('what is kept has no origin', async () => {
  const findings = [buildFinding('LIVE_PROTECTED', { key: 'a/b/c', origin: 'drift' })];
  const plan = buildPlan({ findings });
  for (const format of ['text', 'github', 'html'] as const)
    expect([format, (await render(format, plan)).match(/drift: changed|origin: drift|class="origin"/)]).toEqual([
      format,
      null,
    ]);
});

test('a line has what is lost before what is gained', async () => {
  const plan = buildPlan({ actions: [permissions('add', gained), permissions('remove', lost)] });
  const all =
    /loses read:bill-of-department-0, .*, stop:payments; gains read:report-of-department-0, .*, super:admin of /;
  for (const format of ['text', 'markdown', 'html'] as const)
    expect((await render(format, plan)).replaceAll(/\s+/g, ' ')).toMatch(all);
});

test.each([
  [10, /: `?role r-0, .*role r-9(?!, and)/],
  [11, /: `?role r-0, .*role r-9, and 1 more/],
  [80, /: `?role r-0, .*role r-9, and 70 more/],
])('of %i items that --only leaves out, ten are named', async (count, expected) => {
  const roles = Array.from({ length: count }, (_none, index) => ({ kind: 'roles', key: `r-${index}`, what: 'update' }));
  const selection = { only: ['roles/Support'], except: [], rotate: [] };
  for (const format of ['text', 'markdown', 'github', 'html'] as const) {
    const text = await render(format, buildPlan({ selection, left_out: roles }));
    expect(text.replaceAll(/\s+/g, ' '), format).toMatch(expected);
    expect(text, format).not.toContain('r-10');
    // The kind includes them.
    const entire = [{ kind: 'roles', key: '*', what: 'not_read' }, ...roles];
    expect(await render(format, buildPlan({ selection, left_out: entire })), format).not.toContain('r-0');
  }
});
