import type { WrittenFiles } from '../model/desired.ts';
import { InternalError } from '../model/internal-error.ts';
import { memberOf } from '../values/json-pointer.ts';
import type { FileEdits } from './edit-yaml.ts';
import { addInsert, revise } from './edits.ts';
import { printYaml } from './print-yaml.ts';
import { isMapping, type WrittenMapping, type WrittenValue } from './written-value.ts';

/** The file of a new header. */
export const headerFile = 'tenant.yaml';

/** Changes the header; files without one get it in a file of its own. Returns the file, and its text if it is new. */
export function editHeader(
  { header, yaml }: Pick<WrittenFiles, 'header' | 'yaml'>,
  edits: FileEdits,
  change: (header: WrittenMapping) => WrittenMapping,
): { readonly file: string; readonly created: string | null } {
  if (header !== null) {
    const before = memberOf(edits.tree(header).written, 'tenant') as WrittenValue | undefined;
    if (before === undefined || !isMapping(before)) throw new InternalError(`the header of ${header} is no mapping`);
    revise(edits.at(header, '/tenant'), before, before, change(before));
    return { file: header, created: null };
  }
  const after = change({});
  if (!yaml.has(headerFile)) return { file: headerFile, created: printYaml({ tenant: after }) };
  addInsert(edits.at(headerFile, ''), null, { key: 'tenant', value: after });
  return { file: headerFile, created: null };
}
