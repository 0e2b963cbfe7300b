import { findingTraits } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Finding, Plan } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { inNaturalOrder } from '../../values/text-order.ts';
import { cutName, cutSentence, cutText, quantity, shortList } from '../wording.ts';
import { classOf, findingRow, findingsOf, withoutUndeclared } from './findings.ts';
import { itemName, kindRank, nounOf, placeOf } from './items.ts';
import { emptyView, type PlanView, Row, section, type ViewSection } from './plan-view.ts';
import { changeStatements, fullChangeText, statedText } from './statements.ts';

/** A view of a plan, its drift or its outcomes; `own` is what only this one has. */
export function viewOf(
  { tenant, selection, base, left_out }: Plan,
  folder: string | undefined,
  own: Pick<PlanView, 'name' | 'headline' | 'sections'> & Partial<PlanView>,
): PlanView {
  // What differs from the base can be thousands of items, and is what the report is about. A changed header selects all.
  const changed = left_out.length === 0 ? '' : 'what differs from the base; unchanged items were not checked';
  const facts = [
    { label: 'files', text: folder ?? '' },
    { label: 'only', text: selection.changed ? changed : selection.only.join(', ') },
    { label: 'except', text: selection.except.join(', ') },
    { label: 'rotate', text: selection.rotate.join(', ') },
    { label: 'api', text: tenant.api === 'full' ? '' : tenant.api },
    { label: 'base', text: base === null ? '' : baseText(base) },
  ];
  return {
    tenant: { name: cutName(tenant.name), baseUrl: cutName(tenant.base_url) },
    ...emptyView,
    facts: facts.filter(({ text }) => text !== '').map(({ label, text }) => ({ label, text: cutName(text) })),
    ...own,
    sections: own.sections.filter(({ rows, notes }) => rows.length > 0 || notes.length > 0),
  };
}

function baseText({ ref, commit, behind }: NonNullable<Plan['base']>): string {
  return `${ref} at ${commit.slice(0, 12)}${behind ? ', and has newer changes' : ''}`;
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
  const rows = findings.map((finding) => findingRow(finding, kinds));
  const byReason = groupBy(sortedRows(rows, kinds), ({ kind, sentence }) => JSON.stringify([kind, sentence]));
  return [...byReason.values()].flat();
}

export function errorSection(plan: Pick<Plan, 'findings'>, kinds: readonly AnyKind[]): ViewSection {
  return section('errors', findingRows(findingsOf(plan, 'error'), kinds));
}

/** What ends every report of a plan. `header` has the rules that are shown already. */
export function endOf(
  plan: Plan,
  kinds: readonly AnyKind[],
  kept: readonly Finding[],
  header?: ViewSection,
): Pick<PlanView, 'sections' | 'remarks'> {
  const { left_out: leftOut } = plan;
  const notes = [{ label: 'incomplete', text: 'apply refuses this plan; fix the cause and rerun' }];
  const shown = new Set(header?.rows.filter(({ kind }) => kind === 'tenant').map(({ key }) => key));
  const rules = findingsOf(plan, 'rule').filter(({ key }) => !shown.has(key));
  const secrets = findingsOf(plan, 'secret');
  const { undeclared, others } = withoutUndeclared(kept, kinds);
  const excluded = 'Excluded by --only or --except';
  const title = plan.selection.changed === true ? 'Not checked because unchanged since the base' : excluded;
  const named = (label: string, items: readonly Pick<Finding, 'kind' | 'key'>[]) =>
    items.length === 0 ? [] : [{ label, text: namesText(items, kinds) }];
  return {
    sections: [
      section('not-checked', findingRows(findingsOf(plan, 'unchecked'), kinds), { notes: plan.complete ? [] : notes }),
      section('rules', findingRows(rules, kinds)),
    ],
    remarks: [
      ...undeclared.map(({ counted, names, remedies }) => ({
        label: 'On the tenant, but not declared',
        text: `${counted} (${names.join(', ')}); ${remedies}`,
      })),
      ...[...groupBy(others, ({ code }) => code)].flatMap(([code, of]) =>
        named(`${quantity(of.length, 'item')} kept (${whyKept[code] ?? code})`, of),
      ),
      ...named(`${quantity(secrets.length, 'secret')} cannot be compared`, secrets),
      ...named(title, leftOut),
    ],
  };
}

/** The most names in a sentence. */
const mostNames = 10;

const whyKept: Readonly<Record<string, string>> = {
  LIVE_PROTECTED: 'protected',
  LIVE_UNDECLARABLE: 'cannot be declared',
  LIVE_UNMANAGED: 'unmanaged',
};

/** `all prompts, role Owner, role Support and 12 more`: entire kinds first. */
function namesText(items: readonly Pick<Finding, 'kind' | 'key'>[], kinds: readonly AnyKind[]): string {
  const [all, others] = [items.filter(({ key }) => key === '*'), items.filter(({ key }) => key !== '*')];
  const names = [
    ...byKind(all, kinds).map(([kind]) => `all ${nounOf(kind, kinds)}`),
    ...byKind(others, kinds).flatMap(([, ofKind]) => {
      const named = ofKind.map((item) => itemName(item, kinds));
      return inNaturalOrder(named, ({ name }) => name).map(({ noun, name }) => `${noun} ${cutText(name)}`);
    }),
  ];
  return shortList(names, mostNames).join(', ');
}

/** What the files change about what a plan may do: it leads every report. */
export function headerSection(
  { base, findings }: Pick<Plan, 'base' | 'findings'>,
  kinds: readonly AnyKind[],
): ViewSection {
  const { header = [], sections = [] } = base ?? {};
  const fields = header.map((change) => {
    const { field, source } = change;
    const name = cutName(field);
    const rule = findings.find(({ kind, key }) => kind === 'tenant' && key === field);
    const why = rule === undefined ? null : `${rule.code}: ${cutSentence(rule.message)}`;
    return new Row({
      sign: '!',
      kind: 'tenant',
      key: field,
      noun: 'header',
      name,
      ...statedText(changeStatements([{ ...change, field: '' }])),
      sentence: why,
      place: placeOf(source),
      source,
      origin: 'change',
      details: () => [{ label: 'differs', text: fullChangeText(change) }],
      annotation: { level: 'warning', code: 'plan/header', says: 'changes' },
    });
  });
  const appearing = sections.map(({ kind, change }) => {
    const name = cutName(kind);
    const noun = nounOf(kind, kinds);
    const isNew = change === 'added';
    const what = isNew ? `is new: ${noun} become managed` : `is gone: ${noun} are not managed any more`;
    return new Row({
      sign: '!',
      kind,
      key: '*',
      noun: 'section',
      name,
      what,
      origin: 'change',
      annotation: { level: isNew ? 'notice' : 'warning', code: 'plan/section', says: 'what' },
    });
  });
  return section('header', [...fields, ...appearing]);
}

/** For results that are not about the complete tenant. */
export function scopeText({ left_out, selection }: Plan): string {
  if (left_out.length === 0) return '';
  return selection.changed === true ? ' (changed items only)' : ' (selected items only)';
}

/** Nouns of the kinds that were not fully read, in the order of the kinds; '' if all were. */
export function uncheckedKinds(plan: Plan, kinds: readonly AnyKind[]): string {
  const unchecked = plan.findings.filter(
    (finding) => classOf(finding) === 'unchecked' && !findingTraits(finding).ofFields,
  );
  const unreadable = plan.actions.filter(({ reason }) => reason === 'unreadable');
  const names = [...plan.summary.unreadable, ...[...unchecked, ...unreadable].map(({ kind }) => kind)];
  return nounsOf(names, kinds) || (plan.complete ? '' : 'part of the tenant');
}

/** `In sync (selected items only), except for …`: where the plan has no known difference. */
export function agreement(
  plan: Plan,
  kinds: readonly AnyKind[],
  { agrees, state }: { readonly agrees: string; readonly state: string },
): string {
  if (!plan.complete) return `${state} unknown: live state is incomplete.`;
  // Files that have no section, so that nothing was compared.
  if (plan.scopes.plan.length + plan.findings.length + plan.left_out.length === 0) return 'Nothing is managed yet.';
  const unread = uncheckedKinds(plan, kinds);
  const fields = plan.findings.filter((finding) => findingTraits(finding).ofFields).map(({ kind }) => kind);
  const except = [
    ...(unread === '' ? [] : [`what cannot be read: ${unread}`]),
    ...(fields.length === 0 ? [] : [`fields that this version does not expect: ${nounsOf(fields, kinds)}`]),
  ];
  return `${agrees}${scopeText(plan)}${except.length === 0 ? '' : `, except for ${except.join(' and ')}`}.`;
}

/** What leads the totals of every report of a plan. */
export function troubles(plan: Plan): string[] {
  const errors = findingsOf(plan, 'error').length;
  return [...(plan.complete ? [] : ['INCOMPLETE']), ...(errors > 0 ? [quantity(errors, 'error')] : [])];
}

function nounsOf(names: readonly string[], kinds: readonly AnyKind[]): string {
  const rank = kindRank(kinds);
  const ordered = [...new Set(names)].sort((a, b) => rank(a) - rank(b));
  return ordered.map((name) => nounOf(name, kinds)).join(', ');
}
