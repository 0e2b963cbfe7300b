import type { AnyKind } from '../../model/kind.ts';
import type { Action, Finding, LeftOut, Plan, Refusal } from '../../model/plan.generated.ts';
import { openRefusals } from '../../model/refusals.ts';
import { groupBy } from '../../values/group-by.ts';
import { firstInNaturalOrder, inNaturalOrder } from '../../values/text-order.ts';
import { approvalFacts, approvalLines, approvalPlace, approvalText } from '../approval-facts.ts';
import { cutName, cutSentence, cutText } from '../cut-text.ts';
import type { ReportCommands } from '../report-commands.ts';
import { quantity, thousands } from '../wording.ts';
import { bareRow } from './bare-row.ts';
import { changeStatements, fullChangeText } from './change-text.ts';
import { findingItem, findingRow, findingsOf } from './findings.ts';
import { itemName, kindItem, kindRank, nounOf } from './items.ts';
import { statedText } from './part-lists.ts';
import { placeOf } from './places.ts';
import type { Fact, Row, SectionName, ViewSection, Weight } from './plan-view.ts';
import { undeclaredRemark, undeclaredRow, withoutUndeclared } from './undeclared.ts';

interface SectionParts {
  readonly weight?: Weight;
  readonly notes?: readonly Fact[];
}

export function section(
  name: SectionName,
  title: string,
  rows: readonly Row[],
  { weight = 'folded', notes = [] }: SectionParts = {},
): ViewSection {
  return { name, title, rows, weight, isFullOnly: false, notes };
}

/** Rows that the compact form leaves out are made when they are read: a tenant can have 100,000 items that are kept. */
function fullOnlySection<Part>(
  name: SectionName,
  title: string,
  parts: readonly Part[],
  rowsOf: (parts: readonly Part[]) => readonly Row[],
): ViewSection[] {
  if (parts.length === 0) return [];
  let rows: readonly Row[] | undefined;
  return [
    {
      ...section(name, title, []),
      isFullOnly: true,
      get rows() {
        rows ??= rowsOf(parts);
        return rows;
      },
    },
  ];
}

/** By kind, then by name as people sort names. */
export function sortedRows(rows: readonly Row[], kinds: readonly AnyKind[]): Row[] {
  return byKind(rows, kinds).flatMap(([, ofKind]) => inNaturalOrder(ofKind, ({ name }) => name));
}

function byKind<Of extends { readonly kind: string }>(items: readonly Of[], kinds: readonly AnyKind[]) {
  const rank = kindRank(kinds);
  return [...groupBy(items, ({ kind }) => kind)].sort(([one], [other]) => rank(one) - rank(other));
}

/** Rows with one reason come together, so that it is written once. */
export function findingRows(findings: readonly Finding[], kinds: readonly AnyKind[]): Row[] {
  const rows = sortedRows(
    findings.map((finding) => findingRow(finding, kinds)),
    kinds,
  );
  return [...groupBy(rows, ({ kind, sentence }) => JSON.stringify([kind, sentence])).values()].flat();
}

export function errorSection(plan: Pick<Plan, 'findings'>, kinds: readonly AnyKind[]): ViewSection {
  const rows = findingRows(findingsOf(plan, 'error'), kinds);
  return section('errors', 'Errors', rows, { weight: 'visible' });
}

/** What the compact form has as remarks, and sections that end every report of a plan. `shown` are fields of the header. */
export function lastSections(
  plan: Plan,
  kinds: readonly AnyKind[],
  kept: readonly Finding[],
  shown: ReadonlySet<string> = new Set(),
): ViewSection[] {
  const rules = findingsOf(plan, 'rule').filter(({ key }) => !shown.has(key));
  const unchecked = findingRows(findingsOf(plan, 'unchecked'), kinds);
  const notes = plan.complete
    ? []
    : [{ label: 'incomplete', text: 'apply refuses this plan; fix the cause and rerun' }];
  const secrets = findingsOf(plan, 'secret');
  const rowsOf = (findings: readonly Finding[]) => findingRows(findings, kinds);
  const keptRows = (findings: readonly Finding[]) => {
    const { undeclared, others } = withoutUndeclared(findings, kinds);
    return [...undeclared.map((one) => undeclaredRow(one, '=', 'notice')), ...rowsOf(others)];
  };
  const leftOutRows = (parts: readonly LeftOut[]) => parts.map((part) => leftOutRow(part, kinds));
  return [
    section('not-checked', 'Not checked', unchecked, { notes }),
    section('rules', 'Rules to check', findingRows(rules, kinds), { weight: 'visible' }),
    ...fullOnlySection('kept', 'Kept', kept, keptRows),
    ...fullOnlySection('secrets', 'Secrets that cannot be compared', secrets, rowsOf),
    ...fullOnlySection('left-out', leftOutTitle(plan), plan.left_out, leftOutRows),
  ];
}

function leftOutTitle({ selection }: Plan): string {
  return selection.changed === true
    ? 'Not checked, as it does not differ from the base'
    : 'Excluded by --only or --except';
}

/** For results that are not about the complete tenant. */
export function scopeText({ left_out, selection }: Pick<Plan, 'left_out' | 'selection'>): string {
  if (left_out.length === 0) return '';
  return selection.changed === true ? ' (changed items only)' : ' (selected items only)';
}

/** The most names in a sentence. */
const namedItems = 10;

/** One sentence each for what needs no action. */
export function remarksOf(plan: Plan, kinds: readonly AnyKind[], kept: readonly Finding[]): Fact[] {
  const secrets = findingsOf(plan, 'secret');
  const { undeclared, others } = withoutUndeclared(kept, kinds);
  return [
    ...undeclared.map(undeclaredRemark),
    ...(others.length === 0 ? [] : [{ label: keptText(others), text: namesText(others, kinds) }]),
    ...(secrets.length === 0
      ? []
      : [{ label: `${quantity(secrets.length, 'secret')} cannot be compared`, text: namesText(secrets, kinds) }]),
    ...(plan.left_out.length === 0 ? [] : [{ label: leftOutTitle(plan), text: leftOutText(plan.left_out, kinds) }]),
  ];
}

const whyKept: Readonly<Record<string, string>> = {
  LIVE_PROTECTED: 'protected',
  LIVE_UNDECLARABLE: 'cannot be declared',
  LIVE_UNMANAGED: 'unmanaged',
};

/** `2 items kept (protected)` */
function keptText(kept: readonly Finding[]): string {
  const reasons = [...groupBy(kept, ({ code }) => whyKept[code] ?? code)];
  const counted = reasons.map(([reason, of]) => (reasons.length === 1 ? reason : `${thousands(of.length)} ${reason}`));
  return `${quantity(kept.length, 'item')} kept (${counted.join(', ')})`;
}

function leftOutText(leftOut: readonly LeftOut[], kinds: readonly AnyKind[]): string {
  const notRead = leftOut.filter(({ what }) => what === 'not_read');
  const kindsNotRead = notRead.filter(({ key }) => key === '*').map(({ kind }) => nounOf(kind, kinds));
  const items = leftOut.length - notRead.length;
  const parts = [
    ...(items > 0 ? [quantity(items, 'change or finding', 'changes or findings')] : []),
    ...(kindsNotRead.length > 0 ? [`not read: ${[...new Set(kindsNotRead)].join(', ')}`] : []),
    ...(notRead.length > kindsNotRead.length
      ? [`${quantity(notRead.length - kindsNotRead.length, 'item')} not read`]
      : []),
  ];
  return parts.join('; ');
}

function namesText(findings: readonly Finding[], kinds: readonly AnyKind[]): string {
  const names = byKind(findings, kinds)
    .flatMap(([kind, ofKind]) => {
      const shown = ofKind.map(({ key }) => findingItem({ kind, key }, kinds).name);
      const { noun } = itemName(kind, '', kinds);
      return firstInNaturalOrder(shown, namedItems).map((name) => `${noun} ${cutText(name)}`);
    })
    .slice(0, namedItems);
  const rest = findings.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${thousands(rest)} more` : names.join(', ');
}

function leftOutRow({ kind, key, what }: LeftOut, kinds: readonly AnyKind[]): Row {
  const { noun, name } = key === '*' ? kindItem(kind, kinds) : itemName(kind, key, kinds);
  return bareRow({ sign: '=', kind, noun, name, what: what === 'not_read' ? 'not read' : cutName(what) });
}

const none: readonly never[] = [];

/** Refusals come first, with what to do. */
export function refusedSection(
  plan: Pick<Plan, 'refusals' | 'actions'>,
  kinds: readonly AnyKind[],
  commands?: ReportCommands,
): ViewSection {
  const refusals = openRefusals(plan.refusals);
  const [first] = refusals;
  return section(
    'refused',
    `Refused by ${quantity(refusals.length, 'guard')}`,
    refusals.map((refusal) => refusalRow(refusal, plan, kinds)),
    { weight: 'urgent', notes: first === undefined ? [] : approvalFacts(first, commands) },
  );
}

/** What the guards would refuse without its approval. */
export function approvedSection(plan: Pick<Plan, 'refusals' | 'actions'>, kinds: readonly AnyKind[]): ViewSection {
  const rows = plan.refusals.flatMap((refusal) => {
    const { code, approved_by: approval } = refusal;
    if (approval === null) return [];
    const why = approvalText(approval);
    const row = refusalRow(refusal, plan, kinds);
    const sentence = `${refusalSentence(refusal, kinds)}; ${why}`;
    const annotation = () => ({ level: 'notice', title: code, sentence, source: approval.source }) as const;
    return [{ ...row, sign: '=', sentence: why, annotation } as const];
  });
  return section('approved', `Approved: ${quantity(rows.length, 'refusal')}`, rows, { weight: 'visible' });
}

/** `rate limit policies: would delete 7 of 14 live items; the limit is 4`. */
export function refusalSentence({ kind, message }: Refusal, kinds: readonly AnyKind[]): string {
  return `${nounOf(kind, kinds)}: ${cutSentence(message)}`;
}

function refusalRow(refusal: Refusal, plan: Pick<Plan, 'actions'>, kinds: readonly AnyKind[]): Row {
  const { code, kind, message } = refusal;
  const names = refusedNames(refusal, plan, kinds);
  return bareRow({
    sign: 'x',
    kind,
    noun: itemName(kind, '', kinds).noun,
    name: '',
    names,
    what: `${code}: ${cutSentence(message)}`,
    annotation: () => ({
      level: 'error',
      title: code,
      sentence: refusalSentence(refusal, kinds),
      lines: approvalLines(refusal),
      source: approvalPlace(refusal),
    }),
  });
}

/** The items of a refusal, as rows name them. Two deleted items of one name have their ids as well. */
export function refusedNames(
  { kind, items }: Refusal,
  { actions }: Pick<Plan, 'actions'>,
  kinds: readonly AnyKind[],
): readonly string[] {
  const deleted = deletedById(actions, kind);
  const withoutId = (item: string) => {
    const end = item.lastIndexOf('#');
    const name = item.slice(0, Math.max(end, 0));
    return end !== -1 && name === `${kind}/${deleted.get(item.slice(end + 1))}` ? name : item;
  };
  const names = items.map((item) => refusedName(withoutId(item), kind, kinds));
  const sorted = inNaturalOrder(names, (name) => name);
  const repeated = new Set(sorted.filter((name, index) => name === sorted[index - 1]));
  if (repeated.size === 0) return sorted;
  const named = names.map((name, index) => (repeated.has(name) ? refusedName(items[index] ?? '', kind, kinds) : name));
  return inNaturalOrder(named, (name) => name);
}

/** The keys of deleted items by their ids: refusals name such an item with both. */
function deletedById(actions: readonly Action[], kind: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const { kind: own, key, action, request } of actions)
    if (own === kind && action === 'delete') keys.set(request.path.slice(request.path.lastIndexOf('/') + 1), key);
  return keys;
}

/** Items of a refusal are named `roles/Support#read:orders of …`. */
function refusedName(item: string, kind: string, kinds: readonly AnyKind[]): string {
  return item.startsWith(`${kind}/`) ? itemName(kind, item.slice(kind.length + 1), kinds).name : cutName(item);
}

/** What the files change about what a plan may do: it leads every report. */
export function headerSection(
  { base, findings }: Pick<Plan, 'base' | 'findings'>,
  kinds: readonly AnyKind[],
): ViewSection {
  const { header = [], sections = [] } = base ?? {};
  const fields = header.map((change) => {
    const { field, source } = change;
    const { what, long } = statedText(changeStatements([{ ...change, field: '' }]), none);
    const rule = findings.find(({ kind, key }) => kind === 'tenant' && key === field);
    const sentence = rule === undefined ? null : `${rule.code}: ${cutSentence(rule.message)}`;
    return bareRow({
      sign: '!',
      kind: 'tenant',
      noun: 'header',
      name: cutName(field),
      what,
      long,
      sentence,
      place: placeOf(source),
      source,
      origin: 'change',
      details: [{ label: 'differs', text: fullChangeText(change) }],
      annotation: () => ({
        level: 'warning',
        title: 'header',
        sentence: `header ${cutName(field)} changes: ${what}${sentence === null ? '' : `; ${sentence}`}`,
        source,
      }),
    });
  });
  const appearing = sections.map(({ kind, change }) => {
    const isNew = change === 'added';
    const what = isNew
      ? `is new: ${nounOf(kind, kinds)} become managed`
      : `is gone: ${nounOf(kind, kinds)} are not managed any more`;
    return bareRow({
      sign: '!',
      kind,
      noun: 'section',
      name: cutName(kind),
      what,
      origin: 'change',
      annotation: () => ({
        level: isNew ? 'notice' : 'warning',
        title: 'section',
        sentence: `section ${cutName(kind)} ${what}`,
        source: null,
      }),
    });
  });
  return section('header', 'Changed rules', [...fields, ...appearing], { weight: 'urgent' });
}

export function isFilled(section: ViewSection): boolean {
  return section.isFullOnly || section.rows.length > 0 || section.notes.length > 0;
}
