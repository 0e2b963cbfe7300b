import type { LabelOf, Part } from '../../model/kind.ts';
import type { FieldChange } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { shortUrl } from '../../values/short-url.ts';
import { cutName, cutText, inlineValue, quantity, shortList } from '../wording.ts';

/** What a row states: a list with its verb. */
export interface Statement {
  /** Words before the parts; '' if there are none. */
  readonly lead: string;
  readonly parts: readonly Part[];
}

/** Parts of one row that a report names; a tenant can return any number. */
const mostParts = 1_000;
/** Changed fields of one row. */
const mostChanges = 20;

export function statement(lead: string, parts: readonly Part[] = []): Statement {
  return { lead, parts };
}

/**
 * Changed fields for one line.
 *
 *   limit 200 → 50; + redirect_uri acme.example/busy
 *   subscriptions + user.updated
 */
export function changeStatements(changes: readonly FieldChange[], labelOf: LabelOf = () => ''): Statement[] {
  const shown = changes.slice(0, mostChanges).flatMap((change) => statementsOf(change, labelOf(change.field)));
  const rest = changes.length - mostChanges;
  return rest > 0 ? [...shown, statement(`and ${quantity(rest, 'more change')}`)] : shown;
}

/** Of a list, what is new and what is gone. */
function statementsOf(change: FieldChange, label: string): Statement[] {
  const { before, after } = change;
  const name = nameOf(change);
  const isList = isTexts(before) && isTexts(after);
  const [added, removed] = isList ? [without(after, before), without(before, after)] : [[], []];
  if (added.length + removed.length === 0) return [statement(changeText(change, name) + label)];
  const lists = [{ sign: '+', texts: added } as const, { sign: '-', texts: removed } as const];
  const changed = lists.filter(({ texts }) => texts.length > 0);
  return changed.map(({ sign, texts }) => {
    const parts = texts.map((text) => ({ name: text }));
    return statement(`${name}${sign}${label}`, parts);
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

function without(these: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return these.filter((text) => !known.has(text));
}

/** `limit `, or '' for a field that is the item itself. */
function nameOf({ field }: FieldChange): string {
  const label = cutName(field.replace(/^(?:.*\.)?configuration\./, ''));
  return label === '' ? '' : `${label} `;
}

function changeText({ before, after }: FieldChange, name: string): string {
  if (before === undefined) return `+ ${name}${shortValue(after)}`;
  if (after === undefined) return `- ${name}${shortValue(before)}`;
  const [one, other] = [shortValue(before), shortValue(after)];
  // Of two texts, both have quotes, or neither has.
  const isQuoted = typeof before === typeof after && one.startsWith('"') !== other.startsWith('"');
  const [from, to] = one === other || isQuoted ? [inlineValue(before), inlineValue(after)] : [one, other];
  return `${name}${from} → ${to}`;
}

/** `configuration.limit: 100 -> 50`: the live value, then the declared one, complete. */
export function fullChangeText({ field, before, after }: FieldChange): string {
  return `${cutName(field)}: ${inlineValue(before)} -> ${inlineValue(after)}`;
}

/** A plain word without quotes, anything else as JSON. */
export function shortValue(value: unknown): string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? cutText(shortUrl(value)) : inlineValue(value);
}

/** One line with everything. */
export function statedText(statements: readonly Statement[], notes: readonly string[] = []): string {
  const stated = statements.filter(({ lead, parts }) => lead !== '' || parts.length > 0);
  // Most rows of a large plan have one.
  if (stated.length + notes.length === 1 && stated[0] !== undefined) return statementText(stated[0], false);
  const merged = mergedStatements(stated);
  // `loses a; gains b of orders.example`: what all lists end with is written once.
  const isOnce =
    merged.length > 1 &&
    new Set(merged.flatMap(({ parts }) => (parts.length === 0 ? '' : parts.map(({ of }) => of)))).size < 2;
  const texts = merged.map((one, index) => statementText(one, isOnce && index < merged.length - 1));
  return [...texts, ...notes].join('; ');
}

/** Requests of one item have parts of one list: what all of them do is written once. */
function mergedStatements(statements: readonly Statement[]): readonly Statement[] {
  if (statements.length < 2) return statements;
  const same = groupBy(statements, ({ lead, parts }) => `${parts.length === 0} ${lead}`);
  return [...same].map(([, of]) =>
    statement(
      of[0]?.lead ?? '',
      of.flatMap(({ parts }) => parts),
    ),
  );
}

/** `loses a, b, and 12 more of orders.example; c of billing.example` */
function statementText({ lead, parts }: Statement, isOfLater: boolean): string {
  if (parts.length === 0) return lead;
  const lists = [...groupBy(parts, ({ of }) => of)].map(([of, ofOne]) => {
    const names = ofOne.map(({ name }) => cutName(name));
    const list = shortList(names, mostParts).join(', ');
    return of === undefined || isOfLater ? list : `${list} of ${cutName(of)}`;
  });
  return [lead, shortList(lists, mostParts).join('; ')].filter((text) => text !== '').join(' ');
}
