import { undeclaredRemedies } from '../model/findings.ts';
import type { DesiredItem, KeepRules } from '../model/kind.ts';
import type { Finding } from '../model/plan.generated.ts';
import type { ListedItem } from '../model/reader.ts';
import { groupBy } from '../values/group-by.ts';
import { draftFinding } from './draft.ts';

/** A live item that no declared one is, by the key under which files would declare it. */
export interface UndeclaredItem extends ListedItem {
  readonly key: string;
}

/** The listed items that files could declare and do not. A name that several of them have identifies none. */
export function undeclaredItems(
  declared: readonly Pick<DesiredItem, 'key'>[],
  listed: readonly ListedItem[],
): UndeclaredItem[] {
  const keys = new Set(declared.map(({ key }) => key));
  const declarable = listed.filter(({ isDeclarable }) => isDeclarable);
  const byName = groupBy(declarable, ({ name }) => name);
  return declarable
    .filter(({ id, name }) => !keys.has(id) && !keys.has(name))
    .map((item) => ({ ...item, key: byName.get(item.name)?.length === 1 && item.name !== '' ? item.name : item.id }));
}

/** One finding for each undeclared item that stays. */
export function undeclaredFindings(kind: string, items: readonly UndeclaredItem[], keep: KeepRules): Finding[] {
  return items.map(({ key, id, name }) =>
    keep.isProtected(name) || keep.isProtected(id)
      ? draftFinding({ code: 'LIVE_PROTECTED', kind, key, message: protectedText, source: null })
      : reportedFinding(kind, key),
  );
}

export function reportedFinding(kind: string, key: string): Finding {
  const message = `on the tenant but not declared; ${undeclaredRemedies(kind)}`;
  return draftFinding({ code: 'LIVE_UNDECLARED', kind, key, message, source: null });
}

const protectedText = 'on the tenant but not declared; kept because it is protected';
