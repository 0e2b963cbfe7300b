import type { AnyKind } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { shortUrl } from '../../values/short-url.ts';
import { cutSentence } from '../wording.ts';
import { type ActionRow, accessGained, accessLost, holdersOf, withHolders } from './action-rows.ts';
import { itemName, placeOf, sorted } from './items.ts';
import { type PlanView, Row, type SectionName, type ViewSection } from './plan-view.ts';
import { statedText, statement } from './statements.ts';

// Rows that several items share: of effects always, of changes if a report is long.

const reaches: readonly Effect['reach'][] = ['all', 'group', undefined];

/** An effect that no other row states. There can be 100,000 with one row, so each becomes one only if it has to. */
interface Unstated extends Pick<Row, 'kind' | 'name' | 'what' | 'source'> {
  readonly effect: Effect;
  /** The row of its action. */
  readonly from: Row;
}

/**
 * Rows for the effects that no other row states: one for all items with the same effect. What reaches the most comes first.
 */
export function effectRows(items: readonly ActionRow[], kinds: readonly AnyKind[]): Row[] {
  const unstated: Unstated[] = [];
  for (const item of items) {
    for (const action of item.actions) {
      for (const effect of action.effects)
        if (!isStated(effect, action, item)) unstated.push(unstatedEffect(effect, item.row, kinds));
    }
  }
  return reaches.flatMap((reach) => {
    const reaching = unstated.filter(({ effect }) => effect.reach === reach);
    const groups = groupBy(sorted(reaching, kinds), sameEffect);
    const rows = [...groups.values()].flatMap((group) =>
      group.slice(0, 1).map((first) => groupRow(effectRow(first, kinds), group)),
    );
    return sorted(rows, kinds);
  });
}

function unstatedEffect(effect: Effect, from: Row, kinds: readonly AnyKind[]): Unstated {
  const { kind, source = from.source } = effect;
  return { kind, name: itemName(effect, kinds).name, what: effectWhat(effect), source, effect, from };
}

function sameEffect({ kind, what, source, effect, from }: Unstated): string {
  const { code, severity } = effect;
  return `${kind} ${code} ${severity} ${from.origin} ${source === null} ${withoutNow(what)}`;
}

function sectionOf({ code, severity }: Effect): SectionName {
  if (severity === 'critical') return 'critical';
  return code === accessLost ? 'lost' : code === accessGained ? 'gained' : 'effects';
}

/** True if the row of the item, or another effect, has it already. */
function isStated(effect: Effect, action: Action, { states }: ActionRow): boolean {
  const section = sectionOf(effect);
  if (section === 'critical') return false;
  if (section === 'effects' && effect.severity === 'note') return true;
  if (effect.kind !== action.kind || effect.key !== action.key) return false;
  if (section !== 'effects') return states.some((access) => access === section);
  return (
    repeating.has(effect.code) ||
    (effect.code === 'ROLE_DELETED' && action.effects.some(({ code }) => code === accessLost))
  );
}

/** The rows of their actions have the same. */
const repeating: ReadonlySet<string> = new Set(['SCOPE_REMOVED', 'STREAM_DELETED']);

function effectRow({ effect, from, what, source }: Unstated, kinds: readonly AnyKind[]): Row {
  const { code, severity } = effect;
  return new Row({
    section: sectionOf(effect),
    ...itemName(effect, kinds),
    what,
    place: effect.source === undefined ? from.place : placeOf(effect.source),
    source,
    origin: from.origin,
    details: () => [{ label: 'effect', text: code }],
    annotation: severity === 'note' ? null : { level: severity, code, says: 'what' },
  });
}

/** `loses refund:orders of orders.example; assigned to 3 users`, from the data of the effect. */
function effectWhat(effect: Effect): string {
  const { code, message, api, permissions } = effect;
  const verb = code === accessLost ? 'loses' : code === accessGained ? 'gains' : null;
  if (verb === null || api === undefined || permissions === undefined) return withHolders(cutSentence(message), effect);
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
  const count = view.sections.reduce((sum, { rows }) => sum + rows.length, 0);
  if (count <= mostSingleRows) return view;
  const sections = view.sections.map((section) =>
    isGrouped(section) ? { ...section, rows: grouped(section.rows) } : section,
  );
  return { ...view, sections };
}

/** Sections whose rows begin with a verb of their item: `falls back to default`. */
export function isConsequence({ name }: Pick<ViewSection, 'name'>): boolean {
  return name === 'critical' || name === 'lost' || name === 'gained' || name === 'effects';
}

function grouped(rows: readonly Row[]): Row[] {
  // What is a group already stays one.
  const groups = groupBy(rows, (row) => (row.count > 1 ? row : sameChange(row)));
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    return first === undefined || all.length < smallestGroup ? all : groupRow(first, all);
  });
}

/** Effects end with what applies now, which may be another thing for each item. */
const nowPart = / \(now: .*\)$/;

function withoutNow(what: string): string {
  return what.replace(nowPart, '');
}

/** A text that rows of the same change share: what has no fixed form has its length before it. */
function sameChange({ section, sign, verb, kind, what, sentence, origin, texts, source, annotation }: Row): string {
  const stated = verb === null ? withoutNow(what) : what;
  const changed = texts.map(({ label, before, after }) => JSON.stringify([label, before, after])).join('');
  const start = `${section} ${sign} ${kind} ${origin} ${annotation?.level} ${annotation?.code} ${source === null}`;
  return `${start} ${stated.length} ${sentence?.length} ${stated} ${sentence} ${changed}`;
}

/** `40 items  each loses refund:orders`: the first row with the names of all. */
function groupRow(first: Row, all: readonly Pick<Row, 'name' | 'what' | 'source'>[]): Row {
  if (all.length === 1) return first;
  const { section, source, verb, details } = first;
  const files = new Set(all.map((one) => one.source?.file));
  const what = all.every((one) => one.what === first.what) ? first.what : withoutNow(first.what);
  return {
    ...first,
    name: '',
    names: all.map(({ name }) => name),
    count: all.length,
    what: isConsequence({ name: section }) ? `each ${what}` : what,
    place: source === null ? first.place : files.size === 1 ? source.file : '',
    details: verb === null ? details : () => [],
  };
}
