// Edits of the header, in the file that has it. Pure: files come as texts.
import type { WrittenFiles } from '../model/desired.ts';
import { InternalError } from '../model/internal-error.ts';
import { valueAt } from '../values/json-pointer.ts';
import { diffValues } from './diff-values.ts';
import type { Edit } from './edits.ts';
import { printYaml } from './print-yaml.ts';
import { readWritten } from './source-tree.ts';
import { isMapping, type WrittenMapping } from './written-value.ts';

/** What the header becomes. */
export interface HeaderEdits {
  readonly edits: readonly (readonly [file: string, edits: readonly Edit[]])[];
  readonly create: { readonly file: string; readonly text: string } | null;
}

/** The file of a new header. */
export const headerFile = 'tenant.yaml';

/** Columns of new lines in flow style. */
const width = 100;

/**
 * Changes the header; files without one get it in a file of its own, or in a file that exists if that name is taken by
 * another text.
 */
export function headerEdits(
  { header, yaml }: Pick<WrittenFiles, 'header' | 'yaml'>,
  isTaken: (path: string, text: string) => boolean,
  change: (header: WrittenMapping) => WrittenMapping,
): HeaderEdits {
  if (header !== null) {
    const root = readWritten(yaml.get(header) ?? '');
    const before = root === null ? undefined : valueAt(root, '/tenant');
    if (before === undefined || !isMapping(before as WrittenMapping))
      throw new InternalError(`the header of ${header} is no mapping`);
    const edits = diffValues(before as WrittenMapping, change(before as WrittenMapping), { pointer: '/tenant' });
    return { edits: [[header, edits]], create: null };
  }
  const [first] = yaml.keys();
  const after = change({});
  const text = printYaml({ tenant: after }, { width });
  if (!isTaken(headerFile, text) || first === undefined) return { edits: [], create: { file: headerFile, text } };
  const file = yaml.has(headerFile) ? headerFile : first;
  return { edits: [[file, [{ op: 'insert', pointer: '', key: 'tenant', after: null, value: after }]]], create: null };
}
