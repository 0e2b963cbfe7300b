// Totals: one change is one line, with the same number in the plan, the confirmation and the outcome.
import { describe, expect, test } from 'vitest';
import { alreadyLive } from '../../src/model/outcome.ts';
import type { Outcome } from '../../src/model/outcomes.generated.ts';
import type { Action, Effect, Origin } from '../../src/model/plan.generated.ts';
import { confirmationQuestion } from '../../src/report/render-report.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { kinds } from '../support/all-kinds.ts';
import { buildAction, deletePolicy, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildOutcomes, buildPlan, buildRefusal } from '../support/build-plan.ts';
import { renderOutcomes, renderPlan } from './render.ts';

const context = { style: plainStyle, kinds, folder: '' };
const base = { ref: 'main', commit: 'c'.repeat(40), valid: true, header: [], sections: [] };
const pairs = [{ resource_server_identifier: 'https://orders.example/', permission_name: 'a' }];
const gains = buildAction({
  kind: 'roles',
  key: 'Support',
  part: 'add',
  action: 'add',
  reason: 'missing',
  before: null,
  after: { permissions: pairs },
  request: {
    operation: 'add_role_permissions',
    method: 'POST',
    path: '/roles/x/permissions',
    body: { permissions: pairs },
  },
});
const loses = { ...removePermissions('Support', ['b']), reason: 'undeclared' as const };
const actions = [deletePolicy('app'), gains, loses];
const outcomeOf = ({ id }: Action, outcome: Outcome['outcome'], status: number | null = 204): Outcome => ({
  id,
  outcome,
  status,
  message: null,
});
const outcomeText = (outcomes: readonly Outcome[]) =>
  renderOutcomes(buildOutcomes(buildPlan({ actions }), outcomes), 'text', context);

test('the plan and the confirmation have the same total', () => {
  const plan = buildPlan({ actions });
  expect(renderPlan(plan, 'plan', 'text', context)).toContain('   2 changes: 1 to delete, 1 to change access\n');
  expect(confirmationQuestion(plan)).toBe(
    'Apply 2 changes (2 losses) with 3 requests to https://login.acme.example/api/v2?',
  );
});

describe('a change of access', () => {
  const describes = buildAction({
    kind: 'roles',
    key: 'Support',
    action: 'update',
    reason: 'different',
    before: { id: 'rol_1', description: 'a' },
    after: { description: 'b' },
    changes: [{ field: 'description', before: 'a', after: 'b' }],
  });
  const effectOf = (code: 'ACCESS_LOST' | 'ACCESS_GAINED'): Effect => ({
    ...{ code, severity: 'warning', message: '', kind: 'roles', key: 'Support' },
    ...{ api: 'orders', permissions: ['b'] },
  });
  const losing = { ...loses, effects: [effectOf('ACCESS_LOST')] };
  const gaining = { ...gains, effects: [effectOf('ACCESS_GAINED')] };
  const deletes = buildAction({ kind: 'roles', key: 'Support', id: 'delete', effects: [effectOf('ACCESS_LOST')] });
  const unread = removePermissions('Support', ['b']);

  test.each([
    { what: 'a loss', of: [describes, losing], title: 'Loses access', total: '1 change: 1 to change access' },
    { what: 'a gain', of: [describes, gaining], title: 'Gains access', total: '1 change: 1 to change access' },
    { what: 'both', of: [gaining, describes, losing], title: 'Loses access', total: '1 change: 1 to change access' },
    { what: 'a deletion', of: [deletes], title: 'Loses access', total: '1 change: 1 to delete' },
    { what: 'what cannot be read', of: [describes, unread], title: 'Changes', total: '1 change: 1 to change' },
  ])('beside other changes of its item stays one: $what', ({ of, title, total }) => {
    for (const format of ['text', 'markdown'] as const) {
      const report = renderPlan(buildPlan({ actions: of }), 'plan', format, context);
      expect(report).toContain(total);
      expect(report.split(new RegExp(`^(?:### )?${title}$`, 'm'))[1]).toMatch(/^[\s`dif]*[-~+] role {2}Support/);
    }
  });
});

const two = [deletePolicy('one'), deletePolicy('two', 'rlp_2')];

describe('an outcome', () => {
  test('counts changes as the plan does, and one line has all requests of an item', () => {
    const text = outcomeText(actions.map((action) => outcomeOf(action, 'done')));
    expect(text).toContain('   2 changes done\n');
    expect(text.match(/Support/g)).toHaveLength(1);
    expect(text).toMatch(/~ role +Support +loses b; gains a of /);
  });

  test('of a part is what is left of the change; what is done of it is marked', () => {
    const text = outcomeText([
      outcomeOf(actions[0] ?? gains, 'done'),
      outcomeOf(gains, 'done'),
      outcomeOf(loses, 'failed'),
    ]);
    expect(text).toContain('   2 changes: 1 failed, 1 done\n');
    expect(text).toMatch(/x role +Support +loses b of /);
    expect(text).toMatch(/~ role +Support +in part: gains a of /);
  });

  test('has the verb of a deletion that is not done, and the number of conflicts', () => {
    const text = outcomeText(actions.map((action) => outcomeOf(action, 'conflict', null)));
    expect(text).toContain('   2 changes: 2 in conflict\n');
    expect(text).toMatch(/! policy +app +delete: /);
    expect(text).toMatch(/! role +Support +loses b; gains a of /);
  });

  test('with one reason for several changes states how many have it', () => {
    const failed = two.map((action) => ({ ...outcomeOf(action, 'failed', null), message: 'no response' }));
    const textOf = (outcomes: readonly Outcome[]) =>
      renderOutcomes(buildOutcomes(buildPlan({ actions: two }), outcomes), 'text', context);
    expect(textOf(failed)).toMatch(/one .*\n.*two .*\n {6}these 2: no response\n/);
    expect(textOf(failed.slice(1))).toMatch(/two .*\n {6}no response\n/);
    const unsent = two.map((action) => ({
      ...outcomeOf(action, 'not_attempted', null),
      message: 'not sent: interrupted',
    }));
    expect(textOf(unsent)).toMatch(/one .*\n.*two .*\n {6}2 actions not sent: interrupted\n/);
  });

  test.each([
    {
      what: 'guards',
      plan: { refusals: [buildRefusal(['rate_limit_policies/x'])] },
      codes: 'GUARD_REFUSED',
      heading: 'REFUSED by 1 guard   2 changes: 2 not attempted',
      next: 'next: approve what the guards refuse, then apply again',
      shows: /^ {2}To approve: add /m,
    },
    {
      what: 'what cannot be read',
      plan: { complete: false, findings: [buildFinding('LIVE_FORBIDDEN', { kind: 'roles', key: '*' })] },
      codes: 'PLAN_INCOMPLETE',
      heading: 'INCOMPLETE   2 changes: 2 not attempted',
      next: 'next: fix the cause of what is not checked, then apply again',
      shows: /^Not checked\n.*\n.*LIVE_FORBIDDEN/m,
    },
    {
      what: 'another check',
      plan: {},
      codes: 'PLAN_STALE',
      heading: 'REFUSED (PLAN_STALE)   2 changes: 2 not attempted',
      next: 'next: plan this tenant again',
      shows: /^Not attempted$/m,
    },
  ])('of a refused apply begins with why, and ends with what to do: $what', ({ plan, codes, heading, next, shows }) => {
    const of = buildPlan({ actions: [deletePolicy('app'), loses], ...plan });
    const outcomes = of.actions.map((action) => ({
      ...outcomeOf(action, 'not_attempted', null),
      message: codes,
    }));
    const text = renderOutcomes(buildOutcomes(of, outcomes), 'text', context);
    expect(text).toContain(`   ${heading}\n`);
    expect(text).toContain(next);
    expect(text).toMatch(shows);
    expect(text).not.toContain('these ');
  });

  test('of an incomplete plan without changes is not that there are none', () => {
    const findings = [buildFinding('LIVE_FORBIDDEN', { kind: 'roles', key: '*' })];
    const text = renderOutcomes(buildOutcomes(buildPlan({ complete: false, findings }), []), 'text', context);
    expect(text).toContain('   INCOMPLETE   no known changes\n');
    expect(text).toContain('LIVE_FORBIDDEN');
    expect(text).not.toContain('Nothing to do');
  });

  test('says which guards an approval overruled, and what it leaves different', () => {
    const approved_by = { by: '--approve', source: null } as const;
    const plan = buildPlan({
      actions: two,
      refusals: [buildRefusal(['rate_limit_policies/x'], { approved_by })],
      findings: [buildFinding('LIVE_UNDELETABLE', { kind: 'roles', key: 'Support' })],
    });
    const [first] = renderOutcomes(
      buildOutcomes(
        plan,
        two.map((action) => outcomeOf(action, 'done')),
      ),
      'text',
      context,
    ).split('\n');
    expect(first).toMatch(/2 changes done {3}1 guard overruled by --approve {3}1 difference that apply/);
    expect(renderPlan(plan, 'plan', 'text', context).split('\n')[0]).toContain(
      '1 difference that apply cannot correct',
    );
  });

  test('a saved plan names the first of what it does not send, and counts the others', () => {
    const ended = Array.from({ length: 60 }, (_none, index) => ({
      ...outcomeOf(buildAction({ key: `c${index}` }), 'done', null),
      message: alreadyLive,
    }));
    const text = renderPlan(buildPlan(), 'plan', 'text', { ...context, ended });
    expect(text).toMatch(/\nAlready in place, not sent: \S+c0, .* and 50 more\.\n/);
    expect(text).not.toContain('In sync');
  });

  test('without a request says so', () => {
    const live = actions.map((action) => ({ ...outcomeOf(action, 'done', null), message: alreadyLive }));
    const text = outcomeText(live);
    expect(text).toContain('   2 changes done, nothing sent\n');
    expect(text).not.toContain('verified');
    // The response to one was lost, and a reading showed that it was carried out.
    const [first, ...others] = live;
    const lost = { ...first, message: 'verified by reading: it was carried out' } as Outcome;
    expect(outcomeText([lost, ...others])).toContain('   2 changes done\n');
  });

  test.each([
    [2, { result: 'verified', verified: 2 }, '2 of 2 actions verified.'],
    [3, { result: 'verified', verified: 3 }, '3 of 3 actions verified.'],
    [1, { result: 'verified', verified: 1 }, '1 of 1 action verified.'],
    [3, { result: 'verified', verified: 2, not_verifiable: ['x'] }, '2 of 2 actions verified.'],
    [2, { result: 'verified', verified: 1, skipped: ['x'] }, '1 of 1 action verified.'],
    [2, { result: 'not_shown', verified: 2, not_shown: ['x'] }, '2 of 3 actions verified.'],
    [0, { result: 'not_shown', not_shown: ['x'] }, '0 of 1 action verified.'],
    [1, { result: 'not_verifiable', not_verifiable: ['x'] }, 'Not verified: nothing that was sent can be read.'],
    [1, { result: 'not_read', message: 'm' }, 'Not verified: the reading at the end failed.'],
    [2, { result: 'not_read', verified: 1, message: 'm' }, '1 of 2 actions verified.'],
    [1, { result: 'skipped', skipped: ['x'] }, 'Not verified, because of --no-verify.'],
  ] as const)('is verified: of %i done, %j', (done, parts, sentence) => {
    const nothing = {
      verified: 0,
      not_shown: [],
      not_read: [],
      not_verifiable: [],
      secrets: [],
      skipped: [],
      message: null,
    };
    const outcomes = Array.from({ length: done }, () => outcomeOf(gains, 'done'));
    const document = buildOutcomes(buildPlan({ actions }), [...outcomes, outcomeOf(loses, 'unknown', null)]);
    const verification = { ...nothing, ...parts } as unknown as NonNullable<typeof document.verification>;
    expect(renderOutcomes({ ...document, verification }, 'text', context)).toContain(`\n${sentence}\n`);
  });

  test('names what was not verified', () => {
    const document = buildOutcomes(buildPlan({ actions }), [outcomeOf(gains, 'done')]);
    const verification = {
      ...{ result: 'verified' as const, verified: 1, message: null },
      ...{ not_shown: [], not_read: [], not_verifiable: ['a'], secrets: ['b'], skipped: ['c'] },
    };
    const text = renderOutcomes({ ...document, verification }, 'text', context);
    expect(text).toMatch(
      /not verifiable +a\nnot verifiable \(the tenant never returns secrets\) +b\nnot verified \(--no-verify\) +c\n/,
    );
  });
});

describe('what merging would do', () => {
  const sentenceOf = (...origins: readonly Origin[]) => {
    const labelled = origins.map((origin, index) => ({ ...deletePolicy(`app-${index}`), origin }));
    return renderPlan(buildPlan({ actions: labelled, base }), 'plan', 'text', context)
      .split('\n')
      .find((line) => line.includes('from this pull request'));
  };

  test.each([
    [['change'], '1 change from this pull request.'],
    [
      ['change', 'drift'],
      '1 change from this pull request; applying these files would revert 1 change made on the tenant.',
    ],
    [
      ['drift', 'drift'],
      'No changes from this pull request; applying these files would revert 2 changes made on the tenant.',
    ],
    [['both'], '1 change from this pull request, 1 of them also changed on the tenant.'],
    [
      ['change', 'both', 'drift'],
      '2 changes from this pull request, 1 of them also changed on the tenant; applying these files would revert 1 change made on the tenant.',
    ],
    [['both', 'both'], '2 changes from this pull request, 2 of them also changed on the tenant.'],
  ] as const)('%j adds up', (origins, sentence) => expect(sentenceOf(...origins)).toBe(sentence));
});

describe('the first screen', () => {
  test('shows that a guard was overruled', () => {
    const approved_by = { by: 'tenant.approvals', source: { file: 'tenant.yaml', line: 12, column: 5 } } as const;
    const refusals = [buildRefusal(['rate_limit_policies/x'], { approved_by })];
    const [first] = renderPlan(buildPlan({ actions, refusals }), 'plan', 'text', context).split('\n');
    expect(first).toMatch(/ {3}1 guard overruled by tenant\.approvals {3}2 changes/);
  });

  test('has a changed rule once, with what is to be checked about it', () => {
    const source = { file: 'tenant.yaml', line: 3, column: 3 };
    const key = 'guards.max_delete_count';
    const plan = buildPlan({
      actions,
      base: { ...base, header: [{ field: key, before: 3, after: 5, source }] },
      findings: [buildFinding('RULE_GUARD_WIDENED', { kind: 'tenant', key, message: 'allows 5', source })],
    });
    const text = renderPlan(plan, 'plan', 'text', context);
    expect(text.match(/guards\.max_delete_count/g)).toHaveLength(1);
    expect(text).toMatch(
      /Changed rules\n {2}! header +guards\.max_delete_count +3 → 5 .*\n {6}RULE_GUARD_WIDENED: allows 5\n/,
    );
    expect(renderPlan(plan, 'plan', 'github', context).match(/^::.*guards\.max_delete_count/gm)).toHaveLength(1);
  });
});

test('of two texts that a row compares, both have quotes, or neither has', () => {
  const changed = (before: string, after: string) =>
    buildAction({ action: 'update', before: {}, after: {}, changes: [{ field: 'description', before, after }] });
  const textOf = (action: Action) => renderPlan(buildPlan({ actions: [action] }), 'plan', 'text', context);
  expect(textOf(changed('Finance department', 'hand'))).toContain('description "Finance department" → "hand"');
  expect(textOf(changed('hand', 'Finance department'))).toContain('description "hand" → "Finance department"');
  expect(textOf(changed('one', 'two'))).toContain('description one → two');
});
