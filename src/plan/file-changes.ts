import type { Desired } from '../model/desired.ts';
import type { DesiredItem, DesiredSection } from '../model/kind.ts';
import type { FieldChange, HeaderChange, PlanBase, Selection } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { changedFields } from '../values/changed-fields.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { withLineFeeds } from '../values/line-ends.ts';
import { memoized } from '../values/memoized.ts';
import { itemSelector, parseSelector } from '../values/selector.ts';
import { compareText } from '../values/text-order.ts';
import { selectsItem, selectsKind } from './selection.ts';

export type FileChanges = ReturnType<typeof compareFiles>;

/**
 * How the files differ from those of the base. Effective values are compared: after variables and references to files,
 * in canonical form, with lists as sets. So neither the layout of the files nor their names or their order matter.
 */
export function compareFiles(now: Desired, base: Desired) {
  const declarations = memoized((kind: string) => [itemsOf(now, kind), itemsOf(base, kind)] as const);
  const textOf = memoized((item: DesiredItem | undefined) => (item === undefined ? null : declarationText(item)));
  const isChanged = (kind: string, key: string) => {
    const [present, past] = declarations(kind);
    return textOf(present.get(key)) !== textOf(past.get(key));
  };
  return {
    /** Whether only the files of now have the section. */
    isNewSection: (kind: string) => now.sections.has(kind) && !base.sections.has(kind),
    /** Whether the files of now declare the item, and the base does not. */
    isNewItem: (kind: string, key: string) => {
      const [present, past] = declarations(kind);
      return present.has(key) && !past.has(key);
    },
    /** Whether the declarations of an item differ. */
    isChanged,
    /**
     * Secrets for which the files name another variable than the base, as references. None for an item that only one side
     * declares: no secret is compared with nothing.
     */
    changedSecrets: (kind: string, key: string) => {
      const [present, past] = declarations(kind).map((side) => side.get(key));
      return present?.state === 'present' && past?.state === 'present' ? secretChanges(present.value, past.value) : [];
    },
    /** Keys of the items of a kind whose declarations differ, and from which the base renames them, in text order. */
    changedKeys: (kind: string): readonly string[] => {
      const [present, past] = declarations(kind);
      const keys = [...present.keys(), ...past.keys()].filter((key) => isChanged(kind, key));
      const oldNames = keys.flatMap((key) => past.get(key)?.renamedFrom ?? []);
      return [...new Set([...keys, ...oldNames])].sort(compareText);
    },
    /** Whether a section declares nothing any more. */
    isEmptied: (kind: string) => declaresNothing(now.sections.get(kind)) && !declaresNothing(base.sections.get(kind)),
    header: headerChanges(now, base),
    sections: sectionChanges(now, base),
  };
}

function itemsOf(desired: Desired, kind: string): ReadonlyMap<string, DesiredItem> {
  return new Map((desired.sections.get(kind)?.items ?? []).map((item) => [item.key, item]));
}

/** Only a secret is a reference still: any other value of a variable is in its place. */
function secretChanges(now: unknown, base: unknown): readonly FieldChange[] {
  return changedFields(base, now).flatMap(({ path, before, now: after }) =>
    isSecret(after) ? [{ field: path.join('.'), ...(isSecret(before) && { before }), after }] : [],
  );
}

function isSecret(value: unknown): boolean {
  return typeof value === 'string' && /^\$\{env:\w+\}$/.test(value);
}

function declarationText({ state, value, renamedFrom }: DesiredItem): string {
  return canonicalJson({ state, value: withoutOrder(value), renamedFrom: renamedFrom ?? null });
}

/** Lists sorted, as none of them has an order that matters, and line ends as a checkout on another system has them. */
function withoutOrder(value: unknown): unknown {
  if (typeof value === 'string') return withLineFeeds(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutOrder(member)]));
  const members = value.map((member) => {
    const sorted = withoutOrder(member);
    return { sorted, text: canonicalJson(sorted) };
  });
  return members.sort((one, other) => compareText(one.text, other.text)).map(({ sorted }) => sorted);
}

function declaresNothing(section: DesiredSection | undefined): boolean {
  return section === undefined || section.items.every(({ state }) => state !== 'present');
}

function sectionChanges(now: Desired, base: Desired): PlanBase['sections'] {
  const only = (one: Desired, other: Desired, change: 'added' | 'removed') =>
    [...one.sections.keys()].filter((kind) => !other.sections.has(kind)).map((kind) => ({ kind, change }));
  return [...only(now, base, 'added'), ...only(base, now, 'removed')].sort((one, other) =>
    compareText(one.kind, other.kind),
  );
}

/**
 * The fields of the header that changed, those of a mapping each by itself: `guards.max_delete_count`, `protect.roles`. The
 * name of a tenant decides nothing.
 */
function headerChanges(now: Desired, base: Desired): readonly HeaderChange[] {
  const textOf = (value: unknown) => canonicalJson(withoutOrder(value));
  return changedFields(base.tenant, now.tenant, ({ length }) => length < 2)
    .filter(({ path: [name], before, now: after }) => name !== 'name' && textOf(before) !== textOf(after))
    .map(({ path, before, now: after }) => ({
      field: path.join('.'),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      // A field that is gone is missing in the header.
      source: now.tenantAt(after === undefined ? '' : jsonPointer(...path)) ?? null,
    }))
    .sort((one, other) => compareText(one.field, other.field));
}

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
  const only = kinds
    .filter((kind) => sections.has(kind) && selectsKind(selection, kind))
    .flatMap((kind) => {
      const isRuled = changes.header.some((change) => concerns(change, kind));
      if (!changes.isNewSection(kind) && !changes.isEmptied(kind) && !isRuled)
        return changes
          .changedKeys(kind)
          .filter((key) => selectsItem(selection, kind, key))
          .map((key) => itemSelector({ kind, key }));
      const named = selection.only.filter((text) => parseSelector(text).kind === kind);
      return named.length > 0 ? named : [kind];
    });
  return { ...selection, only, changed: true };
}

/** Approvals are about what is refused, and change no action. */
function concerns({ field }: FileChanges['header'][number], kind: string): boolean {
  if (field === 'approvals') return false;
  const [rule, of] = field.split('.');
  return rule === 'protect' || rule === 'undeclared' ? of === kind : true;
}
