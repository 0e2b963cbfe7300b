import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Format } from '../../src/report/document.ts';
import { plainStyle } from '../../src/report/terminal.ts';
import { deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';
import { buildFinding, buildOutcomes, buildPlan, buildRefusal, withUnreadable } from '../support/build-plan.ts';
import { standInKinds } from '../support/stand-in-kinds.ts';
import { type PlanSide, renderOutcomes, renderPlan, renderProblems } from './render.ts';

export const context = { style: plainStyle, kinds: standInKinds, folder: 'tenants/acme' };
const policiesAt = (line: number) => ({ file: 'policies.yaml', line, column: 5 });

const unreadableFindings = [
  buildFinding('LIVE_UNREADABLE', {
    kind: 'roles',
    key: '*',
    message: 'no operation of api: documented reads role permissions',
    source: { file: 'roles.yaml', line: 1, column: 1 },
  }),
  buildFinding('LIVE_NOT_CHECKED', {
    kind: 'roles',
    key: 'rol_Zx1',
    message: 'its permissions are declared and cannot be compared',
    source: { file: 'roles.yaml', line: 4, column: 5 },
  }),
  buildFinding('LIVE_UNREADABLE', {
    kind: 'prompts',
    key: '*',
    message: 'no operation of api: documented reads prompt partials',
    source: { file: 'prompts.yaml', line: 1, column: 1 },
  }),
];
const blindActions = [
  putPartials('login', {
    login: {
      'form-content-start': '<div class="banner">\n  Orders are late\n</div>\n',
      'form-footer-end': 'x'.repeat(1400),
    },
  }),
  removePermissions('rol_Zx1', ['delete:orders', 'refund:orders']),
];
const differences = [
  buildFinding('LIVE_MISSING', {
    message: 'declared but missing on the tenant; no available operation can create it',
    source: policiesAt(3),
  }),
  buildFinding('LIVE_DIFFERENT', {
    key: 'oauth_authentication_api/client/cimd_clients',
    message: 'differs from the files; no available operation can change it',
    changes: [
      { field: 'configuration.limit', before: 100, after: 50 },
      { field: 'configuration.redirect_uri', after: 'https://acme.example/slow' },
      { field: 'configuration.note', before: ['a', 1] },
    ],
    source: policiesAt(8),
  }),
  buildFinding('LIVE_DUPLICATE', {
    key: 'oauth_authentication_api/client/client_id:abc',
    message:
      '2 live items have this identity (rlp_7, rlp_8) and none matches the files; delete the extra ones on the tenant',
    source: policiesAt(13),
  }),
  buildFinding('LIVE_UNDELETABLE', {
    kind: 'event_streams',
    key: 'old-stream',
    message: 'on the tenant but not declared; no available operation can delete it',
  }),
];
const kept = [
  buildFinding('LIVE_PROTECTED', { message: 'on the tenant but not declared; kept because it is protected' }),
  buildFinding('LIVE_UNDECLARED', {
    kind: 'event_streams',
    key: 'audit',
    message: 'on the tenant but not declared; add to the files with pull, or set undeclared: { event_streams: ignore }',
  }),
];

const full = withUnreadable(
  buildPlan({
    actions: [
      ...blindActions,
      deletePolicy('third_party_clients'),
      deletePolicy('client_id:abc', 'rlp_9', {
        id: 'rate_limit_policies/oauth_authentication_api/client/client_id:abc#rlp_9',
        reason: 'duplicate',
        source: policiesAt(13),
      }),
    ],
    findings: [...differences, ...kept, ...unreadableFindings],
  }),
  'roles',
  'prompts',
);

const refusedItems = Array.from(
  { length: 23 },
  (_, index) => `rate_limit_policies/oauth_authentication_api/client/client_id:${index}#rlp_${index}`,
);

const plans: Readonly<Record<string, Plan>> = {
  'plan-full': full,
  'plan-refused': buildPlan({
    actions: [deletePolicy('third_party_clients')],
    refusals: [
      buildRefusal(refusedItems),
      buildRefusal(['event_streams/a#b'], {
        code: 'GUARD_EMPTIES_SECTION',
        kind: 'event_streams',
        message: 'would delete 1 of 1 live items and leave the section empty',
      }),
    ],
  }),
  'plan-in-sync': buildPlan(),
  'plan-in-sync-but': withUnreadable(
    buildPlan({ actions: blindActions, findings: unreadableFindings }),
    'roles',
    'prompts',
  ),
  'plan-in-sync-selected': buildPlan({
    selection: { only: ['rate_limit_policies/*/default'], except: ['event_streams'], rotate: [] },
    left_out: [
      { kind: 'event_streams', key: '*', what: 'not_read' },
      ...Array.from({ length: 22 }, (_, index) => ({
        kind: 'rate_limit_policies' as const,
        key: `oauth_authentication_api/client/client_id:${index}`,
        what: index === 0 ? 'LIVE_MISSING' : 'delete',
      })),
    ],
  }),
  'plan-findings-only': buildPlan({ findings: [...differences, ...kept] }),
  'plan-incomplete': withUnreadable(
    buildPlan({
      complete: false,
      findings: [
        buildFinding('LIVE_LISTING_INCOMPLETE', {
          key: '*',
          message: 'page 3 repeated the cursor of page 2',
          source: policiesAt(1),
        }),
        buildFinding('LIVE_SCOPE_MISSING', {
          kind: 'event_streams',
          key: '*',
          message: 'the token lacks the scope read:event_streams',
        }),
      ],
    }),
    'rate_limit_policies',
    'event_streams',
  ),
};

/** What a pull request changes, what somebody changed on the tenant, and both. */
export const threeWayPlan: Plan = buildPlan({
  base: {
    ref: 'main',
    commit: '0123456789abcdef0123456789abcdef01234567',
    valid: true,
    header: [
      {
        field: 'guards.max_delete_count',
        before: 3,
        after: 30,
        source: { file: 'tenant.yaml', line: 3, column: 31 },
      },
      { field: 'undeclared.roles', before: 'ignore', source: { file: 'tenant.yaml', line: 1, column: 1 } },
    ],
    sections: [
      { kind: 'prompts', change: 'added' },
      { kind: 'event_streams', change: 'removed' },
    ],
  },
  actions: [
    deletePolicy('client_id:from-files', 'rlp_1', { origin: 'change' }),
    deletePolicy('client_id:by-hand', 'rlp_2', {
      origin: 'drift',
      effects: [
        {
          code: 'POLICY_FALLBACK',
          severity: 'warning',
          message: 'falls back to default: block above 100/s (now: allow)',
          kind: 'rate_limit_policies',
          key: 'oauth_authentication_api/client/client_id:by-hand',
        },
      ],
    }),
    deletePolicy('client_id:both', 'rlp_3', { origin: 'both', source: policiesAt(7), reason: 'absent' }),
    { ...removePermissions('Support', ['refund:orders']), reason: 'undeclared', origin: 'drift' },
  ],
  findings: [
    buildFinding('LIVE_MISSING', { origin: 'change', source: policiesAt(3) }),
    buildFinding('LIVE_DIFFERENT', {
      key: 'oauth_authentication_api/client/cimd_clients',
      changes: [{ field: 'configuration.limit', before: 100, after: 50 }],
      origin: 'drift',
      source: policiesAt(11),
    }),
  ],
});

const outcomes: Readonly<Record<string, OutcomesDocument>> = {
  'outcomes-mixed': buildOutcomes(full, [
    { id: 'prompts/login', outcome: 'done', status: 200, message: null },
    { id: 'roles/rol_Zx1#remove', outcome: 'failed', status: 404, message: 'status 404: The role does not exist.' },
    {
      id: 'rate_limit_policies/oauth_authentication_api/client/third_party_clients',
      outcome: 'unknown',
      status: null,
      message: 'the connection broke after the request was sent',
    },
    {
      id: 'rate_limit_policies/oauth_authentication_api/client/client_id:abc#rlp_9',
      outcome: 'not_attempted',
      status: null,
      message: 'not sent: interrupted',
    },
  ]),
  'outcomes-done': buildOutcomes(buildPlan({ actions: [deletePolicy('default')] }), [
    { id: 'rate_limit_policies/oauth_authentication_api/client/default', outcome: 'done', status: 204, message: null },
  ]),
  'outcomes-conflict': buildOutcomes(buildPlan({ actions: [deletePolicy('default')] }), [
    {
      id: 'rate_limit_policies/oauth_authentication_api/client/default',
      outcome: 'conflict',
      status: null,
      message: 'changed on the tenant since the plan was saved',
    },
  ]),
  'outcomes-nothing': buildOutcomes(buildPlan(), []),
};

const sampleDiagnostics: readonly Diagnostic[] = [
  {
    code: 'CONFIG_UNKNOWN_FIELD',
    severity: 'error',
    message: '"limitt" is not a field of a "block" configuration.',
    hint: 'did you mean "limit"?',
    source: { file: 'policies.yaml', line: 8, column: 7 },
    excerpt: { line: 8, column: 7, width: 6, text: '      limitt: 3' },
  },
  {
    code: 'CONFIG_TAB_INDENT',
    severity: 'error',
    message: 'A tab indents this line.',
    source: { file: 'nested/roles.yaml', line: 12, column: 3 },
    excerpt: { line: 12, column: 3, width: 1, text: '  \tid: 顧客' },
  },
  { code: 'CONFIG_NOTHING_MANAGED', severity: 'warning', message: 'No file has a section, so nothing is managed.' },
  {
    code: 'ENV_MISSING',
    severity: 'error',
    message: 'TENANT_SYNC_BASE_URL is not set.',
    hint: 'set it to the base URL of the tenant, which ends in /api/v2',
  },
];

const hostile =
  '::error::x\r\n##[add-mask]x \u001b[2K\u202e @team #1 GH-1 <img src=x> `` ``` | \\| </details> [a](b) https://evil.example www.evil.example';
export const hostilePlan: Plan = withUnreadable(
  buildPlan({
    tenant: { name: hostile, base_url: hostile, api: 'documented' },
    actions: [
      deletePolicy(hostile, hostile, { source: { file: hostile, line: 1, column: 1 } }),
      putPartials(hostile, { [hostile]: { [hostile]: hostile } }),
      removePermissions(hostile, [hostile]),
    ],
    findings: [
      buildFinding('LIVE_DIFFERENT', {
        key: hostile,
        message: hostile,
        changes: [{ field: hostile, before: hostile, after: { [hostile]: [hostile] } }],
        source: { file: hostile, line: 2, column: 2 },
      }),
    ],
    left_out: [{ kind: 'event_streams', key: hostile, what: hostile }],
    refusals: [buildRefusal([hostile], { message: hostile, approve: hostile })],
    selection: { only: [hostile], except: [], rotate: [] },
  }),
  'prompts',
);

type Render = (format: Format) => string;

/** Every golden case by name. */
export const sampleReports: Readonly<Record<string, Render>> = {
  ...mapValues(plans, (plan) => planReport(plan, 'plan')),
  'plan-hostile': planReport(hostilePlan, 'plan'),
  'plan-three-way': planReport(threeWayPlan, 'plan'),
  'drift-full': planReport(full, 'drift'),
  'drift-none': planReport(buildPlan(), 'drift'),
  'drift-none-but': planReport(plans['plan-in-sync-but'] ?? buildPlan(), 'drift'),
  ...mapValues(outcomes, (document) => (format) => renderOutcomes(document, format, context)),
  diagnostics: (format) => renderProblems(sampleDiagnostics, format, 5),
  'diagnostics-none': (format) => renderProblems([], format, 1),
};

function planReport(plan: Plan, view: PlanSide): Render {
  return (format) => renderPlan(plan, view, format, context);
}

function mapValues<From, To>(from: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)]));
}
