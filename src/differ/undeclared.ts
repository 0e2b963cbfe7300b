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

/**
 * The listed items that files could declare and do not. An item is declared by its id, if the files state one, or by its
 * name; one that is renamed also by its old one. A name that several of them have identifies none, and neither does one
 * that is also an id.
 */
export function undeclaredItems<Desired, Item extends ListedItem>(
  declared: readonly Pick<DesiredItem<Desired>, 'key' | 'value' | 'renamedFrom'>[],
  listed: readonly Item[],
  idOf: (desired: Desired) => string | null = () => null,
): (Item & UndeclaredItem)[] {
  const ids = new Set(declared.flatMap(({ value }) => idOf(value) ?? []));
  const names = new Set(
    declared.flatMap(({ key, value, renamedFrom = key }) => (idOf(value) === null ? [key, renamedFrom] : [])),
  );
  const declarable = listed.filter(({ isDeclarable }) => isDeclarable);
  const byName = groupBy(declarable, ({ name }) => name);
  const allIds = new Set([...ids, ...listed.map(({ id }) => id)]);
  const isName = ({ name }: ListedItem) => byName.get(name)?.length === 1 && name !== '' && !allIds.has(name);
  return declarable
    .filter(({ id, name }) => !ids.has(id) && !names.has(name))
    .map((item) => ({ ...item, key: isName(item) ? item.name : item.id }));
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
