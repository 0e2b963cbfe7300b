import type { KnownKind } from '../../model/kind.ts';
import { alreadyLive, isRefusal } from '../../model/outcome.ts';
import type { Outcome, OutcomesDocument, Verification } from '../../model/outcomes.generated.ts';
import type { Action, Refusal } from '../../model/plan.generated.ts';
import { openRefusals } from '../../model/refusals.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import type { ViewContext } from '../document.ts';
import { cutName, cutSentence, quantity, thousands, totalText } from '../wording.ts';
import { actionRow, itemOf } from './action-rows.ts';
import { approvalFacts, findingRows, findingsOf, incompleteNotes, refusalRow } from './findings.ts';
import { noneOf, overruledTexts, refusedTexts, remainingTexts } from './headline.ts';
import { sorted } from './items.ts';
import { type Fact, type OwnView, Row } from './plan-view.ts';

/** Outcomes that need attention come first. `says`: words of an annotation after the item. */
const order = [
  { outcome: 'failed', section: 'failed', level: 'error', says: 'failed' },
  { outcome: 'unknown', section: 'unknown', level: 'error', says: 'may have been carried out' },
  { outcome: 'conflict', section: 'conflict', level: 'error', says: 'changed since the plan' },
  { outcome: 'not_attempted', section: 'not-attempted', level: 'warning', says: 'was not attempted' },
  { outcome: 'done', section: 'done', level: null, says: '' },
] as const;

type OutcomeStyle = (typeof order)[number];

/** The outcome of every action. */
export function composeOutcomes(document: OutcomesDocument, { kinds, group }: ViewContext): OwnView {
  const { plan, outcomes, verification } = document;
  const items = itemsOf(document);
  const errors = findingsOf(plan, 'error');
  const nothing = group === undefined && outcomes.length === 0 && errors.length === 0;
  const refused = refusedOf(document);
  const rows = items.flatMap((item) => order.flatMap((style) => outcomeRows(item, style, kinds)));
  // Written once, for all that is left; what failed needs another step first.
  const left = order.find(({ section }) => section !== 'failed' && rows.some((row) => row.section === section));
  const next = { label: 'next', text: refused.next };
  return {
    name: 'apply',
    headline: [
      ...refused.headline,
      headlineOf(items, noneOf(plan, 'changes')),
      ...overruledTexts(plan),
      ...remainingTexts(plan),
    ],
    sentences: nothing && plan.complete ? ['Nothing to do.'] : isSent(outcomes) ? verificationSentences(document) : [],
    rows: [
      ...refused.refusals.map((refusal) => refusalRow(refusal, kinds)),
      ...findingRows(plan.complete ? errors : [...errors, ...findingsOf(plan, 'unchecked')], kinds),
      ...sorted(rows, kinds),
    ],
    notes: {
      ...(refused.refusals.length > 0 && { refused: approvalFacts(plan) }),
      'not-checked': incompleteNotes(plan, 'apply refuses this plan; '),
      ...(left !== undefined && left.section !== 'done' && { [left.section]: [next] }),
    },
    closing: [...verificationFacts(verification), { label: 'digest', text: cutName(plan.digest) }],
  };
}

/** Words for the headline, what guards refuse, and the next step. */
interface Refused {
  readonly headline: readonly string[];
  readonly refusals: readonly Refusal[];
  readonly next: string;
}

/** Why nothing was sent, or else no words and no refusals. */
function refusedOf({ plan, outcomes }: OutcomesDocument): Refused {
  const next = 'plan this tenant again to see the remaining changes, then apply that plan';
  const fix = 'fix the cause of what is not checked, then apply again';
  if (!plan.complete) return { headline: ['INCOMPLETE'], refusals: [], next: fix };
  const codes = outcomes.find(isRefusal)?.message ?? null;
  if (codes === null) return { headline: [], refusals: [], next };
  const refusals = codes.includes('GUARD_REFUSED') ? openRefusals(plan.refusals) : [];
  // What guards refuse of a saved plan now is not in it.
  if (refusals.length === 0) return { headline: [`REFUSED (${cutName(codes)})`], refusals, next };
  return { headline: refusedTexts(plan), refusals, next: 'approve what the guards refuse, then apply again' };
}

/** One change of the plan, with what became of its requests. */
interface ChangedItem {
  readonly parts: readonly { readonly outcome: Outcome; readonly action: Action }[];
  /** The most severe one. */
  readonly style: OutcomeStyle;
}

function itemsOf({ plan, outcomes }: OutcomesDocument): ChangedItem[] {
  const actions = new Map(plan.actions.map((action) => [action.id, action]));
  const parts = outcomes.flatMap((outcome) => {
    const action = actions.get(outcome.id);
    return action === undefined ? [] : [{ outcome, action }];
  });
  return [...groupBy(parts, ({ action }) => itemOf(action)).values()].flatMap((ofItem) => {
    const style = order.find((one) => ofItem.some(({ outcome }) => outcome.outcome === one.outcome));
    return style === undefined ? [] : [{ parts: ofItem, style }];
  });
}

/** `12 changes done`, or `12 changes: 1 failed, 11 done`: as many as the plan has. */
function headlineOf(items: readonly ChangedItem[], none: string): string {
  const counts = order.map((style) => {
    const { length } = items.filter((item) => item.style === style);
    return [length, style.outcome === 'conflict' ? 'in conflict' : wordsOf(style.outcome)] as const;
  });
  if (items.some(({ style }) => style.outcome !== 'done')) return totalText('change', counts, '');
  if (items.length === 0) return none;
  const sent = isSent(items.flatMap(({ parts }) => parts.map(({ outcome }) => outcome)));
  return `${quantity(items.length, 'change')} done${sent ? '' : ', nothing sent'}`;
}

function wordsOf(outcome: Outcome['outcome']): string {
  return outcome.replaceAll('_', ' ');
}

/** Of what was not sent, the outcome is the reading. */
function isSent(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ outcome, message }) => outcome !== 'done' || message !== alreadyLive);
}

/** What readings have shown. What nothing can read, and what was not to be read, is named below and not counted. */
function verificationSentences({ verification, summary }: OutcomesDocument): string[] {
  if (verification === null) return [];
  const { result, verified, not_shown: open, not_verifiable: unreadable, skipped } = verification;
  const total = summary.done + open.length - unreadable.length - skipped.length;
  if (result === 'skipped') return ['Not verified, because of --no-verify.'];
  if (result === 'not_verifiable') return ['Not verified: nothing that was sent can be read.'];
  if (result === 'not_read' && verified === 0) return ['Not verified: the reading at the end failed.'];
  return [`${thousands(verified)} of ${quantity(total, 'action')} verified.`];
}

function verificationFacts(verification: Verification | null): Fact[] {
  if (verification === null) return [];
  const { not_shown: open, not_read: unread, not_verifiable: unreadable, secrets, skipped, message } = verification;
  const named = (label: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [{ label, text: listOf(ids.map(cutName)) }];
  return [
    ...named('not shown by the tenant', open),
    ...named('not read', unread),
    ...named('not verifiable', unreadable),
    ...named('not verifiable (the tenant never returns secrets)', secrets),
    ...named('not verified (--no-verify)', skipped),
    ...(message === null ? [] : [{ label: 'not verified', text: cutSentence(message) }]),
  ];
}

/** The requests of one item with the same outcome: one row, or none. */
function outcomeRows(
  { parts: all }: ChangedItem,
  { section, level, says, outcome: name }: OutcomeStyle,
  kinds: readonly KnownKind[],
): Row[] {
  const parts = all.filter(({ outcome }) => outcome.outcome === name);
  if (parts.length === 0) return [];
  const isDone = name === 'done';
  const actions = parts.map(({ action }) => action);
  const row = actionRow(actions, kinds);
  // Why a plan is refused is written once.
  const messages = parts.flatMap(({ outcome }) => (isRefusal(outcome) ? [] : (outcome.message ?? [])));
  const reasons = new Set(messages.map(cutSentence));
  const start = isDone ? (parts.length < all.length ? 'in part: ' : '') : verbPrefix(row);
  return [
    new Row({
      ...row,
      section,
      // What was done has the sign of its action, and everything else that of its outcome.
      sign: isDone ? row.sign : undefined,
      what: start + row.what,
      sentence: reasons.size === 0 ? null : [...reasons].join('; '),
      // The plan shows texts.
      texts: [],
      annotation: level && { level, code: `apply/${wordsOf(name)}`, says },
    }),
  ];
}

/** The sign is that of the outcome, and a change shows what it changes. */
function verbPrefix({ verb, what }: Row): string {
  if (verb !== 'delete' && verb !== 'add') return '';
  return what === '' ? verb : `${verb}: `;
}
