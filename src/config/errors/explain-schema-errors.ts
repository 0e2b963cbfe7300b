// From what a compiled validator says to what people read: the only place that turns schema faults into diagnostics. It is
// loaded when there is something to explain.
//
// A validator tells one mistake in several ways: a wrong type also misses an enum, a failed choice tells of every branch. Each
// mistake is told once: a choice speaks for its branches, a wrong type for its value, and a fault that the walk over the file
// has told is not told again.

import { baseUrlFault } from '../../contract/formats.ts';
import { nearestWord } from '../../diagnostics/nearest-word.ts';
import type { Place } from '../../diagnostics/source-text.ts';
import type { SchemaFault } from '../../model/operation.ts';
import { jsonPointer, memberOf, pointerPath } from '../../values/json-pointer.ts';
import { asWritten, locate, type YamlFile } from '../yaml/yaml-file.ts';
import { isReported, type ProblemText, type Report, reportedKey } from './problem.ts';
import {
  branchOf,
  discriminatorOf,
  fieldsOf,
  memberPart,
  namePart,
  requiredByBranch,
  type SchemaPart,
  schemaParts,
  tagValues,
} from './schema-lookup.ts';
import {
  capital,
  descriptionOf,
  formatHint,
  formatRule,
  isIndex,
  listed,
  nameOf,
  ownerOf,
  quoted,
  sectionOf,
  typeName,
  typeOf,
} from './wording.ts';

interface Case {
  readonly file: YamlFile;
  readonly fault: SchemaFault;
  readonly segments: readonly string[];
  readonly value: unknown;
  readonly parts: readonly SchemaPart[];
  readonly part: SchemaPart;
}

type Told = ProblemText & { readonly at: Place };

export function explainSchemaErrors(file: YamlFile, faults: readonly SchemaFault[], report: Report): void {
  for (const fault of withoutEchoes(faults)) {
    const segments = pointerPath(fault.instancePath);
    const values = valuesAlong(file.value, segments);
    if (values.some(isReported) || isReportedMember(fault, values.at(-1))) continue;
    const parts = schemaParts(file.value, segments);
    const part = parts.at(-1);
    if (part !== undefined) report(explain({ file, fault, segments, value: values.at(-1), parts, part }));
  }
}

function withoutEchoes(faults: readonly SchemaFault[]): readonly SchemaFault[] {
  const choices = new Set(
    faults
      .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
      .map((fault) => `${fault.instancePath} ${fault.schemaPath}`),
  );
  const wrongTypes = new Set(faults.filter(({ keyword }) => keyword === 'type').map((fault) => fault.instancePath));
  return faults.filter((fault) => {
    if ('propertyName' in fault) return false;
    if (fault.keyword !== 'type' && wrongTypes.has(fault.instancePath)) return false;
    const choice = /^(.*\/(?:anyOf|oneOf))\/\d+\//.exec(fault.schemaPath)?.[1];
    return choice === undefined || !choices.has(`${fault.instancePath} ${choice}`);
  });
}

function valuesAlong(root: unknown, segments: readonly string[]): readonly unknown[] {
  const values = [root];
  for (const segment of segments) values.push(memberOf(values.at(-1), segment));
  return values;
}

function isReportedMember(fault: SchemaFault, owner: unknown): boolean {
  if (fault.keyword === 'discriminator') return isReported(fault.params['tagValue']);
  const name = fault.params['additionalProperty'] ?? fault.params['propertyName'];
  return typeof name === 'string' && memberOf(owner, name) === reportedKey;
}

function explain(told: Case): Told {
  switch (told.fault.keyword) {
    case 'additionalProperties':
      return unknownField(told, String(told.fault.params['additionalProperty']));
    case 'propertyNames':
      return unknownName(told, String(told.fault.params['propertyName']));
    case 'required':
      return missingField(told, String(told.fault.params['missingProperty']));
    case 'discriminator':
      return wrongTag(told);
    case 'oneOf':
      return wrongIdentity(told);
    case 'type':
      return wrongType(told, told.fault.params['type'], placed(told));
    case 'enum':
      return unknownValue(told, told.fault.params['allowedValues'], placed(told));
    case 'const':
      return unknownValue(told, [told.fault.params['allowedValue']], placed(told));
    case 'anyOf':
      return unknownForm(told);
    case 'minimum':
    case 'maximum':
      return outOfRange(told);
    case 'maxLength':
      return tooLong(told);
    case 'minLength':
    case 'minItems':
      return tooShort(told);
    default:
      return badFormat(told);
  }
}

function unknownField(told: Case, name: string): Told {
  const branch = branchOf(told.part, told.value);
  const fields = fieldsOf(branch);
  const near = nearestWord(name, fields);
  const rule = fields.length === 1 ? 'Its only field is' : 'Its fields are';
  return {
    code: 'CONFIG_UNKNOWN_FIELD',
    message: `${quoted(name)} is not a field of ${ownerOf(told.segments, tagOf(told))}. ${rule} ${listed(fields, 'and')}${sectionOf([...told.parts, branch])}.`,
    hint: near === undefined ? 'remove it, or use one of the fields above' : `did you mean "${near}"?`,
    at: keyPlace(told, name),
  };
}

function unknownName(told: Case, name: string): Told {
  const names = namePart(told.part);
  const allowed = names?.text['enum'];
  const section = sectionOf(names === null ? told.parts : [...told.parts, names]);
  if (Array.isArray(allowed))
    return {
      ...unknownWord(name, `a name that ${nameOf(told.segments)} may hold`, allowed, section),
      at: keyPlace(told, name),
    };
  return {
    code: 'CONFIG_TOO_SHORT',
    message: `A key of ${nameOf(told.segments)} must not be empty.`,
    hint: 'write a name',
    at: keyPlace(told, name),
  };
}

function missingField(told: Case, name: string): Told {
  const member = memberPart(branchOf(told.part, told.value), name);
  const description = member === null ? null : descriptionOf(member);
  return {
    code: 'CONFIG_MISSING_FIELD',
    message: `${capital(ownerOf(told.segments, tagOf(told)))} needs the field ${quoted(name)}${sectionOf(member === null ? told.parts : [...told.parts, member])}.`,
    hint: description === null ? `add ${quoted(name)}` : `add ${quoted(name)}: ${description}`,
    at: ownerPlace(told),
  };
}

function wrongTag(told: Case): Told {
  const name = discriminatorOf(told.part) ?? '';
  const tag = memberOf(told.value, name);
  if (tag === undefined) return missingField(told, name);
  const member = placed({ ...told, segments: [...told.segments, name], value: tag });
  return typeof tag === 'string' ? unknownValue(told, tagValues(told.part), member) : wrongType(told, 'string', member);
}

function wrongIdentity(told: Case): Told {
  const names = requiredByBranch(told.part);
  const has = names.filter((name) => memberOf(told.value, name) !== undefined);
  return {
    code: 'CONFIG_ROLE_IDENTITY',
    message: `${capital(nameOf(told.segments))} is named by exactly one of ${listed(names.map(quoted), 'and')}, but this one has ${has.length === 0 ? 'neither' : 'both'}.`,
    hint: has.length === 0 ? `add ${quoted(names[0])}` : `remove ${listed(has.slice(1).map(quoted), 'or')}`,
    at: ownerPlace(told),
  };
}

function wrongType(told: Case, expected: unknown, { value, written, segments, at }: Placed): Told {
  const message = `${capital(nameOf(segments))} must be ${typeName(expected)}, but it is ${typeName(typeOf(value))}${sectionOf(told.parts)}.`;
  return { code: 'CONFIG_WRONG_TYPE', message, hint: typeHint(String(expected), value, written), at };
}

function typeHint(expected: string, value: unknown, written: unknown): string {
  const isWord = typeof value === 'number' || typeof value === 'boolean';
  if (expected.includes('string') && isWord) return `put it in quotes: "${String(written)}"`;
  if (expected === 'integer' && typeof value === 'string' && written !== value)
    return 'give it whole decimal digits, and write the reference alone and without quotes';
  if (expected === 'integer' && typeof value === 'string') return 'write plain decimal digits, without quotes';
  if (expected === 'array') return 'write each item on a line of its own that starts with a dash, or [] for none';
  return `write ${typeName(expected)} here`;
}

function unknownValue(told: Case, allowed: unknown, { written, segments, at }: Placed): Told {
  return {
    ...unknownWord(
      String(written),
      `a value of ${nameOf(segments)}`,
      Array.isArray(allowed) ? allowed : [],
      sectionOf(told.parts),
    ),
    at,
  };
}

function unknownWord(word: string, what: string, allowed: readonly unknown[], section: string): ProblemText {
  const near = nearestWord(word, allowed.map(String));
  const rule = allowed.length === 1 ? `It must be ${String(allowed[0])}` : `It must be one of ${listed(allowed, 'or')}`;
  return {
    code: 'CONFIG_UNKNOWN_VALUE',
    message: `${quoted(word)} is not ${what}. ${rule}${section}.`,
    hint: near === undefined ? 'use one of the values above' : `did you mean "${near}"?`,
  };
}

/** A text that has none of the forms that it may have; the schema's description says which they are. */
function unknownForm(told: Case): Told {
  const words = asList(told.part.text['anyOf']).flatMap((choice) => asList(memberOf(choice, 'enum')).map(String));
  const { written, at } = placed(told);
  const near = nearestWord(String(written), words);
  return {
    code: 'CONFIG_UNKNOWN_VALUE',
    message: `${quoted(written)} is not a form of ${nameOf(told.segments)}: ${descriptionOf(told.part) ?? listed(words, 'or')}${sectionOf(told.parts)}.`,
    hint: near === undefined ? 'use one of the forms above' : `did you mean "${near}"?`,
    at,
  };
}

function outOfRange(told: Case): Told {
  const { minimum, maximum } = told.part.text;
  const { written, at } = placed(told);
  const rule = maximum === undefined ? `at least ${String(minimum)}` : `from ${String(minimum)} to ${String(maximum)}`;
  return {
    code: 'CONFIG_OUT_OF_RANGE',
    message: `${capital(nameOf(told.segments))} is ${String(written)}; it must be ${rule}${sectionOf(told.parts)}.`,
    hint: `write a whole number ${rule}`,
    at,
  };
}

function tooLong(told: Case): Told {
  const limit = String(told.fault.params['limit']);
  const length = String([...String(told.value)].length);
  return {
    code: 'CONFIG_TOO_LONG',
    message: `${capital(nameOf(told.segments))} has ${length} characters; it may have ${limit}${sectionOf(told.parts)}.`,
    hint: `shorten it to ${limit} characters`,
    at: valuePlace(told),
  };
}

function tooShort(told: Case): Told {
  return {
    code: 'CONFIG_TOO_SHORT',
    message: `${capital(nameOf(told.segments))} must not be empty.`,
    hint: 'write a value, or remove what it belongs to',
    at: valuePlace(told),
  };
}

function badFormat(told: Case): Told {
  const { format } = told.fault.params;
  const { written, at } = placed(told);
  const baseUrl = format === 'base-url' ? baseUrlFault(String(told.value)) : null;
  const rule = baseUrl === null ? `It must be ${formatRule(format)}` : `As the base URL of a tenant, ${baseUrl}`;
  return {
    code: 'CONFIG_BAD_FORMAT',
    message: `${quoted(written)} is not accepted as ${nameOf(told.segments)}. ${rule}${sectionOf(told.parts)}.`,
    hint: formatHint(format),
    at,
  };
}

/** A value as messages need it: what it is, how the file writes it, where it stands. */
interface Placed {
  readonly value: unknown;
  readonly written: unknown;
  readonly segments: readonly string[];
  readonly at: Place;
}

function placed({ file, segments, value }: Pick<Case, 'file' | 'segments' | 'value'>): Placed {
  const pointer = jsonPointer(...segments);
  // A mapping or a list is never quoted, and may be large.
  const written = typeof value === 'object' ? value : asWritten(file, pointer, value);
  return { value, written, segments, at: locate(file, pointer).value };
}

/** The value of the discriminator of a mapping, as the file writes it. */
function tagOf({ file, fault, part, value }: Case): unknown {
  const name = discriminatorOf(part);
  return name === null ? undefined : asWritten(file, fault.instancePath + jsonPointer(name), memberOf(value, name));
}

function valuePlace(told: Case): Place {
  return locate(told.file, told.fault.instancePath).value;
}

function keyPlace(told: Case, name: string): Place {
  const { key, value } = locate(told.file, told.fault.instancePath + jsonPointer(name));
  return key ?? value;
}

/** The key of a mapping, or for an item of a list its first key. */
function ownerPlace(told: Case): Place {
  const own = locate(told.file, told.fault.instancePath);
  if (own.key !== null && !isIndex(told.segments.at(-1) ?? '')) return own.key;
  const first = Object.keys(typeof told.value === 'object' && told.value !== null ? told.value : {})[0];
  return first === undefined ? own.value : keyPlace(told, first);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
