import type { LabelOf } from '../../model/kind.ts';
import type { FieldChange } from '../../model/plan.generated.ts';
import { shortUrl } from '../../values/short-url.ts';
import { cutName, cutText, inlineValue } from '../cut-text.ts';

/** `configuration.limit: 100 -> 50`: the live value, then the declared one, complete. */
export function fullChangeText({ field, before, after }: FieldChange): string {
  return `${cutName(field)}: ${inlineValue(before)} -> ${inlineValue(after)}`;
}

/**
 * Changed fields in one line.
 *
 *   limit 200 → 50, + redirect_uri acme.example/busy
 *   subscriptions + user.updated
 */
export function changesText(changes: readonly FieldChange[], labelOf: LabelOf = () => ''): string {
  return changes.map((change) => changeText(change) + labelOf(change.field)).join(', ');
}

function changeText({ field, before, after }: FieldChange): string {
  const label = cutName(field.replace(/^(?:.*\.)?configuration\./, ''));
  const name = label === '' ? '' : `${label} `;
  if (before === undefined) return `+ ${name}${shortValue(after)}`;
  if (after === undefined) return `- ${name}${shortValue(before)}`;
  const [one, other] = [shortValue(before), shortValue(after)];
  if (isTexts(before) && isTexts(after)) {
    const parts = [signed('+', after, before), signed('-', before, after)].filter((part) => part !== '');
    if (parts.length > 0) return `${name}${parts.join(', ')}`;
  }
  return one === other ? `${name}${inlineValue(before)} → ${inlineValue(after)}` : `${name}${one} → ${other}`;
}

function signed(sign: string, these: readonly string[], others: readonly string[]): string {
  const known = new Set(others);
  const own = these.filter((text) => !known.has(text));
  return own.length === 0 ? '' : cutText(`${sign} ${own.join(', ')}`);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

/** A plain word without quotes, anything else as JSON. */
export function shortValue(value: unknown): string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? cutText(shortUrl(value)) : inlineValue(value);
}
