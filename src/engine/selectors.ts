// Selectors of options: names of kinds in them, wrong ones, and those that match nothing.
import { didYouMean, nearestWord, openNames } from '../diagnostics/near-names.ts';
import { problem } from '../diagnostics/problem.ts';
import type { Item } from '../model/action-identity.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { KnownKind } from '../model/kind.ts';
import type { Plan, Selection } from '../model/plan.generated.ts';
import { selectsKind, unmatchedSelectors } from '../plan/selection.ts';
import { groupBy } from '../values/group-by.ts';
import { itemSelector, parseSelector, selectorText } from '../values/selector.ts';
import { shellWord } from '../values/shell-word.ts';
import { shortUrl } from '../values/short-url.ts';

/**
 * Kinds by the names that people write: the name of a kind is that of its section, and `rate-limit-policies`, the
 * singular, and its last word (`policies`, `policy`) mean the same, unless another kind has that word as well.
 */
export function withKindNames(
  selection: Selection,
  kinds: readonly KnownKind[],
  sections?: Desired['sections'],
): Selection {
  const named = (selectors: readonly string[]) => namedKinds(selectors, kinds, sections);
  return {
    ...selection,
    only: named(selection.only),
    except: named(selection.except),
    rotate: named(selection.rotate),
  };
}

/** The selectors with the names of their kinds, and with complete keys where reports print short ones, also of `sections`. */
export function namedKinds(
  selectors: readonly string[],
  kinds: readonly KnownKind[],
  sections?: Desired['sections'],
): string[] {
  const words = kindWords(kinds);
  return selectors.map((text) => {
    const { kind, key } = parseSelector(text);
    const name = words.get(normal(kind)) ?? kind;
    if (!key) return selectorText({ kind: name, key });
    const complete = kinds.find((one) => one.name === name)?.completeKey?.(key) ?? key;
    const declared = sections?.get(name)?.items.map((item) => item.key) ?? [];
    const printed = urlPrintedAs(complete, declared);
    return printed === undefined
      ? selectorText({ kind: name, key: complete })
      : itemSelector({ kind: name, key: printed });
  });
}

/** The only key that is a URL which reports print like this; undefined for a key itself. */
function urlPrintedAs(name: string, keys: readonly string[]): string | undefined {
  const [found, ...others] = new Set(keys.filter((key) => shortUrl(key) === name));
  return others.length === 0 && found !== name ? found : undefined;
}

/** Names of kinds by all words that mean them. */
function kindWords(kinds: readonly KnownKind[]): ReadonlyMap<string, string> {
  const words = kinds.flatMap(({ name, noun }) =>
    [name, noun?.one ?? name, noun?.many ?? name].map((word) => [normal(word), name] as const),
  );
  const ends = words.flatMap(([word, name]) =>
    [...word.matchAll(/_/g)].map(({ index }) => [word.slice(index + 1), name] as const),
  );
  const unique = [...groupBy(ends, ([end]) => end).values()].flatMap((same) =>
    new Set(same.map(([, name]) => name)).size === 1 ? same : [],
  );
  return new Map([...unique, ...words]);
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[- ]/g, '_');
}

/** Names of the kinds that selectors name. */
export function selectedKinds({ only, except, rotate }: Selection, kinds: readonly KnownKind[]): readonly string[] {
  return namedKinds([...only, ...except, ...rotate], kinds).map((text) => parseSelector(text).kind);
}

export function selectionProblems(selection: Selection, kinds: readonly KnownKind[]): Diagnostic[] {
  const problems = (['only', 'except', 'rotate'] as const).flatMap((option) =>
    selection[option].flatMap((text) => selectorProblems(`--${option}`, text, kinds)),
  );
  const selectsAny = selection.only.length === 0 || kinds.some(({ name }) => selectsKind(selection, name));
  if (problems.length > 0 || selectsAny) return problems;
  return [problem('OPTION_INVALID', 'With these --only and --except, nothing is selected.', 'omit one of them')];
}

export function selectorProblems(option: string, text: string, kinds: readonly KnownKind[]): Diagnostic[] {
  const { kind, key } = parseSelector(text);
  const names = kinds.map(({ name }) => name);
  if (names.includes(kind)) {
    if (key !== '') return [];
    const hint = `write ${option} ${kind} for the entire kind`;
    return [problem('OPTION_INVALID', `${option} ${text} ends in a slash without a key.`, hint)];
  }
  const message = `${option} ${text}: "${kind}" is not a kind; the kinds are ${names.join(', ')}.`;
  const words = kindWords(kinds);
  const near = words.get(nearestWord(normal(kind), [...words.keys()]) ?? '');
  return [problem('OPTION_INVALID', message, didYouMean(near && selectorText({ kind: near, key })))];
}

/**
 * A mistyped --only must not look like "in sync". A kind that could not be read may have the item, so it is not
 * checked.
 */
export function unmatchedOnly(
  { actions, findings, selection, summary }: Pick<Plan, 'actions' | 'findings' | 'selection' | 'summary'>,
  { sections }: Desired,
  kinds: readonly KnownKind[],
): Diagnostic[] {
  if (selection.only.length === 0) return [];
  const declared = [...sections].flatMap(([kind, { items }]) => items.map(({ key }) => ({ kind, key })));
  const known = [...declared, ...actions, ...findings].filter(({ key }) => key !== '*');
  return unmatchedSelectors(selection.only, known)
    .filter(({ kind, key }) => (key === null ? !sections.has(kind) : !summary.unreadable.includes(kind)))
    .map(({ text, kind, key }) => {
      const message = `--only ${shortSelector(text, kinds)} matches no declared or live item.`;
      const names = openNames(known.flatMap((item) => (item.kind === kind ? [shortKey(item, kinds)] : [])));
      const meant = key === null ? undefined : names.near(shortKey({ kind, key }, kinds));
      const hint =
        meant === undefined ? keyHint(text, kinds) : `write ${shellWord(itemSelector({ kind, key: meant }))}`;
      return problem('OPTION_MATCHES_NOTHING', message, hint);
    });
}

/** The name of an item in reports, or a pattern of such names. */
function shortKey({ kind, key }: Item, kinds: readonly KnownKind[]): string {
  return kinds.find(({ name }) => name === kind)?.shortKey?.(key) ?? key;
}

/** A selector with the names that reports print. */
export function shortSelector(text: string, kinds: readonly KnownKind[]): string {
  const { kind, key } = parseSelector(text);
  return selectorText({ kind, key: key === null ? null : shortKey({ kind, key }, kinds) });
}

function keyHint(text: string, kinds: readonly KnownKind[]): string {
  const { kind, key } = parseSelector(text);
  if (key === null) return `the files have no section for ${kind}`;
  return `write ${kind}/${kinds.find(({ name }) => name === kind)?.keyHint ?? 'KEY'}`;
}

/** A mistyped --rotate must not look like a rotated secret. */
export function idleRotation({ actions, selection, summary }: Plan, kinds: readonly KnownKind[]): Diagnostic[] {
  const sent = actions.filter(({ request }) => request.secrets !== undefined);
  return unmatchedSelectors(selection.rotate, sent)
    .filter(({ kind }) => !summary.unreadable.includes(kind))
    .map(({ text, kind }) => {
      const { hasSecrets, noun } = kinds.find(({ name }) => name === kind) ?? {};
      const hint = hasSecrets
        ? `name a declared ${noun?.one} that is live and has a secret; it needs api: full`
        : `${kind} have no secrets`;
      return problem('OPTION_MATCHES_NOTHING', `--rotate ${text} matches no item with a secret to send.`, hint);
    });
}
