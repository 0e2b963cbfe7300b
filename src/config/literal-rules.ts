import { jsonPointer } from '../values/json-pointer.ts';
import { type Report, reportAt } from './errors/problem.ts';
import { type Part, type Reference, splitReferences } from './variables/references.ts';
import { locate, nodeAt, type YamlFile } from './yaml/yaml-file.ts';

/** Fields of the header that name the tenant. All others are rules about what may be changed. */
const names = new Set(['name', 'base_url']);

/**
 * Reports references in rules of the header. A value from an option, the environment or another file would change what
 * is allowed, and approve what is refused, past the review of the header.
 */
export function checkRules(file: YamlFile, report: Report): void {
  const { tenant } = file.value;
  if (file.written.size === 0 || typeof tenant !== 'object' || tenant === null) return;
  for (const [name, value] of Object.entries(tenant)) {
    if (names.has(name)) continue;
    for (const pointer of leaves(value, jsonPointer('tenant', name))) {
      const reference = splitReferences(file.written.get(nodeAt(file, pointer)) ?? '').find(isReference);
      if (reference === undefined) continue;
      reportAt(report, locate(file, pointer).target, () => ({
        code: 'CONFIG_VARIABLE_IN_RULE',
        message: `"${name}" contains the reference ${reference.written}. A rule of the header is written without references, so that a review of the header shows it.`,
        hint: 'write the value itself; of the header, only "name" and "base_url" can contain references',
      }));
    }
  }
}

function* leaves(value: unknown, pointer: string): Generator<string> {
  if (typeof value !== 'object' || value === null) yield pointer;
  else for (const [name, member] of Object.entries(value)) yield* leaves(member, pointer + jsonPointer(name));
}

function isReference(part: Part): part is Reference {
  return typeof part === 'object' && part.from !== null;
}
