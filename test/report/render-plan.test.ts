import { describe, expect, test } from 'vitest';
import type { Action, Finding, Plan } from '../../src/model/plan.generated.ts';
import { colourStyle, plainStyle } from '../../src/report/terminal.ts';
import { kinds } from '../support/all-kinds.ts';
import { buildAction, deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildOutcomes, buildPlan } from '../support/build-plan.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';
import { renderOutcomes, renderPlan } from './render.ts';

const context = { style: plainStyle, kinds: standInKinds, folder: '' };
const full = { ...context, detail: 'full' } as const;

describe('text', () => {
  test('shows both sides of an update, and the value of a kind without lines, in the full form', () => {
    const update = buildAction({
      kind: 'event_streams',
      key: 'a',
      action: 'update',
      before: { limit: 1 },
      after: { limit: 2 },
    });
    const actions = [update, { ...update, key: 'b', action: 'create' as const, before: null }];
    const text = renderPlan(buildPlan({ actions }), 'plan', 'text', full);
    expect(text).toContain(
      '  ~ stream  a  {"limit":2}  not in the files\n      before    {"limit":1}\n      after     {"limit":2}\n',
    );
    expect(text).toContain('  + stream  b  {"limit":2}  not in the files\n      after     {"limit":2}\n');
  });

  test('the full form adds reasons, ids, operations and paths', () => {
    const text = renderPlan(buildPlan({ actions: [deletePolicy('default')] }), 'plan', 'text', full);
    expect(text).toContain(
      [
        '      reason    undeclared',
        '      id        rate_limit_policies/oauth_authentication_api/client/default',
        '      request   DELETE /rate-limit-policies/rlp_1 (delete_rate_limit_policy)',
        '',
      ].join('\n'),
    );
  });

  test('drift shows a create as missing and an update as different', () => {
    const create = buildAction({
      kind: 'event_streams',
      key: 'a',
      action: 'create',
      before: null,
      after: { limit: 2 },
    });
    const text = renderPlan(
      buildPlan({ actions: [create, { ...create, key: 'b', action: 'update', before: { limit: 1 } }] }),
      'drift',
      'text',
      context,
    );
    expect(text).toContain('In the files, but not on the tenant\n  - stream  a');
    expect(text).toContain('Different: files → tenant\n  ~ stream  b');
  });

  test('shows an unknown kind by its name', () => {
    const text = renderPlan(buildPlan({ actions: [deletePolicy('default')] }), 'plan', 'text', {
      ...context,
      kinds: [],
    });
    expect(text).toContain('  - rate_limit_policies  oauth_authentication_api/client/default  {"id":"rlp_1",');
  });

  test('treats a finding with an unknown code as a difference', () => {
    const plan = buildPlan({ findings: [buildFinding('LIVE_NEW' as never), buildFinding('constructor' as never)] });
    expect(renderPlan(plan, 'plan', 'text', context)).toMatch(/Cannot be fixed by apply\n(?: .*\n){4}\n/);
    expect(renderPlan(plan, 'drift', 'text', context)).toContain('2 different');
  });

  test('an error finding has a section of its own, and nothing claims to be in sync', () => {
    const plan = buildPlan({ findings: [buildFinding('LIVE_NOT_FOUND')] });
    const text = renderPlan(plan, 'plan', 'text', context);
    expect(text).toContain('1 error   no changes\n');
    expect(text).toContain('Errors\n  x policy  oauth_authentication_api/client/default\n      LIVE_NOT_FOUND: ');
    expect(text).not.toContain('ync');
    const drift = renderPlan(plan, 'drift', 'text', context);
    expect(drift).toContain('Errors\n  x ');
    expect(drift).not.toContain('No drift');
    expect(renderPlan(plan, 'plan', 'github', context)).toMatch(/^::error title=LIVE_NOT_FOUND::/);
  });

  test('colour repeats signs', () => {
    const plan = buildPlan({ actions: [deletePolicy('default')] });
    for (const width of [undefined, 40, 120]) {
      const about = { ...context, ...(width !== undefined && { width }) };
      const coloured = renderPlan(plan, 'plan', 'text', { ...about, style: colourStyle });
      expect(coloured).toContain('\x1b[31m- policy');
      expect(coloured.replaceAll(/\x1b\[\d+m/g, '')).toBe(renderPlan(plan, 'plan', 'text', about));
    }
    expect(Object.values(colourStyle).map((style) => style('x'))).toEqual(
      [1, 2, 31, 32, 33].map((code, index) => `\x1b[${code}mx\x1b[${index < 2 ? 22 : 39}m`),
    );
  });

  test('writes 10,000 of 12,345 different actions and counts the others', () => {
    const actions = Array.from({ length: 12_345 }, (_, index) => deletePolicy(`client_id:${index}`, `rlp_${index}`));
    const text = renderPlan(buildPlan({ actions }), 'plan', 'text', context);
    expect(text.match(/^ {2}- policy /gm)).toHaveLength(10_000);
    expect(text).toContain('  and 2,345 more; see all with --format json\n');
  });
});

describe('drift', () => {
  test('is seen from the tenant: signs of rows, of lines and of values agree', () => {
    const put = (key: string, before: string | null, after: string | null): Action => {
      const partials = (text: string | null) => (text === null ? {} : { [key]: { a: text } });
      const action = { ...putPartials(key, {}), reason: 'different' as const, after: partials(after) };
      return { ...action, before: before === null ? null : partials(before) };
    };
    const update = buildAction({
      action: 'update',
      before: { ...livePolicy('default', 80) },
      after: { ...livePolicy('default') },
      changes: [{ field: 'configuration.limit', before: 80, after: 100 }],
    });
    const lacks = { ...removePermissions('Support', ['read:a']), reason: 'undeclared' as const };
    const actions = [put('new', null, 'declared'), put('old', 'live', 'declared'), update, lacks];
    const text = renderPlan(buildPlan({ actions }), 'drift', 'text', { ...context, kinds });
    expect(text).toMatch(/In the files, but not on the tenant\n {2}- prompt +new .*\n {6}-declared\n/);
    expect(text).toMatch(/~ prompt +old .*\n {6}-declared\n {6}\+live\n/);
    expect(text).toContain('limit 100 → 80');
    expect(text).toMatch(/ {2}~ role +Support +also has read:a of /);
    expect(text).not.toContain('On the tenant, but not in the files');
    const details = renderPlan(buildPlan({ actions }), 'drift', 'text', { ...full, kinds });
    expect(details).toMatch(/~ role +Support +also has read:a of orders/);
    expect(details).toMatch(/new \/ a.* \(deleted\)\n/);
    expect(details).not.toMatch(/^ {6}(effect|removes|before|after) /m);
  });

  test('shows no notes of requests', () => {
    const extra = buildAction({
      kind: 'roles',
      key: 'Support',
      action: 'remove',
      reason: 'different',
      notes: ['sent'],
    });
    const text = renderPlan(buildPlan({ actions: [extra] }), 'drift', 'text', full);
    expect(text).toMatch(/Different: files → tenant\n {2}~ role {2}Support/);
    expect(text).not.toContain('note ');
    expect(renderPlan(buildPlan({ actions: [extra] }), 'plan', 'text', full)).toContain('note      sent');
  });
});

test('the status of a response is shown once', () => {
  const action = deletePolicy('default');
  const failed = { id: action.id, outcome: 'failed', status: 400 } as const;
  const details = (message: string) => {
    const document = buildOutcomes(buildPlan({ actions: [action] }), [{ ...failed, message }]);
    return renderOutcomes(document, 'text', context).match(/\b400\b/g);
  };
  expect(details('status 400: no such policy')).toHaveLength(1);
});

/** The result in one sentence when no known difference needs a request. */
describe('conclusion', () => {
  const unreadable = buildFinding('LIVE_UNREADABLE', { kind: 'prompts', key: '*' });
  const put = putPartials('login', {});
  const leftOut = [{ kind: 'event_streams' as const, key: '*', what: 'not_read' }];
  const cases: [string, Partial<Plan>, string | undefined, string | undefined][] = [
    ['nothing at all', {}, 'In sync.', 'No drift.'],
    ['a selection', { left_out: leftOut }, 'In sync (selected items only).', 'No drift (selected items only).'],
    [
      'an unreadable kind',
      { findings: [unreadable] },
      'In sync, except for what cannot be read: prompts.',
      'No drift, except for what cannot be read: prompts.',
    ],
    [
      'requests without live state',
      { actions: [put], findings: [unreadable] },
      'Not known to be in sync: prompts cannot be read. Every apply sends 1 request.',
      'No drift, except for what cannot be read: prompts.',
    ],
    [
      'an incomplete plan',
      { complete: false },
      'Sync state unknown: live state is incomplete.',
      'Drift unknown: live state is incomplete.',
    ],
    ['a protected item', { findings: [buildFinding('LIVE_PROTECTED')] }, 'In sync.', 'No drift.'],
    ['a difference that apply cannot fix', { findings: [buildFinding('LIVE_MISSING')] }, undefined, undefined],
    ['an undeclared item that is kept', { findings: [buildFinding('LIVE_UNDECLARED')] }, 'In sync.', undefined],
    [
      'a difference and a request without live state',
      { actions: [put], findings: [buildFinding('LIVE_MISSING')] },
      undefined,
      undefined,
    ],
    ['a known action', { actions: [deletePolicy('default')] }, undefined, undefined],
  ];

  test.each(cases)('%s', (_name, parts, plan, drift) => {
    const conclusion = (view: 'plan' | 'drift') =>
      renderPlan(buildPlan(parts), view, 'text', context)
        .split('\n')
        .find((line) => /^(In sync|Not known|No drift|Sync state|Drift unknown)/.test(line));
    expect([conclusion('plan'), conclusion('drift')]).toEqual([plan, drift]);
  });

  test('lists unreadable kinds in the order of the kinds, each once', () => {
    const findings: Finding[] = [
      unreadable,
      buildFinding('LIVE_SCOPE_MISSING', { kind: 'rate_limit_policies', key: '*' }),
      unreadable,
    ];
    const plan = buildPlan({ findings });
    const summary = { ...plan.summary, unreadable: ['roles' as const] };
    expect(renderPlan({ ...plan, summary }, 'plan', 'text', context)).toContain(
      'cannot be read: rate limit policies, roles, prompts.',
    );
    expect(renderPlan(plan, 'plan', 'text', { ...context, kinds: [] })).toContain(
      'cannot be read: prompts, rate_limit_policies.',
    );
  });
});
