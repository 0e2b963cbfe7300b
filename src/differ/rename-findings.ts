import type { DesiredItem } from '../model/kind.ts';
import type { Finding } from '../model/plan.generated.ts';
import { draftFinding } from './draft.ts';

/** That an item has its new name, so that `renamed_from` can be deleted. */
export function reachedFinding(kind: string, item: DesiredItem<unknown>): Finding {
  const message = `the tenant has this name and no longer "${item.renamedFrom}", so "renamed_from" can be deleted`;
  return draftFinding({ code: 'LIVE_RENAMED', kind, key: item.key, message, source: item.at('/renamed_from') });
}

/** That the tenant has the old and the new name of an item. */
export function bothNames(kind: string, item: DesiredItem<unknown>, ids: readonly string[]): Finding {
  const message = `it is to be renamed from "${item.renamedFrom}", and the tenant has both names (${ids.join(', ')}); delete "renamed_from" if they are two items, or delete one of them on the tenant`;
  return draftFinding({ code: 'LIVE_RENAME_CONFLICT', kind, key: item.key, message, source: item.at('/renamed_from') });
}

/** That an item is created while one that the files do not declare may be meant, with the line to type. `how`: why. */
export function nearName(kind: string, noun: string, item: DesiredItem<unknown>, near: string, how: string): Finding {
  // A short name may be a word with a meaning, such as yes.
  const line = `renamed_from: ${/^[a-z][\w -]{4,}\w$/i.test(near) ? near : JSON.stringify(near)}`;
  const message = `the ${noun} is created, but the tenant has an undeclared one, "${near}", ${how}; if it was meant, add ${line} to rename it, correct the name, or pull it into the files`;
  return draftFinding({ code: 'LIVE_NEAR_NAME', kind, key: item.key, message, source: item.at('/name') });
}
