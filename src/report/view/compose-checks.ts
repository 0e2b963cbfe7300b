import type { CheckedTenant } from '../../model/checks.generated.ts';
import { countsOf, cutName, quantity } from '../wording.ts';
import { type PlanView, Row, viewOf } from './plan-view.ts';

/** The most urgent first. `counted`: words for how many tenants are what. */
const states = {
  failed: { section: 'check-failed', counted: 'not compared', level: 'error' },
  never: { section: 'never-checked', counted: 'never checked', level: 'warning' },
  differs: { section: 'differing', counted: 'with differences', level: 'warning' },
  same: { section: 'in-sync', counted: 'without differences', level: null },
} as const;

type StateName = keyof typeof states;

/** When each tenant was last checked, and since when it differs. */
export function composeChecks(tenants: readonly CheckedTenant[]): PlanView {
  const rows = tenants.map(rowOf);
  const counts = Object.values(states).map(({ section, counted }) => {
    const { length } = rows.filter((row) => row.section === section);
    return [length, counted] as const;
  });
  const tenant = { name: quantity(tenants.length, 'tenant'), baseUrl: '' };
  return viewOf(tenant, { name: 'drift', headline: [...countsOf(counts), ...oldest(tenants)], rows });
}

export function checkState({ last, differs_since: since }: CheckedTenant): StateName {
  if (last === null) return 'never';
  // 2 and 4: compared, or a plan that guards refuse.
  if (since !== null && [2, 4].includes(last.exit_code)) return 'differs';
  return last.exit_code === 0 ? 'same' : 'failed';
}

function rowOf(checked: CheckedTenant): Row {
  const { tenant, last, differs_since: since } = checked;
  const state = checkState(checked);
  const { section, level } = states[state];
  const differs = since === null ? [] : [`differs since ${minute(since)}`];
  const facts = last === null ? ['never checked'] : [...differs, `checked ${minute(last.at)}`];
  return new Row({
    section,
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
