import type { AnyKind } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { shortUrl } from '../../values/short-url.ts';
import { inNaturalOrder } from '../../values/text-order.ts';
import { cutSentence } from '../wording.ts';
import { type ActionRow, accessGained, accessLost, holdersOf, withHolders } from './action-rows.ts';
import { itemName, placeOf } from './items.ts';
import { type PlanView, Row, type ViewSection } from './plan-view.ts';
import { sortedRows } from './sections.ts';
import { statedText, statement } from './statements.ts';

// Rows that several items share: of effects always, of changes if a report is long.

const signs = { critical: '!', lost: '-', gained: '+', others: '!' } as const;
const reaches: readonly Effect['reach'][] = ['all', 'group', undefined];

type EffectSection = keyof typeof signs;

/**
 * Rows for the effects that no other row states, for one section: one for all items with the same effect. What reaches the
 * most comes first.
 */
export function effectRows(items: readonly ActionRow[], kinds: readonly AnyKind[]): (section: EffectSection) => Row[] {
  const found: FoundEffect[] = [];
  for (const item of items) {
    for (const action of item.actions) {
      for (const effect of action.effects)
        if (!isStated(effect, action, item)) found.push(foundEffect(effect, item, kinds));
    }
  }
  const bySection = groupBy(found, ({ effect }) => sectionOf(effect));
  return (section) => {
    const byReach = groupBy(bySection.get(section) ?? [], ({ effect }) => effect.reach);
    return reaches.flatMap((reach) => sortedRows(sharedRows(byReach.get(reach) ?? [], kinds), kinds));
  };
}

function sectionOf({ code, severity }: Effect): EffectSection {
  if (severity === 'critical') return 'critical';
  return code === accessLost ? 'lost' : code === accessGained ? 'gained' : 'others';
}

/** Effects have rows when they are grouped: a plan can have 100,000 of one. */
interface FoundEffect extends Pick<Row, 'name' | 'what' | 'parts' | 'source'> {
  readonly effect: Effect;
  /** The row of the action that leads to it. */
  readonly from: Row;
}

function foundEffect(effect: Effect, { row: from }: ActionRow, kinds: readonly AnyKind[]): FoundEffect {
  const { source = from.source } = effect;
  const { what, parts } = effectWhat(effect);
  return { effect, from, name: itemName(effect, kinds).name, what, parts, source };
}

function sharedRows(found: readonly FoundEffect[], kinds: readonly AnyKind[]): Row[] {
  const same = groupBy(found, ({ effect: { code, kind }, from: { origin }, what, parts }) =>
    JSON.stringify([code, kind, origin, withoutNow(what), parts]),
  );
  return [...same.values()].flatMap((all) => {
    const sorted = inNaturalOrder(all, ({ name }) => name);
    const [row, first] = [...all.slice(0, 1), ...sorted.slice(0, 1)].map((one) => effectRow(one, kinds));
    if (row === undefined || first === undefined || all.length === 1) return row ?? [];
    const { details, source, annotation } = row;
    return { ...ofEach(groupRow(first, sorted)), details, source, annotation };
  });
}

/** True if the row of the item, or another effect, has it already. */
function isStated(effect: Effect, action: Action, item: ActionRow): boolean {
  const section = sectionOf(effect);
  if (section === 'critical') return false;
  if (section === 'others' && effect.severity === 'note') return true;
  if (effect.kind !== action.kind || effect.key !== action.key) return false;
  if (section !== 'others') return item.states.includes(section);
  return (
    repeating.has(effect.code) ||
    (effect.code === 'ROLE_DELETED' && action.effects.some(({ code }) => code === accessLost))
  );
}

/** The rows of their actions have the same. */
const repeating: ReadonlySet<string> = new Set(['SCOPE_REMOVED', 'STREAM_DELETED']);

function effectRow({ effect, from, what, parts, source }: FoundEffect, kinds: readonly AnyKind[]): Row {
  const { kind, code, severity } = effect;
  return new Row({
    sign: signs[sectionOf(effect)],
    kind,
    ...itemName(effect, kinds),
    what,
    parts,
    place: effect.source === undefined ? from.place : placeOf(effect.source),
    source,
    origin: from.origin,
    details: () => [{ label: 'effect', text: code }],
    annotation: severity === 'note' ? null : { level: severity, code, says: 'what' },
  });
}

/** `loses refund:orders of orders.example; assigned to 3 users`: in lists, from the data of the effect. */
function effectWhat(effect: Effect): Pick<Row, 'what' | 'parts'> {
  const { code, message, api, permissions } = effect;
  const verb = code === accessLost ? 'loses' : code === accessGained ? 'gains' : null;
  if (verb === null || api === undefined || permissions === undefined)
    return { what: withHolders(cutSentence(message), effect), parts: [] };
  const parts = permissions.map((name) => ({ name, of: shortUrl(api) }));
  return statedText([statement(verb, parts)], holdersOf(effect));
}

/** Up to this number of rows, every one is written. */
const mostSingleRows = 50;
/** The same change on fewer items stays as it is. */
const smallestGroup = 3;

/**
 * The view with one row for the same change on many items, if it is long. A group is where its first item is, and names
 * all of them.
 */
export function groupRows(view: PlanView, isGrouped: (section: ViewSection) => boolean = () => true): PlanView {
  const rows = view.sections.reduce((sum, section) => sum + section.rows.length, 0);
  if (rows <= mostSingleRows) return view;
  return { ...view, sections: view.sections.map((section) => (isGrouped(section) ? grouped(section) : section)) };
}

/** Sections whose rows begin with a verb of their item: `falls back to default`. */
export function isConsequence({ name }: ViewSection): boolean {
  return name === 'critical' || name === 'lost' || name === 'gained' || name === 'effects';
}

function grouped(section: ViewSection): ViewSection {
  // Effects share rows already.
  const groups = groupBy(section.rows, (row) => (row.count > 1 ? row : sameChange(row)));
  const rows = [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || all.length < smallestGroup) return all;
    const group = groupRow(first, all);
    return isConsequence(section) ? ofEach(group) : group;
  });
  return { ...section, rows };
}

/** Effects end with what applies now, which may be another thing for each item. */
const nowPart = / \(now: .*\)$/;

export function withoutNow(what: string): string {
  return what.replace(nowPart, '');
}

/** A text that rows of the same change share: what has no fixed form has its length before it. */
function sameChange({ sign, verb, kind, what, parts, sentence, origin, texts, isLoss, source }: Row): string {
  const stated = verb === null ? withoutNow(what) : what;
  const changed = texts.map(({ label, before, after }) => JSON.stringify([label, before, after])).join('');
  const start = `${sign} ${kind} ${origin} ${isLoss} ${source === null} ${stated.length} ${sentence?.length}`;
  return `${start} ${stated} ${sentence} ${parts.length === 0 ? '' : JSON.stringify(parts)} ${changed}`;
}

/** `40 items  each loses refund:orders` */
export function ofEach(row: Row): Row {
  return { ...row, what: `each ${row.what}` };
}

/** `first` is the row of the first one. */
export function groupRow(first: Row, rows: readonly Pick<Row, 'name' | 'what' | 'source'>[]): Row {
  const files = new Set(rows.map(({ source }) => source?.file));
  const isOneFile = files.size === 1 && first.source !== null;
  return {
    ...first,
    name: '',
    names: rows.map(({ name }) => name),
    count: rows.length,
    what: rows.every(({ what }) => what === first.what) ? first.what : withoutNow(first.what),
    place: first.source === null ? first.place : isOneFile ? first.source.file : '',
    source: null,
    details: () => [],
    annotation: null,
  };
}
