import type { WrittenFiles } from '../model/desired.ts';
import type { ApprovalEdit } from '../model/plan.generated.ts';
import { withLineFeeds } from '../values/line-ends.ts';
import { openEdits } from './edit-yaml.ts';
import { editHeader } from './header-edits.ts';
import { readWritten } from './source-tree.ts';
import { isList, isMapping } from './written-value.ts';

/** The edit of the files that approves a code, as people can make it by hand. */
export function approvalEdit(files: Pick<WrittenFiles, 'header' | 'yaml'>, code: string): ApprovalEdit {
  const { header, yaml } = files;
  // To edit a file takes longer than to load it, and the header is a small part of it.
  const part = header === null ? null : headerPart(yaml.get(header) ?? '');
  const isPart = header !== null && part !== null;
  const written = isPart ? { header, yaml: new Map([[header, part.text]]) } : files;
  const edit = editOf(written, code);
  return isPart ? { ...edit, line: edit.line + part.linesBefore } : edit;
}

/** The lines of the header alone; null if it is not written as a block of its own. */
function headerPart(text: string): { readonly text: string; readonly linesBefore: number } | null {
  const lines = text.split(/(?<=\n)/);
  const start = lines.findIndex((line) => /^tenant\s*:/.test(line));
  if (start < 0) return null;
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s#\]}]/.test(line));
  const part = lines.slice(start, length < 0 ? undefined : start + 1 + length).join('');
  const root = readWritten(part);
  return root !== null && isMapping(root) && Object.keys(root).length === 1 ? { text: part, linesBefore: start } : null;
}

function editOf(written: Pick<WrittenFiles, 'header' | 'yaml'>, code: string): ApprovalEdit {
  const edits = openEdits(written.yaml);
  const { file, created } = editHeader(written, edits, (header) => {
    const { approvals } = header;
    return { ...header, approvals: [...(approvals !== undefined && isList(approvals) ? approvals : []), code] };
  });
  if (created !== null) return { file, line: 1, change: 'create', replaces: 0, lines: linesOf(created) };
  const before = written.yaml.get(file) ?? '';
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
