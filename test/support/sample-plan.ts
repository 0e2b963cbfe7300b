import type { AnyKind } from '../../src/model/kind.ts';
import type { Outcome, OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Action, Finding, KindName, Plan, Refusal } from '../../src/model/plan.generated.ts';

/** Plans for tests of what is written about them: whole values, with no decision behind them. */
export function samplePlan(parts: Partial<Plan> = {}): Plan {
  const actions = parts.actions ?? [];
  const findings = parts.findings ?? [];
  const count = (name: Action['action']) => actions.filter(({ action }) => action === name).length;
  return {
    format_version: '1.0',
    tool: { name: 'tenant-sync', version: '0.1.0' },
    tenant: { name: 'acme', base_url: 'https://login.acme.example/api/v2', api: 'documented' },
    generated_at: '2026-11-20T10:00:00Z',
    complete: true,
    selection: { only: [], except: [], rotate: [] },
    actions,
    findings,
    left_out: [],
    refusals: [],
    scopes: { plan: ['read:rate_limit_policies'], apply: ['delete:rate_limit_policies', 'read:rate_limit_policies'] },
    summary: {
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      add: count('add'),
      remove: count('remove'),
      put: count('put'),
      findings: findings.length,
      requests: actions.length,
      unreadable: [],
    },
    digest: `sha256:${'0123456789abcdef'.repeat(4)}`,
    ...parts,
  };
}

/** The summary of a plan with kinds that could not be read. */
export function withUnreadable(plan: Plan, ...unreadable: KindName[]): Plan {
  return { ...plan, summary: { ...plan.summary, unreadable } };
}

export function deletePolicy(selector: string, id = 'rlp_1', parts: Partial<Action> = {}): Action {
  const key = `oauth_authentication_api/client/${selector}`;
  return {
    id: `rate_limit_policies/${key}`,
    kind: 'rate_limit_policies',
    key,
    action: 'delete',
    reason: 'undeclared',
    request: { operation: 'delete_rate_limit_policy', method: 'DELETE', path: `/rate-limit-policies/${id}` },
    before: {
      id,
      resource: 'oauth_authentication_api',
      consumer: 'client',
      consumer_selector: selector,
      configuration: { action: 'block', limit: 100 },
    },
    after: null,
    source: null,
    ...parts,
  };
}

export function removePermissions(role: string, permissions: readonly string[]): Action {
  const pairs = permissions.map((name) => ({
    resource_server_identifier: 'https://orders.example/',
    permission_name: name,
  }));
  return {
    id: `roles/${role}#remove`,
    kind: 'roles',
    key: role,
    action: 'remove',
    reason: 'unreadable',
    request: {
      operation: 'remove_role_permissions',
      method: 'DELETE',
      path: `/roles/${role}/permissions`,
      body: { permissions: pairs },
    },
    before: null,
    after: { absent_permissions: pairs },
    source: { file: 'roles.yaml', line: 6, column: 5 },
  };
}

export function putPartials(prompt: string, partials: Record<string, Record<string, string>>): Action {
  return {
    id: `prompts/${prompt}`,
    kind: 'prompts',
    key: prompt,
    action: 'put',
    reason: 'unreadable',
    request: { operation: 'set_prompt_partials', method: 'PUT', path: `/prompts/${prompt}/partials`, body: partials },
    before: null,
    after: partials,
    source: { file: 'prompts.yaml', line: 2, column: 3 },
  };
}

export function finding(code: string, parts: Partial<Finding> = {}): Finding {
  return {
    code,
    kind: 'rate_limit_policies',
    key: 'oauth_authentication_api/client/default',
    message: 'as the message says',
    source: null,
    ...parts,
  };
}

export function refusal(items: readonly string[], parts: Partial<Refusal> = {}): Refusal {
  return {
    code: 'GUARD_TOO_MANY_DELETES',
    kind: 'rate_limit_policies',
    message: `would delete ${items.length} of 40 live items; the limit is 12`,
    losses: items.length,
    live: 40,
    limit: 12,
    items: [...items],
    approve: '0123456789ab',
    ...parts,
  };
}

export function sampleOutcomes(plan: Plan, outcomes: readonly Outcome[]): OutcomesDocument {
  const count = (name: Outcome['outcome']) => outcomes.filter(({ outcome }) => outcome === name).length;
  return {
    format_version: '1.0',
    plan,
    outcomes: [...outcomes],
    summary: {
      done: count('done'),
      failed: count('failed'),
      not_attempted: count('not_attempted'),
      unknown: count('unknown'),
    },
  };
}

/** Stand-ins that name and describe; they neither read nor decide. */
export const sampleKinds: readonly AnyKind[] = [
  standIn('rate_limit_policies', 'Rate limit policies', ({ before }) => [
    `id ${String(before?.['id'])}`,
    `configuration: ${JSON.stringify(before?.['configuration'])}`,
  ]),
  standIn('roles', 'Role permissions', ({ request }) =>
    ((request.body?.['permissions'] ?? []) as { permission_name: string; resource_server_identifier: string }[]).map(
      (pair) => `${pair.permission_name} of ${pair.resource_server_identifier}`,
    ),
  ),
  standIn('prompts', 'Prompt partials', ({ after }) =>
    Object.entries(after as Record<string, Record<string, string>>).flatMap(([screen, points]) =>
      Object.entries(points).map(
        ([point, text]) => `${screen} / ${point}: ${text.length} characters, "${text.split('\n', 1)[0]}"`,
      ),
    ),
  ),
  standIn('event_streams', 'Event streams', () => []),
];

function standIn(name: KindName, title: string, lines: (action: Action) => string[]): AnyKind {
  return {
    name,
    title,
    operations: [],
    entries: () => [],
    decide: () => {
      throw new Error('a stand-in does not decide');
    },
    describe: (action) => ({ title: action.key, lines: lines(action) }),
  };
}
