// The texts of schema errors, one function for each keyword of the schemas.

import { baseUrlProblem } from '../../contract/formats.ts';
import { nearestWord } from '../../diagnostics/near-names.ts';
import { jsonPointer, memberOf } from '../../values/json-pointer.ts';
import { quoted } from '../quoted.ts';
import { asWritten } from '../yaml/yaml-file.ts';
import { type Problem, type ProblemText, reportedValue } from './problem.ts';
import {
  type Case,
  isMappingKey,
  memberKey,
  ownerPlace,
  type Placed,
  placed,
  tagOf,
  unknownName,
  valuePlace,
} from './schema-case.ts';
import {
  branchOf,
  discriminatorOf,
  fieldsOf,
  hintOf,
  memberPart,
  namePart,
  onlyValueOf,
  requiredByBranch,
  type SchemaPart,
  tagValues,
} from './schema-lookup.ts';
import { type ListAround, shownItems, typeHint } from './type-hints.ts';
import {
  capital,
  descriptionOf,
  formatRule,
  listed,
  nameOf,
  ownerOf,
  sectionOf,
  small,
  typeName,
  typeOf,
} from './wording.ts';

/** The problem of one schema error: what is wrong, the rule, and what to write instead. */
export function describeSchemaError(found: Case): Problem {
  const { keyword, params } = found.error;
  switch (keyword) {
    case 'additionalProperties':
      return unknownField(found, unknownName(found.error));
    case 'propertyNames':
      return invalidKey(found, String(params['propertyName']));
    case 'required':
      return missingField(found, String(params['missingProperty']));
    case 'discriminator':
      return invalidTag(found);
    case 'oneOf':
      return notOneOfFields(found);
    case 'type':
      return wrongType(found, params['type'], placed(found));
    case 'enum':
      return unknownValue(found, params['allowedValues'], placed(found));
    case 'const':
      return unknownValue(found, [params['allowedValue']], placed(found));
    case 'anyOf':
      return invalidForm(found);
    case 'minimum':
    case 'maximum':
      return outOfRange(found);
    case 'maxLength':
      return tooLong(found);
    case 'minLength':
    case 'minItems':
      return tooShort(found);
    default:
      return badFormat(found);
  }
}

function unknownField(found: Case, name: string): Problem {
  const branch = branchOf(found.part, found.value);
  const fields = fieldsOf(branch);
  const near = nearestWord(name, fields);
  const rule = fields.length === 1 ? 'The only valid field is' : 'Valid fields are';
  return {
    code: 'CONFIG_UNKNOWN_FIELD',
    message: `${quoted(name)} is not a field of ${ownerOf(found.segments, tagOf(found))}. ${rule} ${listed(fields, 'and')}${sectionOf([...found.parts, branch])}.`,
    hint: near === undefined ? unknownHint(found, name, branch) : `did you mean "${near}"?`,
    at: memberKey(found, name),
  };
}

/** A field of a mapping around it, or of one next to it that has no value, is only indented wrongly. */
function unknownHint({ segments, parts, value }: Case, name: string, branch: SchemaPart): string {
  if (isMappingKey(parts, value, name)) return `delete the dash, so that it is a key of ${quoted(segments.at(-2))}`;
  const owner = parts.slice(0, -1).findLastIndex((part) => fieldsOf(part).includes(name));
  if (owner >= 0) return `indent it by fewer spaces: it is a field of ${ownerOf(segments.slice(0, owner), null)}`;
  const sibling = fieldsOf(branch).find((field) => {
    const member = memberOf(value, field) === reportedValue ? memberPart(branch, field) : null;
    return member !== null && fieldsOf(member).includes(name);
  });
  return sibling === undefined
    ? 'delete it, or use one of the valid fields'
    : `indent it by more spaces than ${quoted(sibling)}, which has this field`;
}

function invalidKey(found: Case, name: string): Problem {
  const names = namePart(found.part);
  const allowed = names?.text['enum'];
  const at = memberKey(found, name);
  if (Array.isArray(allowed)) {
    const section = sectionOf(names === null ? found.parts : [...found.parts, names]);
    return { ...unknownWord(name, 'key', `in ${nameOf(found.segments)}`, allowed, section), at };
  }
  return {
    code: 'CONFIG_TOO_SHORT',
    message: `A key in ${nameOf(found.segments)} is empty.`,
    hint: 'write a name as the key, or delete it',
    at,
  };
}

function missingField(found: Case, name: string): Problem {
  const member = memberPart(branchOf(found.part, found.value), name);
  const section = sectionOf(member === null ? found.parts : [...found.parts, member]);
  return {
    code: 'CONFIG_MISSING_FIELD',
    message: `${capital(ownerOf(found.segments, tagOf(found)))} needs the field ${quoted(name)}${section}.`,
    hint: missingHint(name, member),
    at: ownerPlace(found),
  };
}

function missingHint(name: string, member: SchemaPart | null): string {
  if (member === null) return `add the field ${quoted(name)}`;
  const only = onlyValueOf(member);
  if (only !== undefined) return `add "${name}: ${String(only)}"`;
  const description = descriptionOf(member);
  return description === null
    ? `add the field ${quoted(name)}`
    : `add the field ${quoted(name)}: ${small(description)}`;
}

function invalidTag(found: Case): Problem {
  const name = discriminatorOf(found.part) ?? '';
  const tag = memberOf(found.value, name);
  if (tag === undefined) return missingTag(found, name);
  const member = placed({ ...found, segments: [...found.segments, name], value: tag });
  return typeof tag === 'string'
    ? unknownValue(found, tagValues(found.part), member)
    : wrongType(found, 'string', member);
}

function missingTag(found: Case, name: string): Problem {
  const hint = `add the field ${quoted(name)} with one of the values ${listed(tagValues(found.part), 'and')}`;
  return { ...missingField(found, name), hint };
}

/** A choice between mappings without a discriminator: each branch requires another field. */
function notOneOfFields(found: Case): Problem {
  const names = requiredByBranch(found.part);
  const has = names.filter((name) => memberOf(found.value, name) !== undefined);
  const rule = `must have exactly one of the fields ${listed(names.map(quoted), 'and')}`;
  return {
    code: 'CONFIG_ONE_OF_FIELDS',
    message: `${capital(nameOf(found.segments))} ${rule}, but this one has ${has.length === 0 ? 'none' : listed(has.map(quoted), 'and')}.`,
    hint: `${has.length === 0 ? 'add' : 'delete'} ${listed((has.length === 0 ? names : has).map(quoted), 'or')}`,
    at: ownerPlace(found),
  };
}

function wrongType(found: Case, expected: unknown, { value, written, segments, at }: Placed): Problem {
  return {
    code: 'CONFIG_WRONG_TYPE',
    message: `${capital(nameOf(segments))} must be ${typeName(expected)}, but it is ${typeName(typeOf(value))}${sectionOf(found.parts)}.`,
    hint: typeHint({
      expected: String(expected),
      value,
      written,
      name: segments.at(-1) ?? '',
      part: found.part,
      owner: found.parts[segments.length - 1] ?? null,
      list: listAround(found),
    }),
    at,
  };
}

function listAround({ file, segments, parts }: Case): ListAround | null {
  const around = segments.slice(0, -1);
  const items = around.reduce<unknown>(memberOf, file.value);
  const part = parts[around.length];
  if (!Array.isArray(items) || part === undefined) return null;
  const first = items.slice(0, shownItems).map((item, index) => asWritten(file, jsonPointer(...around, index), item));
  return { name: around.at(-1) ?? '', part, items: first, length: items.length };
}

function unknownValue(found: Case, allowed: unknown, { written, segments, at }: Placed): Problem {
  const values = Array.isArray(allowed) ? allowed : [];
  return { ...unknownWord(String(written), 'value', `of ${nameOf(segments)}`, values, sectionOf(found.parts)), at };
}

function unknownWord(
  word: string,
  noun: 'key' | 'value',
  where: string,
  allowed: readonly unknown[],
  section: string,
): ProblemText {
  const near = nearestWord(word, allowed.map(String));
  const rule =
    allowed.length === 1
      ? `The only valid ${noun} is ${String(allowed[0])}`
      : `Valid ${noun}s are ${listed(allowed, 'and')}`;
  return {
    code: 'CONFIG_UNKNOWN_VALUE',
    message: `${quoted(word)} is not a valid ${noun} ${where}. ${rule}${section}.`,
    hint: near === undefined ? `use one of the valid ${noun}s` : `did you mean "${near}"?`,
  };
}

/** A text in none of the valid formats. The description in the schema names the formats. */
function invalidForm(found: Case): Problem {
  const words = asList(found.part.text['anyOf']).flatMap((choice) => asList(memberOf(choice, 'enum')).map(String));
  const { written, at } = placed(found);
  const near = nearestWord(String(written), words);
  const description = descriptionOf(found.part);
  const rule = description === null ? listed(words, 'or') : small(description);
  return {
    code: 'CONFIG_UNKNOWN_VALUE',
    message: `${quoted(written)} is not a valid value of ${nameOf(found.segments)}. Expected: ${rule}${sectionOf(found.parts)}.`,
    hint: near === undefined ? (hintOf(found.part) ?? 'write a value in this format') : `did you mean "${near}"?`,
    at,
  };
}

function outOfRange(found: Case): Problem {
  const { minimum, maximum } = found.part.text;
  const { written, at } = placed(found);
  const range = maximum === undefined ? `at least ${String(minimum)}` : `from ${String(minimum)} to ${String(maximum)}`;
  return {
    code: 'CONFIG_OUT_OF_RANGE',
    message: `${capital(nameOf(found.segments))} is ${String(written)}, but must be ${range}${sectionOf(found.parts)}.`,
    hint: `write an integer ${range}`,
    at,
  };
}

function tooLong(found: Case): Problem {
  const limit = String(found.error.params['limit']);
  const length = String([...String(found.value)].length);
  return {
    code: 'CONFIG_TOO_LONG',
    message: `${capital(nameOf(found.segments))} has ${length} characters; the maximum is ${limit}${sectionOf(found.parts)}.`,
    hint: `shorten it to ${limit} characters`,
    at: valuePlace(found),
  };
}

function tooShort(found: Case): Problem {
  return {
    code: 'CONFIG_TOO_SHORT',
    message: `${capital(nameOf(found.segments))} must not be empty${sectionOf(found.parts.slice(-1))}.`,
    hint: hintOf(found.part) ?? 'write a value, or delete what it belongs to',
    at: valuePlace(found),
  };
}

function badFormat(found: Case): Problem {
  const { format } = found.error.params;
  const { written, at } = placed(found);
  const baseUrl = format === 'base-url' ? baseUrlProblem(String(found.value)) : null;
  const rule = baseUrl === null ? `it must be ${formatRule(format)}` : baseUrl;
  return {
    code: 'CONFIG_BAD_FORMAT',
    message: `${quoted(written)} is not a valid value of ${nameOf(found.segments)}: ${rule}${sectionOf(found.parts)}.`,
    hint: hintOf(found.part) ?? 'correct the value',
    at,
  };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
