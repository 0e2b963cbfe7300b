import { problem } from '../../diagnostics/problem.ts';
import type { ApplyContext, Check } from './check.ts';

/** The plan only names secrets; apply needs their values. */
export const secrets: Check<Pick<ApplyContext, 'secret'>> = ({ actions }, { secret }) => {
  const names = new Set(actions.flatMap(({ request }) => (request.secrets ?? []).map(({ env }) => env)));
  return [...names]
    .filter((name) => !secret(name))
    .map((name) => {
      const message = `${name} is not set; the plan sends it as a secret.`;
      return problem('ENV_MISSING', message, 'set it where apply runs; plan and drift do not need it');
    });
};
