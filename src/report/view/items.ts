import { itemId } from '../../model/action-identity.ts';
import type { Source } from '../../model/diagnostic.ts';
import type { Description, KnownKind, TextChange } from '../../model/kind.ts';
import type { Action, Finding, Origin } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import type { ShortName } from '../../values/short-url.ts';
import { inNaturalOrder } from '../../values/text-order.ts';
import { cutName, cutText } from '../wording.ts';

/** How an item is named in a list. */
export interface ItemName {
  /** Name of the kind; `tenant` for the header and the options. */
  readonly kind: string;
  /** That of the plan; `*` for an entire kind. */
  readonly key: string;
  readonly noun: string;
  readonly name: string;
}

/**
 * `policy`, `client_id:app`; for an entire kind `policy`, `all policies`. Findings about the header and the options have
 * the kind `tenant`.
 */
export function itemName(
  { kind, key }: { readonly kind: string; readonly key: string },
  kinds: readonly KnownKind[],
): ItemName {
  const found = kinds.find(({ name }) => name === kind);
  const noun = kind === 'tenant' ? 'header' : (found?.label ?? found?.noun?.one ?? found?.title ?? kind);
  const name = key === '*' ? `all ${nounOf(kind, kinds)}` : cutName(found?.shortKey?.(key) ?? key);
  return { kind, key, noun, name };
}

/** For a row about all of a kind, or about several items that it names. */
export function kindName(kind: string, kinds: readonly KnownKind[]): ItemName {
  return { ...itemName({ kind, key: '*' }, kinds), name: '' };
}

/**
 * The kinds, which then name the items of actions and findings as people know them, also where the files have an id:
 * `Auditor (rol_Vd7aLp20x)`, `Web shop (client_id:5Fj1)`. Items of a refusal have more behind `#` or ` for `. What parts
 * belong to has its short form.
 */
export function namingKinds(
  kinds: readonly KnownKind[],
  of: readonly (Action | Finding)[],
  shortOf: ShortName,
): readonly KnownKind[] {
  const names = new Map(of.flatMap((one) => (one.name === undefined ? [] : [[itemId(one), one.name]])));
  return kinds.map((kind) => ({
    ...kind,
    describe: (action, labelOf) => withShortNames(kind.describe?.(action, labelOf) ?? {}, shortOf),
    ...(names.size > 0 && {
      shortKey: (key) => {
        const [own = key, ...parts] = key.split(/(?=#| for )/);
        const name = names.get(itemId({ kind: kind.name, key: own }));
        const shown = kind.shortKey?.(own) ?? own;
        return name === undefined ? (kind.shortKey?.(key) ?? key) : `${cutText(name)} (${shown})${parts.join('')}`;
      },
    }),
  }));
}

function withShortNames({ parts, ...description }: Description, shortOf: ShortName): Description {
  if (parts === undefined) return description;
  const lists = parts.map((list) => ({
    ...list,
    parts: list.parts.map((part) => (part.of === undefined ? part : { ...part, of: shortOf(part.of) })),
  }));
  return { ...description, parts: lists };
}

/** `rate limit policies`: several items of a kind, inside a sentence. */
export function nounOf(name: string, kinds: readonly KnownKind[]): string {
  const kind = kinds.find((candidate) => candidate.name === name);
  return kind?.noun?.many ?? kind?.title ?? name;
}

/** Each kind with what is of it, in the order of the kinds; unknown ones come last. */
export function byKind<Of extends { readonly kind: string }>(
  items: readonly Of[],
  kinds: readonly KnownKind[],
): [kind: string, Of[]][] {
  const ranks = new Map<string, number>(kinds.map(({ name }, index) => [name, index]));
  const rank = (kind: string) => ranks.get(kind) ?? kinds.length;
  return [...groupBy(items, ({ kind }) => kind)].sort(([one], [other]) => rank(one) - rank(other));
}

/** By kind, then by name as people sort names. */
export function sorted<Of extends { readonly kind: string; readonly name: string }>(
  rows: readonly Of[],
  kinds: readonly KnownKind[],
): Of[] {
  return byKind(rows, kinds).flatMap(([, ofKind]) => inNaturalOrder(ofKind, ({ name }) => name));
}

export const notInFiles = 'not in the files';

/** `roles.yaml:6`: the column is in the full form. */
export function placeOf(source: Source | null): string {
  return source === null ? '' : `${cutName(source.file)}:${source.line}`;
}

/**
 * The line that changes in the file of a text. Only a text that begins its file has lines that can be counted: in YAML, a
 * text may be folded.
 */
export function changedLine({ before, after, source }: TextChange): Source | null {
  if (source === null || before === null || after === null || source.line !== 1 || source.column !== 1) return source;
  const old = before.split('\n');
  const line = after.split('\n').findIndex((text, index) => text !== old[index]);
  return { ...source, line: Math.max(0, line) + 1 };
}

/** `change` is what a pull request is about, and needs no label. */
export function originText(origin: Origin): string {
  return origin === 'drift' || origin === 'both' ? origin : '';
}
