// Values of `${var:NAME}`: vars.yaml, the files of --var-file in order, then --var. A later one wins.
import { isScalar } from 'yaml';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { isReported, type Report, reportedValue } from '../errors/problem.ts';
import { textOf } from '../files/read-source.ts';
import { parseYaml, variablesOnly } from '../yaml/parse-yaml.ts';
import { locate, nodeAt, type YamlFile } from '../yaml/yaml-file.ts';
import { isVariableName, openingsIn, referencePlace, splitReferences } from './references.ts';
import * as problems from './variable-problems.ts';
import type { Variables } from './variables.ts';

export interface VariableValue {
  /** `reportedValue` after a problem. */
  readonly value: unknown;
  /** True for a value of a file, which has its own type; text of an option is read like a scalar without quotes. */
  readonly typed: boolean;
}

export interface VariableValues {
  readonly byName: ReadonlyMap<string, VariableValue>;
  /** False if a file could not be read: a missing name may be defined there. */
  readonly complete: boolean;
}

/** `vars` is the text of vars.yaml: undefined if there is none, null if it could not be read. */
export async function readVariableValues(
  vars: SourceText | null | undefined,
  { files, values }: Variables,
  report: Report,
): Promise<VariableValues> {
  const sources = vars === undefined ? [] : [vars];
  for (const file of files) sources.push(textOf(file.path, await file.read(), report));
  const parsed = sources.map((source) => (source === null ? null : parseYaml(source, report, variablesOnly)));
  const byName = new Map<string, VariableValue>();
  for (const file of parsed) {
    for (const [name, value] of Object.entries(file?.value ?? {})) {
      // Every member of `parsed` that has entries is a file.
      byName.set(name, { value: valueIn(file as YamlFile, name, value, report), typed: true });
    }
  }
  for (const { name, text } of values) byName.set(name, { value: text, typed: false });
  return { byName, complete: !parsed.includes(null) };
}

function valueIn(file: YamlFile, name: string, value: unknown, report: Report): unknown {
  const pointer = jsonPointer(name);
  const place = locate(file, pointer);
  if (!isVariableName(name)) {
    report({ ...problems.badName(name), at: place.key ?? place.value });
    return reportedValue;
  }
  if (isReported(value)) return value;
  if (typeof value === 'object') {
    report({ ...problems.notOneValue(name), at: place.value });
    return reportedValue;
  }
  return typeof value === 'string' ? literalText(file, pointer, value, report) : value;
}

function literalText(file: YamlFile, pointer: string, text: string, report: Report): unknown {
  const node = nodeAt(file, pointer);
  if (openingsIn(text) > problems.mostReferences) {
    report({ ...problems.tooMany(), at: locate(file, pointer).value });
    return reportedValue;
  }
  const parts = splitReferences(text);
  for (const part of parts) {
    if (typeof part !== 'string' && isScalar(node))
      report({ ...problems.notResolvedHere(), at: referencePlace(file.source, node, part.order) });
  }
  return parts.every((part) => typeof part === 'string') ? parts.join('') : reportedValue;
}
