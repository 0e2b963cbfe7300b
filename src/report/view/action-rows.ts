import { itemId } from '../../model/action-identity.ts';
import type { Description, KnownKind, LabelOf, PartVerb, TextChange } from '../../model/kind.ts';
import type { Action, Effect, Origin } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { isRecord } from '../../values/is-record.ts';
import { memoizedByObject } from '../../values/memoized.ts';
import { inNaturalOrder } from '../../values/text-order.ts';
import { cutHint, cutName, cutSentence, inlineValue, quantity, thousands } from '../wording.ts';
import { byKind, changedLine, itemName, notInFiles, placeOf } from './items.ts';
import { type Annotation, type Fact, Row, type Verb } from './plan-view.ts';
import { changeStatements, fullChangeText, type Statement, shortValue, statedText, statement } from './statements.ts';

/** Effects about access have sections of their own. */
export const accessLost = 'ACCESS_LOST';
export const accessGained = 'ACCESS_GAINED';

/** The verb before what an action does to parts of an item. */
export type PartVerbs = Readonly<Record<PartVerb, string>>;

const planVerbs: PartVerbs = { lost: 'loses', gained: 'gains', deletes: 'deletes', adds: 'adds', changes: 'changes' };

/** How a row shows its verb. `parts`: how a list of parts does what its row does. One annotation for 100,000 rows. */
const verbWords = {
  add: { section: 'additions', sign: '+', parts: 'adds', ...annotations('plan/add', 'will be added') },
  change: { section: 'changes', sign: '~', parts: 'changes', ...annotations('plan/change', 'will be changed') },
  delete: { section: 'deletions', sign: '-', parts: 'deletes', ...annotations('plan/delete', 'will be deleted') },
} as const satisfies Readonly<Record<Verb, Pick<Row, 'section' | 'sign'> & { readonly [name: string]: unknown }>>;

function annotations(code: string, says: string): { readonly loss: Annotation; readonly noLoss: Annotation } {
  return { loss: { level: 'warning', code, says }, noLoss: { level: 'notice', code, says } };
}

const remarks: Readonly<Partial<Record<Action['reason'], string>>> = {
  duplicate: 'a second item with this identity',
  absent: 'declared absent',
};

/** True if a live value is gone afterwards: a deletion, a removal, or a put that omits part of it. */
export function isDestructive({ action, before, after }: Pick<Action, 'action' | 'before' | 'after'>): boolean {
  return (
    action === 'delete' ||
    action === 'remove' ||
    (action === 'put' && before !== null && omitsPart(before, after ?? {}))
  );
}

function omitsPart(before: unknown, after: unknown): boolean {
  if (!isRecord(before)) return false;
  return Object.entries(before).some(
    ([key, value]) => !isRecord(after) || !Object.hasOwn(after, key) || omitsPart(value, after[key]),
  );
}

/** One row for each item, however many requests it takes, by kind and name. A duplicate is an item of its own. */
export function actionRows(actions: readonly Action[], kinds: readonly KnownKind[], verbs?: PartVerbs): Row[] {
  return byKind(actions, kinds).flatMap(([, ofKind]) => {
    const items = groupBy(ofKind, (action) => (action.reason === 'duplicate' ? action : action.key));
    const rows = Array.from(items.values(), (ofItem) => actionRow(ofItem, kinds, verbs));
    return inNaturalOrder(rows, ({ name }) => name);
  });
}

/** Actions with the same text are one change. Kinds have no space, so no item has the text of a duplicate. */
export function itemOf({ kind, key, reason, id }: Pick<Action, 'kind' | 'key' | 'reason' | 'id'>): string {
  return reason === 'duplicate' ? `duplicate ${id}` : itemId({ kind, key });
}

export function actionRow(actions: readonly Action[], kinds: readonly KnownKind[], verbs = planVerbs): Row {
  const [first] = actions;
  if (first === undefined) throw new RangeError('an item without an action');
  const { kind, key, noun, name } = itemName(first, kinds);
  const origin = originOf(actions);
  const described = actions.map((action) => {
    const labelOf = partLabels(action, origin);
    return { action, labelOf, description: describe(action, kinds, labelOf) };
  });
  const verb = verbOf(actions);
  const ordered = described.length < 2 ? described : described.toSorted(lossFirst);
  const stated = ordered.flatMap((entry) => statementsOf(entry, verbs, verb));
  const reasons = new Set(actions.map(({ reason }) => reason));
  const why = [...reasons].flatMap((reason) => remarks[reason] ?? []);
  const isUndeclared = reasons.size === 1 && reasons.has('undeclared');
  const isUnread = reasons.size === 1 && reasons.has('unreadable');
  const texts = described.flatMap(({ description }) => description.texts ?? []);
  const source = sourceOf(texts, actions);
  const isLoss = actions.some(isDestructive);
  const { section, sign, loss, noLoss } = verbWords[verb];
  const states = described.flatMap(({ description }) => description.access ?? []);
  return new Row({
    actions,
    states,
    section: isUnread ? 'unread' : (verb === 'change' && accessOf(described)) || section,
    sign,
    verb,
    kind,
    key,
    noun,
    name,
    what: statedText(stated, [...why, ...losersOf(actions)]),
    place: source === null && isUndeclared ? notInFiles : placeOf(source),
    source,
    origin,
    texts: isUnread ? [] : texts,
    details: detailsFrom(kinds),
    isLoss,
    annotation: isLoss ? loss : noLoss,
  });
}

/** What an item changes of access, whatever else changes in it. An item that loses and gains is a loss. */
function accessOf(described: readonly Described[]): Description['access'] {
  const read = described.filter(({ action }) => action.reason !== 'unreadable');
  const states = read.flatMap(({ description }) => description.access ?? []);
  return states.includes('lost') ? 'lost' : states[0];
}

/** One function for all rows. */
const detailsFrom = memoizedByObject((kinds: readonly KnownKind[]): Row['details'] => {
  return ({ actions }) => actions.flatMap((action) => detailsOf(action, kinds));
});

function lossFirst(one: Described, other: Described): number {
  return Number(isDestructive(other.action)) - Number(isDestructive(one.action));
}

/** An effect that several tenants have, with the least counts. `most`: the largest ones. */
export interface SharedEffect extends Effect {
  readonly most?: Pick<Effect, 'users' | 'groups'>;
}

/** `assigned to 3 to 120 users and 1 group`, `groups not counted: needs …`: who has the item, where it was counted. */
export function holdersOf(effect: SharedEffect): readonly string[] {
  const { users, groups, more_groups = false, not_counted = [], most } = effect;
  if (users === undefined && groups === undefined && not_counted.length === 0) return [];
  const named = [
    ...(users === undefined ? [] : [countText('user', users, most?.users)]),
    ...(groups === undefined ? [] : [`${more_groups ? 'at least ' : ''}${countText('group', groups, most?.groups)}`]),
  ];
  return [...(named.length === 0 ? [] : [`assigned to ${named.join(' and ')}`]), ...not_counted.map(cutSentence)];
}

function countText(noun: string, least: number, most = least): string {
  if (most > least) return `${thousands(least)} to ${quantity(most, noun)}`;
  return least === 0 ? `no ${noun}` : quantity(least, noun);
}

export function withHolders(text: string, effect: Effect): string {
  const holders = holdersOf(effect);
  return holders.length === 0 ? text : [text, ...holders].join('; ');
}

/** Who loses what the item gives them, where it was counted. */
function losersOf(actions: readonly Action[]): readonly string[] {
  if (actions.some(({ action }) => action === 'delete')) return [];
  const [found] = actions.flatMap(({ kind, key, effects }) =>
    effects.filter((effect) => effect.code === accessLost && effect.kind === kind && effect.key === key),
  );
  return found === undefined ? [] : holdersOf(found);
}

interface Described {
  readonly action: Action;
  readonly labelOf: LabelOf;
  readonly description: Description;
}

function describe(action: Action, kinds: readonly KnownKind[], labelOf?: LabelOf): Description {
  const kind = kinds.find(({ name }) => name === action.kind);
  return kind?.describe?.(action, labelOf) ?? {};
}

/** An item that is created is an addition, whatever else it takes. */
function verbOf(actions: readonly Action[]): Verb {
  if (actions.some(({ action }) => action === 'create')) return 'add';
  if (actions.some(({ action }) => action === 'delete')) return 'delete';
  const [first] = actions;
  if (first?.action !== 'put' || first.reason === 'unreadable') return 'change';
  if (first.before === null) return 'add';
  return Object.keys(first.after ?? {}).length === 0 ? 'delete' : 'change';
}

function statementsOf({ action, labelOf, description }: Described, verbs: PartVerbs, ofRow: Verb): Statement[] {
  const { changes = [], before, after, request } = action;
  const { summary, parts } = description;
  if (summary !== undefined) return [statement(cutSentence(summary))];
  if (parts !== undefined) {
    // What is all that a row does needs no verb: `+ prompt login form-content-start`.
    const isStated = verbs === planVerbs && parts.length === 1 && parts[0]?.does === verbWords[ofRow].parts;
    return parts.map(({ does, lead = '', parts: of }) => {
      const words = [does === undefined || isStated ? '' : verbs[does], lead];
      return statement(words.filter((text) => text !== '').join(' '), of);
    });
  }
  if (changes.length === 0) return [statement(inlineValue(after ?? before))];
  const isSent = verbs === planVerbs && (request.secrets ?? []).length > 0;
  return [...changeStatements(changes, labelOf), ...(isSent ? [statement('sends its secret')] : [])];
}

/** The line of the first text that changes, or else the place of the item. */
function sourceOf(texts: readonly TextChange[], actions: readonly Action[]) {
  const text = texts.find(({ source, before }) => source !== null && before !== null);
  if (text !== undefined) return changedLine(text);
  return actions.find(({ source }) => source !== null)?.source ?? null;
}

/**
 * Which parts of a row with the origin both were changed on the tenant. A value that both sides changed shows that of the
 * base; the live one and the declared one are there already.
 *
 *   loses refund:orders (drift); gains update:orders of orders.example
 *   limit 333 → 250 (base 300)
 */
function partLabels({ origin, part_origins: parts }: Action, ofRow: Origin): LabelOf {
  if (ofRow !== 'both') return () => '';
  if (parts === undefined) return () => (origin === 'drift' ? ' (drift)' : '');
  const byPart = new Map(parts.map((part) => [part.part, part]));
  return (part) => {
    const known = byPart.get(part);
    if (known === undefined || known.origin === null || known.origin === 'change') return '';
    return known.base === undefined ? ` (${known.origin})` : ` (base ${shortValue(known.base)})`;
  };
}

/** Of several actions: what all have in common, or else both. */
function originOf(parts: readonly { readonly origin: Origin }[]): Origin {
  const only = parts[0]?.origin ?? null;
  if (parts.every(({ origin }) => origin === only)) return only;
  return parts.some(({ origin }) => origin === null) ? null : 'both';
}

/** What differs, field by field, or both sides, unless the row has it in parts; then why, and what is sent. */
function detailsOf(action: Action, kinds: readonly KnownKind[]): Fact[] {
  const { changes = [], notes = [], effects, request, reason } = action;
  const isShown = changes.length > 0 || (reason !== 'unreadable' && describe(action, kinds).parts !== undefined);
  const sides = isShown ? [] : (['before', 'after'] as const).filter((side) => action[side] !== null);
  return [
    ...changes.map((change) => ({ label: 'changes', text: fullChangeText(change) })),
    ...sides.map((side) => ({ label: side, text: cutHint(JSON.stringify(action[side])) })),
    ...notes.map((note) => ({ label: 'note', text: cutSentence(note) })),
    ...effects.map((effect) => ({ label: 'effect', text: cutSentence(effectText(effect, action)) })),
    { label: 'reason', text: reason },
    { label: 'id', text: cutName(action.id) },
    { label: 'request', text: cutName(`${request.method} ${request.path} (${request.operation})`) },
  ];
}

/** The subject of the sentence is left out where it is the item of the action. */
function effectText(effect: Effect, action: Action): string {
  const { kind, key, message } = effect;
  const subject = kind === action.kind && key === action.key ? '' : `${kind}/${key}: `;
  return subject + withHolders(message, effect);
}
