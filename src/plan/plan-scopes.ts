import type { Operation } from '../model/operation.ts';
import type { Action, PlanScopes } from '../model/plan.generated.ts';

/** The scopes that a token needs: to read what the plan was made from, and to send its requests; apply reads again first. */
export function planScopes(
  reads: readonly Operation[],
  actions: readonly Action[],
  operations: readonly Operation[],
): PlanScopes {
  const scopeOf = new Map(operations.map(({ id, scope }) => [id, scope]));
  const plan = reads.map(({ scope }) => scope);
  const writes = new Set(actions.map(({ request }) => request.operation));
  return {
    plan: sorted(plan),
    apply: sorted([...plan, ...[...writes].flatMap((operation) => scopeOf.get(operation) ?? [])]),
  };
}

function sorted(scopes: readonly string[]): string[] {
  return [...new Set(scopes)].sort();
}
