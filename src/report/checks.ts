import type { Diagnostic, Source } from '../model/diagnostic.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Action, Finding, Origin, Plan, Refusal } from '../model/plan.generated.ts';
import type { PlanDocument, ReportDocument } from './document.ts';
import { actionRow, describe, isDestructive } from './view/action-rows.ts';
import { driftRowOf } from './view/compose-drift.ts';
import { checkFirst, effectSentence } from './view/effect-rows.ts';
import { findingRow, type Undeclared, undeclaredRow, withoutUndeclared } from './view/findings.ts';
import { namingKinds } from './view/items.ts';
import { annotationOf, type Row } from './view/plan-view.ts';
import { approvalLines, approvalPlace, approvalText, refusalSentence, refusedNames } from './view/refusals.ts';
import { headerSection } from './view/sections.ts';
import { fullChangeText } from './view/statements.ts';
import { cutHint, cutName, cutSentence, quantity } from './wording.ts';

/** One thing that a run found, for SARIF. Texts are not escaped. */
export interface Check {
  /** A diagnostic code, or `plan/delete` for an action that a plan intends. */
  readonly code: string;
  readonly level: 'critical' | 'error' | 'warning' | 'note';
  readonly text: string;
  readonly source: Source | null;
  /** The same for the same thing in every run. */
  readonly identity: readonly string[];
  /** Null if it is about no item. The origin is known in a three-way plan. */
  readonly item: CheckedItem | null;
}

interface CheckedItem {
  readonly kind: string;
  readonly key: string;
  readonly origin?: NonNullable<Origin>;
}

/** The most lines of an action, such as the permissions of a role. */
const mostLines = 12;
/** A code approves what is named with it. */
const mostApproved = 1_000;

/** Outcomes and pulls have no form in SARIF. */
export function checksOf(document: ReportDocument, known: readonly AnyKind[]): readonly Check[] {
  if (document.type === 'diagnostics') return document.diagnostics.map(diagnosticCheck);
  return document.type === 'plan' || document.type === 'drift' ? planChecks(document, known) : [];
}

function planChecks({ type, plan, diagnostics }: PlanDocument, known: readonly AnyKind[]): readonly Check[] {
  const kinds = namingKinds(known, plan.actions);
  const isDrift = type === 'drift';
  const { undeclared, others } = withoutUndeclared(plan.findings, kinds);
  return [
    ...(isDrift ? [] : plan.refusals.map((refusal) => refusalCheck(refusal, plan, kinds))),
    ...(isDrift ? [] : headerSection(plan, kinds).rows.map(headerCheck)),
    // The refusals of a plan name its items.
    ...diagnostics.filter(({ code }) => code !== 'GUARD_REFUSED').map(diagnosticCheck),
    // Drift is a state, which has no effects.
    ...plan.actions.flatMap((action) =>
      isDrift
        ? [differenceCheck(action, kinds)]
        : [actionCheck(action, kinds), ...action.effects.map((effect) => effectCheck(effect, action, kinds))],
    ),
    ...others.map((finding) => findingCheck(finding, kinds)),
    ...undeclared.map((one) => undeclaredCheck(one, isDrift ? 'warning' : 'note', kinds)),
  ];
}

function itemOf(about: Pick<Finding, 'kind' | 'key'> & Partial<Pick<Finding, 'origin'>>, part?: string): CheckedItem {
  const { kind, key, origin = null } = about;
  return { kind, key: part === undefined ? key : `${key}#${part}`, ...(origin !== null && { origin }) };
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
    item: itemOf({ kind, key: isField ? name : '*', origin: row.origin }),
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
    item: itemOf(action, partOf(action)),
    text: textOf(row, [...linesOf(action, kinds), ...originLines(action.origin)]),
    source: row.source,
    identity: [action.action, action.id],
  };
}

function differenceCheck(action: Action, kinds: readonly AnyKind[]): Check {
  const row = driftRowOf(action, kinds);
  const code = annotationOf(row)?.title ?? '';
  return {
    code,
    level: action.reason === 'unreadable' ? 'note' : 'warning',
    item: itemOf(action, partOf(action)),
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
    item: itemOf({ kind, key, origin: action.origin }),
    text: [`${severity === 'critical' ? `${checkFirst}: ` : ''}${sentence}`, ...originLines(action.origin)].join('\n'),
    source: effect.source ?? action.source,
    identity: [code, kind, key, action.id],
  };
}

function findingCheck(finding: Finding, kinds: readonly AnyKind[]): Check {
  const { code, severity, kind, key, changes = [], source } = finding;
  const row = findingRow(finding, kinds);
  return {
    code,
    level: severity,
    item: itemOf({ kind, key, origin: row.origin }),
    text: textOf(row, [...changes.map(fullChangeText), ...originLines(row.origin)]),
    source,
    identity: [code, kind, key],
  };
}

/** One for each kind, as in every report. */
function undeclaredCheck(undeclared: Undeclared, level: 'warning' | 'note', kinds: readonly AnyKind[]): Check {
  const { kind } = undeclared;
  const code = 'LIVE_UNDECLARED';
  return {
    code,
    level,
    item: itemOf({ kind, key: '*' }),
    text: textOf(undeclaredRow(undeclared, kinds, '+', 'warning'), []),
    source: null,
    identity: [code, kind],
  };
}

function refusalCheck(refusal: Refusal, plan: Plan, kinds: readonly AnyKind[]): Check {
  const { code, kind, approve, approved_by: approval } = refusal;
  const names = refusedNames(refusal, plan, kinds);
  return {
    code,
    level: approval === null ? 'error' : 'note',
    item: itemOf({ kind, key: '*' }),
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

/** A diagnostic without a place is about the run: its options, its environment or the service, or a refusal. */
function diagnosticCheck({ code, severity, message, hint, source }: Diagnostic): Check {
  const place = source?.file ?? '';
  return {
    code,
    level: severity,
    text: [cutSentence(message), ...(hint === undefined ? [] : [`hint: ${cutHint(hint)}`])].join('\n'),
    source: source ?? null,
    // Places inside a message move with the lines of the files.
    identity: [code, place, message.replaceAll(/\d+/g, '')],
    item: null,
  };
}
