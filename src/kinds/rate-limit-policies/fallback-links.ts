import type { Link } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { Configuration } from '../../service/rate-limit-policies/types.generated.ts';
import { lowestLimit } from './own-clients.ts';
import { nextSelectors, partsOf, shared } from './precedence.ts';

/**
 * Orders actions by which policy applies to a client where it has none of its own. If one of them is refused, no client
 * gets a limit that neither the files nor the tenant had for it.
 *
 *   update default to allow, delete client_id:a    the deletion needs the update
 *   create client_id:b, update default to block    the update needs the create
 */
export function fallbackLinks(actions: readonly Action[]): readonly Link[] {
  const isFallback = ({ action, key }: Action) => action !== 'delete' && shared.has(partsOf(key).selector);
  return actions.some(isFallback) ? actions.map(linkOf) : [];
}

function linkOf({ id, key, action, before, after }: Action): Link {
  const { prefix, selector } = partsOf(key);
  const fallbacks = (nextSelectors(selector) ?? []).map((next) => prefix + next);
  if (action === 'delete') return { id, after: fallbacks.map(limits) };
  const created = action === 'create' ? fallbacks.map(precedes) : [];
  return {
    id,
    provides: [limits(key), ...created],
    after: limitOf(after) < limitOf(before) ? [precedes(key)] : [],
  };
}

function limits(key: string): string {
  return `policy ${key}`;
}

function precedes(key: string): string {
  return `a policy before ${key}`;
}

function limitOf(policy: Action['after']): number {
  return lowestLimit(policy === null ? [] : [(policy as { readonly configuration: Configuration }).configuration]);
}
