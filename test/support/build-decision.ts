import { kinds } from '../../src/kinds/index.ts';
import type { Decision, LiveCount, Population } from '../../src/model/kind.ts';
import type { AssembleInput, Rules } from '../../src/plan/assemble-input.ts';
import { everything } from '../../src/plan/selection.ts';
import { buildAction } from './build-action.ts';

/** A decision that deletes `deletes` of `live` items, or has the actions that are given; every deletion is a loss. */
export function buildDecision(deletes: number, live: number, about: Partial<Decision> = {}): Decision {
  const kind = about.kind ?? 'rate_limit_policies';
  const actions =
    about.actions ??
    Array.from({ length: deletes }, (_, index) => buildAction({ key: `p${String(index).padStart(6, '0')}`, kind }));
  return {
    kind,
    actions,
    findings: [],
    losses: actions.filter(({ action }) => action === 'delete').map(({ id, key }) => ({ id, item: key, names: [key] })),
    asked: [],
    gains: actions.filter(({ action }) => action === 'create' || action === 'add').map(({ id }) => id),
    unreadable: null,
    population: buildPopulation({ live: liveCounts(live, actions) }),
    names: null,
    ...about,
  };
}

/** `count` live items, one for each deleted key and the rest by other keys. */
export function liveCounts(count: number, actions: Decision['actions'] = []): LiveCount[] {
  const deleted = [...new Set(actions.filter(({ action }) => action === 'delete').map(({ key }) => key))];
  return Array.from({ length: count }, (_empty, index) => ({ key: deleted[index] ?? `live-${index}`, parts: 1 }));
}

/** Without more, one declared and one live item. */
export function buildPopulation(parts: Partial<Population> = {}): Population {
  return {
    declared: 1,
    live: liveCounts(1),
    filtered: false,
    unit: { verb: 'delete', one: 'item', many: 'items' },
    ...parts,
  };
}

/** A header in `tenant.yaml`; each value is at the column of its pointer. */
export function rulesWith(tenant: Rules['tenant']): Rules {
  return { tenant, tenantAt: (pointer) => ({ file: 'tenant.yaml', line: 1, column: pointer.length + 1 }) };
}

export function buildAssembleInput(decisions: readonly Decision[], about: Partial<AssembleInput> = {}): AssembleInput {
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
    managed: decisions.map(({ kind }) => kind),
    declared: [],
    rules: rulesWith({}),
    ...about,
  };
}
