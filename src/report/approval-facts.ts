import { approvalEditText } from '../diagnostics/approval-edit-text.ts';
import type { Source } from '../model/diagnostic.ts';
import type { Approval, Refusal } from '../model/plan.generated.ts';
import { cutHint, cutName } from './cut-text.ts';
import { noCommands, type ReportCommands } from './report-commands.ts';
import type { Fact } from './view/plan-view.ts';

/** `approved by tenant.approvals (tenant.yaml:7)`. */
export function approvalText({ by, source }: Approval): string {
  return `approved by ${by}${source === null ? '' : ` (${source.file}:${source.line})`}`;
}

/** Where the files approve a refused plan: a line that they have; null if the file is new. */
export function approvalPlace({ approve_in }: Pick<Refusal, 'approve_in'>): Source | null {
  if (approve_in === null || approve_in.change === 'create') return null;
  const { file, line, change } = approve_in;
  return { file, line: change === 'insert' ? Math.max(1, line - 1) : line, column: 1 };
}

/** How the files approve a refused plan, with the lines to copy. */
export function approvalLines({ approve, approve_in }: Pick<Refusal, 'approve' | 'approve_in'>): string[] {
  if (approve_in === null) return [`To approve, add ${cutName(approve)} to tenant.approvals.`];
  return [`To approve, ${cutName(approvalEditText(approve_in))}:`, ...approve_in.lines.map(cutHint)];
}

/** How a refused plan is approved: first in the files, where it is reviewed, then on the command line. */
export function approvalFacts(
  { approve, approve_in }: Pick<Refusal, 'approve' | 'approve_in'>,
  commands: ReportCommands = noCommands,
): Fact[] {
  const code = cutName(approve);
  const command = commands.approve(approve);
  const option: Fact =
    command === null
      ? { label: 'or', text: `add --approve ${code} to apply` }
      : { label: 'or run', text: cutHint(command), code: 'command' };
  if (approve_in === null)
    return [{ label: 'To approve', text: `add ${code} to tenant.approvals in the files` }, option];
  return [
    { label: 'To approve', text: cutName(approvalEditText(approve_in)) },
    ...approve_in.lines.map((line): Fact => ({ label: 'write', text: cutHint(line), code: 'line' })),
    option,
  ];
}
