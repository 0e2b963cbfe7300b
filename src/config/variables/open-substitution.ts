// Replaces references by their values after the file is parsed and before the schema validates it: a value is validated
// like one in the file itself, can never become structure, and is not searched for further references.
import { isScalar } from 'yaml';
import { controlEnds } from '../../diagnostics/control-ends.ts';
import { openNames } from '../../diagnostics/near-names.ts';
import { type Place, placeText, type SourceText, sourceOf } from '../../diagnostics/source-text.ts';
import type { VariableUse } from '../../model/desired.ts';
import { variableNames } from '../../secrets/credentials.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { memoized } from '../../values/memoized.ts';
import { isReported, type ProblemText, type Report, reportedValue } from '../errors/problem.ts';
import { textOf } from '../files/read-source.ts';
import { type TakeBytes, tooManyBytesInAll } from '../limits.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { Substitution } from '../yaml/plain-values.ts';
import { locate, nodeAt, type YamlFile } from '../yaml/yaml-file.ts';
import {
  isReference,
  isVariableName,
  type Malformed,
  mostReferences,
  type Reference,
  referencePlaces,
  referencesIn,
  splitReferences,
} from './references.ts';
import { problems } from './variable-problems.ts';
import { meantVariable, openReadability, type Variables } from './variables.ts';

interface Use {
  readonly reference: Reference;
  readonly at: Place;
}

export function openSubstitution(
  variables: Variables,
  { byName, complete }: VariableValues,
  report: Report,
  take: TakeBytes,
) {
  const { env, environment, values, isEarlier = false, mayBeUnused = isEarlier } = variables;
  /** By name in capitals: some systems ignore the case of names. */
  const secrets = new Map<string, Place>();
  const secretNames = new Map<string, Place>();
  const printed: Use[] = [];
  const used = new Set<string>();
  const known = openNames(byName.keys());
  // A file may have thousands of references.
  const readabilityOf = memoized(openReadability(variables));

  /** The number of references in each file. */
  const counts = new WeakMap<SourceText, number>();

  const read: Substitution['read'] = (source, node, text) => {
    const parts = splitReferences(text);
    const count = (counts.get(source) ?? 0) + parts.length;
    counts.set(source, count);
    const at = { source, start: node.range[0], end: node.range[1] };
    if (count > mostReferences) return refuse(problems.tooMany, at);
    const places = referencePlaces(source, node)[Symbol.iterator]();
    const found = parts.map((part) => (typeof part === 'string' ? part : resolve(part, places.next().value ?? at)));
    if (found.some(isReported)) return reportedValue;
    const characters = found.reduce<number>((sum, each) => sum + String(each).length, 0);
    return take(characters) ? found.join('') : refuse(tooManyBytesInAll, at);
  };

  const readSecret: Substitution['readSecret'] = (source, node, text) => {
    const [reference, ...others] = splitReferences(text);
    if (!isReference(reference) || reference.from !== 'env' || others.length > 0) return undefined;
    const [at = { source, start: node.range[0], end: node.range[1] }] = referencePlaces(source, node);
    const unreadable = unreadableProblem(reference);
    if (unreadable !== null) return isEarlier ? text : refuse(unreadable, at);
    const meant = meantVariable(reference.name, variables);
    const ends = controlEnds(meant, env[meant]);
    if (ends !== null && !isEarlier) return refuse(ends, at);
    if (!secretNames.has(reference.name)) secretNames.set(reference.name, at);
    for (const name of variableNames(reference.name, environment).map((one) => one.toUpperCase()))
      if (!secrets.has(name)) secrets.set(name, at);
    return text;
  };

  /** Reports what depends on all files. Options that no file uses are reported only if all files were read. */
  const finish = (allRead: boolean): void => {
    for (const { reference, at } of printed) {
      const secret = secrets.get(reference.name.toUpperCase());
      if (secret !== undefined) report({ ...problems.exposed(reference, placeText(secret)), at });
    }
    if (!allRead || mayBeUnused) return;
    const written = openNames(used);
    for (const name of new Set(values.map(({ name }) => name)))
      if (!used.has(name)) report(problems.unusedOption(name, written.nearest(name)));
  };

  const uses = (): readonly VariableUse[] => {
    const shown = new Map<string, Place>();
    for (const { reference, at } of printed) if (!shown.has(reference.name)) shown.set(reference.name, at);
    return [secretNames, shown].flatMap((places) =>
      [...places].map(([name, at]) => ({ name, isSecret: places === secretNames, source: sourceOf(at) })),
    );
  };

  return { read, readSecret, uses, finish };

  function resolve(part: Reference | Malformed, at: Place): unknown {
    if (part.from === null) return refuse(problems.malformed, at);
    return part.from === 'env' ? fromEnvironment(part, at) : fromVariables(part, at);
  }

  function fromEnvironment(reference: Reference, at: Place): unknown {
    const unreadable = unreadableProblem(reference);
    if (unreadable !== null) return isEarlier ? reference.written : refuse(unreadable, at);
    printed.push({ reference, at });
    const meant = meantVariable(reference.name, variables);
    const text = Object.hasOwn(env, meant) ? env[meant] : undefined;
    if (isEarlier && !text) return reference.written;
    if (text === undefined) return refuse(problems.missingEnv(reference, environment), at);
    const ends = controlEnds(meant, text);
    if (ends !== null && !isEarlier) return refuse(ends, at);
    return text === '' ? refuse(problems.empty({ ...reference, name: meant }), at) : text;
  }

  function unreadableProblem(reference: Reference): ProblemText | null {
    const readability = readabilityOf(reference.name);
    if (readability === 'readable') return null;
    return readability === 'credential' ? problems.forbidden(reference) : problems.notAllowed(reference);
  }

  function fromVariables(reference: Reference, at: Place): unknown {
    used.add(reference.name);
    const value = byName.get(reference.name);
    if (value === undefined && complete)
      report({ at, make: () => problems.missingVar(reference, known.nearest(reference.name)) });
    return value === '' ? refuse(problems.empty(reference), at) : (value ?? reportedValue);
  }

  function refuse(text: ProblemText, at: Place): typeof reportedValue {
    report({ ...text, at });
    return reportedValue;
  }
}

// Values of `${var:NAME}`: vars.yaml of each layer, the project, the files of --var-file in order, then --var. A later one
// wins.

export interface VariableValues {
  /** `reportedValue` after a problem. */
  readonly byName: ReadonlyMap<string, unknown>;
  /** False if a file could not be read: a missing name may be defined there. */
  readonly complete: boolean;
}

/** `vars` are the texts of each vars.yaml, in the order of the layers; null for one that could not be read. */
export async function readVariableValues(
  vars: readonly (SourceText | null)[],
  { files, values, tenant = {} }: Variables,
  report: Report,
): Promise<VariableValues> {
  const byName = new Map<string, unknown>();
  let complete = true;
  const take = async (source: SourceText | null) => {
    const file = source === null ? null : parseYaml(source, report);
    complete &&= file !== null;
    if (file === null) return;
    const names = Object.keys(file.value);
    if (names.some((name) => !isVariableName(name) || typeof file.value[name] === 'object')) {
      const { explainSchemaErrors } = await import('../errors/explain-schema-errors.ts');
      explainSchemaErrors(file, [], report, 'project.schema.json#/$defs/tenant/properties/variables');
    }
    for (const name of names) byName.set(name, variableValue(file, jsonPointer(name), file.value[name], report));
  };
  for (const source of vars) await take(source);
  for (const [name, value] of Object.entries(tenant)) byName.set(name, value);
  for (const file of files) await take(textOf(file.path, await file.read(), report));
  for (const { name, text } of values) byName.set(name, text);
  return { byName, complete };
}

/** The value of a variable: `$${` in a text is `${`, and a reference in it is an error. */
export function variableValue(file: YamlFile, pointer: string, text: unknown, report: Report): unknown {
  if (typeof text !== 'string') return typeof text === 'object' ? reportedValue : text;
  if (referencesIn(text).length === 0) return splitReferences(text).join('');
  const node = nodeAt(file, pointer);
  const [at = locate(file, pointer).value] = isScalar(node) ? referencePlaces(file.source, node) : [];
  report({ ...problems.notResolvedHere, at });
  return reportedValue;
}
