import type { WrittenFiles } from '../model/desired.ts';
import { InternalError } from '../model/internal-error.ts';
import { memberOf } from '../values/json-pointer.ts';
import type { FileEdits } from './edit-yaml.ts';
import { addInsert } from './edits.ts';
import { printYaml } from './print-yaml.ts';
import { revise } from './revise.ts';
import { isMapping, type WrittenMapping, type WrittenValue } from './written-value.ts';

/** The file of a new header. */
export const headerFile = 'tenant.yaml';

/**
 * Changes the header; files without one get it in a file of its own, or in a file that exists if that name is taken by
 * another text. Returns the file, and its text if it is new.
 */
export function editHeader(
  { header, yaml }: Pick<WrittenFiles, 'header' | 'yaml'>,
  edits: FileEdits,
  isTaken: (path: string, text: string) => boolean,
  change: (header: WrittenMapping) => WrittenMapping,
): { readonly file: string; readonly created: string | null } {
  if (header !== null) {
    const before = memberOf(edits.tree(header).written, 'tenant') as WrittenValue | undefined;
    if (before === undefined || !isMapping(before)) throw new InternalError(`the header of ${header} is no mapping`);
    revise(edits.at(header, '/tenant'), before, before, change(before));
    return { file: header, created: null };
  }
  const [first] = yaml.keys();
  const after = change({});
  const text = printYaml({ tenant: after });
  if (!isTaken(headerFile, text) || first === undefined) return { file: headerFile, created: text };
  const file = yaml.has(headerFile) ? headerFile : first;
  addInsert(edits.at(file, ''), null, { key: 'tenant', value: after });
  return { file, created: null };
}
