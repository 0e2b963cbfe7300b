import { quoted, shortened } from '../errors/problem.ts';

// The meaning of a text without quotes. The parser resolves nothing: this is the one place that separates numbers from
// strings. It accepts fewer forms than any version of YAML, so a file means the same to every tool. See the ADR on the
// YAML subset.

/** Why a text without quotes is refused. */
export interface ScalarProblem {
  readonly code: 'CONFIG_AMBIGUOUS_SCALAR' | 'CONFIG_NUMBER_FORM';
  readonly message: string;
  readonly hint: string;
}

const numberStart = /^[-+.]?\d|^[-+]?\.(?:inf|nan)/i;
const plainInteger = /^(?:0|-?[1-9]\d*)$/;
const anyNumber = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;
const otherMeanings: readonly (readonly [form: RegExp, meaning: string])[] = [
  [/^[-+]?0(?:[xob][\da-f_]+|[\d_]+)$/i, 'a number in another base'],
  [/^[-+]?\d[\d_]*_[\d_]*(?:\.[\d_]*)?$/, 'a number with digits in groups'],
  [/^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/, 'a number in base 60'],
  [/^[-+]?\.(?:inf|nan)$/i, 'a number that is not finite'],
];
const words = new Map<string, boolean | null>([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['null', 'Null', 'NULL', '~', ''].map((word) => [word, null] as const),
]);
const longestWord = 5;
const ambiguousWords = /^(?:y|yes|n|no|on|off)$/i;

export function readPlainScalar(text: string): string | number | boolean | null | ScalarProblem {
  if (text.length <= longestWord) {
    const word = words.get(text);
    if (word !== undefined) return word;
    if (ambiguousWords.test(text)) return otherwise(text, 'a boolean', 'for a boolean, write true or false');
  }
  return numberStart.test(text) ? readNumber(text) : text;
}

export function isScalarProblem(value: unknown): value is ScalarProblem {
  return typeof value === 'object' && value !== null;
}

function readNumber(text: string): string | number | ScalarProblem {
  if (plainInteger.test(text))
    return Number.isSafeInteger(Number(text)) ? Number(text) : form(text, 'it is too large to be exact');
  const meaning = otherMeanings.find(([form]) => form.test(text))?.[1];
  if (meaning !== undefined) return otherwise(text, meaning);
  return anyNumber.test(text) ? form(text, 'numbers are plain integers, such as 0, 7 or 100') : text;
}

function otherwise(text: string, meaning: string, meant = 'for a number, write plain digits'): ScalarProblem {
  return {
    code: 'CONFIG_AMBIGUOUS_SCALAR',
    message: `Unquoted ${quoted(text)} is text to some YAML tools and ${meaning} to others.`,
    hint: `put it in quotes for text: ${quoted(text)}; ${meant}`,
  };
}

function form(text: string, rule: string): ScalarProblem {
  return {
    code: 'CONFIG_NUMBER_FORM',
    message: `${shortened(text)} is not a supported number: ${rule}.`,
    hint: `write an integer such as 7, or ${quoted(text)} in quotes for a string`,
  };
}
