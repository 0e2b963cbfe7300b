// Values of `${var:NAME}`: vars.yaml, then the files of --var-file in their order, then --var. A later one wins.
import { isScalar } from 'yaml';
import type { SourceText } from '../../diagnostics/source-text.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { isReported, type Report, reportedValue } from '../errors/problem.ts';
import { textOf } from '../files/read-source.ts';
import { parseYaml, variablesOnly } from '../yaml/parse-yaml.ts';
import { locate, nodeAt, type YamlFile } from '../yaml/yaml-file.ts';
import { isVariableName, referencePlace, splitReferences } from './references.ts';
import * as faults from './variable-problems.ts';
import type { Variables } from './variables.ts';

export interface VariableValue {
  /** A symbol of `told-faults.ts` where a fault has been told. */
  readonly value: unknown;
  /** A value of a file has its own type; text of an option is read like a scalar without quotes where it stands. */
  readonly typed: boolean;
}

export interface VariableValues {
  readonly byName: ReadonlyMap<string, VariableValue>;
  /** False when a file could not be read: then a name that is missing may be no fault. */
  readonly complete: boolean;
}

/** `vars` is the text of vars.yaml: undefined when there is none, null when it cannot be read, which has been told. */
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
    report({ ...faults.badName(name), at: place.key ?? place.value });
    return reportedValue;
  }
  if (isReported(value)) return value;
  if (typeof value === 'object') {
    report({ ...faults.notOneValue(name), at: place.value });
    return reportedValue;
  }
  return typeof value === 'string' ? literalText(file, pointer, value, report) : value;
}

function literalText(file: YamlFile, pointer: string, text: string, report: Report): unknown {
  const parts = splitReferences(text);
  const node = nodeAt(file, pointer);
  for (const part of parts) {
    if (typeof part !== 'string' && isScalar(node))
      report({ ...faults.notResolvedHere(), at: referencePlace(file.source, node, part.order) });
  }
  return parts.every((part) => typeof part === 'string') ? parts.join('') : reportedValue;
}
