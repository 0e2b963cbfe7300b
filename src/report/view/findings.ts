import { approvalEditText } from '../../diagnostics/approval-edit-text.ts';
import type { Source } from '../../model/diagnostic.ts';
import { type FindingTraits, findingTraits, undeclaredRemedies } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Approval, Finding, Plan, Refusal } from '../../model/plan.generated.ts';
import { openRefusals } from '../../model/refusals.ts';
import { groupBy } from '../../values/group-by.ts';
import { inNaturalOrder } from '../../values/text-order.ts';
import { cutHint, cutName, cutSentence, cutText, quantity, shortList, thousands } from '../wording.ts';
import { itemName, kindRank, notInFiles, nounOf, placeOf } from './items.ts';
import { type Fact, type Level, Row, type Sign, section, type ViewSection } from './plan-view.ts';
import { changeStatements, fullChangeText, statedText } from './statements.ts';

/** `unsent` is a secret that the change takes from another variable, and that apply does not send. */
export type FindingClass = FindingTraits['about'] | 'unsent';

/** How an annotation shows a severity. */
const levelOf: Readonly<Record<Finding['severity'], Level>> = { note: 'notice', warning: 'warning', error: 'error' };
const signs: Readonly<Record<FindingClass, Sign>> = {
  error: 'x',
  difference: '!',
  kept: '=',
  secret: '?',
  unsent: '!',
  unchecked: '?',
  rule: '!',
};

export function findingsOf({ findings }: Pick<Plan, 'findings'>, wanted: FindingClass): Finding[] {
  return findings.filter((finding) => classOf(finding) === wanted);
}

export function classOf(finding: Finding): FindingClass {
  if (finding.severity === 'error') return 'error';
  const { about } = findingTraits(finding);
  return about === 'secret' && finding.changes !== undefined ? 'unsent' : about;
}

export function findingRow(finding: Finding, kinds: readonly AnyKind[], sign: Sign = signs[classOf(finding)]): Row {
  const { kind, code, message, changes = [], origin, source, severity } = finding;
  const isUndeclared = source === null && findingTraits(finding).live === 'undeclared';
  return new Row({
    sign,
    kind,
    ...itemName(finding, kinds),
    ...statedText(changeStatements(changes)),
    sentence: `${code}: ${cutSentence(message)}`,
    place: isUndeclared ? notInFiles : placeOf(source),
    source,
    // Nothing is done about what is kept.
    origin: classOf(finding) === 'kept' ? null : origin,
    details: () => changes.map((change) => ({ label: 'differs', text: fullChangeText(change) })),
    annotation: { level: levelOf[severity], code },
  });
}

/** What the files do not declare of a kind, and what stays: a report has one line for all of it. */
export interface Undeclared {
  readonly kind: string;
  readonly count: number;
  /** `3 roles` */
  readonly counted: string;
  /** Texts: the first ones, and the number of the others. */
  readonly names: readonly string[];
  /** What can be done. */
  readonly remedies: string;
}

const undeclaredCode = 'LIVE_UNDECLARED';
const mostNames = 10;

/** Undeclared items by kind, in the order of the kinds, and all other findings. */
export function withoutUndeclared(
  findings: readonly Finding[],
  kinds: readonly AnyKind[],
): { readonly undeclared: readonly Undeclared[]; readonly others: readonly Finding[] } {
  const rank = kindRank(kinds);
  const found = findings.filter(({ code }) => code === undeclaredCode);
  const byKind = [...groupBy(found, ({ kind }) => kind)].sort(([one], [other]) => rank(one) - rank(other));
  return {
    undeclared: byKind.map(([kind, ofKind]) => undeclaredOf(kind, ofKind, kinds)),
    others: findings.filter(({ code }) => code !== undeclaredCode),
  };
}

function undeclaredOf(kind: string, findings: readonly Finding[], kinds: readonly AnyKind[]): Undeclared {
  const all = findings.map((finding) => itemName(finding, kinds).name);
  const sorted = inNaturalOrder(all, (name) => name);
  return {
    kind,
    count: all.length,
    counted: quantity(all.length, itemName({ kind, key: '*' }, kinds).noun, nounOf(kind, kinds)),
    names: shortList(sorted, mostNames).map((name) => cutText(name)),
    remedies: cutSentence(undeclaredRemedies(kind)),
  };
}

/** `+ role  3 not declared`, and below it their names and what can be done. */
export function undeclaredRow(undeclared: Undeclared, kinds: readonly AnyKind[]): Row {
  const { kind, count, names, remedies } = undeclared;
  return new Row({
    sign: '+',
    kind,
    ...itemName({ kind, key: '*' }, kinds),
    name: '',
    names,
    what: `${thousands(count)} not declared`,
    sentence: `${undeclaredCode}: ${remedies}`,
    annotation: { level: 'warning', code: undeclaredCode },
  });
}

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
    ...itemName({ kind, key: '*' }, kinds),
    name: '',
    names: inNaturalOrder(
      items.map((item) => refusedName(item, kind, kinds)),
      (name) => name,
    ),
    what: `${code}: ${cutSentence(message)}`,
  };
  if (approval !== null) {
    const { source } = approval;
    return new Row({
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
  return new Row({ ...row, sign: 'x', source: approvalPlace(refusal), annotation });
}

/**
 * Items of a refusal are named `roles/Support#read:orders of …`, and a deleted one with its id,
 * `policies/client_id:app#rlp_1`: two live items may have one name.
 */
function refusedName(item: string, kind: string, kinds: readonly AnyKind[]): string {
  return item.startsWith(`${kind}/`) ? itemName({ kind, key: item.slice(kind.length + 1) }, kinds).name : cutName(item);
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
