import type { Diagnostic, Source } from '../model/diagnostic.ts';
import { isDifference } from '../model/findings.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Outcome } from '../model/outcomes.generated.ts';
import type { Action, Finding, Origin, Plan, Refusal } from '../model/plan.generated.ts';
import { approvalLines, approvalPlace, approvalText } from './approval-facts.ts';
import { cutHint, cutName, cutSentence } from './cut-text.ts';
import type { DiagnosticsReport, PlanDocument, ReportDocument } from './document.ts';
import { actionRow, describe, isDestructive } from './view/action-rows.ts';
import { fullChangeText } from './view/change-text.ts';
import { driftCheck } from './view/compose-drift.ts';
import { checkFirst, effectSentence } from './view/effect-rows.ts';
import { classOf, findingRow } from './view/findings.ts';
import { namingKinds, nounOf } from './view/items.ts';
import { annotationOf, type Row } from './view/plan-view.ts';
import { headerSection, refusalSentence, refusedNames } from './view/sections.ts';
import { type Undeclared, undeclaredRow, withoutUndeclared } from './view/undeclared.ts';
import { formatSource, quantity } from './wording.ts';

/**
 * One thing that a run found or checked, for the formats that other programs read as results: SARIF and JUnit. Texts
 * are not escaped.
 */
export interface Check {
  /** A diagnostic code, or `plan/delete` for an action that a plan intends. */
  readonly code: string;
  readonly level: 'critical' | 'error' | 'warning' | 'note';
  /** What a test report shows. `error`: the run itself failed. */
  readonly result: 'passed' | 'skipped' | 'failed' | 'error';
  /** The kind of the item, or what else it belongs to. */
  readonly group: string;
  /** Names it among those of its group, whatever moved in the files. */
  readonly name: string;
  readonly text: string;
  readonly source: Source | null;
  /** The same for the same thing in every run. */
  readonly identity: readonly string[];
  /** The item; null if it is about no item. The origin is known in a three-way plan. */
  readonly item: CheckedItem | null;
}

interface CheckedItem {
  readonly kind: string;
  readonly key: string;
  readonly origin?: NonNullable<Origin>;
}

/** What only a test report shows: a check without a finding. */
export interface Passed {
  readonly group: string;
  readonly name: string;
  readonly problem: string | null;
}

export interface Checks {
  readonly found: readonly Check[];
  readonly passed: readonly Passed[];
}

/** The most lines of an action, such as the permissions of a role. */
const mostLines = 12;
/** A code approves what is named with it. */
const mostApproved = 1_000;

export function checksOf(document: ReportDocument, known: readonly AnyKind[]): Checks {
  const kinds = namingKinds(known, actionsOf(document));
  switch (document.type) {
    case 'plan':
    case 'drift':
      return planChecks(document, kinds);
    case 'outcomes': {
      const { plan, outcomes } = document.outcomes;
      const actions = new Map(plan.actions.map((action) => [action.id, action]));
      return { found: outcomes.map((outcome) => outcomeCheck(outcome, actions.get(outcome.id), kinds)), passed: [] };
    }
    case 'diagnostics':
      return diagnosticChecks(document);
    case 'pull':
      return { found: [], passed: [] };
  }
}

function actionsOf(document: ReportDocument): readonly Action[] {
  if (document.type === 'outcomes') return document.outcomes.plan.actions;
  return document.type === 'plan' || document.type === 'drift' ? document.plan.actions : [];
}

function planChecks({ type, plan, diagnostics }: PlanDocument, kinds: readonly AnyKind[]): Checks {
  const isDrift = type === 'drift';
  const { undeclared, others } = withoutUndeclared(plan.findings, kinds);
  const found = [
    ...(isDrift ? [] : plan.refusals.map((refusal) => refusalCheck(refusal, plan, kinds))),
    ...(isDrift ? [] : headerSection(plan, kinds).rows.map(headerCheck)),
    // The refusals of a plan name its items.
    ...diagnostics.filter(({ code }) => code !== 'GUARD_REFUSED').map((one) => diagnosticCheck(one, 'failed')),
    // Drift is a state, which has no effects.
    ...plan.actions.flatMap((action) =>
      isDrift
        ? [differenceCheck(action, kinds)]
        : [actionCheck(action, kinds), ...action.effects.map((effect) => effectCheck(effect, action, kinds))],
    ),
    ...others.map((finding) => findingCheck(finding, isDrift, kinds)),
    ...undeclared.map((one) => undeclaredCheck(one, isDrift)),
  ];
  const incomplete = 'Live state is incomplete; the findings show why.';
  const passed = [{ group: 'tenant', name: 'live state is complete', problem: plan.complete ? null : incomplete }];
  return { found, passed };
}

function itemOf(about: Pick<Finding, 'kind' | 'key'> & Partial<Pick<Finding, 'origin'>>, part?: string) {
  const { kind, key, origin = null } = about;
  const item = { kind, key: part === undefined ? key : `${key}#${part}`, ...(origin !== null && { origin }) };
  return { group: kind, item };
}

function originLines(origin: Origin): string[] {
  return origin === null ? [] : [`origin: ${origin}`];
}

/** What changes, complete where it is not long. */
function linesOf(action: Action, kinds: readonly AnyKind[]): string[] {
  const { lines } = describe(action, kinds);
  const shown = action.changes?.map(fullChangeText) ?? lines.map(cutName);
  const rest = shown.length - mostLines;
  return [...shown.slice(0, mostLines), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

/** The sentence of the annotation, so that every format uses the same words. */
function textOf(row: Row, lines: readonly string[]): string {
  return [annotationOf(row)?.sentence ?? row.name, ...lines].join('\n');
}

/** A rule of the files, or a section, that the base does not have as it is. */
function headerCheck(row: Row): Check {
  const { kind, noun, name, details, source } = row;
  const isField = kind === 'tenant';
  return {
    code: isField ? 'plan/header' : 'plan/section',
    level: annotationOf(row)?.level === 'notice' ? 'note' : 'warning',
    result: 'passed',
    ...itemOf({ kind, key: isField ? name : '*', origin: row.origin }),
    name: `${noun} ${name}`,
    text: textOf(row, [...details.map(({ text }) => text), ...originLines(row.origin)]),
    source,
    identity: [noun, name],
  };
}

function actionCheck(action: Action, kinds: readonly AnyKind[]): Check {
  const { row } = actionRow([action], kinds, { detail: 'compact' });
  return {
    code: `plan/${action.action}`,
    level: isDestructive(action) ? 'warning' : 'note',
    result: 'passed',
    ...itemOf(action, partOf(action)),
    name: `${action.action} ${action.id}`,
    text: textOf(row, [...linesOf(action, kinds), ...originLines(action.origin)]),
    source: row.source,
    identity: [action.action, action.id],
  };
}

function differenceCheck(action: Action, kinds: readonly AnyKind[]): Check {
  const { code, row } = driftCheck(action, kinds);
  const isUnread = action.reason === 'unreadable';
  return {
    code,
    level: isUnread ? 'note' : 'warning',
    result: isUnread ? 'skipped' : 'failed',
    ...itemOf(action, partOf(action)),
    name: `${code} ${action.id}`,
    text: textOf(row, [...linesOf(action, kinds), ...originLines(action.origin)]),
    source: row.source,
    identity: [code, action.id],
  };
}

function partOf({ part, batch }: Action): string | undefined {
  if (part === undefined && batch === undefined) return undefined;
  return [part, batch].filter((text) => text !== undefined).join('/');
}

function effectCheck(effect: Action['effects'][number], action: Action, kinds: readonly AnyKind[]): Check {
  const { code, severity, kind, key } = effect;
  const sentence = effectSentence(effect, kinds);
  return {
    code,
    level: severity,
    result: 'passed',
    ...itemOf({ kind, key, origin: action.origin }),
    name: `${code} ${kind}/${key} (${action.id})`,
    text: [`${severity === 'critical' ? `${checkFirst}: ` : ''}${sentence}`, ...originLines(action.origin)].join('\n'),
    source: effect.source ?? action.source,
    identity: [code, kind, key, action.id],
  };
}

function findingCheck(finding: Finding, isDrift: boolean, kinds: readonly AnyKind[]): Check {
  const { code, severity, kind, key, changes = [], source } = finding;
  const row = findingRow(finding, kinds);
  const name = key === '*' ? `all ${nounOf(kind, kinds)}` : `${kind}/${key}`;
  return {
    code,
    level: severity,
    result: findingResult(finding, isDrift),
    ...itemOf({ kind, key, origin: row.origin }),
    name: `${code} ${name}`,
    text: textOf(row, [...changes.map(fullChangeText), ...originLines(row.origin)]),
    source,
    identity: [code, kind, key],
  };
}

/** One for each kind, as in every report. */
function undeclaredCheck(undeclared: Undeclared, isDrift: boolean): Check {
  const { kind } = undeclared;
  const code = 'LIVE_UNDECLARED';
  return {
    code,
    level: isDrift ? 'warning' : 'note',
    result: isDrift ? 'failed' : 'passed',
    ...itemOf({ kind, key: '*' }),
    name: `${code} ${kind}`,
    text: textOf(undeclaredRow(undeclared, '+', 'warning'), []),
    source: null,
    identity: [code, kind],
  };
}

/** A plan is about what apply would do: differences that it cannot fix are no failure of it. */
function findingResult(finding: Finding, isDrift: boolean): Check['result'] {
  const found = classOf(finding);
  if (found === 'error') return 'failed';
  if (found === 'unchecked' || found === 'secret' || found === 'unsent') return 'skipped';
  return isDrift && isDifference(finding) ? 'failed' : 'passed';
}

function refusalCheck(refusal: Refusal, plan: Plan, kinds: readonly AnyKind[]): Check {
  const { code, kind, approve, approved_by: approval } = refusal;
  const names = refusedNames(refusal, plan, kinds);
  return {
    code,
    level: approval === null ? 'error' : 'note',
    result: approval === null ? 'failed' : 'passed',
    ...itemOf({ kind, key: '*' }),
    name: `${code} ${nounOf(kind, kinds)}`,
    text: [
      refusalSentence(refusal, kinds),
      ...names.slice(0, mostApproved),
      ...(names.length > mostApproved
        ? [`and ${quantity(names.length - mostApproved, 'more item')}; the report as text or JSON names all`]
        : []),
      ...(approval === null ? approvalLines(refusal) : [`${approvalText(approval)}: code ${approve}`]),
    ].join('\n'),
    source: approval === null ? approvalPlace(refusal) : approval.source,
    identity: [code, kind],
  };
}

const outcomeResults: Readonly<Record<Outcome['outcome'], Check['result']>> = {
  done: 'passed',
  failed: 'failed',
  unknown: 'error',
  conflict: 'failed',
  not_attempted: 'skipped',
};

function outcomeCheck(outcome: Outcome, action: Action | undefined, kinds: readonly AnyKind[]): Check {
  const { id, message, status } = outcome;
  const result = outcomeResults[outcome.outcome];
  const row = action === undefined ? null : actionRow([action], kinds, { detail: 'compact' }).row;
  return {
    code: `outcome/${outcome.outcome}`,
    level: result === 'passed' ? 'note' : result === 'skipped' ? 'warning' : 'error',
    result,
    ...(action === undefined ? { group: 'tenant', item: null } : itemOf(action, partOf(action))),
    name: `${action?.action ?? ''} ${id}`.trim(),
    text: [
      `${outcome.outcome.replaceAll('_', ' ')}: ${(row && annotationOf(row)?.sentence) ?? cutName(id)}`,
      ...(message === null ? [] : [cutSentence(message)]),
      ...(status === null ? [] : [`status ${status}`]),
      ...originLines(action?.origin ?? null),
    ].join('\n'),
    source: row?.source ?? null,
    identity: [outcome.outcome, id],
  };
}

function diagnosticChecks({ command, diagnostics }: DiagnosticsReport): Checks {
  const isValid = diagnostics.every(({ severity }) => severity === 'warning');
  const found = diagnostics.map((one) => diagnosticCheck(one, 'error'));
  const passed = { group: 'files', name: 'the files are valid', problem: null };
  return { found, passed: command === 'validate' && isValid ? [passed] : [] };
}

/** A diagnostic without a place is about the run: its options, its environment or the service, or a refusal. */
function diagnosticCheck({ code, severity, message, hint, source }: Diagnostic, aboutRun: 'failed' | 'error'): Check {
  const place = source?.file ?? '';
  return {
    code,
    level: severity,
    result: severity === 'warning' ? 'passed' : source === undefined ? aboutRun : 'failed',
    group: source === undefined ? 'run' : 'files',
    name: `${code} ${place}`.trim(),
    text: [cutSentence(message), ...(hint === undefined ? [] : [`hint: ${cutHint(hint)}`])].join('\n'),
    source: source ?? null,
    // Places inside a message move with the lines of the files.
    identity: [code, place, message.replaceAll(/\d+/g, '')],
    item: null,
  };
}

/** Where it is in the files, for people. */
export function placeText({ source }: Check): string | null {
  return source === null ? null : formatSource(source);
}

/** Names that are unique: the second check of one name gets ` (2)`. */
export function uniqueNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
