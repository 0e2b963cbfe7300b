import type { LabelOf } from '../../model/kind.ts';
import type { FieldChange } from '../../model/plan.generated.ts';
import { shortUrl } from '../../values/short-url.ts';
import { cutName, cutText, inlineValue } from '../cut-text.ts';
import { quantity } from '../wording.ts';
import { type Statement, statement } from './part-lists.ts';

/** `configuration.limit: 100 -> 50`: the live value, then the declared one, complete. */
export function fullChangeText({ field, before, after }: FieldChange): string {
  return `${cutName(field)}: ${inlineValue(before)} -> ${inlineValue(after)}`;
}

/** Changed fields of one row; a tenant can return any number. */
const mostChanges = 20;

/**
 * Changed fields for one line.
 *
 *   limit 200 → 50, + redirect_uri acme.example/busy
 *   subscriptions + user.updated
 */
export function changeStatements(changes: readonly FieldChange[], labelOf: LabelOf = () => ''): Statement[] {
  const shown = changes.slice(0, mostChanges).flatMap((change) => statementsOf(change, labelOf(change.field)));
  const rest = changes.length - mostChanges;
  return rest > 0 ? [...shown, statement(`and ${quantity(rest, 'more change')}`, [], ',')] : shown;
}

/** Of a list, what is new and what is gone. */
function statementsOf(change: FieldChange, label: string): Statement[] {
  const { before, after } = change;
  if (!isTexts(before) || !isTexts(after)) return [statement(changeText(change) + label, [], ',')];
  const name = nameOf(change);
  const lists = [signed(`${name}+`, after, before), signed('-', before, after)].filter(({ parts }) => parts.length > 0);
  const [first, last] = lists;
  if (first === undefined) return [statement(changeText(change) + label, [], ',')];
  const named = last === undefined && first.lead === '-' ? [{ ...first, lead: `${name}-` }] : lists;
  return named.map((list, index) =>
    index < named.length - 1 || label === '' ? list : { ...list, parts: withLabel(list.parts, label) },
  );
}

function withLabel(parts: Statement['parts'], label: string): Statement['parts'] {
  return parts.map((part, index) => (index < parts.length - 1 ? part : { ...part, name: part.name + label }));
}

/** `limit `, or '' for a field that is the item itself. */
function nameOf({ field }: FieldChange): string {
  const label = cutName(field.replace(/^(?:.*\.)?configuration\./, ''));
  return label === '' ? '' : `${label} `;
}

function changeText(change: FieldChange): string {
  const { before, after } = change;
  const name = nameOf(change);
  if (before === undefined) return `+ ${name}${shortValue(after)}`;
  if (after === undefined) return `- ${name}${shortValue(before)}`;
  const [one, other] = [shortValue(before), shortValue(after)];
  return one === other ? `${name}${inlineValue(before)} → ${inlineValue(after)}` : `${name}${one} → ${other}`;
}

function signed(lead: string, these: readonly string[], others: readonly string[]): Statement {
  const known = new Set(others);
  const own = these.filter((text) => !known.has(text));
  return statement(
    lead,
    own.map((name) => ({ name })),
    ',',
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

/** A plain word without quotes, anything else as JSON. */
export function shortValue(value: unknown): string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? cutText(shortUrl(value)) : inlineValue(value);
}
