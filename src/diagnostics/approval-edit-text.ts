import type { ApprovalEdit } from '../model/plan.generated.ts';

/** How the files approve a refusal, in words: `add this line at tenant.yaml:3`. The lines follow. */
export function approvalEditText({ file, line, change, replaces, lines }: ApprovalEdit): string {
  const these = lines.length === 1 ? 'this line' : `these ${lines.length} lines`;
  switch (change) {
    case 'create':
      return `create ${file} with ${these}`;
    case 'insert':
      return `add ${these} at ${file}:${line}`;
    case 'replace':
      return `replace ${replaces === 1 ? 'the line' : `${replaces} lines`} at ${file}:${line} with ${these}`;
  }
}
