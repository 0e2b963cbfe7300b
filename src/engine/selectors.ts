// Selectors of options: names of kinds in them, wrong ones, and those that match nothing.
import { didYouMean, nearestWord, openNames } from '../diagnostics/near-names.ts';
import { problem } from '../diagnostics/problem.ts';
import type { Item } from '../model/action-identity.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Plan, Selection } from '../model/plan.generated.ts';
import { selectsKind, unmatchedSelectors } from '../plan/selection.ts';
import { itemSelector, parseSelector, selectorText } from '../values/selector.ts';
import { shellWord } from '../values/shell-word.ts';

/**
 * Kinds by the names that people write: the name of a kind is that of its section, and `rate-limit-policies`, the
 * singular, and its last word (`policies`, `policy`) mean the same, unless another kind has that word as well.
 */
export function withKindNames(selection: Selection, kinds: readonly AnyKind[]): Selection {
  return {
    ...selection,
    only: namedKinds(selection.only, kinds),
    except: namedKinds(selection.except, kinds),
    rotate: namedKinds(selection.rotate, kinds),
  };
}

/** The selectors with the names of their kinds, and with complete keys where reports print short ones. */
export function namedKinds(selectors: readonly string[], kinds: readonly AnyKind[]): string[] {
  const names = kinds.flatMap(({ name, noun }) =>
    [name, noun?.one ?? name, noun?.many ?? name].map((word) => ({ word: normal(word), name })),
  );
  return selectors.map((text) => {
    const { kind, key } = parseSelector(text);
    const exact = names.find(({ word }) => word === normal(kind))?.name;
    const [ending, ...others] = new Set(
      names.flatMap(({ word, name }) => (word.endsWith(`_${normal(kind)}`) ? name : [])),
    );
    const unique = others.length === 0 ? ending : undefined;
    const name = exact ?? unique ?? kind;
    const completeKey = key ? kinds.find((one) => one.name === name)?.completeKey : undefined;
    return selectorText({ kind: name, key: key && (completeKey?.(key) ?? key) });
  });
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[- ]/g, '_');
}

export function selectionProblems(selection: Selection, kinds: readonly AnyKind[]): Diagnostic[] {
  const problems = (['only', 'except', 'rotate'] as const).flatMap((option) =>
    selection[option].flatMap((text) => selectorProblems(`--${option}`, text, kinds)),
  );
  const selectsAny = selection.only.length === 0 || kinds.some(({ name }) => selectsKind(selection, name));
  if (problems.length > 0 || selectsAny) return problems;
  return [problem('OPTION_INVALID', 'With these --only and --except, nothing is selected.', 'omit one of them')];
}

export function selectorProblems(option: string, text: string, kinds: readonly AnyKind[]): Diagnostic[] {
  const { kind, key } = parseSelector(text);
  const names = kinds.map(({ name }) => name);
  if (names.includes(kind)) {
    if (key !== '') return [];
    const hint = `write ${option} ${kind} for the entire kind`;
    return [problem('OPTION_INVALID', `${option} ${text} ends in a slash without a key.`, hint)];
  }
  const message = `${option} ${text}: "${kind}" is not a kind; the kinds are ${names.join(', ')}.`;
  return [problem('OPTION_INVALID', message, didYouMean(nearestWord(kind, names)))];
}

/**
 * A mistyped --only must not look like "in sync". A kind that could not be read may have the item, so it is not
 * checked.
 */
export function unmatchedOnly(
  { actions, findings, selection, summary }: Pick<Plan, 'actions' | 'findings' | 'selection' | 'summary'>,
  { sections }: Desired,
  kinds: readonly AnyKind[],
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
function shortKey({ kind, key }: Item, kinds: readonly AnyKind[]): string {
  return kinds.find(({ name }) => name === kind)?.shortKey?.(key) ?? key;
}

/** A selector with the names that reports print. */
export function shortSelector(text: string, kinds: readonly AnyKind[]): string {
  const { kind, key } = parseSelector(text);
  return selectorText({ kind, key: key === null ? null : shortKey({ kind, key }, kinds) });
}

function keyHint(text: string, kinds: readonly AnyKind[]): string {
  const { kind, key } = parseSelector(text);
  if (key === null) return `the files have no section for ${kind}`;
  return `write ${kind}/${kinds.find(({ name }) => name === kind)?.keyHint ?? 'KEY'}`;
}

/** A mistyped --rotate must not look like a rotated secret. */
export function idleRotation({ actions, selection, summary }: Plan, kinds: readonly AnyKind[]): Diagnostic[] {
  const sent = actions.filter(({ request }) => request.secrets !== undefined);
  return unmatchedSelectors(selection.rotate, sent)
    .filter(({ kind }) => !summary.unreadable.includes(kind))
    .map(({ text, kind }) => {
      const hint = kinds.find(({ name }) => name === kind)?.rotation?.hint ?? `${kind} have no secrets`;
      return problem('OPTION_MATCHES_NOTHING', `--rotate ${text} matches no item with a secret to send.`, hint);
    });
}
