import type { CheckedTenant } from '../../model/checks.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { countsOf, cutName, quantity } from '../wording.ts';
import { emptyView, type Level, type PlanView, Row, type SectionName, type Sign, section } from './plan-view.ts';

interface State {
  readonly section: SectionName;
  readonly sign: Sign;
  /** Words: how many tenants are what. */
  readonly counted: string;
  readonly level: Level | null;
}

/** The most urgent first. */
const states = {
  failed: { section: 'check-failed', sign: 'x', counted: 'not compared', level: 'error' },
  never: { section: 'never-checked', sign: '?', counted: 'never checked', level: 'warning' },
  differs: { section: 'differing', sign: '~', counted: 'with differences', level: 'warning' },
  same: { section: 'in-sync', sign: '=', counted: 'without differences', level: null },
} as const satisfies Readonly<Record<string, State>>;

/** When each tenant was last checked, and since when it differs. */
export function composeChecks(tenants: readonly CheckedTenant[]): PlanView {
  const byState = groupBy(tenants, checkState);
  const names = Object.keys(states) as StateName[];
  const counts = names.map((name) => [byState.get(name)?.length ?? 0, states[name].counted] as const);
  return {
    ...emptyView,
    name: 'drift',
    tenant: { name: quantity(tenants.length, 'tenant'), baseUrl: '' },
    headline: [...countsOf(counts), ...oldest(tenants)],
    sections: names.flatMap((name) => {
      const rows = (byState.get(name) ?? []).map((one) => rowOf(one, name));
      return rows.length === 0 ? [] : [section(states[name].section, rows)];
    }),
  };
}

type StateName = keyof typeof states;

export function checkState({ last, differs_since: since }: CheckedTenant): StateName {
  if (last === null) return 'never';
  // 2 and 4: compared, or a plan that guards refuse.
  if (since !== null && [2, 4].includes(last.exit_code)) return 'differs';
  return last.exit_code === 0 ? 'same' : 'failed';
}

function rowOf({ tenant, last, differs_since: since }: CheckedTenant, state: StateName): Row {
  const { sign, level } = states[state];
  const differs = since === null ? [] : [`differs since ${minute(since)}`];
  const facts = last === null ? ['never checked'] : [...differs, `checked ${minute(last.at)}`];
  return new Row({
    sign,
    kind: 'tenant',
    key: tenant,
    noun: 'tenant',
    name: cutName(tenant),
    what: facts.join(', '),
    annotation: level && { level, code: `check/${state}`, says: 'what' },
  });
}

function oldest(tenants: readonly CheckedTenant[]): string[] {
  const [first] = tenants.flatMap(({ last }) => last?.at ?? []).sort();
  return first === undefined ? [] : [`oldest check: ${minute(first)}`];
}

/** `2026-11-23 19:30 UTC` */
function minute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
