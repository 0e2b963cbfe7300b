// How to correct a value of the wrong type, with the value itself in the right form where that is known. A schema may say
// how a mapping is written that people write as a text (`x-text-form`, with `TEXT` for that text), and which field of a
// mapping alone is enough where a part is a text (`x-text-field`).
import { jsonPointer, memberOf } from '../../values/json-pointer.ts';
import { asWritten } from '../yaml/yaml-file.ts';
import { fieldsOf, itemPart, type SchemaPart, textIn, typesOf } from './schema-lookup.ts';
import { type Case, isIndex, typeName, writtenValue } from './wording.ts';

export function typeHint(found: Case, expected: string): string {
  const { value, segments, part } = found;
  const written = writtenValue(found);
  const name = segments.at(-1) ?? '';
  const key = isIndex(name) ? '' : `${name}: `;
  const inList = itemsHint(found);
  if (inList !== null) return inList;
  if (expected.includes('string') && typeof value !== 'object') return `put it in quotes: ${key}"${String(written)}"`;
  if (expected === 'integer' && typeof value === 'string') return integerHint(value, written, key);
  if (expected === 'array') return listHint(found, name, key);
  if (expected.includes('array') && typeof value === 'string') return mappingHint(part, written, key);
  if (expected === 'object' && typeof value === 'string') return mappingHint(part, written, '');
  return textIn(part, 'x-hint') ?? `replace it with ${typeName(expected)}`;
}

/** The most items that a corrected list shows. */
const shownItems = 5;

/**
 * A list that people write in a form between two others: texts where it takes a mapping by something that they lack, or
 * mappings where a text is enough.
 */
function itemsHint({ file, segments, parts }: Case): string | null {
  const around = segments.slice(0, -1);
  const items = around.reduce<unknown>(memberOf, file.value);
  const part = parts[around.length];
  if (!Array.isArray(items) || part === undefined) return null;
  const form = textIn(part, 'x-text-form');
  const field = textIn(itemPart(part), 'x-text-field');
  if (form === undefined && field === undefined) return null;
  const written = items.slice(0, shownItems).map((item, index) => asWritten(file, jsonPointer(...around, index), item));
  const texts = written.map((item) => (field === undefined ? item : (memberOf(item, field) ?? item)));
  if (texts.some((text) => typeof text !== 'string')) return null;
  const shown = shownTexts(texts, items.length);
  return `write ${around.at(-1) ?? ''}: ${form === undefined ? `[${shown}]` : form.replace('TEXT', () => shown)}`;
}

/** The first texts of a list of `length`, as in YAML. */
function shownTexts(texts: readonly unknown[], length: number): string {
  const first = texts.slice(0, shownItems).map((text) => inYaml(String(text)));
  return [...first, ...(length > first.length ? ['…'] : [])].join(', ');
}

function integerHint(value: string, written: unknown, key: string): string {
  if (written !== value) return 'write only the reference, without quotes, and set its value to plain digits';
  return /^\d+$/.test(value) ? `remove the quotes: ${key}${value}` : 'write plain digits without quotes';
}

function listHint(found: Case, name: string, key: string): string {
  const { value, part, parts, segments } = found;
  const owner = parts[segments.length - 1];
  const pair = owner === undefined ? null : itemPart(owner);
  const pairForm = textIn(pair, 'x-text-form');
  if (pair !== null && pairForm !== undefined && fieldsOf(pair).includes(name))
    return `write each item after a dash: - ${pairForm.replace('TEXT', 'NAME')}`;
  const item = itemPart(part) ?? {};
  const form = textIn(item, 'x-text-form');
  const takesTexts = typesOf(item).includes('string');
  const text = String(writtenValue(found));
  if (typeof value === 'string' && form !== undefined) return `write ${key}[${filled(form, text)}]`;
  if (typeof value === 'string' && takesTexts) return `write ${key}[${inYaml(text)}]`;
  const names = typeof value === 'object' ? Object.keys(value ?? {}) : [];
  const [first = ''] = names;
  if (names.length > 0 && takesTexts && textIn(item, 'x-text-field') !== undefined)
    return `write ${key}[${shownTexts(names, names.length)}]`;
  if (/^-\S/.test(first)) return `write a space after the dash: - ${first.slice(1)}`;
  if (names.length > 0 && form !== undefined) return `write each item as ${form.replace('TEXT', 'NAME')}`;
  return first === ''
    ? 'write each item on its own line after a dash; an empty list is []'
    : `write a dash before the first key of each item: - ${first}`;
}

function mappingHint(part: SchemaPart, written: unknown, key: string): string {
  const form = textIn(part, 'x-text-form');
  if (form !== undefined) return `write ${key}${filled(form, String(written))}`;
  const [, field, text] = /^([\w-]+):(\S.*)$/.exec(String(written)) ?? [];
  if (field !== undefined) return `write a space after the colon: ${field}: ${text}`;
  return textIn(part, 'x-hint') ?? 'replace it with a mapping';
}

function filled(form: string, text: string): string {
  return form.replace('TEXT', () => inYaml(text));
}

/** A text in brackets, in quotes where YAML may need them. */
function inYaml(text: string): string {
  return /^[A-Za-z](?:[\w.-]|:(?=\w))*$/.test(text) ? text : JSON.stringify(text);
}
