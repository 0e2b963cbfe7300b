import type { Desired } from '../../src/model/desired.ts';
import type { Decision, LiveCount, Population } from '../../src/model/kind.ts';
import type { AssembleInput, Rules } from '../../src/plan/assemble-input.ts';
import { everything } from '../../src/plan/selection.ts';
import { kinds } from './all-kinds.ts';
import { buildAction } from './build-action.ts';
import { desiredSection } from './desired-section.ts';

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
    losses: actions.filter(({ action }) => action === 'delete').map(({ id, key }) => ({ id, item: key })),
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

/** The rules of the header, kinds with a section, and declared items, in place of complete files. */
interface AboutFiles {
  readonly rules: Rules;
  readonly managed: readonly string[];
  readonly declared: readonly { readonly kind: string; readonly key: string }[];
}

export function buildAssembleInput(
  decisions: readonly Decision[],
  about: Partial<AssembleInput & AboutFiles> = {},
): AssembleInput {
  const { rules = rulesWith({}), managed = decisions.map(({ kind }) => kind), declared = [], ...more } = about;
  const sections = new Map(
    managed.map((kind) => {
      const keys = declared.flatMap((item) => (item.kind === kind ? [[item.key, {}] as const] : []));
      return [kind, desiredSection(keys)] as const;
    }),
  );
  return {
    tool: { name: 'tenant-sync', version: '0.0.0' },
    tenant: { name: 'acme', base_url: 'https://login.acme.example/api/v2', api: 'documented' },
    generatedAt: '2026-11-20T10:00:00Z',
    kinds: orderedKinds,
    desired: { ...rules, sections: sections as Desired['sections'] },
    reads: [],
    decisions,
    notRead: [],
    selection: everything,
    ...more,
  };
}

/** Without those that no test of plans has, in an order of their own. */
const orderedKinds = ['rate_limit_policies', 'roles', 'prompts', 'event_streams'].flatMap((name) =>
  kinds.filter((kind) => kind.name === name),
);
