import type { AnyKind } from '../model/kind.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { isDestructive } from './action-item.ts';
import { cutName } from './cut-text.ts';
import { joinLines, terminalText } from './escape.ts';
import { detailText } from './report-text.ts';
import type { Style } from './style.ts';
import { quantity, thousands } from './wording.ts';

/** The most losses, and parts of one loss, that are listed: this text follows the complete plan. */
const namedLosses = 20;

/** Shown before the confirmation: what apply destroys, and what it overwrites without having read it. */
export function renderLosses(plan: Plan, style: Style, kinds: readonly AnyKind[] = []): string {
  const losses = plan.actions.filter(isDestructive);
  const unreadable = plan.actions.filter(
    ({ action, reason }) => reason === 'unreadable' && (action === 'put' || action === 'update'),
  );
  const tenant = terminalText(`${cutName(plan.tenant.name)}, ${cutName(plan.tenant.base_url)}`);
  return joinLines([
    style.bold(
      losses.length === 0
        ? `No destructive changes on ${tenant}`
        : `Destructive changes on ${tenant}: ${quantity(losses.length, 'request')}`,
    ),
    ...named(losses, (action) => lossLines(action, style, kinds)),
    ...(unreadable.length === 0
      ? []
      : [style.bold(`Unreadable live state to overwrite: ${quantity(unreadable.length, 'request')}`)]),
    ...named(unreadable, (action) => [style.yellow(`  ~ ${headOf(action)}`)]),
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
  return terminalText(`${action} ${kind}/${cutName(key)}`);
}

/** The lines of the kind; without them the deleted item, or each part that a removal names. */
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
