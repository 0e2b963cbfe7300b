import { validateConfig } from '../contract/config.generated.ts';
import { shape } from '../contract/shape.ts';
import type { ConfigFile } from '../model/config.generated.ts';
import type { SchemaFault } from '../model/operation.ts';
import { pointerPath } from '../values/json-pointer.ts';
import type { YamlFile } from './yaml/yaml-file.ts';

const { validate } = shape<ConfigFile>('config.schema.json', validateConfig);

/** A file and what its schema says of it. */
export interface ValidatedFile {
  readonly file: YamlFile;
  readonly faults: readonly SchemaFault[];
}

export function validateFile(file: YamlFile): ValidatedFile {
  return { file, faults: validate(file.value) ? [] : (validate.errors ?? []) };
}

/** A section without the members that break its schema, and the places of those that are left in the whole section. */
export interface ValidSection {
  readonly value: unknown;
  /** From an index in `value` to the index in the file; null where nothing was left out or members have names. */
  readonly indexes: readonly number[] | null;
}

/** Faults in one item shall not hide faults between the others. Null when there is no such section or it is broken as a whole. */
export function validSection(validated: ValidatedFile, section: string): ValidSection | null {
  if (!Object.hasOwn(validated.file.value, section)) return null;
  const value = validated.file.value[section];
  const broken = brokenMembers(validated.faults, section);
  if (broken.has('') || typeof value !== 'object' || value === null) return null;
  if (broken.size === 0) return { value, indexes: null };
  if (!Array.isArray(value))
    return { value: Object.fromEntries(Object.entries(value).filter(([name]) => !broken.has(name))), indexes: null };
  const indexes = [...value.keys()].filter((index) => !broken.has(String(index)));
  return { value: indexes.map((index) => value[index] as unknown), indexes };
}

/** Names of members with faults; '' stands for the section itself. */
function brokenMembers(faults: readonly SchemaFault[], section: string): ReadonlySet<string> {
  const broken = new Set<string>();
  for (const fault of faults) {
    const [first, member] = pointerPath(fault.instancePath);
    if (first !== section) continue;
    const name =
      fault.params['propertyName'] ??
      fault.params['additionalProperty'] ??
      ('propertyName' in fault ? fault.propertyName : undefined);
    broken.add(member ?? String(name ?? ''));
  }
  return broken;
}
