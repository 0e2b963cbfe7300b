import type { Decision, Link } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { Configuration } from '../../service/rate-limit-policies/types.generated.ts';
import { lowestLimit } from './own-clients.ts';
import { nextSelectors, partsOf, shared } from './precedence.ts';

/**
 * Orders actions by which policy applies to a client where it has none of its own. If one of them is refused, no client
 * gets a limit that neither the files nor the tenant had for it.
 *
 *   raise default, delete client_id:a     the deletion needs the update
 *   create client_id:b, lower default     the update needs the create; a deletion relies on every create anyway
 */
export function fallbackLinks(actions: readonly Action[]): Pick<Decision, 'links'> {
  const isFallback = ({ action, key }: Action) => action !== 'delete' && shared.has(partsOf(key).selector);
  return actions.length > 1 && actions.some(isFallback) ? { links: actions.map(linkOf) } : {};
}

function linkOf({ id, key, action, before, after }: Action): Link {
  const { prefix, selector } = partsOf(key);
  const fallbacks = (nextSelectors(selector) ?? []).map((next) => prefix + next);
  if (action === 'delete') return { id, after: fallbacks.map(raises) };
  const [now, then] = [limitOf(before), limitOf(after)];
  return {
    id,
    provides: [...(action === 'create' ? fallbacks.map(precedes) : []), ...(action === 'update' ? [raises(key)] : [])],
    after: then < now ? [precedes(key)] : [],
  };
}

function raises(key: string): string {
  return `a raised ${key}`;
}

function precedes(key: string): string {
  return `a policy before ${key}`;
}

function limitOf(policy: Action['after']): number {
  return lowestLimit(policy === null ? [] : [(policy as { readonly configuration: Configuration }).configuration]);
}
