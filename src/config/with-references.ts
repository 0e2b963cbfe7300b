import type { Diagnostic } from '../model/diagnostic.ts';
import { asWritten } from './as-written.ts';
import type { Declared } from './desired-item.ts';

/** A value shorter than this stands in words that have nothing to do with it; in quotes it is always meant. */
const shortestBare = 4;

/** What a kind says of an item, with references in the place of what they stand for: kinds know the values only. */
export function withReferences(diagnostic: Diagnostic, { file, pointer, value }: Declared): Diagnostic {
  if (file.written.size === 0) return diagnostic;
  const replaced = replacedTexts(value, asWritten(file, pointer, value)).sort(
    ([left], [right]) => right.length - left.length,
  );
  const told = (text: string) => replaced.reduce(withReference, text);
  return {
    ...diagnostic,
    message: told(diagnostic.message),
    ...(diagnostic.hint === undefined ? {} : { hint: told(diagnostic.hint) }),
  };
}

type Replaced = readonly [value: string, written: string];

function replacedTexts(value: unknown, written: unknown): Replaced[] {
  if (typeof value !== 'object' || value === null) return value === written ? [] : [[String(value), String(written)]];
  // Two trees of one form.
  const others = Object.values(written as object);
  return Object.values(value).flatMap((member, index) => replacedTexts(member, others[index]));
}

function withReference(text: string, [value, written]: Replaced): string {
  const quoted = text.replaceAll(`"${value}"`, () => `"${written}"`);
  return value.length < shortestBare ? quoted : quoted.replaceAll(value, () => written);
}
