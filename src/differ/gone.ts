import { isDeepStrictEqual } from 'node:util';
import type { Conclusion } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';

/** That what was to be deleted or removed is not there any more, because nothing plans it. */
export function goneConclusions(watched: readonly Action[], actions: readonly Action[]): Conclusion[] {
  return watched
    .filter(({ action }) => action === 'delete' || action === 'remove')
    .filter(({ request }) => !actions.some((other) => isDeepStrictEqual(other.request, request)))
    .map(({ id, key, action, before }) => {
      const liveId = before?.['id'];
      return { key, what: 'gone', ids: [action === 'delete' && typeof liveId === 'string' ? liveId : id] };
    });
}
