import type { Description } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';

export function describe({ key, before, after }: Action): Description {
  return { title: key, lines: [configurationText((after ?? before)?.['configuration'])] };
}

/** `block above 100 requests per second`, `redirect above 5 requests per second to https://…`. */
export function configurationText(configuration: unknown): string {
  const {
    action,
    limit,
    redirect_uri: uri,
  } = configuration as { action: string; limit?: number; redirect_uri?: string };
  const parts = [
    action,
    limit === undefined ? '' : `above ${limit} requests per second`,
    uri === undefined ? '' : `to ${uri}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
