import { findingTraits } from '../../src/model/findings.ts';
import type { Outcome, OutcomeSummary, OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Action, Finding, KindName, Plan, Refusal } from '../../src/model/plan.generated.ts';

/** A plan whose summary counts its actions and findings. Without more, it has none. */
export function buildPlan(parts: Partial<Plan> = {}): Plan {
  const actions = parts.actions ?? [];
  const findings = parts.findings ?? [];
  const count = (name: Action['action']) => actions.filter(({ action }) => action === name).length;
  return {
    format_version: '2.0',
    tool: { name: 'tenant-sync', version: '0.1.0' },
    tenant: { name: 'acme', base_url: 'https://login.acme.example/api/v2', api: 'documented' },
    generated_at: '2026-11-20T10:00:00Z',
    base: null,
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
    checksum: `sha256:${'fedcba9876543210'.repeat(4)}`,
    ...parts,
  };
}

/** The plan, with kinds that could not be read. */
export function withUnreadable(plan: Plan, ...unreadable: KindName[]): Plan {
  return { ...plan, summary: { ...plan.summary, unreadable } };
}

/** Without more, a finding on the rate limit policy `default`. */
export function buildFinding(code: Finding['code'], parts: Partial<Finding> = {}): Finding {
  return {
    code,
    severity: findingTraits({ code }).severity,
    kind: 'rate_limit_policies',
    key: 'oauth_authentication_api/client/default',
    message: 'as the message says',
    origin: null,
    source: null,
    ...parts,
  };
}

/** A guard that refuses the loss of these items. */
export function buildRefusal(items: readonly string[], parts: Partial<Refusal> = {}): Refusal {
  return {
    code: 'GUARD_TOO_MANY_DELETES',
    kind: 'rate_limit_policies',
    message: `would delete ${items.length} of 40 live items; the limit is 12`,
    losses: items.length,
    live: 40,
    limit: 12,
    items: [...items],
    approve: '0123456789abcdef01234567',
    approved_by: null,
    approve_in: null,
    ...parts,
  };
}

/** How many outcomes of each sort there are; without more, none. */
export function buildSummary(parts: Partial<OutcomeSummary> = {}): OutcomeSummary {
  return { done: 0, failed: 0, not_attempted: 0, unknown: 0, conflict: 0, ...parts };
}

/** The outcomes of a plan, counted. */
export function buildOutcomes(plan: Plan, outcomes: readonly Outcome[]): OutcomesDocument {
  const count = (name: Outcome['outcome']) => outcomes.filter(({ outcome }) => outcome === name).length;
  return {
    format_version: '2.0',
    plan,
    outcomes: [...outcomes],
    verification: null,
    summary: buildSummary({
      done: count('done'),
      failed: count('failed'),
      not_attempted: count('not_attempted'),
      unknown: count('unknown'),
      conflict: count('conflict'),
    }),
  };
}
