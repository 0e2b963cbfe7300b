import type { Action, Finding } from '../model/plan.generated.ts';
import type { ListedKind } from './decide-difference.ts';
import { draftFinding } from './draft.ts';

/**
 * Items of earlier actions that exist, but not as the actions mean them: under another identity, as the item that the
 * files declare although they were to be deleted, or as one that is deleted now. Then the action is not needed any more,
 * and its goal is not reached.
 */
export function leftFindings<Live>(
  { kind, keyOf, idOf }: Pick<ListedKind<never, Live>, 'kind' | 'keyOf' | 'idOf'>,
  live: readonly Live[],
  watched: readonly Action[],
  actions: readonly Action[],
): Finding[] {
  if (watched.length === 0) return [];
  const keys = new Map<unknown, string>(live.map((item) => [encodeURIComponent(idOf(item)), keyOf(item)]));
  const deleted = new Set(actions.flatMap((action) => (action.action === 'delete' ? [idInPath(action)] : [])));
  return watched.flatMap((action) => {
    const { key } = action;
    const id = idInPath(action);
    const now = keys.get(id);
    const isDeleted = deleted.has(id);
    const isLeft = (action.action === 'delete') !== isDeleted;
    if (id === null || now === undefined || (now === key && !isLeft)) return [];
    if (now !== key) return [identityFinding(kind, key, `${id} is ${now} now`)];
    const message = isDeleted
      ? `${id} was to be changed, and another item has this identity as well now`
      : `${id} was to be deleted, and is the item of this identity now`;
    return [draftFinding({ code: 'LIVE_DIFFERENT', kind, key, message, source: null })];
  });
}

/** The same where an item of another id has the identity now. `live`: ids by identity. */
export function replacedFindings(
  kind: string,
  live: ReadonlyMap<string, string>,
  watched: readonly Action[],
): Finding[] {
  return watched.flatMap((action) => {
    const [id, now] = [idInPath(action), live.get(action.key)];
    if (id === null || now === undefined || encodeURIComponent(now) === id) return [];
    return [identityFinding(kind, action.key, `the request is about ${id}, and ${action.key} is ${now} now`)];
  });
}

function identityFinding(kind: string, key: string, what: string): Finding {
  const message = `its identity was changed on the tenant: ${what}`;
  return draftFinding({ code: 'LIVE_DIFFERENT', kind, key, message, source: null });
}

/** `rol_1` of `/roles/rol_1/permissions`, encoded; null for a request that creates an item, or that refers to a new one. */
function idInPath({ request: { path } }: Action): string | null {
  const id = path.split('/')[2];
  return id === undefined || id.startsWith('{') ? null : id;
}
