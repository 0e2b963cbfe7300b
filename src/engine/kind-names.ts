import type { AnyKind } from '../model/kind.ts';
import type { Selection } from '../model/plan.generated.ts';
import { parseSelector, selectorText } from '../values/selector.ts';

/**
 * Kinds by the names that people write: the name of a kind is that of its section, and `rate-limit-policies`, the
 * singular, and its last word (`policies`, `policy`) mean the same, unless another kind has that word as well.
 */
export function withKindNames(selection: Selection, kinds: readonly AnyKind[]): Selection {
  return {
    only: namedKinds(selection.only, kinds),
    except: namedKinds(selection.except, kinds),
    rotate: namedKinds(selection.rotate, kinds),
  };
}

/** The selectors with the names of their kinds. */
export function namedKinds(selectors: readonly string[], kinds: readonly AnyKind[]): string[] {
  const names = namesOf(kinds);
  return selectors.map((text) => {
    const selector = parseSelector(text);
    const kind = names.get(normal(selector.kind));
    return kind === undefined ? text : selectorText({ ...selector, kind });
  });
}

function namesOf(kinds: readonly AnyKind[]): ReadonlyMap<string, string> {
  const complete = kinds.flatMap(({ name, noun }) =>
    [name, ...(noun === undefined ? [] : [noun.one, noun.many])].map((word) => [normal(word), name] as const),
  );
  const last = complete.map(([word, name]) => [word.split('_').at(-1) ?? '', name] as const);
  const unique = last.filter(([word, name]) => last.every(([other, owner]) => other !== word || owner === name));
  return new Map([...unique, ...complete]);
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[- ]/g, '_');
}
