import equal from 'fast-deep-equal';
import type { Login } from '../../model/field.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import { listed, listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';
import { comparable } from '../comparable.ts';
import { type FieldChange, type ItemEffect, nameOf } from './field-changes.ts';

/** A setting that makes logins weaker, or one without a direction that changes. */
export function loginEffects(change: FieldChange): ItemEffect[] {
  const { login, none, items } = change.field;
  if (login === undefined) return [];
  const [before, after] = [change.before, change.after].map((value) => comparable(change.field, value ?? none ?? null));
  const isList = items !== undefined && after !== null;
  const text = isList ? listChange(login, elementsOf(before), elementsOf(after)) : valueChange(login, before, after);
  if (text === null) return [];
  const isDirected = login.weaker !== undefined || login.order !== undefined;
  return [
    {
      code: isDirected ? 'LOGIN_WEAKER' : 'LOGIN_CHANGED',
      severity: 'warning',
      message: `${isDirected ? 'weakens' : 'changes'} logins: ${nameOf(change)} ${text}`,
    },
  ];
}

function valueChange(login: Login, before: unknown, after: unknown): string | null {
  const isSame = equal(before, after) || (Array.isArray(before) && before.length + elementsOf(after).length === 0);
  if (isSame || !isWeaker(login, before, after)) return null;
  return `from ${shown(before)} to ${shown(after)}`;
}

/**
 * What is not known counts as weaker: a value that is not set any more, one that was not set, and one that this version
 * does not know.
 */
function isWeaker({ weaker, order }: Login, before: unknown, after: unknown): boolean {
  if (order !== undefined) {
    const [now, then] = [order.indexOf(before), order.indexOf(after)];
    if (now === 0 || then === order.length - 1) return false;
    return now < 0 || then < 0 || then < now;
  }
  if (typeof weaker === 'boolean') return after === null ? before !== weaker : after === weaker;
  if (after === null || weaker === undefined) return true;
  if (before === null) return weaker !== 'lower';
  return weaker === 'higher' ? Number(after) > Number(before) : Number(after) < Number(before);
}

function listChange({ weaker }: Login, before: readonly string[], after: readonly string[]): string | null {
  const gained = after.filter((one) => !before.includes(one));
  const lost = before.filter((one) => !after.includes(one));
  const texts = [
    ...(gained.length > 0 && weaker !== 'fewer' ? [`gains ${listOf(gained)}`] : []),
    ...(lost.length > 0 && weaker !== 'more' ? [`loses ${listOf(lost)}`] : []),
  ];
  return texts.length === 0 ? null : listed(texts);
}

function elementsOf(value: unknown): string[] {
  return Array.isArray(value) ? [...new Set(value.map(shown))].sort(compareText) : [];
}

function shown(value: unknown): string {
  if (value === null) return 'not set';
  if (Array.isArray(value)) return listOf(elementsOf(value));
  return typeof value === 'string' ? value : canonicalJson(value);
}
