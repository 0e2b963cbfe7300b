import type { Description } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';

export function describe(action: Action): Description {
  return { title: action.key, lines: [configurationText(action.before?.['configuration'])] };
}

function configurationText(configuration: unknown): string {
  const { action, limit, redirect_uri: uri } = configuration as { action: string; limit?: number; redirect_uri?: string };
  const parts = [action, limit === undefined ? '' : `above ${limit} requests per second`, uri === undefined ? '' : `to ${uri}`];
  return parts.filter((part) => part !== '').join(' ');
}
