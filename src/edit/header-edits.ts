// Edits of the header, in the file that has it.
import type { WrittenFiles } from '../model/desired.ts';
import type { ProjectText } from '../model/file-source.ts';
import { InternalError } from '../model/internal-error.ts';
import type { ApprovalEdit } from '../model/plan.generated.ts';
import { memberOf } from '../values/json-pointer.ts';
import { withLineFeeds } from '../values/line-ends.ts';
import { type FileEdits, openEdits } from './edit-yaml.ts';
import { addInsert, revise } from './edits.ts';
import { printYaml } from './print-yaml.ts';
import { isList, isMapping, type WrittenMapping, type WrittenValue } from './written-value.ts';

/** The file of a new header. */
export function headerFileOf({ at = '' }: { readonly at?: string }): string {
  return `${at}tenant.yaml`;
}

type HeaderFiles = Pick<WrittenFiles, 'at' | 'header' | 'yaml' | 'project'>;

/** Changes the header; files without one get it in a file of its own. Returns the file, and its text if it is new. */
export function editHeader(
  { at, header, yaml }: HeaderFiles,
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
  const file = headerFileOf({ at });
  if (!yaml.has(file)) return { file, created: printYaml({ tenant: after }) };
  addInsert(edits.at(file, ''), null, { key: 'tenant', value: after });
  return { file, created: null };
}

/** The edit of the project that approves a code for these tenants. */
function projectApprovalEdit({ file, text }: ProjectText, code: string, tenants: readonly string[]): ApprovalEdit {
  const edits = openEdits(new Map([[file, text]]));
  const before = edits.tree(file).written as WrittenMapping;
  const { approvals = [] } = before;
  revise(edits.at(file, ''), before, before, {
    ...before,
    approvals: [...(isList(approvals) ? approvals : []), { code, tenants }],
  });
  return { file, ...changedLines(linesOf(text), linesOf(edits.texts().get(file) ?? text)) };
}

/** The edit of the files that approves a code, as people can make it by hand. */
export function approvalEdit(files: HeaderFiles, code: string): ApprovalEdit {
  const { project } = files;
  if (project !== undefined) return projectApprovalEdit(project.file, code, [project.tenant]);
  const edits = openEdits(files.yaml);
  const { file, created } = editHeader(files, edits, (header) => {
    const { approvals } = header;
    return { ...header, approvals: [...(approvals !== undefined && isList(approvals) ? approvals : []), code] };
  });
  if (created !== null) return { file, line: 1, change: 'create', replaces: 0, lines: linesOf(created) };
  const before = files.yaml.get(file) ?? '';
  return { file, ...changedLines(linesOf(before), linesOf(edits.texts().get(file) ?? before)) };
}

/** The only lines in which two texts differ. */
function changedLines(before: readonly string[], after: readonly string[]): Omit<ApprovalEdit, 'file'> {
  const isSame = (fromStart: number) => before[fromStart] === after[fromStart];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isSame(start)) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const replaces = before.length - end - start;
  const lines = after.slice(start, after.length - end);
  return { line: start + 1, change: replaces === 0 ? 'insert' : 'replace', replaces, lines };
}

function linesOf(text: string): string[] {
  const lines = withLineFeeds(text).split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
