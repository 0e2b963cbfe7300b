// Turns the errors of a compiled validator into diagnostics: the only place that does. It is loaded when there is an
// error.
//
// A validator reports one mistake in several ways: a wrong type also misses an enum, a failed choice reports every
// branch. Each mistake is reported once: a choice speaks for its branches, a wrong type for its value, and a value that
// the walk over the file has reported is skipped.

import { nearestWord } from '../../diagnostics/near-names.ts';
import type { Place } from '../../diagnostics/source-text.ts';
import type { SchemaError } from '../../model/operation.ts';
import { groupBy } from '../../values/group-by.ts';
import { jsonPointer, memberOf, pointerPath } from '../../values/json-pointer.ts';
import type { YamlFile } from '../yaml/yaml-file.ts';
import { describeSchemaError } from './describe-schema-error.ts';
import { isReported, type Report, reportedKey } from './problem.ts';
import { type Case, earliestPlace, isMappingKey, unknownName } from './schema-case.ts';
import { branchOf, fieldsOf, requiredByBranch, type SchemaPart, schemaParts } from './schema-lookup.ts';
import { errorsBehindTags } from './tag-errors.ts';

/** `validateAgain` validates the same part of the file, for values that are changed for a moment. */
export function explainSchemaErrors(
  file: YamlFile,
  errors: readonly SchemaError[],
  report: Report,
  validateAgain: () => readonly SchemaError[],
): void {
  const behindTags = errorsBehindTags(file.value, errors, validateAgain);
  const distinct = withoutEchoes([...errors, ...behindTags]);
  for (const [pointer, ofValue] of groupBy(distinct, ({ instancePath }) => instancePath)) {
    explainErrorsOf(file, pointer, ofValue, report);
  }
}

/** The errors of one value. Those that are only counted, because too many come before them, cost little. */
function explainErrorsOf(file: YamlFile, pointer: string, errors: readonly SchemaError[], report: Report): void {
  const segments = pointerPath(pointer);
  const values = valuesAlong(file.value, segments);
  if (values.some(isReported)) return;
  const value = values.at(-1);
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties').map(unknownName);
  let known: Omit<Case, 'error'> | undefined;
  let meant: ReadonlySet<string> | undefined;
  let place: Place | undefined;
  for (const error of errors) {
    if (isReportedMember(error, value)) continue;
    if (unknown.length > 0 && (error.keyword === 'required' || error.keyword === 'oneOf')) {
      const { part } = common();
      meant ??= meantFields(common(), unknown);
      if (missingFields(error, part, value).some((name) => meant?.has(name))) continue;
    }
    if (!isOnlyCounted(error)) report(describeSchemaError({ ...common(), error }));
  }

  function common(): Omit<Case, 'error'> {
    if (known !== undefined) return known;
    const parts = schemaParts(file.value, segments);
    known = { file, segments, value, parts, part: parts.at(-1) ?? parts[0] };
    return known;
  }

  function isOnlyCounted({ params }: SchemaError): boolean {
    if (report.countOnly === undefined) return false;
    const name = params['additionalProperty'] ?? params['propertyName'];
    if (typeof name === 'string') return report.countOnly(earliestPlace(file, pointer + jsonPointer(name)));
    place ??= earliestPlace(file, pointer);
    return report.countOnly(place);
  }
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
function meantFields({ part, parts, value }: Omit<Case, 'error'>, unknown: readonly string[]): ReadonlySet<string> {
  const fields = fieldsOf(branchOf(part, value));
  if (unknown.some((name) => isMappingKey(parts, value, name))) return new Set(fields);
  const meant = new Set<string>();
  for (const name of unknown) {
    const near = memberOf(value, name) === reportedKey ? undefined : nearestWord(name, fields);
    if (near !== undefined) meant.add(near);
  }
  return meant;
}

/** The field that is missing, or those of which one is. */
function missingFields({ keyword, params }: SchemaError, part: SchemaPart, value: unknown): readonly string[] {
  if (keyword === 'required') return [String(params['missingProperty'])];
  if (keyword !== 'oneOf') return [];
  const names = requiredByBranch(part);
  return names.some((name) => memberOf(value, name) !== undefined) ? [] : names;
}

function valuesAlong(root: unknown, segments: readonly string[]): readonly unknown[] {
  const values = [root];
  for (const segment of segments) values.push(memberOf(values.at(-1), segment));
  return values;
}

function isReportedMember(error: SchemaError, owner: unknown): boolean {
  if (error.keyword === 'discriminator') return isReported(error.params['tagValue']);
  const name = error.params['additionalProperty'] ?? error.params['propertyName'];
  return typeof name === 'string' && memberOf(owner, name) === reportedKey;
}
