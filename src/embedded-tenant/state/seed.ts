/** The seed: read from a file, and validated section by section, each by the resource that owns it. */

import { readRegularText } from '../../files/safe-file-access.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Seed } from '../../model/seed.generated.ts';
import type { SeedProblem, TenantResource } from '../../model/tenant-resource.ts';
import { isRecord } from '../../values/is-record.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { jsonExcess } from '../../values/json-size.ts';
import { parsedJson } from '../../values/parsed-json.ts';
import { typeName, violationsOf } from '../http/describe-violation.ts';
import { TenantSetupError } from '../tenant-options.ts';

/** A valid state: the sections of the built-in resources, and those of any other resource that is served. */
export type TenantSnapshot = Seed & { [section: string]: unknown };

/** A policy has about ten values. */
const most = { values: 5_000_000, levels: 64 };

/** The JSON value of a seed file, not validated. Throws a TenantSetupError if it cannot be read or parsed. */
export async function readSeed(file: string): Promise<unknown> {
  const text = await readRegularText(file).catch((cause: NodeJS.ErrnoException) => {
    throw new TenantSetupError([seedInvalid(`${file} cannot be read: ${cause.code ?? cause.message}.`)], { cause });
  });
  return parseSeed(text, file);
}

export function parseSeed(text: string, label: string): unknown {
  const excess = jsonExcess(Buffer.from(text), most);
  if (excess !== null)
    throw new TenantSetupError([seedInvalid(`${label} has more ${excess} than a state may have: ${most[excess]}.`)]);
  const value = parsedJson(text);
  if (value === undefined) throw new TenantSetupError([seedInvalid(`${label} is not valid JSON.`)]);
  return value;
}

/**
 * Returns the value as a seed for these resources, or throws a TenantSetupError with every problem and its JSON
 * pointer. `label` names the source of the value.
 */
export function validateSeed(value: unknown, label: string, resources: readonly TenantResource[]): TenantSnapshot {
  const rule = `Expected type object but found type ${typeName(value)}`;
  if (!isRecord(value)) throw new TenantSetupError([ruleBroken(label, { pointer: '', rule })]);
  const problems = [
    ...unknownSections(value, resources),
    ...resources.flatMap((resource) => sectionProblems(value[resource.section], resource)),
  ];
  if (problems.length > 0) throw new TenantSetupError(reported(problems, label));
  return value;
}

/** Most problems that are reported. */
const mostProblems = 100;

function reported(problems: readonly SeedProblem[], label: string): Diagnostic[] {
  const shown = problems.slice(0, mostProblems).map((problem) => ruleBroken(label, problem));
  return problems.length > mostProblems ? [...shown, seedInvalid(`${label} has more problems.`)] : shown;
}

function unknownSections(value: object, resources: readonly TenantResource[]): readonly SeedProblem[] {
  const known = resources.map(({ section }) => section);
  const rule = `Unknown section, expected one of: ${known.join(', ')}`;
  const unknown = Object.keys(value).filter((section) => !known.includes(section));
  return unknown.map((section) => ({ pointer: jsonPointer(section), rule }));
}

function sectionProblems(section: unknown, resource: TenantResource): readonly SeedProblem[] {
  if (section === undefined) return [];
  const { seed } = resource;
  const violations = Array.isArray(section) ? violationsInList(seed, section) : violationsOf(seed, section);
  const problems =
    violations.length > 0 ? violations : [...repeatedIds(section, seed.identity), ...(seed.check?.(section) ?? [])];
  return problems.map(({ pointer, rule }) => ({ pointer: jsonPointer(resource.section) + pointer, rule }));
}

/** Items that are validated together: the time for their errors grows with the square of their number. */
const sliceLength = 100;

/** The violations of a list, up to the slice in which they become too many to report. */
function violationsInList(seed: TenantResource['seed'], list: readonly unknown[]): readonly SeedProblem[] {
  const found: SeedProblem[] = [...violationsOf(seed, list.slice(0, sliceLength))];
  for (let first = sliceLength; first < list.length && found.length <= mostProblems; first += sliceLength)
    for (const { pointer, rule } of violationsOf(seed, list.slice(first, first + sliceLength)))
      found.push({ pointer: pointer.replace(/^\/\d+/, (index) => `/${first + Number(index.slice(1))}`), rule });
  return found;
}

function repeatedIds(section: unknown, identity: string | undefined): readonly SeedProblem[] {
  if (identity === undefined || !Array.isArray(section)) return [];
  const seen = new Set<unknown>();
  return section.flatMap((item: object, index) => {
    const id: unknown = Reflect.get(item, identity);
    if (seen.has(id)) return [{ pointer: jsonPointer(index, identity), rule: `Another item has the same ${identity}` }];
    seen.add(id);
    return [];
  });
}

function ruleBroken(label: string, { pointer, rule }: SeedProblem): Diagnostic {
  return {
    ...seedInvalid(`${label}: ${pointer === '' ? '' : `${pointer}: `}${rule}.`),
    hint: 'schemas/seed.schema.json describes the seed; docs/embedded-tenant.md has an example',
  };
}

function seedInvalid(message: string): Diagnostic {
  return { code: 'SEED_INVALID', severity: 'error', message };
}
