import type { Fields } from '../../model/field.ts';
import { originsIn } from '../../values/hosts.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';
import { type FieldChange, fieldChanges, type ItemEffect, nameOf, type Values } from './field-changes.ts';

/** Code of an item that changes. An origin is new if no code of the item names it now. */
export function scriptEffects(fields: Fields, live: Values | null, changes: readonly FieldChange[]): ItemEffect[] {
  const scripts = changes.filter(({ field }) => field.script);
  if (scripts.length === 0) return [];
  const texts = fieldChanges(fields, {}, live ?? {}).flatMap(({ field, after }) => (field.script ? textOf(after) : []));
  const known = new Set(texts.flatMap(originsIn));
  return scripts.flatMap((change): ItemEffect[] => {
    const [before, after] = [textOf(change.before), textOf(change.after)];
    if (before === after) return [];
    const what = before === '' ? 'adds code to' : after === '' ? 'removes code of' : 'changes code of';
    const origins = originsIn(after).filter((origin) => !known.has(origin));
    if (origins.length === 0)
      return [{ code: 'SCRIPT_CHANGED', severity: 'warning', message: `${what} logins: ${nameOf(change)}` }];
    const named = listOf(origins.sort(compareText));
    const message = `${what} logins, with addresses of a new origin: ${named} (${nameOf(change)})`;
    return [{ code: 'SCRIPT_CHANGED', severity: 'critical', message }];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
