// The texts of what is wrong with a value: the rule, and what to write instead.
import { baseUrlProblem } from '../../contract/formats.ts';
import { didYouMean, nearestWord } from '../../diagnostics/near-names.ts';
import type { Place } from '../../diagnostics/source-text.ts';
import { isRecord } from '../../values/is-record.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { listed } from '../../values/list-of.ts';
import { problems } from '../yaml/yaml-problems.ts';
import { type Problem, type ProblemText, quoted, reportedValue } from './problem.ts';
import { asList, fieldsOf, memberPart, onlyValueOf, partAt, tagValues, textIn, typesOf } from './schema-lookup.ts';
import { typeHint } from './type-hints.ts';
import {
  type Case,
  capital,
  descriptionOf,
  type MappingCase,
  mappingName,
  memberKey,
  nameOf,
  ownerOf,
  ownerPlace,
  typeName,
  typeOf,
  valuePlace,
  writtenValue,
} from './wording.ts';

/** For an error of the validator that the walk over the schema does not know. */
export function notExplained(pointer: string, at: Place): Problem {
  return { code: 'CONFIG_BAD_FORMAT', message: `The value at "${pointer}" is not valid.`, hint: 'correct it', at };
}

/** True for a member of the mapping that the list around an item could be instead: then only its dash is wrong. */
export function isMappingKey({ around, value }: Case, name: string): boolean {
  const types = typesOf(around.at(-1) ?? {});
  return types.includes('object') && types.includes('array') && Array.isArray(memberOf(value, name));
}

export function unknownField(found: MappingCase, name: string): Problem {
  const fields = fieldsOf(found.branch);
  const rule = fields.length === 1 ? 'The only valid field is' : 'Valid fields are';
  const valid = fields.length === 0 ? 'It has no fields.' : `${rule} ${listed(fields, 'and')}.`;
  return {
    code: 'CONFIG_UNKNOWN_FIELD',
    message: `${quoted(name)} is not a field of ${ownerOf(found)}. ${valid}`,
    hint: nearHint(name, fields) ?? unknownHint(found, name),
    at: memberKey(found, name),
  };
}

function nearHint(word: string, known: readonly string[]): string | undefined {
  return didYouMean(nearestWord(word, known));
}

/** A field of a mapping around it, or of one next to it that has no value, is only indented wrongly. */
function unknownHint(found: MappingCase, name: string): string {
  const { segments, around, value, branch } = found;
  if (isMappingKey(found, name)) return `delete the dash, so that it is a key of ${quoted(segments.at(-2))}`;
  const owner = around.findLastIndex((part) => fieldsOf(part).includes(name));
  if (owner >= 0) return `indent it by fewer spaces: it is a field of ${mappingName(segments.slice(0, owner))}`;
  const sibling = fieldsOf(branch).find(
    (field) => memberOf(value, field) === reportedValue && fieldsOf(memberPart(branch, field) ?? {}).includes(name),
  );
  return sibling === undefined
    ? 'delete it, or use one of the valid fields'
    : `indent it by more spaces than ${quoted(sibling)}, which has this field`;
}

export function invalidKey(found: Case, name: string): Problem {
  const keys = partAt(found.part, 'propertyNames');
  const allowed = asList(keys?.['enum']);
  const at = memberKey(found, name);
  const where = `in ${nameOf(found.segments)}`;
  if (allowed.length > 0) return { ...unknownWord(name, 'key', where, allowed), at };
  const hint = textIn(keys, 'patternErrorMessage') ?? 'write a name as the key, or delete it';
  return name === ''
    ? { code: 'CONFIG_TOO_SHORT', message: `A key ${where} is empty.`, hint, at }
    : { code: 'CONFIG_BAD_FORMAT', message: `${quoted(name)} is not a valid key ${where}.`, hint, at };
}

export function missingField(found: MappingCase, name: string): Problem {
  const member = memberPart(found.branch, name) ?? {};
  const only = onlyValueOf(member);
  const description = descriptionOf(member);
  const field = `add the field ${quoted(name)}${description === undefined ? '' : `: ${description}`}`;
  return {
    code: 'CONFIG_MISSING_FIELD',
    message: `${capital(ownerOf(found))} needs the field ${quoted(name)}.`,
    hint: only === undefined ? field : `add "${name}: ${String(only)}"`,
    at: ownerPlace(found),
  };
}

export function invalidTag(found: MappingCase, name: string): Problem {
  const value = memberOf(found.value, name);
  const tags = tagValues(found.part);
  if (value === undefined) {
    const hint = `add the field ${quoted(name)} with one of the values ${listed(tags, 'and')}`;
    return { ...missingField(found, name), hint };
  }
  const member = { ...found, segments: [...found.segments, name], value };
  return typeof value === 'string' ? unknownValue(member, tags) : wrongType(member, ['string']);
}

/** A choice between mappings without a discriminator: each branch requires another field. */
export function notOneOfFields(found: Case, names: readonly string[]): Problem {
  return {
    code: 'CONFIG_ONE_OF_FIELDS',
    message: `${capital(nameOf(found.segments))} must have one of the fields ${listed(names.map(quoted), 'and')}, but this one has none.`,
    hint: `add ${listed(names.map(quoted), 'or')}`,
    at: ownerPlace(found),
  };
}

/** Only one of the two can be in a mapping. */
export function oneOfFieldsTwice(found: Case, first: string, second: string): Problem {
  return {
    code: 'CONFIG_ONE_OF_FIELDS',
    message: `${capital(nameOf(found.segments))} must have one of the fields ${listed([first, second].map(quoted), 'and')}, but this one has both.`,
    hint: `delete ${quoted(first)} or ${quoted(second)}`,
    at: memberKey(found, second),
  };
}

export function wrongType(found: Case, expected: readonly unknown[]): Problem {
  if (found.value === null) return { ...problems.nullValue(found.segments.at(-1) ?? ''), at: valuePlace(found) };
  const rule = `${subjectOf(found)} must be ${typeName(expected)}, but it is ${typeName(typeOf(found.value))}`;
  return valueProblem('CONFIG_WRONG_TYPE', found, rule, typeHint(found, expected));
}

function valueProblem(code: Problem['code'], found: Case, message: string, hint: string): Problem {
  return { code, message: `${message}.`, hint, at: valuePlace(found) };
}

function subjectOf({ segments }: Case): string {
  return capital(nameOf(segments));
}

/** `allowed`: several values, or one. */
export function unknownValue(found: Case, allowed: unknown): Problem {
  const where = `of ${nameOf(found.segments)}`;
  return { ...unknownWord(String(writtenValue(found)), 'value', where, [allowed].flat()), at: valuePlace(found) };
}

function unknownWord(word: string, noun: 'key' | 'value', where: string, allowed: readonly unknown[]): ProblemText {
  const rule = allowed.length === 1 ? `The only valid ${noun} is` : `Valid ${noun}s are`;
  return {
    code: 'CONFIG_UNKNOWN_VALUE',
    message: `${quoted(word)} is not a valid ${noun} ${where}. ${rule} ${listed(allowed, 'and')}.`,
    hint: nearHint(word, allowed.map(String)) ?? `use one of the valid ${noun}s`,
  };
}

/** A text in none of the valid formats. The description in the schema names the formats. */
export function invalidForm(found: Case): Problem {
  const words = asList(found.part['anyOf']).flatMap((choice) => asList(memberOf(choice, 'enum')).map(String));
  const written = writtenValue(found);
  const rule = descriptionOf(found.part) ?? listed(words, 'or');
  const message = `${quoted(written)} is not a valid value of ${nameOf(found.segments)}. Expected: ${rule}`;
  const hint = nearHint(String(written), words) ?? textIn(found.part, 'x-hint') ?? 'write a value in this format';
  return valueProblem('CONFIG_UNKNOWN_VALUE', found, message, hint);
}

export function outOfRange(found: Case): Problem {
  const { minimum, maximum } = found.part;
  const range = maximum === undefined ? `at least ${String(minimum)}` : `from ${String(minimum)} to ${String(maximum)}`;
  const message = `${subjectOf(found)} is ${String(writtenValue(found))}, but must be ${range}`;
  return valueProblem('CONFIG_OUT_OF_RANGE', found, message, `write an integer ${range}`);
}

export function tooLong(found: Case, limit: unknown): Problem {
  const [length, unit] = sizeOf(found.value);
  const message = `${subjectOf(found)} has ${length} ${unit}; the maximum is ${limit}`;
  return valueProblem('CONFIG_TOO_LONG', found, message, `shorten it to ${limit} ${unit}`);
}

function sizeOf(value: unknown): readonly [number, string] {
  if (Array.isArray(value)) return [value.length, 'items'];
  return isRecord(value) ? [Object.keys(value).length, 'keys'] : [[...String(value)].length, 'characters'];
}

export function notManaged(found: Case): Problem {
  return {
    code: 'CONFIG_UNKNOWN_FIELD',
    message: `${subjectOf(found)} cannot be declared here.`,
    hint: textIn(found.part, 'x-hint') ?? 'delete it',
    at: ownerPlace(found),
  };
}

export function tooShort(found: Case): Problem {
  const hint = textIn(found.part, 'x-hint') ?? 'write a value, or delete what it belongs to';
  return valueProblem('CONFIG_TOO_SHORT', found, `${subjectOf(found)} must not be empty`, hint);
}

export function badFormat(found: Case): Problem {
  const { value, part, segments } = found;
  const [form, hint] = [textIn(part, 'patternErrorMessage'), textIn(part, 'x-hint')];
  const baseUrl = part['x-format'] === 'base-url' ? baseUrlProblem(String(value)) : null;
  const rule = baseUrl !== null ? `: ${baseUrl}.` : hint !== undefined && form !== undefined ? `. ${form}` : '.';
  return {
    code: 'CONFIG_BAD_FORMAT',
    message: `${quoted(writtenValue(found))} is not a valid value of ${nameOf(segments)}${rule}`,
    hint: hint ?? form ?? 'correct the value',
    at: valuePlace(found),
  };
}
