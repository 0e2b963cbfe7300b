import type { Conclusion } from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { compareText } from '../values/text-order.ts';
import type { Decided, ListedKind } from './decide-difference.ts';
import type { Difference } from './diff-items.ts';
import { draftFinding } from './draft.ts';

/**
 * An item that is not listed may have moved to a page that was read before, and one of two with the same identity may
 * have replaced the other. An update relies on an item that was seen, and so does a finding about one; that of a name
 * also relies on the new name being free.
 */
export function conclusionFrom<Desired, Live>(
  { idOf, identity }: Pick<ListedKind<Desired, Live>, 'idOf' | 'identity'>,
  difference: Difference<Desired, Live>,
  decided: Decided,
): Conclusion | null {
  const concluded = (what: string, ids: string[] = []): Conclusion => ({
    key: difference.type === 'surplus' ? difference.key : difference.desired.key,
    what,
    ids: ids.length < 2 ? ids : ids.sort(compareText),
  });
  switch (difference.type) {
    case 'missing':
      return concluded('missing');
    case 'ambiguous':
      return concluded('duplicate', difference.live.map(idOf));
    case 'surplus':
      if (difference.kept !== undefined) return concluded('duplicate', [difference.kept, difference.live].map(idOf));
      return decided.action ? concluded('undeclared', [idOf(difference.live)]) : null;
    case 'different':
      return difference.changes.some(({ field }) => identity.includes(field)) ? concluded('missing') : null;
    case 'unmanaged':
      return null;
  }
}

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
