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
const otherBase = /^[-+]?0(?:[xob][\da-f_]+|[\d_]+)$/i;
const grouped = /^[-+]?\d[\d_]*_[\d_]*(?:\.[\d_]*)?$/;
const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const notFinite = /^[-+]?\.(?:inf|nan)$/i;
const words = new Map<string, boolean | null>([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['~', null],
  ['', null],
]);
const longestWord = 5;
const ambiguousWords = /^(?:y|yes|n|no|on|off)$/i;

/** `shown` replaces the text in messages: the value of a reference must not be shown. */
export function readPlainScalar(text: string, shown: string = text): string | number | boolean | null | ScalarProblem {
  if (text.length <= longestWord) {
    const word = words.get(text);
    if (word !== undefined) return word;
    if (ambiguousWords.test(text)) return otherwise(shown, 'a boolean', 'for a boolean, write true or false');
  }
  return numberStart.test(text) ? readNumber(text, shown) : text;
}

export function isScalarProblem(value: unknown): value is ScalarProblem {
  return typeof value === 'object' && value !== null;
}

function readNumber(text: string, shown: string): string | number | ScalarProblem {
  if (plainInteger.test(text))
    return Number.isSafeInteger(Number(text)) ? Number(text) : form(shown, 'it is too large to be exact');
  if (otherBase.test(text)) return otherwise(shown, 'a number in another base');
  if (grouped.test(text)) return otherwise(shown, 'a number with digits in groups');
  if (sexagesimal.test(text)) return otherwise(shown, 'a number in base 60');
  if (notFinite.test(text)) return otherwise(shown, 'a number that is not finite');
  return anyNumber.test(text) ? form(shown, 'numbers are plain integers, such as 0, 7 or 100') : text;
}

function otherwise(shown: string, meaning: string, meant = 'for a number, write plain digits'): ScalarProblem {
  return {
    code: 'CONFIG_AMBIGUOUS_SCALAR',
    message: `Unquoted ${quoted(shown)} is text to some YAML tools and ${meaning} to others.`,
    hint: `put it in quotes for text: ${quoted(shown)}; ${meant}`,
  };
}

function form(shown: string, rule: string): ScalarProblem {
  return {
    code: 'CONFIG_NUMBER_FORM',
    message: `${shortened(shown)} is not a supported number: ${rule}.`,
    hint: `write an integer such as 7, or ${quoted(shown)} in quotes for a string`,
  };
}
