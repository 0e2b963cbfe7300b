import type { AnyKind } from '../model/kind.ts';
import type { Outcome, OutcomesDocument, Verification } from '../model/outcomes.generated.ts';
import type { Action } from '../model/plan.generated.ts';
import { signOf, sourceDetails } from './action-item.ts';
import { cutName, cutSentence } from './cut-text.ts';
import { planFacts } from './plan-facts.ts';
import type { Item, Level, Report, Section, Sign } from './report.ts';
import { errorSection, findingsOf, groupByKind, isFilled, section } from './sections.ts';
import { quantity, thousands } from './wording.ts';

interface Entry {
  readonly kind: string;
  readonly outcome: Outcome;
  readonly action: Action | undefined;
}

interface OutcomeStyle {
  readonly outcome: Outcome['outcome'];
  readonly title: string;
  readonly column: string;
  /** The sign of the action itself when it was done. */
  readonly sign: Sign | null;
  readonly level: Level | null;
}

/** Outcomes that need attention come first. */
const order: readonly OutcomeStyle[] = [
  { outcome: 'failed', title: 'Failed', column: 'Failed', sign: 'x', level: 'error' },
  { outcome: 'unknown', title: 'Unknown, may have been carried out', column: 'Unknown', sign: '?', level: 'error' },
  { outcome: 'conflict', title: 'Conflict, changed since the plan', column: 'Conflict', sign: '!', level: 'error' },
  { outcome: 'not_attempted', title: 'Not attempted', column: 'Not attempted', sign: '=', level: 'warning' },
  { outcome: 'done', title: 'Done', column: 'Done', sign: null, level: null },
];

/** The outcome of every action. */
export function composeOutcomes(
  { plan, outcomes, summary, verification }: OutcomesDocument,
  kinds: readonly AnyKind[],
): Report {
  const actions = new Map(plan.actions.map((action) => [action.id, action]));
  const entries = outcomes.map((outcome) => ({
    outcome,
    action: actions.get(outcome.id),
    kind: actions.get(outcome.id)?.kind ?? '',
  }));
  const counts = order.filter(({ outcome }) => outcome === 'done' || summary[outcome] > 0);
  return {
    name: 'apply',
    facts: planFacts(plan),
    conclusion: outcomes.length === 0 && findingsOf(plan, 'error').length === 0 ? 'Nothing to do.' : null,
    sections: [errorSection(plan, kinds), ...order.map((style) => outcomeSection(style, entries, kinds))].filter(
      isFilled,
    ),
    summary: counts.map(({ outcome }) => `${thousands(summary[outcome])} ${outcome.replaceAll('_', ' ')}`).join(', '),
    closing: [...verificationFacts(verification), { label: 'digest', text: cutName(plan.digest) }],
  };
}

/** Most names in one line; the document has all. */
const namedItems = 10;

function verificationFacts(verification: Verification | null): Report['closing'] {
  if (verification === null) return [];
  const { result, verified, not_as_intended: open, not_verifiable: unreadable, message } = verification;
  const texts = {
    verified: `verified: ${quantity(verified, 'request')}`,
    not_as_intended: `not as intended: ${names(open)}`,
    not_verifiable: 'nothing that was sent can be read',
    not_read: `not verified: ${cutSentence(message ?? '')}`,
    skipped: 'skipped because of --no-verify',
  };
  const unread = unreadable.length === 0 ? [] : [{ label: 'not verifiable', text: names(unreadable) }];
  return [{ label: 'verification', text: texts[result] }, ...unread];
}

function names(ids: readonly string[]): string {
  const rest = ids.length - namedItems;
  const named = ids.slice(0, namedItems).map(cutName).join(', ');
  return rest > 0 ? `${named} and ${rest} more` : named;
}

function outcomeSection(style: OutcomeStyle, entries: readonly Entry[], kinds: readonly AnyKind[]): Section {
  const ended = entries.filter((entry) => entry.outcome.outcome === style.outcome);
  const groups = groupByKind(ended, kinds, (entry) => outcomeItem(entry, style));
  const hint = { label: 'next', text: 'run tenant-sync plan to see the remaining changes, then apply again' };
  return {
    ...section(
      `${style.title}: ${quantity(ended.length, 'request')}`,
      style.column,
      groups,
      style.level === null ? 'folded' : 'visible',
    ),
    notes: style.outcome === 'failed' || style.outcome === 'done' ? [] : [hint],
  };
}

/** Most messages begin with the status of the response. */
function namesStatus({ status, message }: Outcome): boolean {
  return status === null || (message !== null && new RegExp(`^status ${status}\\b`).test(message));
}

function outcomeItem({ outcome, action }: Entry, { sign, level, outcome: name }: OutcomeStyle): Item {
  const source = action?.source ?? null;
  const status = namesStatus(outcome) ? [] : [{ label: 'status', text: String(outcome.status) }];
  const why = outcome.message === null ? [] : [{ label: 'why', text: cutSentence(outcome.message) }];
  const request =
    action === undefined
      ? []
      : [{ label: 'request', text: cutName(`${action.request.method} ${action.request.path}`) }];
  const details = level === null ? why : [...why, ...status, ...request, ...sourceDetails(source)];
  return {
    sign: sign ?? (action === undefined ? '=' : signOf(action)),
    head: action === undefined ? cutName(outcome.id) : `${action.action} ${cutName(action.key)}`,
    details,
    annotation:
      level === null
        ? null
        : { level, title: `${name.replaceAll('_', ' ')} ${action?.action ?? ''}`.trimEnd(), source },
  };
}
