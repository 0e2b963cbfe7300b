// The texts of schema errors, one function for each keyword of the schemas.
import { baseUrlProblem } from '../../contract/formats.ts';
import { didYouMean, nearestWord } from '../../diagnostics/near-names.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { listed } from '../../values/list-of.ts';
import { type Problem, type ProblemText, quoted, reportedValue } from './problem.ts';
import {
  asList,
  branchOf,
  discriminatorOf,
  fieldsOf,
  memberPart,
  namePart,
  onlyValueOf,
  requiredByBranch,
  type SchemaPart,
  tagValues,
  textIn,
  typesOf,
} from './schema-lookup.ts';
import { typeHint } from './type-hints.ts';
import {
  type Case,
  capital,
  descriptionOf,
  memberKey,
  nameOf,
  ownerOf,
  ownerPlace,
  typeName,
  typeOf,
  valuePlace,
  writtenValue,
} from './wording.ts';

/** The problem of one schema error: what is wrong, the rule, and what to write instead. */
export function describeSchemaError(found: Case): Problem {
  const { keyword, params } = found.error;
  switch (keyword) {
    case 'additionalProperties':
      return unknownField(found, String(params['additionalProperty']));
    case 'propertyNames':
      return invalidKey(found, String(params['propertyName']));
    case 'required':
      return missingField(found, String(params['missingProperty']));
    case 'discriminator':
      return invalidTag(found, discriminatorOf(found.part) ?? '');
    case 'oneOf':
      return notOneOfFields(found);
    case 'type':
      return wrongType(found, params['type']);
    case 'enum':
      return unknownValue(found, asList(params['allowedValues']));
    case 'const':
      return unknownValue(found, [params['allowedValue']]);
    case 'anyOf':
      return invalidForm(found);
    case 'minimum':
    case 'maximum':
      return outOfRange(found);
    case 'maxLength':
      return tooLong(found, String(params['limit']));
    case 'minLength':
    case 'minItems':
      return tooShort(found);
    default:
      return badFormat(found, String(params['format']));
  }
}

/** True for a member of the mapping that the list around an item could be instead: then only its dash is wrong. */
export function isMappingKey({ parts, value }: Pick<Case, 'parts' | 'value'>, name: string): boolean {
  const types = typesOf(parts.at(-2) ?? {});
  return types.includes('object') && types.includes('array') && Array.isArray(memberOf(value, name));
}

function unknownField(found: Case, name: string): Problem {
  const branch = branchOf(found.part, found.value);
  const fields = fieldsOf(branch);
  const rule = fields.length === 1 ? 'The only valid field is' : 'Valid fields are';
  return {
    code: 'CONFIG_UNKNOWN_FIELD',
    message: `${quoted(name)} is not a field of ${ownerOf(found)}. ${rule} ${listed(fields, 'and')}.`,
    hint: nearHint(name, fields) ?? unknownHint(found, name, branch),
    at: memberKey(found, name),
  };
}

function nearHint(word: string, known: readonly string[]): string | undefined {
  return didYouMean(nearestWord(word, known));
}

/** A field of a mapping around it, or of one next to it that has no value, is only indented wrongly. */
function unknownHint(found: Case, name: string, branch: SchemaPart): string {
  const { file, segments, parts, value } = found;
  if (isMappingKey(found, name)) return `delete the dash, so that it is a key of ${quoted(segments.at(-2))}`;
  const owner = parts.slice(0, -1).findLastIndex((part) => fieldsOf(part).includes(name));
  if (owner >= 0) {
    const around = { file, segments: segments.slice(0, owner), value: undefined, parts, part: {} };
    return `indent it by fewer spaces: it is a field of ${ownerOf(around)}`;
  }
  const sibling = fieldsOf(branch).find(
    (field) => memberOf(value, field) === reportedValue && fieldsOf(memberPart(branch, field) ?? {}).includes(name),
  );
  return sibling === undefined
    ? 'delete it, or use one of the valid fields'
    : `indent it by more spaces than ${quoted(sibling)}, which has this field`;
}

function invalidKey(found: Case, name: string): Problem {
  const { enum: words, 'x-full': undocumented } = namePart(found.part) ?? {};
  const left = found.api() === 'documented' ? asList(undocumented) : [];
  const allowed = asList(words).filter((word) => !left.includes(word));
  const at = memberKey(found, name);
  if (allowed.length > 0) return { ...unknownWord(name, 'key', `in ${nameOf(found.segments)}`, allowed), at };
  const hint = textIn(namePart(found.part), 'patternErrorMessage');
  if (name !== '' && hint !== undefined)
    return {
      code: 'CONFIG_BAD_FORMAT',
      message: `${quoted(name)} is not a valid key in ${nameOf(found.segments)}.`,
      hint,
      at,
    };
  return {
    code: 'CONFIG_TOO_SHORT',
    message: `A key in ${nameOf(found.segments)} is empty.`,
    hint: 'write a name as the key, or delete it',
    at,
  };
}

function missingField(found: Case, name: string): Problem {
  const member = memberPart(branchOf(found.part, found.value), name) ?? {};
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

function invalidTag(found: Case, name: string): Problem {
  const value = found.error.params['tagValue'];
  const tags = tagValues(found.part);
  if (value === undefined) {
    const hint = `add the field ${quoted(name)} with one of the values ${listed(tags, 'and')}`;
    return { ...missingField(found, name), hint };
  }
  const member = { ...found, segments: [...found.segments, name], value };
  return typeof value === 'string' ? unknownValue(member, tags) : wrongType(member, 'string');
}

/** A choice between mappings without a discriminator: each branch requires another field. */
function notOneOfFields(found: Case): Problem {
  const names = requiredByBranch(found.part);
  return {
    code: 'CONFIG_ONE_OF_FIELDS',
    message: `${capital(nameOf(found.segments))} must have one of the fields ${listed(names.map(quoted), 'and')}, but this one has none.`,
    hint: `add ${listed(names.map(quoted), 'or')}`,
    at: ownerPlace(found),
  };
}

function wrongType(found: Case, expected: unknown): Problem {
  const rule = `${subjectOf(found)} must be ${typeName(expected)}, but it is ${typeName(typeOf(found.value))}`;
  return valueProblem('CONFIG_WRONG_TYPE', found, rule, typeHint(found, String(expected)));
}

function valueProblem(code: Problem['code'], found: Case, message: string, hint: string): Problem {
  return { code, message: `${message}.`, hint, at: valuePlace(found) };
}

function subjectOf({ segments }: Case): string {
  return capital(nameOf(segments));
}

function unknownValue(found: Case, allowed: readonly unknown[]): Problem {
  const where = `of ${nameOf(found.segments)}`;
  return { ...unknownWord(String(writtenValue(found)), 'value', where, allowed), at: valuePlace(found) };
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
function invalidForm(found: Case): Problem {
  const words = asList(found.part['anyOf']).flatMap((choice) => asList(memberOf(choice, 'enum')).map(String));
  const written = writtenValue(found);
  const rule = descriptionOf(found.part) ?? listed(words, 'or');
  const message = `${quoted(written)} is not a valid value of ${nameOf(found.segments)}. Expected: ${rule}`;
  const hint = nearHint(String(written), words) ?? textIn(found.part, 'x-hint') ?? 'write a value in this format';
  return valueProblem('CONFIG_UNKNOWN_VALUE', found, message, hint);
}

function outOfRange(found: Case): Problem {
  const { minimum, maximum } = found.part;
  const range = maximum === undefined ? `at least ${String(minimum)}` : `from ${String(minimum)} to ${String(maximum)}`;
  const message = `${subjectOf(found)} is ${String(writtenValue(found))}, but must be ${range}`;
  return valueProblem('CONFIG_OUT_OF_RANGE', found, message, `write an integer ${range}`);
}

function tooLong(found: Case, limit: string): Problem {
  const length = [...String(found.value)].length;
  const message = `${subjectOf(found)} has ${length} characters; the maximum is ${limit}`;
  return valueProblem('CONFIG_TOO_LONG', found, message, `shorten it to ${limit} characters`);
}

function tooShort(found: Case): Problem {
  const hint = textIn(found.part, 'x-hint') ?? 'write a value, or delete what it belongs to';
  return valueProblem('CONFIG_TOO_SHORT', found, `${subjectOf(found)} must not be empty`, hint);
}

const formatRules: Readonly<Record<string, string>> = {
  'strict-https-uri':
    'an https:// URI (RFC 3986) with a host and without credentials; escape every other character, as in %C3%A9',
  'base-url': 'the base URL of a tenant',
  'path-segment': 'one path segment: no slashes, white space, control characters or backslashes, and not "." or ".."',
};

function badFormat(found: Case, format: string): Problem {
  const baseUrl = format === 'base-url' ? baseUrlProblem(String(found.value)) : null;
  const what = `${quoted(writtenValue(found))} is not a valid value of ${nameOf(found.segments)}`;
  const form = textIn(found.part, 'patternErrorMessage');
  const rule = baseUrl ?? `it must be ${formatRules[format] ?? `a string of the format ${format}`}`;
  const message = found.error.keyword === 'pattern' ? what : `${what}: ${rule}`;
  return valueProblem('CONFIG_BAD_FORMAT', found, message, textIn(found.part, 'x-hint') ?? form ?? 'correct the value');
}
