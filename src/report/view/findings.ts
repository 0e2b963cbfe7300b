import { approvalEditText } from '../../diagnostics/approval-edit-text.ts';
import type { Source } from '../../model/diagnostic.ts';
import { type FindingTraits, findingTraits, undeclaredRemedies } from '../../model/findings.ts';
import type { KnownKind } from '../../model/kind.ts';
import type { Finding, HeaderChange, Plan, Refusal, SectionChange } from '../../model/plan.generated.ts';
import { openRefusals } from '../../model/refusals.ts';
import { groupBy } from '../../values/group-by.ts';
import { parseSelector } from '../../values/selector.ts';
import { inNaturalOrder } from '../../values/text-order.ts';
import { approverName, cutHint, cutName, cutSentence, cutText, quantity, shortList, thousands } from '../wording.ts';
import { byKind, type ItemName, itemName, kindName, notInFiles, nounOf, placeOf, sorted } from './items.ts';
import { type Fact, type Level, Row, type SectionName } from './plan-view.ts';
import { changeStatements, fullChangeText, statedText } from './statements.ts';

/** `unsent` is a secret that the change takes from another variable, and that apply does not send. */
export type FindingClass = FindingTraits['about'] | 'unsent';

/** How an annotation shows a severity. */
const levelOf: Readonly<Record<Finding['severity'], Level>> = { note: 'notice', warning: 'warning', error: 'error' };
/** What has no section is a remark. */
const sections: Readonly<Partial<Record<FindingClass, SectionName>>> = {
  error: 'errors',
  difference: 'not-fixable',
  unsent: 'unsent',
  unchecked: 'not-checked',
  rule: 'rules',
};

export function findingsOf({ findings }: Pick<Plan, 'findings'>, ...wanted: readonly FindingClass[]): Finding[] {
  return findings.filter((finding) => wanted.includes(classOf(finding)));
}

export function classOf(finding: Finding): FindingClass {
  if (finding.severity === 'error') return 'error';
  const { about } = findingTraits(finding);
  return about === 'secret' && finding.changes !== undefined ? 'unsent' : about;
}

/** Rows with one reason come together, so that it is written once. */
export function findingRows(findings: readonly Finding[], kinds: readonly KnownKind[]): Row[] {
  const rows = findings.flatMap((finding) => {
    const section = sections[classOf(finding)];
    return section === undefined ? [] : findingRow(finding, section, kinds);
  });
  const byReason = groupBy(sorted(rows, kinds), ({ kind, sentence }) => JSON.stringify([kind, sentence]));
  return [...byReason.values()].flat();
}

export function findingRow(finding: Finding, section: SectionName, kinds: readonly KnownKind[]): Row {
  const { code, message, changes = [], origin, source, severity } = finding;
  const traits = findingTraits(finding);
  const isUndeclared = source === null && traits.live === 'undeclared';
  return new Row({
    section,
    ...itemName(finding, kinds),
    what: statedText(changeStatements(changes)),
    sentence: `${code}: ${cutSentence(message)}`,
    place: isUndeclared ? notInFiles : placeOf(source),
    source,
    // Nothing is done about what is kept.
    origin: classOf(finding) === 'kept' ? null : origin,
    details: () => changes.map((change) => ({ label: 'differs', text: fullChangeText(change) })),
    annotation: { level: levelOf[severity], code },
  });
}

const undeclaredCode = 'LIVE_UNDECLARED';

/** Of what the files do not declare, and what stays, a report has one line for each kind. */
export function isUndeclared({ code }: Finding): boolean {
  return code === undeclaredCode;
}

/** `+ role  3 not declared`, and below it their names and what can be done. */
export function undeclaredRow(kind: string, findings: readonly Finding[], kinds: readonly KnownKind[]): Row {
  const names = findings.map((finding) => itemName(finding, kinds).name);
  const sortedNames = inNaturalOrder(names, (name) => name);
  return new Row({
    section: 'undeclared',
    ...kindName(kind, kinds),
    names: shortList(sortedNames, mostNames).map((name) => cutText(name)),
    what: `${thousands(findings.length)} not declared`,
    sentence: `${undeclaredCode}: ${cutSentence(undeclaredRemedies(kind))}`,
    annotation: { level: 'warning', code: undeclaredCode },
  });
}

export function incompleteNotes({ complete }: Plan, why = ''): Fact[] {
  return complete ? [] : [{ label: 'incomplete', text: `${why}fix the cause and rerun` }];
}

/** What needs no action: what is kept, what cannot be compared, and what the selection excludes. */
export function remarksOf(plan: Plan, kept: readonly Finding[], kinds: readonly KnownKind[]): Fact[] {
  const secrets = findingsOf(plan, 'secret');
  const excluded = 'Excluded by --only or --except';
  const why = plan.selection.changed === true ? 'Not checked because unchanged since the base' : excluded;
  const named = (label: string, items: readonly Pick<Finding, 'kind' | 'key'>[], selected?: ReadonlySet<string>) =>
    items.length === 0 ? [] : [{ label, text: namesText(items, kinds, selected) }];
  const byCode = groupBy(
    kept.filter((finding) => !isUndeclared(finding)),
    ({ code }) => code,
  );
  return [
    ...byKind(kept.filter(isUndeclared), kinds).map(([kind, ofKind]) => {
      const { noun, names } = undeclaredRow(kind, ofKind, kinds);
      const counted = quantity(ofKind.length, noun, nounOf(kind, kinds));
      const text = `${counted} (${names.join(', ')}); ${cutSentence(undeclaredRemedies(kind))}`;
      return { label: 'On the tenant, but not declared', text };
    }),
    ...[...byCode].flatMap(([code, of]) => named(`${quantity(of.length, 'item')} kept (${whyKept[code] ?? code})`, of)),
    ...named(`${quantity(secrets.length, 'secret')} cannot be compared`, secrets),
    ...named(
      why,
      plan.left_out,
      new Set([...plan.actions, ...plan.selection.only.map(parseSelector)].map(({ kind }) => kind)),
    ),
  ];
}

/** The most names in a sentence. */
const mostNames = 10;

const whyKept: Readonly<Record<string, string>> = {
  LIVE_PROTECTED: 'protected',
  LIVE_UNDECLARABLE: 'cannot be declared',
  LIVE_UNMANAGED: 'unmanaged',
};

/** `all prompts, all other APIs, role Owner, role Support, and 12 more`: entire kinds first, also the rest of those selected. */
function namesText(
  items: readonly Pick<Finding, 'kind' | 'key'>[],
  kinds: readonly KnownKind[],
  selected: ReadonlySet<string> = new Set(),
): string {
  const named = sorted(
    items.map((item) => itemName(item, kinds)),
    kinds,
  );
  const entire = named.filter(({ key }) => key === '*');
  const all = entire.map(({ kind, name }) => (selected.has(kind) ? name.replace('all ', 'all other ') : name));
  const isNamed = ({ kind }: ItemName) => !entire.some((one) => one.kind === kind);
  const others = named.filter(isNamed).map(({ noun, name }) => `${noun} ${cutText(name)}`);
  const names = [...new Set([...all, ...others])];
  const rest = names.slice(mostNames).length;
  return [...names.slice(0, mostNames), ...(rest > 0 ? [`and ${thousands(rest)} more`] : [])].join(', ');
}

/** What the files change about what a plan may do: it leads every report. */
export function headerRows({ base, findings }: Pick<Plan, 'base' | 'findings'>, kinds: readonly KnownKind[]): Row[] {
  const { header = [], sections: appearing = [] } = base ?? {};
  return [
    ...header.map((change) => headerRow(change, findings)),
    ...appearing.map((change) => appearingRow(change, kinds)),
  ];
}

function headerRow(change: HeaderChange, findings: readonly Finding[]): Row {
  const { field, source } = change;
  const rule = findings.find(({ kind, key }) => kind === 'tenant' && key === field);
  return new Row({
    section: 'header',
    kind: 'tenant',
    key: field,
    noun: 'header',
    name: cutName(field),
    what: statedText(changeStatements([{ ...change, field: '' }])),
    sentence: rule === undefined ? null : `${rule.code}: ${cutSentence(rule.message)}`,
    place: placeOf(source),
    source,
    origin: 'change',
    details: () => [{ label: 'differs', text: fullChangeText(change) }],
    annotation: { level: 'warning', code: 'plan/header', says: 'changes' },
  });
}

function appearingRow({ kind, change }: SectionChange, kinds: readonly KnownKind[]): Row {
  const noun = nounOf(kind, kinds);
  const isNew = change === 'added';
  return new Row({
    section: 'header',
    kind,
    key: '*',
    noun: 'section',
    name: cutName(kind),
    what: isNew ? `is new: ${noun} become managed` : `is gone: ${noun} are not managed any more`,
    origin: 'change',
    annotation: { level: isNew ? 'notice' : 'warning', code: 'plan/section', says: 'what' },
  });
}

/** What a guard refuses, or would refuse without its approval. */
export function refusalRow(refusal: Refusal, kinds: readonly KnownKind[]): Row {
  const { code, kind, items, message, approved_by: approval } = refusal;
  const names = items.map((item) => refusedName(item, kind, kinds));
  const row = {
    ...kindName(kind, kinds),
    names: inNaturalOrder(names, (name) => name),
    what: `${code}: ${cutSentence(message)}`,
  };
  if (approval !== null) {
    const { by, source } = approval;
    const sentence = `approved by ${approverName(by)}${source === null ? '' : ` (${source.file}:${source.line})`}`;
    return new Row({ ...row, section: 'approved', sentence, source, annotation: { level: 'notice', code } });
  }
  const [edit, ...others] = editFacts(refusal);
  const lines = [`${edit.label}, ${edit.text}${others.length === 0 ? '.' : ':'}`, ...others.map(({ text }) => text)];
  return new Row({
    ...row,
    section: 'refused',
    source: approvalPlace(refusal),
    annotation: { level: 'error', code, lines },
  });
}

/**
 * Items of a refusal are named `roles/Support#read:orders of …`, and a deleted one with its id,
 * `policies/client_id:app#rlp_1`: two live items may have one name.
 */
function refusedName(item: string, kind: string, kinds: readonly KnownKind[]): string {
  return item.startsWith(`${kind}/`) ? itemName({ kind, key: item.slice(kind.length + 1) }, kinds).name : cutName(item);
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
export function approvalFacts({ refusals }: Pick<Plan, 'refusals'>): Fact[] {
  const [refusal] = openRefusals(refusals);
  if (refusal === undefined) return [];
  return [...editFacts(refusal), { label: 'or', text: `add --approve ${cutName(refusal.approve)} to apply` }];
}
