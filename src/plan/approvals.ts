import type { Approval } from '../model/plan.generated.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import type { Rules } from './rules.ts';

/** What approves a code: the files, or the option of the run; null if neither has it. */
export function approvalOf(code: string, { header, at }: Rules, option: string | undefined): Approval | null {
  const index = header.approvals?.indexOf(code) ?? -1;
  if (index >= 0) return { by: 'tenant.approvals', source: at(jsonPointer('approvals', index)) };
  return code === option ? { by: '--approve', source: null } : null;
}
