import type { Conclusion } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';

/** That what was to be deleted or removed is not there any more, because nothing plans it. */
export function goneConclusions(watched: readonly Action[], actions: readonly Action[]): Conclusion[] {
  const losing = watched.filter(({ action }) => action === 'delete' || action === 'remove');
  if (losing.length === 0) return [];
  const planned = new Set(actions.map(({ request }) => canonicalJson(request)));
  return losing
    .filter(({ request }) => !planned.has(canonicalJson(request)))
    .map(({ id, key, action, before }) => {
      const liveId = before?.['id'];
      return { key, what: 'gone', ids: [action === 'delete' && typeof liveId === 'string' ? liveId : id] };
    });
}
