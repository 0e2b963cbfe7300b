import { approvalEditText } from '../../diagnostics/approval-edit-text.ts';
import type { Source } from '../../model/diagnostic.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Approval, Plan, Refusal } from '../../model/plan.generated.ts';
import { openRefusals } from '../../model/refusals.ts';
import { inNaturalOrder } from '../../values/text-order.ts';
import { cutHint, cutName, cutSentence, quantity } from '../wording.ts';
import { itemName } from './items.ts';
import { bareRow, type Fact, type Row, section, type ViewSection } from './plan-view.ts';

/** Refusals come first, with what to do; then what the guards would refuse without its approval. */
export function refusalSections(plan: Pick<Plan, 'refusals'>, kinds: readonly AnyKind[]): ViewSection[] {
  const open = openRefusals(plan.refusals);
  const approved = plan.refusals.filter((refusal) => !open.includes(refusal));
  const rows = (refusals: readonly Refusal[]) => refusals.map((refusal) => refusalRow(refusal, kinds));
  const notes = open.slice(0, 1).flatMap(approvalFacts);
  return [
    section('refused', rows(open), { title: `Refused by ${quantity(open.length, 'guard')}`, notes }),
    section('approved', rows(approved), { title: `Approved: ${quantity(approved.length, 'refusal')}` }),
  ];
}

function refusalRow(refusal: Refusal, kinds: readonly AnyKind[]): Row {
  const { code, kind, items, message, approved_by: approval } = refusal;
  const row = {
    kind,
    ...itemName(kind, '*', kinds),
    name: '',
    names: inNaturalOrder(
      items.map((item) => refusedName(item, kind, kinds)),
      (name) => name,
    ),
    what: `${code}: ${cutSentence(message)}`,
  };
  if (approval !== null) {
    const { source } = approval;
    return bareRow({
      ...row,
      sign: '=',
      sentence: approvalText(approval),
      source,
      annotation: { level: 'notice', code },
    });
  }
  const [edit, ...others] = editFacts(refusal);
  const lines = [`${edit.label}, ${edit.text}${others.length === 0 ? '.' : ':'}`, ...others.map(({ text }) => text)];
  const annotation = { level: 'error', code, lines } as const;
  return bareRow({ ...row, sign: 'x', source: approvalPlace(refusal), annotation });
}

/**
 * Items of a refusal are named `roles/Support#read:orders of …`, and a deleted one with its id,
 * `policies/client_id:app#rlp_1`: two live items may have one name.
 */
function refusedName(item: string, kind: string, kinds: readonly AnyKind[]): string {
  return item.startsWith(`${kind}/`) ? itemName(kind, item.slice(kind.length + 1), kinds).name : cutName(item);
}

/** `approved by tenant.approvals (tenant.yaml:7)`. */
function approvalText({ by, source }: Approval): string {
  return `approved by ${by}${source === null ? '' : ` (${source.file}:${source.line})`}`;
}

/** Where the files approve a refused plan: a line that they have; null if the file is new. */
function approvalPlace({ approve_in }: Pick<Refusal, 'approve_in'>): Source | null {
  if (approve_in === null || approve_in.change === 'create') return null;
  const { file, line, change } = approve_in;
  return { file, line: change === 'insert' ? Math.max(1, line - 1) : line, column: 1 };
}

/** How the files approve a refused plan, with the lines to copy. */
function editFacts({ approve, approve_in }: Pick<Refusal, 'approve' | 'approve_in'>): readonly [Fact, ...Fact[]] {
  const edit = approve_in === null ? `add ${approve} to tenant.approvals` : approvalEditText(approve_in);
  const lines = approve_in?.lines ?? [];
  return [
    { label: 'To approve', text: cutName(edit) },
    ...lines.map((line): Fact => ({ label: 'write', text: cutHint(line), code: 'line' })),
  ];
}

/** How a refused plan is approved: first in the files, where it is reviewed, then on the command line. */
function approvalFacts(refusal: Refusal): Fact[] {
  return [...editFacts(refusal), { label: 'or', text: `add --approve ${cutName(refusal.approve)} to apply` }];
}
