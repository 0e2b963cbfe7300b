import type { Decision, Link } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { Configuration } from '../../service/rate-limit-policies/types.generated.ts';
import { fallbacksOf, lowestLimit, partsOf, shared } from './precedence.ts';

/**
 * Orders actions by which policy applies to a client where it has none of its own. If one of them is refused, no client
 * gets a limit that neither the files nor the tenant had for it.
 *
 *   raise default, delete client_id:a                     the deletion needs the update
 *   delete default, delete client_id:a                    the deletion of a needs that of default, which may be tighter
 *   lower default from more than a has, delete a          the deletion needs the update: a would get more than ever
 *   create client_id:b, lower default                     the update needs the create; a deletion relies on every create
 */
export function fallbackLinks(actions: readonly Action[]): Pick<Decision, 'links'> {
  const fallbacks = actions.filter(({ key }) => shared.has(partsOf(key).selector));
  if (actions.length === 1 || fallbacks.length === 0) return {};
  const changed = new Map(fallbacks.map((each) => [each.key, { action: each.action, ...limitsOf(each) }]));
  const links = actions.map((action) => linkOf(action, changed));
  return links.some(({ after }) => after.length > 0) ? { links } : {};
}

/** The lowest limit of a policy before and after its change; of one that is deleted, none. */
interface Limits {
  readonly live: number;
  readonly planned: number;
}

function limitsOf({ before, after }: Action): Limits {
  return { live: limitOf(before), planned: limitOf(after) };
}

function linkOf(
  action: Action,
  changed: ReadonlyMap<string, Limits & Pick<Action, 'action'>>,
): Required<Omit<Link, 'withdraws'>> {
  const { id, key } = action;
  const fallbacks = fallbacksOf(key);
  const { live, planned } = limitsOf(action);
  if (action.action === 'delete') {
    const waits = fallbacks.filter((fallback) => {
      const next = changed.get(fallback);
      if (next?.action !== 'update') return next !== undefined;
      return next.planned > next.live || next.live > Math.max(live, next.planned);
    });
    return { id, provides: [changes(key)], after: waits.map(changes) };
  }
  return {
    id,
    provides: [...(action.action === 'create' ? fallbacks.map(precedes) : []), changes(key)],
    after: planned < live ? [precedes(key)] : [],
  };
}

function changes(key: string): string {
  return `a changed ${key}`;
}

function precedes(key: string): string {
  return `a policy before ${key}`;
}

function limitOf(policy: Action['after']): number {
  return lowestLimit(policy === null ? [] : [(policy as { readonly configuration: Configuration }).configuration]);
}
