import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Finding, Plan } from '../../src/model/plan.generated.ts';
import { renderDiagnostics } from '../../src/report/render-diagnostics.ts';
import { renderLosses } from '../../src/report/render-losses.ts';
import { renderPlan } from '../../src/report/render-report.ts';
import { colourStyle, plainStyle } from '../../src/report/style.ts';
import { buildAction, deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildPlan } from '../support/build-plan.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';
import { hostilePlan, sampleReports } from './sample-reports.ts';

const context = { style: plainStyle, kinds: standInKinds, folder: '' };

describe('text', () => {
  test('tells of an update by its two sides, and of a kind without words by its value', () => {
    const update = buildAction({
      kind: 'event_streams',
      key: 'a',
      action: 'update',
      before: { limit: 1 },
      after: { limit: 2 },
    });
    const text = renderPlan(
      buildPlan({ actions: [update, { ...update, action: 'create', before: null }] }),
      'plan',
      'text',
      context,
    );
    expect(text).toContain('    ~ update a\n        before    {"limit":1}\n        after     {"limit":2}\n');
    expect(text).toContain('    + create a\n        after     {"limit":2}\n');
  });

  test('tells of a create and an update from the side of the tenant', () => {
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
    expect(text).toContain('In the files but not on the tenant: 1 item\n  Event streams\n    - ');
    expect(text).toContain('Different: 1 item\n  Event streams\n    ~ ');
  });

  test('names a kind that it was not given by its own name', () => {
    const text = renderPlan(buildPlan({ actions: [deletePolicy('default')] }), 'plan', 'text', {
      ...context,
      kinds: [],
    });
    expect(text).toContain(
      '  rate_limit_policies\n    - delete oauth_authentication_api/client/default\n        before    {"id":"rlp_1",',
    );
  });

  test('treats a finding with a code that it does not know as a difference', () => {
    const plan = buildPlan({ findings: [buildFinding('LIVE_NEW'), buildFinding('constructor')] });
    expect(renderPlan(plan, 'plan', 'text', context)).toContain('Cannot be fixed by apply: 2 differences');
    expect(renderPlan(plan, 'drift', 'text', context)).toContain('Different: 2 items');
  });

  test('uses colour to repeat what signs say', () => {
    const plan = buildPlan({ actions: [deletePolicy('default')] });
    const coloured = renderPlan(plan, 'plan', 'text', { ...context, style: colourStyle });
    expect(coloured).toContain('\x1b[31m- delete oauth_authentication_api/client/default\x1b[39m');
    expect(coloured.replaceAll(/\x1b\[\d+m/g, '')).toBe(renderPlan(plan, 'plan', 'text', context));
    expect(Object.values(colourStyle).map((style) => style('x'))).toEqual(
      [1, 2, 31, 32, 33].map((code, index) => `\x1b[${code}mx\x1b[${index < 2 ? 22 : 39}m`),
    );
  });

  test('writes 10,000 of 100,000 actions, one block for each, and says where the others are', () => {
    const actions = Array.from({ length: 100_000 }, (_, index) => deletePolicy(`client_id:${index}`));
    const text = renderPlan(buildPlan({ actions }), 'plan', 'text', context);
    expect(text.match(/^ {4}- delete /gm)).toHaveLength(10_000);
    expect(text).toContain('    and 90,000 more; see all with --format json\n');
  });
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
      'what is unreadable',
      { findings: [unreadable] },
      'In sync, except for what cannot be read: prompts.',
      'No drift, except for what cannot be read: prompts.',
    ],
    [
      'blind requests',
      { actions: [put], findings: [unreadable] },
      'In sync, except for what cannot be read: prompts. 1 request will be sent anyway.',
      'No drift, except for what cannot be read: prompts.',
    ],
    [
      'an incomplete plan',
      { complete: false },
      'Sync state unknown: live state is incomplete.',
      'Drift unknown: live state is incomplete.',
    ],
    ['a protected item', { findings: [buildFinding('LIVE_PROTECTED')] }, 'In sync.', 'No drift.'],
    [
      'a difference that stays',
      { findings: [buildFinding('LIVE_MISSING')] },
      'Not in sync, but nothing to apply: 1 difference left.',
      undefined,
    ],
    [
      'an undeclared item that is kept',
      { findings: [buildFinding('LIVE_UNDECLARED')] },
      'Not in sync, but nothing to apply: 1 difference left.',
      undefined,
    ],
    [
      'a difference and a blind request',
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
        .find((line) => /^(In sync|Not in sync|No drift|Sync state|Drift unknown)/.test(line));
    expect([conclusion('plan'), conclusion('drift')]).toEqual([plan, drift]);
  });

  test('names unreadable kinds in the order of the kinds, each once', () => {
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

describe('losses', () => {
  test('nothing', () => {
    expect(renderLosses(buildPlan(), plainStyle)).toBe(
      'No destructive changes on acme, https://login.acme.example/api/v2\n',
    );
  });

  test('deletions, removals, and what is overwritten unseen', () => {
    const plan = buildPlan({
      actions: [putPartials('login', {}), deletePolicy('default'), removePermissions('rol_1', ['a', 'b'])],
    });
    expect(renderLosses(plan, plainStyle)).toBe(
      [
        'Destructive changes on acme, https://login.acme.example/api/v2: 2 requests',
        '  - delete rate_limit_policies/oauth_authentication_api/client/default',
        '      before    {"id":"rlp_1","resource":"oauth_authentication_api","consumer":"client","consumer_selector":"default","configuration":{"action":"block","limit":100}}',
        '  - remove roles/rol_1',
        '      removes   {"resource_server_identifier":"https://orders.example/","permission_name":"a"}',
        '      removes   {"resource_server_identifier":"https://orders.example/","permission_name":"b"}',
        'Unreadable live state to overwrite: 1 request',
        '  ~ put prompts/login',
        '',
      ].join('\n'),
    );
  });

  test('many are counted', () => {
    const pairs = Array.from({ length: 22 }, (_, index) => `p${index}`);
    const plan = buildPlan({
      actions: [removePermissions('rol_1', pairs), ...Array.from({ length: 1029 }, () => deletePolicy('default'))],
    });
    const lines = renderLosses(plan, plainStyle).split('\n');
    expect(lines.filter((line) => line.startsWith('  - '))).toHaveLength(20);
    expect(lines).toContain('      and 2 more');
    expect(lines.at(-2)).toBe('  and 1,010 more');
  });

  test('a request without before and body loses what its line says', () => {
    const action = deletePolicy('default', 'rlp_1', { before: null });
    expect(
      renderLosses(buildPlan({ actions: [action] }), plainStyle)
        .trimEnd()
        .split('\n'),
    ).toHaveLength(2);
  });
});

describe('faults', () => {
  test.each([
    [[], 0, 'No problems\n'],
    [[], 5, 'No problems in 5 files\n'],
    [['warning'], 1, '1 warning in 1 file\n'],
    [['error', 'error', 'error', 'warning'], 5, '3 errors, 1 warning in 5 files\n'],
    [['error'], 0, '1 error\n'],
  ] as const)('%j in %i files', (severities, files, summary) => {
    const diagnostics = severities.map((severity) => ({ code: 'ENV_INVALID' as const, severity, message: 'm' }));
    expect(renderDiagnostics(diagnostics, 'text', plainStyle, files).endsWith(summary)).toBe(true);
  });

  test('a file that is named like a command is none', () => {
    const text = renderDiagnostics(
      [
        {
          code: 'CONFIG_YAML_SYNTAX',
          severity: 'error',
          message: 'm',
          source: { file: '::error::.yaml', line: 1, column: 2 },
        },
      ],
      'text',
      plainStyle,
      1,
    );
    expect(text.split('\n')[0]).toBe(': :error::.yaml:1:2  error  CONFIG_YAML_SYNTAX');
  });
});

describe('JSON', () => {
  const schemas = join(import.meta.dirname, '../../schemas');
  const read = (name: string) => JSON.parse(readFileSync(join(schemas, `${name}.schema.json`), 'utf8'));
  const ajv = new Ajv2020({
    schemas: ['kinds', 'plan', 'outcomes', 'diagnostics'].map(read),
    strict: false,
    validateFormats: false,
  });

  test.each(Object.entries(sampleReports).filter(([name]) => !name.includes('hostile')))(
    '%s is as its schema says',
    (name, render) => {
      const schema = name.startsWith('diagnostics') ? 'diagnostics' : name.startsWith('outcomes') ? 'outcomes' : 'plan';
      expect(ajv.validate(`${schema}.schema.json`, JSON.parse(render('json'))), ajv.errorsText()).toBe(true);
    },
  );

  test('of a plan is the plan, whichever the view', () => {
    expect(JSON.parse(renderPlan(hostilePlan, 'plan', 'json', context))).toEqual(hostilePlan);
    expect(renderPlan(hostilePlan, 'drift', 'json', context)).toBe(renderPlan(hostilePlan, 'plan', 'json', context));
  });
});
