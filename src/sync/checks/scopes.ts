import { problem } from '../../diagnostics/problem.ts';
import type { ApplyContext, Check } from './check.ts';

/** Where the token lists its scopes, a missing one is reported before the first write instead of failing in the middle. */
export const scopes: Check<Pick<ApplyContext, 'connection'>> = async (plan, { connection }) => {
  const granted = plan.actions.length === 0 ? null : await connection.grantedScopes();
  if (granted === null) return [];
  return plan.scopes.apply
    .filter((scope) => !granted.has(scope))
    .map((scope) => {
      const message = `The token lacks the scope ${scope}, which this plan needs.`;
      return problem('SCOPE_MISSING', message, 'grant it to the client of the token');
    });
};
