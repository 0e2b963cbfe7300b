import { type ProblemText, quoted } from '../errors/problem.ts';

// The meaning of a text without quotes. The parser resolves nothing: this is the one place that separates numbers from
// strings. It accepts fewer forms than any version of YAML, so a file means the same to every tool. See the ADR on the
// YAML subset.

const plainInteger = /^(?:0|-?[1-9]\d*)$/;
/** A number for some version of YAML: also in another base, with digits in groups, in base 60, or not finite. */
const anyNumber =
  /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$|^[-+]?(?:0[xob][\da-f_]+|\d[\d_]*(?::[0-5]?\d)*(?:\.[\d_]*)?|\.(?:inf|nan))$/i;
const words = new Map<string, boolean | null>([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['null', 'Null', 'NULL', '~', ''].map((word) => [word, null] as const),
]);
const longestWord = 5;
const ambiguousWords = /^(?:y|yes|n|no|on|off)$/i;

export function readPlainScalar(text: string): string | number | boolean | null | ProblemText {
  if (text.length <= longestWord) {
    const word = words.get(text);
    if (word !== undefined) return word;
    if (ambiguousWords.test(text)) return ambiguous(text);
  }
  if (plainInteger.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  return anyNumber.test(text) ? otherNumber(text) : text;
}

export function isScalarProblem(value: unknown): value is ProblemText {
  return typeof value === 'object' && value !== null;
}

function ambiguous(text: string): ProblemText {
  return {
    code: 'CONFIG_AMBIGUOUS_SCALAR',
    message: `Unquoted ${quoted(text)} is text to some YAML tools and a boolean to others.`,
    hint: `put it in quotes for text: ${quoted(text)}; for a boolean, write true or false`,
  };
}

function otherNumber(text: string): ProblemText {
  return {
    code: 'CONFIG_NUMBER_FORM',
    message: `Unquoted ${quoted(text)} is a number to some YAML tools, and not a plain integer of up to 15 digits.`,
    hint: `write an integer such as 7, or ${quoted(text)} in quotes for a string`,
  };
}
