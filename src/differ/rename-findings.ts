import type { DesiredItem } from '../model/kind.ts';
import type { Finding } from '../model/plan.generated.ts';
import { draftFinding } from './draft.ts';

/** That an item has its new name, so that `renamed_from` can be deleted. */
export function reachedFinding(kind: string, item: DesiredItem<unknown>): Finding {
  const message = `the tenant has this name and no longer "${item.renamedFrom}", so "renamed_from" can be deleted`;
  return draftFinding({ code: 'LIVE_RENAMED', kind, key: item.key, message, source: item.at('') });
}

/** That the tenant has the old and the new name of an item. */
export function bothNames(kind: string, item: DesiredItem<unknown>, ids: readonly string[]): Finding {
  const message = `it is to be renamed from "${item.renamedFrom}", and the tenant has both names (${ids.join(', ')}); delete "renamed_from" if they are two items, or delete one of them on the tenant`;
  return draftFinding({ code: 'LIVE_RENAME_CONFLICT', kind, key: item.key, message, source: item.at('') });
}
