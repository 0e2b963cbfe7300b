import { kinds } from '../../src/kinds/index.ts';
import type { Decision } from '../../src/model/kind.ts';
import type { Action, Finding } from '../../src/model/plan.generated.ts';
import type { AssembleInput } from '../../src/plan/assemble-plan.ts';
import { everything } from '../../src/plan/selection.ts';

/** Small parts of plans with telling names, for tests that care about one of their fields. */
export function anAction(about: Partial<Action> = {}): Action {
  const key = about.key ?? 'one';
  const kind = about.kind ?? 'rate_limit_policies';
  return {
    id: `${kind}/${key}`,
    kind,
    key,
    action: 'delete',
    reason: 'undeclared',
    request: {
      operation: 'delete_rate_limit_policy',
      method: 'DELETE',
      path: `/rate-limit-policies/${encodeURIComponent(key)}`,
    },
    before: { id: key },
    after: null,
    source: null,
    ...about,
  };
}

export function aFinding(about: Partial<Finding> = {}): Finding {
  return { code: 'LIVE_MISSING', kind: 'rate_limit_policies', key: 'one', message: 'missing', source: null, ...about };
}

/** A decision that deletes `deletes` of `live` items, or has the actions that are given; every deletion is a loss. */
export function aDecision(deletes: number, live: number, about: Partial<Decision> = {}): Decision {
  const kind = about.kind ?? 'rate_limit_policies';
  const actions =
    about.actions ??
    Array.from({ length: deletes }, (_, index) => anAction({ key: `p${String(index).padStart(6, '0')}`, kind }));
  return {
    kind,
    actions,
    findings: [],
    losses: actions.filter(({ action }) => action === 'delete').map((action) => ({ action, item: action.key })),
    unreadable: null,
    population: { declared: 1, live, filtered: false },
    ...about,
  };
}

export function assembleInput(decisions: readonly Decision[], about: Partial<AssembleInput> = {}): AssembleInput {
  return {
    tool: { name: 'tenant-sync', version: '0.0.0' },
    tenant: { name: 'acme', base_url: 'https://login.acme.example/api/v2', api: 'documented' },
    generatedAt: '2026-11-20T10:00:00Z',
    kinds: ['rate_limit_policies', 'roles', 'prompts', 'event_streams'],
    operations: kinds.flatMap(({ operations }) => operations),
    reads: [],
    decisions,
    notRead: [],
    selection: everything,
    guards: {},
    ...about,
  };
}
