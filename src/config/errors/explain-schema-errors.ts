// Turns the errors of a compiled validator into diagnostics: the only place that does. It is loaded when there is an
// error.
//
// A validator reports one mistake in several ways: a wrong type also misses an enum, a failed choice reports every
// branch. Each mistake is reported once: a choice speaks for its branches, a wrong type for its value, and a value that
// the walk over the file has reported is skipped.

import { nearestWord } from '../../diagnostics/near-names.ts';
import type { SchemaError } from '../../model/operation.ts';
import { groupBy } from '../../values/group-by.ts';
import { jsonPointer, memberOf, pointerPath, valueAt } from '../../values/json-pointer.ts';
import { once } from '../../values/memoized.ts';
import { earliestPlace } from '../yaml/yaml-file.ts';
import { describeSchemaError, isMappingKey } from './describe-schema-error.ts';
import { isReported, type Report, reportedKey } from './problem.ts';
import {
  branchOf,
  discriminatorOf,
  fieldsOf,
  likelyTag,
  nearestTag,
  requiredByBranch,
  type SchemaPart,
  schemaParts,
} from './schema-lookup.ts';
import type { Case } from './wording.ts';

/** A file and its schema; default: the one of the files of a tenant. */
type ValidatedBy = Pick<Case, 'file' | 'api'> & { readonly root?: string };

/** `validateAgain` validates the same file, in which discriminators are corrected. */
export function explainSchemaErrors(
  { file, api, root }: ValidatedBy,
  errors: readonly SchemaError[],
  report: Report,
  validateAgain: () => readonly SchemaError[],
): void {
  const distinct = withoutEchoes([...errors, ...errorsBehindTags(file.value, errors, validateAgain)]);
  for (const [pointer, ofValue] of groupBy(distinct, ({ instancePath }) => instancePath))
    explainErrorsOf({ file, api, ...(root !== undefined && { root }) }, pointer, ofValue, report);
}

function explainErrorsOf(
  { file, api, root }: ValidatedBy,
  pointer: string,
  errors: readonly SchemaError[],
  report: Report,
): void {
  const segments = pointerPath(pointer);
  const values = valuesAlong(file.value, segments);
  if (values.some(isReported)) return;
  const value = values.at(-1);
  // Schemas are looked up only for what is shown.
  const found = once((): Omit<Case, 'error'> => {
    const parts = schemaParts(file.value, segments, root);
    return { file, api, segments, value, parts, part: parts.at(-1) ?? parts[0] };
  });
  const unknown = errors
    .filter(({ keyword }) => keyword === 'additionalProperties')
    .map(memberIn)
    .map(String);
  const meant = once(() => meantFields(found(), unknown));
  const isIncomplete = file.incomplete.has(Object(value));
  const isMeant = (error: SchemaError) =>
    missingFields(error, value, () => found().part).some((name) => isIncomplete || meant().has(name));
  for (const error of errors) {
    const member = memberIn(error);
    if (error.keyword === 'discriminator' && isReported(error.params['tagValue'])) continue;
    if (member !== null && memberOf(value, member) === reportedKey) continue;
    if ((isIncomplete || unknown.length > 0) && isMeant(error)) continue;
    const at = earliestPlace(file, member === null ? pointer : pointer + jsonPointer(member));
    report({ at, make: () => describeSchemaError({ ...found(), error }) });
  }
}

/** The member that an error is about; null if it is about the value itself. */
function memberIn({ params }: SchemaError): string | null {
  const name = params['additionalProperty'] ?? params['propertyName'];
  return typeof name === 'string' ? name : null;
}

function withoutEchoes(errors: readonly SchemaError[]): readonly SchemaError[] {
  const choices = new Set(
    errors
      .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
      .map((error) => `${error.instancePath} ${error.schemaPath}`),
  );
  const wrongTypes = new Set(errors.filter(({ keyword }) => keyword === 'type').map((error) => error.instancePath));
  return errors.filter((error) => {
    if ('propertyName' in error || error.keyword === 'if') return false;
    if (error.keyword !== 'type' && wrongTypes.has(error.instancePath)) return false;
    const choice = /^(.*\/(?:anyOf|oneOf))\/\d+\//.exec(error.schemaPath)?.[1];
    return choice === undefined || !choices.has(`${error.instancePath} ${choice}`);
  });
}

/**
 * The fields that unknown ones were meant to be. If one of them is missing, that is the same mistake: the hint for the
 * unknown field names it.
 */
function meantFields(found: Omit<Case, 'error'>, unknown: readonly string[]): ReadonlySet<string> {
  const fields = fieldsOf(branchOf(found.part, found.value));
  if (unknown.some((name) => isMappingKey(found, name))) return new Set(fields);
  const misspelt = unknown.filter((name) => memberOf(found.value, name) !== reportedKey);
  return new Set(misspelt.flatMap((name) => nearestWord(name, fields) ?? []));
}

/** The field that is missing, or those of which one is. */
function missingFields({ keyword, params }: SchemaError, value: unknown, part: () => SchemaPart): readonly string[] {
  if (keyword === 'required') return [String(params['missingProperty'])];
  if (keyword === 'discriminator') return params['tagValue'] === undefined ? [String(params['tag'])] : [];
  const names = keyword === 'oneOf' ? requiredByBranch(part()) : [];
  return names.some((name) => memberOf(value, name) !== undefined) ? [] : names;
}

function valuesAlong(root: unknown, segments: readonly string[]): readonly unknown[] {
  const values = [root];
  for (const segment of segments) values.push(memberOf(values.at(-1), segment));
  return values;
}

/**
 * A validator chooses the branch of a mapping by its discriminator, and reports nothing else if that is wrong. These are
 * the other errors of such mappings, which get the value that each was probably meant to have, where that is known. The
 * file is validated once for all of them.
 */
function errorsBehindTags(
  file: unknown,
  errors: readonly SchemaError[],
  validate: () => readonly SchemaError[],
): readonly SchemaError[] {
  const wrong = errors.filter(({ keyword }) => keyword === 'discriminator');
  const chosen = new Map(wrong.flatMap(({ instancePath }) => chooseTag(file, instancePath)));
  if (chosen.size === 0) return [];
  return validate().filter((error) => {
    const how = choiceAround(error, chosen);
    return how !== undefined && (how === 'near' || error.keyword !== 'required');
  });
}

/** `near`: the value is a misspelt one. `likely`: the fields only suggest which was meant. */
type Choice = 'near' | 'likely';

/** Sets the discriminator of the mapping at a path: it is invalid, so nothing else reads it. */
function chooseTag(file: unknown, path: string): readonly (readonly [path: string, how: Choice])[] {
  // The schema says that it is a mapping with a discriminator.
  const mapping = valueAt(file, path) as Record<string, unknown>;
  const part = schemaParts(file, pointerPath(path)).at(-1) ?? {};
  const field = discriminatorOf(part) ?? '';
  const near = nearestTag(part, memberOf(mapping, field));
  const tag = near ?? likelyTag(part, mapping);
  if (tag === undefined) return [];
  mapping[field] = tag;
  return [[path, near === undefined ? 'likely' : 'near']];
}

function choiceAround({ instancePath }: SchemaError, choices: ReadonlyMap<string, Choice>): Choice | undefined {
  for (let path = instancePath; ; path = path.slice(0, path.lastIndexOf('/'))) {
    const choice = choices.get(path);
    if (choice !== undefined || path === '') return choice;
  }
}
