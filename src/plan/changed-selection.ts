import type { Desired } from '../model/desired.ts';
import type { Selection } from '../model/plan.generated.ts';
import { itemSelector, parseSelector } from '../values/selector.ts';
import type { FileChanges } from './file-changes.ts';
import { selectsItem, selectsKind } from './selection.ts';

/**
 * The part of a selection that the files changed, as a selection of exactly these items. A kind is planned completely if
 * its section is new or declares nothing any more, or if a rule of the header changed that concerns it.
 *
 *   a limit of one policy        rate_limit_policies/.../client_id:a
 *   a section that was added     roles
 *   guards, api or base_url      every kind with a section
 *   nothing                      nothing: an empty list that selects nothing
 */
export function changedSelection(
  changes: FileChanges,
  { sections }: Desired,
  kinds: readonly string[],
  selection: Selection,
): Selection {
  const managed = kinds.filter((kind) => [...sections.keys()].some((name) => name === kind));
  const only = managed
    .filter((kind) => selectsKind(selection, kind))
    .flatMap((kind) => {
      if (!isPlannedCompletely(changes, kind))
        return changes
          .changedKeys(kind)
          .filter((key) => selectsItem(selection, kind, key))
          .map((key) => itemSelector({ kind, key }));
      const named = selection.only.filter((text) => parseSelector(text).kind === kind);
      return named.length > 0 ? named : [kind];
    });
  return { ...selection, only, changed: true };
}

function isPlannedCompletely(changes: FileChanges, kind: string): boolean {
  return (
    changes.isNewSection(kind) || changes.isEmptied(kind) || changes.header.some((change) => concerns(change, kind))
  );
}

/** Approvals are about what is refused, and change no action. */
function concerns({ field }: FileChanges['header'][number], kind: string): boolean {
  if (field === 'approvals') return false;
  const [rule, of] = field.split('.');
  return rule === 'protect' || rule === 'undeclared' ? of === kind : true;
}
