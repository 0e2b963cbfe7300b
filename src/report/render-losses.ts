import type { AnyKind } from '../model/kind.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { takesAway } from './action-item.ts';
import { cutName } from './cut-text.ts';
import { joinLines, terminalText } from './escape.ts';
import { quantity, thousands } from './quantity.ts';
import { detailText } from './report-text.ts';
import type { Style } from './style.ts';

/** So many losses, and so many parts of one, are named before the rest is counted: this stands below the whole plan. */
const namedLosses = 20;

/** What a person is shown before being asked: what will be lost, and what will be overwritten unseen. */
export function renderLosses(plan: Plan, style: Style, kinds: readonly AnyKind[] = []): string {
  const losses = plan.actions.filter(takesAway);
  const blind = plan.actions.filter(
    ({ action, reason }) => reason === 'unreadable' && (action === 'put' || action === 'update'),
  );
  const tenant = terminalText(`${cutName(plan.tenant.name)}, ${cutName(plan.tenant.base_url)}`);
  return joinLines([
    style.bold(
      losses.length === 0
        ? `Nothing will be taken away from ${tenant}`
        : `Will be taken away from ${tenant}: ${quantity(losses.length, 'request')}`,
    ),
    ...named(losses, (action) => lossLines(action, style, kinds)),
    ...(blind.length === 0
      ? []
      : [style.bold(`Will be overwritten, and cannot be read: ${quantity(blind.length, 'request')}`)]),
    ...named(blind, (action) => [style.yellow(`  ~ ${headOf(action)}`)]),
  ]);
}

function named<Entry>(
  entries: readonly Entry[],
  linesOf: (entry: Entry) => readonly string[],
  indent = '  ',
): string[] {
  const rest = entries.length - namedLosses;
  return [
    ...entries.slice(0, namedLosses).flatMap(linesOf),
    ...(rest > 0 ? [`${indent}and ${thousands(rest)} more`] : []),
  ];
}

function lossLines(action: Action, style: Style, kinds: readonly AnyKind[]): string[] {
  return [
    style.red(`  - ${headOf(action)}`),
    ...named(lostParts(action, kinds), (text) => [`      ${text}`], '      '),
  ];
}

function headOf({ action, kind, key }: Action): string {
  return terminalText(`${action} ${kind} ${cutName(key)}`);
}

/** What is lost, in the words of its kind; without words a deleted item whole, and of a removal each thing that its request names. */
function lostParts(action: Action, kinds: readonly AnyKind[]): string[] {
  const { before, request } = action;
  const words = kinds.find(({ name }) => name === action.kind)?.describe(action).lines ?? [];
  if (words.length > 0)
    return words.map((text) => detailText({ label: before === null ? 'removes' : 'before', text: cutName(text) }));
  if (before !== null) return [detailText({ label: 'before', text: cutName(JSON.stringify(before)) })];
  return Object.values(request.body ?? {})
    .flat()
    .map((part) => detailText({ label: 'removes', text: cutName(JSON.stringify(part)) }));
}
