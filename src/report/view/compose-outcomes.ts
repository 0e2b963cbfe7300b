import type { AnyKind } from '../../model/kind.ts';
import type { Outcome, OutcomesDocument, Verification } from '../../model/outcomes.generated.ts';
import type { Action } from '../../model/plan.generated.ts';
import { cutHint, cutName, cutSentence } from '../cut-text.ts';
import { nextStep, type ReportCommands } from '../report-commands.ts';
import { quantity, thousands } from '../wording.ts';
import { actionRow, type Detail } from './action-rows.ts';
import { findingsOf } from './findings.ts';
import { planFacts, tenantOf } from './plan-facts.ts';
import type { Fact, Level, PlanView, Row, SectionName, Sign, ViewSection } from './plan-view.ts';
import { bareRow, errorSection, isFilled, section, sortedRows } from './sections.ts';

interface OutcomeStyle {
  readonly outcome: Outcome['outcome'];
  readonly name: SectionName;
  readonly title: string;
  /** The sign of the action itself when it was done. */
  readonly sign: Sign | null;
  readonly level: Level | null;
}

/** Outcomes that need attention come first. */
const order: readonly OutcomeStyle[] = [
  { outcome: 'failed', name: 'failed', title: 'Failed', sign: 'x', level: 'error' },
  { outcome: 'unknown', name: 'unknown', title: 'Unknown, may have been carried out', sign: '?', level: 'error' },
  { outcome: 'conflict', name: 'conflict', title: 'Conflict, changed since the plan', sign: '!', level: 'error' },
  { outcome: 'not_attempted', name: 'not-attempted', title: 'Not attempted', sign: '=', level: 'warning' },
  { outcome: 'done', name: 'done', title: 'Done', sign: null, level: null },
];

/** The outcome of every action. */
export function composeOutcomes(
  document: OutcomesDocument,
  kinds: readonly AnyKind[],
  { detail = 'compact', commands }: { readonly detail?: Detail; readonly commands?: ReportCommands } = {},
): PlanView {
  const { plan, outcomes, summary, verification } = document;
  const counted = order.filter(({ outcome }) => outcome === 'done' || summary[outcome] > 0);
  const nothing = outcomes.length === 0 && findingsOf(plan, 'error').length === 0;
  return {
    name: 'apply',
    tenant: tenantOf(plan),
    facts: planFacts(plan),
    headline: [counted.map(({ outcome }) => `${thousands(summary[outcome])} ${wordsOf(outcome)}`).join(', ')],
    counts: { deletions: 0, changes: 0, additions: 0, access: 0, unread: 0 },
    origins: null,
    base: plan.base,
    sentences: nothing ? ['Nothing to do.'] : [],
    sections: [errorSection(plan, kinds), ...outcomeSections(document, kinds, detail, commands)].filter(isFilled),
    remarks: [],
    sends: '',
    closing: [...verificationFacts(verification), { label: 'digest', text: cutName(plan.digest) }],
    moreClosing: [],
  };
}

function wordsOf(outcome: Outcome['outcome']): string {
  return outcome.replaceAll('_', ' ');
}

/** Most names in one line; the document has all. */
const namedItems = 10;

function verificationFacts(verification: Verification | null): Fact[] {
  if (verification === null) return [];
  const { result, verified, not_as_intended: open, not_verifiable: unreadable, message } = verification;
  const texts = {
    verified: `${quantity(verified, 'request')} read back as intended`,
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

function outcomeSections(
  { plan, outcomes }: OutcomesDocument,
  kinds: readonly AnyKind[],
  detail: Detail,
  commands?: ReportCommands,
): ViewSection[] {
  const actions = new Map(plan.actions.map((action) => [action.id, action]));
  const next = { label: 'next', text: cutHint(nextStep(plan, commands)) };
  // Written once, for all that is left; what failed needs another step first.
  const isLeft = ({ outcome }: Pick<Outcome, 'outcome'>) => outcome !== 'done' && outcome !== 'failed';
  const first = order.find((style) => isLeft(style) && outcomes.some(({ outcome }) => outcome === style.outcome));
  return order.map((style) => {
    const rows = outcomes
      .filter(({ outcome }) => outcome === style.outcome)
      .map((outcome) => outcomeRow(outcome, actions.get(outcome.id), style, kinds, detail));
    return section(style.name, style.title, sortedRows(rows, kinds), {
      weight: style.outcome === 'done' ? 'folded' : 'visible',
      notes: style === first ? [next] : [],
    });
  });
}

/** Most messages begin with the status of the response. */
function namesStatus({ status, message }: Outcome): boolean {
  return status === null || (message !== null && new RegExp(`^status ${status}\\b`).test(message));
}

function outcomeRow(
  outcome: Outcome,
  action: Action | undefined,
  { sign, level, outcome: name }: OutcomeStyle,
  kinds: readonly AnyKind[],
  detail: Detail,
): Row {
  const known = action === undefined ? null : actionRow([action], kinds, { detail }).row;
  const row = known ?? bareRow({ sign: '=', kind: '', noun: '', name: cutName(outcome.id) });
  const status = namesStatus(outcome) ? [] : [`status ${outcome.status}`];
  const why = outcome.message === null ? [] : [cutSentence(outcome.message)];
  const sentence = (level === null ? why : [...status, ...why]).join(': ');
  const stated = `${wordsOf(name)}: ${[row.noun, row.name].filter((text) => text !== '').join(' ')}`;
  return {
    ...row,
    sign: sign ?? row.sign,
    sentence: sentence === '' ? null : sentence,
    // The plan shows texts.
    texts: [],
    annotation:
      level === null
        ? null
        : {
            level,
            title: `${wordsOf(name)} ${action?.action ?? ''}`.trimEnd(),
            sentence: sentence === '' ? stated : `${stated}: ${sentence}`,
            source: row.source,
          },
  };
}
