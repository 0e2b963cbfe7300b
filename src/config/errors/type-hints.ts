// How to correct a value of the wrong type, with the value itself in the right form where that is known.
import { memberOf } from '../../values/json-pointer.ts';
import { fieldsOf, hintOf, itemPart, type SchemaPart, textFieldOf, textFormOf, typesOf } from './schema-lookup.ts';
import { isIndex, typeName } from './wording.ts';

export interface WrongType {
  readonly expected: string;
  readonly value: unknown;
  /** The value as the file writes it. */
  readonly written: unknown;
  /** The key, or the index in a list. */
  readonly name: string;
  readonly part: SchemaPart;
  /** The part of what is around the value; null for a file. */
  readonly owner: SchemaPart | null;
  /** The list that the value is an item of; null if it is none. */
  readonly list: ListAround | null;
}

export interface ListAround {
  readonly name: string;
  readonly part: SchemaPart;
  /** Its first items as the file writes them. */
  readonly items: readonly unknown[];
  readonly length: number;
}

export function typeHint(wrong: WrongType): string {
  const { expected, value, written, name } = wrong;
  const key = isIndex(name) ? '' : `${name}: `;
  const isWord = typeof value === 'number' || typeof value === 'boolean';
  const inList = wrong.list === null ? null : itemsHint(wrong.list);
  if (inList !== null) return inList;
  if (expected.includes('string') && isWord) return `put it in quotes: ${key}"${String(written)}"`;
  if (expected === 'integer' && typeof value === 'string') return integerHint(wrong, key);
  if (expected === 'array') return listHint(wrong, key);
  if (expected.includes('array') && typeof value === 'string') return mappingHint(wrong, key);
  if (expected === 'object' && typeof value === 'string') return mappingHint(wrong, '');
  return hintOf(wrong.part) ?? `replace it with ${typeName(expected)}`;
}

/** The most items that a corrected list shows. */
export const shownItems = 5;

/**
 * A list that people write in a form between two others: texts where it takes a mapping by something that they lack, or
 * mappings where a text is enough.
 */
function itemsHint({ name, part, items, length }: ListAround): string | null {
  const form = textFormOf(part);
  const item = itemPart(part);
  const field = item === null ? undefined : textFieldOf(item);
  if (form === undefined && field === undefined) return null;
  const texts = items.map((one) => (field === undefined ? one : (memberOf(one, field) ?? one)));
  if (texts.some((text) => typeof text !== 'string')) return null;
  const shown = shownTexts(texts, length);
  return `write ${name}: ${form === undefined ? `[${shown}]` : form.replace('TEXT', () => shown)}`;
}

/** The first texts of a list of `length`, as in YAML. */
function shownTexts(texts: readonly unknown[], length: number): string {
  const first = texts.slice(0, shownItems).map((text) => inYaml(String(text)));
  return [...first, ...(length > first.length ? ['…'] : [])].join(', ');
}

function integerHint({ value, written }: WrongType, key: string): string {
  if (written !== value) return 'write only the reference, without quotes, and set its value to plain digits';
  return /^\d+$/.test(String(value)) ? `remove the quotes: ${key}${value}` : 'write plain digits without quotes';
}

function listHint({ value, written, part, name, owner }: WrongType, key: string): string {
  const pair = owner === null ? null : itemPart(owner);
  const pairForm = pair === null ? undefined : textFormOf(pair);
  if (pair !== null && pairForm !== undefined && fieldsOf(pair).includes(name))
    return `write each item after a dash: - ${pairForm.replace('TEXT', 'NAME')}`;
  const item = itemPart(part);
  const form = item === null ? undefined : textFormOf(item);
  if (typeof value === 'string' && form !== undefined) return `write ${key}[${filled(form, String(written))}]`;
  if (typeof value === 'string' && item !== null && typesOf(item).includes('string'))
    return `write ${key}[${inYaml(String(written))}]`;
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value);
    const [first = ''] = names;
    if (item !== null && typesOf(item).includes('string') && textFieldOf(item) !== undefined)
      return `write ${key}[${shownTexts(names, names.length)}]`;
    if (/^-\S/.test(first)) return `write a space after the dash: - ${first.slice(1)}`;
    if (form !== undefined) return `write each item as ${form.replace('TEXT', 'NAME')}`;
    if (first !== '') return `write a dash before the first key of each item: - ${first}`;
  }
  return 'write each item on its own line after a dash; an empty list is []';
}

function mappingHint({ written, part }: WrongType, key: string): string {
  const form = textFormOf(part);
  if (form !== undefined) return `write ${key}${filled(form, String(written))}`;
  const [, field, text] = /^([\w-]+):(\S.*)$/.exec(String(written)) ?? [];
  if (field !== undefined) return `write a space after the colon: ${field}: ${text}`;
  return hintOf(part) ?? 'replace it with a mapping';
}

function filled(form: string, text: string): string {
  return form.replace('TEXT', () => inYaml(text));
}

/** A text in brackets, in quotes where YAML may need them. */
function inYaml(text: string): string {
  return /^[A-Za-z](?:[\w.-]|:(?=\w))*$/.test(text) ? text : JSON.stringify(text);
}
