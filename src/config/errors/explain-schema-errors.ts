// What is wrong with a file that a compiled validator refuses: a walk over its values and its schema, which knows what would
// be valid at each of them. It is loaded when there is an error.
//
// Each mistake is reported once: a wrong type for its value, a choice for its branches, and an unknown field for the missing
// one that it was meant to be. What the walk over the file has reported is skipped.
import { codePointLength as lengthOf } from '../../contract/code-point-length.ts';
import { formats } from '../../contract/formats.ts';
import { nearestWord } from '../../diagnostics/near-names.ts';
import type { SchemaError } from '../../model/operation.ts';
import { isSecretField } from '../../secrets/secret-spellings.ts';
import { isRecord } from '../../values/is-record.ts';
import { jsonPointer, memberOf } from '../../values/json-pointer.ts';
import { memoized, once } from '../../values/memoized.ts';
import { earliestPlace, nodeAt, type YamlFile } from '../yaml/yaml-file.ts';
import * as describe from './describe-schema-error.ts';
import { isReported, type Problem, type Report } from './problem.ts';
import {
  asList,
  choiceOf,
  discriminatorOf,
  exclusiveFields,
  fieldsOf,
  memberPart,
  partAt,
  requiredByBranch,
  requiredIn,
  resolved,
  type SchemaPart,
  typesOf,
} from './schema-lookup.ts';
import { type Case, type MappingCase, typeOf } from './wording.ts';

/** `errors` are those of the validator. `root`: the schema of the file, or a part of one. */
export function explainSchemaErrors(
  file: YamlFile,
  errors: readonly SchemaError[],
  report: Report,
  root = 'config.schema.json',
): void {
  let isExplained = false;
  const whole = { file, segments: [], value: file.value, part: resolved({ $ref: root }), around: [] };
  for (const { pointer, make } of mistakesIn(whole)) {
    isExplained = true;
    report({ at: earliestPlace(file, pointer), make });
  }
  // The validator refuses what the walk reports, and nothing else.
  const [other] = errors;
  if (isExplained || other === undefined || file.incomplete.size > 0 || hasReported(file.value)) return;
  report(describe.notExplained(other.instancePath, earliestPlace(file, other.instancePath)));
}

/** Whether the walk over the file has reported a value. */
function hasReported(value: unknown): boolean {
  const isParent = typeof value === 'object' && value !== null;
  return isReported(value) || (isParent && Object.values(value).some(hasReported));
}

interface Mistake {
  readonly pointer: string;
  /** Its text is made if it is shown. */
  readonly make: () => Problem;
}

function* mistakesIn(found: Case): Generator<Mistake> {
  const { value, part, segments } = found;
  if (isReported(value)) return;
  const pointer = jsonPointer(...segments);
  const types = typesOf(part);
  const type = typeOf(value);
  if (types.length > 0 && !types.includes(type) && !(type === 'integer' && types.includes('number')))
    return yield { pointer, make: () => describe.wrongType(found, types) };
  for (const [keyword, isBroken, explain] of value === null ? rulesOfNull : rules)
    if (Object.hasOwn(part, keyword) && isBroken(found, part[keyword]))
      yield { pointer, make: () => explain(found, part[keyword]) };
  const items = partAt(part, 'items');
  const below = openBelow(found);
  if (Array.isArray(value) && items !== null)
    for (const [index, item] of value.entries()) yield* mistakesIn(below(String(index), item, items));
  if (isRecord(value)) yield* mistakesInMapping(found, value);
}

/** The values in one. What is around them is the same list for all: there can be 100,000. */
function openBelow({ file, segments, part, around }: Case) {
  const all = [...around, part];
  return (name: string, value: unknown, of: SchemaPart): Case => {
    return { file, segments: [...segments, name], value, part: of, around: all };
  };
}

type Rule = readonly [
  keyword: string,
  isBroken: (found: Case, rule: unknown) => boolean,
  explain: (found: Case, rule: unknown) => Problem,
];

/** The rules for a value of the right type. */
const rules: readonly Rule[] = [
  ['enum', ({ value }, values) => !asList(values).includes(value), describe.unknownValue],
  ['const', ({ value }, only) => value !== only, describe.unknownValue],
  ['minimum', ({ value }, least) => Number(value) < Number(least), describe.outOfRange],
  ['maximum', ({ value }, most) => Number(value) > Number(most), describe.outOfRange],
  ['minLength', ({ value }, least) => typeof value === 'string' && lengthOf(value) < Number(least), describe.tooShort],
  ['minItems', ({ value }, least) => Array.isArray(value) && value.length < Number(least), describe.tooShort],
  ['maxLength', ({ value }, most) => typeof value === 'string' && lengthOf(value) > Number(most), describe.tooLong],
  ['maxItems', ({ value }, most) => Array.isArray(value) && value.length > Number(most), describe.tooLong],
  // A function checks more than the pattern beside it.
  [
    'pattern',
    ({ value, part }, pattern) => !part['x-format'] && !patternOf(pattern).test(String(value)),
    describe.badFormat,
  ],
  ['x-format', ({ value }, name) => formats[String(name)]?.(String(value)) === false, describe.badFormat],
  ['anyOf', (found, choices) => !asList(choices).some((one) => isValid(found, one)), describe.invalidForm],
  ['allOf', (found, choices) => !asList(choices).every((one) => isValid(found, one)), describe.invalidForm],
  ['maxProperties', ({ value }, most) => isRecord(value) && Object.keys(value).length > Number(most), describe.tooLong],
  ['not', (_found, rule) => isRecord(rule) && Object.keys(rule).length === 0, describe.notManaged],
];

/** Null is of the right type where a field can be cleared, and then other rules are about other values. */
const rulesOfNull = rules.filter(([keyword]) => ['enum', 'const', 'anyOf', 'not'].includes(keyword));

const patternOf = memoized((pattern: unknown) => new RegExp(String(pattern), 'u'));

/** Whether a value conforms to another part as well. */
function isValid(found: Case, part: unknown): boolean {
  return mistakesIn({ ...found, part: resolved(part as SchemaPart) }).next().done === true;
}

function* mistakesInMapping(value: Case, mapping: Readonly<Record<string, unknown>>): Generator<Mistake> {
  const { file, part, segments } = value;
  const tag = discriminatorOf(part);
  const choice = choiceOf(part, mapping);
  const branch = choice?.branch ?? part;
  const found = { ...value, choice, branch };
  const at = (...name: readonly string[]) => jsonPointer(...segments, ...name);
  const isIncomplete = file.incomplete.has(mapping);
  // The key of one of them may be the problem.
  const names = Object.keys(mapping).filter((name) => !isIncomplete || !isReported(mapping[name]));
  // Without the field that selects a branch, what no branch has may be meant to be it.
  const isClosed = branch['additionalProperties'] === false || (tag !== null && choice === null);
  const unknown = names.filter((name) => isClosed && !memberPart(branch, name));
  const meant = once(() => meantFields(found, unknown));
  const isMissing = (name: string) =>
    mapping[name] === undefined && !isIncomplete && (unknown.length === 0 || !meant().has(name));

  // One of them may be meant to be the secret.
  if (fieldsOf(part).some(isSecretField)) for (const name of unknown) hideValue(file, at(name));
  for (const name of unknown) yield { pointer: at(name), make: () => describe.unknownField(found, name) };
  if (tag !== null && choice?.how !== 'exact' && !isReported(mapping[tag]) && (tag in mapping || isMissing(tag)))
    yield { pointer: at(), make: () => describe.invalidTag(found, tag) };
  const then = part['if'] !== undefined && isValid(value, part['if']) ? partAt(part, 'then') : null;
  const required = choice?.how === 'likely' ? [] : [...requiredIn(branch), ...requiredIn(then)];
  for (const name of required)
    if (name !== tag && isMissing(name)) yield { pointer: at(), make: () => describe.missingField(found, name) };
  const alternatives = tag === null ? requiredByBranch(part) : [];
  if (alternatives.length > 0 && alternatives.every(isMissing))
    yield { pointer: at(), make: () => describe.notOneOfFields(found, alternatives) };
  const exclusive = tag === null ? exclusiveFields(part) : [];
  const [first, second] = names.filter((name) => exclusive.includes(name));
  if (first !== undefined && second !== undefined)
    yield { pointer: at(second), make: () => describe.oneOfFieldsTwice(found, first, second) };

  const keys = partAt(part, 'propertyNames');
  const below = openBelow(value);
  for (const name of names) {
    if (keys !== null && !isValid({ ...value, value: name }, keys))
      yield { pointer: at(name), make: () => describe.invalidKey(found, name) };
    const member = tag === null || (choice !== null && name !== tag) ? memberPart(branch, name) : null;
    if (member !== null) yield* mistakesIn(below(name, mapping[name], member));
  }
  // The fields of an object can follow from a field beside it.
  for (const condition of asList(part['allOf'])) {
    const fields = isValid(value, memberOf(condition, 'if') ?? {})
      ? partAt(condition, 'then')?.['properties']
      : undefined;
    for (const name of names) {
      const member = partAt(fields, name);
      if (member !== null) yield* mistakesIn(below(name, mapping[name], member));
    }
  }
}

/** From excerpts. */
function hideValue(file: YamlFile, pointer: string): void {
  const [start, end] = nodeAt(file, pointer).range;
  file.source.hide(start, end);
}

/**
 * The fields that unknown ones were meant to be. If one of them is missing, that is the same mistake: the hint for the
 * unknown field names it.
 */
function meantFields(found: MappingCase, unknown: readonly string[]): ReadonlySet<string> {
  const fields = fieldsOf(found.branch);
  if (unknown.some((name) => describe.isMappingKey(found, name))) return new Set(fields);
  return new Set(unknown.flatMap((name) => nearestWord(name, fields) ?? []));
}
