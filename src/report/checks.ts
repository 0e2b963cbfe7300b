import type { Diagnostic, Source } from '../model/diagnostic.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Action, Effect, Finding, Origin, Plan, Refusal } from '../model/plan.generated.ts';
import type { PlanDocument, ReportDocument } from './document.ts';
import { actionRow, describe, isDestructive } from './view/action-rows.ts';
import { driftRowOf } from './view/compose-drift.ts';
import { checkFirst, effectSentence } from './view/effect-rows.ts';
import { findingRow, undeclaredRow, withoutUndeclared } from './view/findings.ts';
import { namingKinds } from './view/items.ts';
import { annotationOf, type Row } from './view/plan-view.ts';
import { approvalText, refusalRow } from './view/refusals.ts';
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
  // Drift is a state, which has no effects.
  const ofAction = (action: Action) => [
    actionCheck(action, kinds),
    ...action.effects.map((effect) => effectCheck(effect, action, kinds)),
  ];
  return [
    ...(isDrift ? [] : plan.refusals.map((refusal) => refusalCheck(refusal, plan, kinds))),
    ...(isDrift ? [] : headerSection(plan, kinds).rows.map(headerCheck)),
    // The refusals of a plan name its items.
    ...diagnostics.filter(({ code }) => code !== 'GUARD_REFUSED').map(diagnosticCheck),
    ...plan.actions.flatMap((action) => (isDrift ? [differenceCheck(action, kinds)] : ofAction(action))),
    ...others.map((finding) => findingCheck(finding, kinds)),
    ...undeclared.map((one) => {
      const row = undeclaredRow(one, kinds, '+', 'warning');
      const code = 'LIVE_UNDECLARED';
      return checkOf(row, { code, level: isDrift ? 'warning' : 'note', key: '*', identity: [code, one.kind] });
    }),
  ];
}

interface AboutRow extends Pick<Check, 'code' | 'level' | 'identity'> {
  readonly key: string;
  /** Below the sentence. */
  readonly lines?: readonly string[];
}

/** With the sentence of the annotation, so that every format uses the same words. */
function checkOf(row: Row, { code, level, identity, key, lines = [] }: AboutRow): Check {
  const { kind, origin, source } = row;
  const text = [annotationOf(row)?.sentence ?? row.name, ...lines, ...originLines(origin)].join('\n');
  return { code, level, text, source, identity, item: { kind, key, ...(origin !== null && { origin }) } };
}

function originLines(origin: Origin): string[] {
  return origin === null ? [] : [`origin: ${origin}`];
}

/** A rule of the files, or a section, that the base does not have as it is. */
function headerCheck(row: Row): Check {
  const { kind, noun, name, details } = row;
  const level = annotationOf(row)?.level === 'notice' ? 'note' : 'warning';
  const key = kind === 'tenant' ? name : '*';
  return checkOf(row, {
    code: `plan/${noun}`,
    level,
    key,
    identity: [noun, name],
    lines: details.map(({ text }) => text),
  });
}

function actionCheck(action: Action, kinds: readonly AnyKind[]): Check {
  const { row } = actionRow([action], kinds, { detail: 'compact' });
  const level = isDestructive(action) ? 'warning' : 'note';
  return checkOf(row, {
    code: `plan/${action.action}`,
    level,
    identity: [action.action, action.id],
    ...partOf(action, kinds),
  });
}

function differenceCheck(action: Action, kinds: readonly AnyKind[]): Check {
  const row = driftRowOf(action, kinds);
  const code = annotationOf(row)?.title ?? '';
  const level = action.reason === 'unreadable' ? 'note' : 'warning';
  return checkOf(row, { code, level, identity: [code, action.id], ...partOf(action, kinds) });
}

/** The key with the part that an action changes, and what changes, complete where it is not long. */
function partOf(action: Action, kinds: readonly AnyKind[]): Pick<AboutRow, 'key' | 'lines'> {
  const { key, part, batch, changes } = action;
  const parts = [part, batch].filter((text) => text !== undefined);
  const shown = changes?.map(fullChangeText) ?? describe(action, kinds).lines.map(cutName);
  const rest = shown.length - mostLines;
  return {
    key: parts.length === 0 ? key : `${key}#${parts.join('/')}`,
    lines: [...shown.slice(0, mostLines), ...(rest > 0 ? [`and ${rest} more`] : [])],
  };
}

function effectCheck(effect: Effect, { id, origin, source }: Action, kinds: readonly AnyKind[]): Check {
  const { code, severity, kind, key } = effect;
  const sentence = `${severity === 'critical' ? `${checkFirst}: ` : ''}${effectSentence(effect, kinds)}`;
  return {
    code,
    level: severity,
    text: [sentence, ...originLines(origin)].join('\n'),
    source: effect.source ?? source,
    identity: [code, kind, key, id],
    item: { kind, key, ...(origin !== null && { origin }) },
  };
}

function findingCheck(finding: Finding, kinds: readonly AnyKind[]): Check {
  const { code, severity, kind, key, changes = [] } = finding;
  const lines = changes.map(fullChangeText);
  return checkOf(findingRow(finding, kinds), { code, level: severity, key, identity: [code, kind, key], lines });
}

function refusalCheck(refusal: Refusal, plan: Plan, kinds: readonly AnyKind[]): Check {
  const { code, kind, approve, approved_by: approval } = refusal;
  const row = refusalRow(refusal, plan, kinds);
  const rest = row.names.length - mostApproved;
  const more = `and ${quantity(rest, 'more item')}; the report as text or JSON names all`;
  const lines = [
    ...row.names.slice(0, mostApproved),
    ...(rest > 0 ? [more] : []),
    ...(approval === null ? (annotationOf(row)?.lines ?? []) : [`${approvalText(approval)}: code ${approve}`]),
  ];
  const level = approval === null ? 'error' : 'note';
  return checkOf(row, { code, level, key: '*', identity: [code, kind], lines });
}

/** A diagnostic without a place is about the run: its options, its environment or the service, or a refusal. */
function diagnosticCheck({ code, severity, message, hint, source }: Diagnostic): Check {
  return {
    code,
    level: severity,
    text: [cutSentence(message), ...(hint === undefined ? [] : [`hint: ${cutHint(hint)}`])].join('\n'),
    source: source ?? null,
    // Places inside a message move with the lines of the files.
    identity: [code, source?.file ?? '', message.replaceAll(/\d+/g, '')],
    item: null,
  };
}
