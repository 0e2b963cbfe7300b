import type { KnownKind } from '../../model/kind.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import { memoized } from '../../values/memoized.ts';
import type { ShortName } from '../../values/short-url.ts';
import { cutSentence } from '../wording.ts';
import { accessGained, accessLost, holdersOf, withHolders } from './action-rows.ts';
import { itemName, placeOf, sorted } from './items.ts';
import { type PlanView, Row, type SectionName, type ViewSection } from './plan-view.ts';
import { statedText, statement } from './statements.ts';

// Rows that several items share: of effects always, of changes if a report is long.

const reaches: readonly Effect['reach'][] = ['all', 'group', undefined];

/**
 * Rows for the effects that no other row states: one for all items with the same effect. What reaches the most comes first.
 * `items`: by kind and name.
 */
export function effectRows(items: readonly Row[], kinds: readonly KnownKind[], shortOf: ShortName): Row[] {
  const byReach = new Map(reaches.map((reach) => [reach, [] as Row[]]));
  // Effects on the items themselves are in their order.
  let isSorted = true;
  for (const item of items) {
    for (const action of item.actions) {
      for (const effect of action.effects) {
        if (isStated(effect, action, item)) continue;
        isSorted &&= isAbout(effect, item);
        byReach.get(effect.reach)?.push(effectRow(effect, item, kinds, shortOf));
      }
    }
  }
  return [...byReach.values()].flatMap((of) => sorted(grouped(isSorted ? of : sorted(of, kinds), 2), kinds));
}

function sectionOf({ code, severity }: Effect): SectionName {
  if (severity === 'critical') return 'critical';
  return code === accessLost ? 'lost' : code === accessGained ? 'gained' : 'effects';
}

/** True if the row of the item, or another effect, has it already. */
function isStated(effect: Effect, action: Action, { states }: Row): boolean {
  const section = sectionOf(effect);
  if (section === 'critical') return false;
  if (section === 'effects' && effect.severity === 'note') return true;
  if (!isAbout(effect, action)) return false;
  if (section !== 'effects') return states.some((access) => access === section);
  return (
    repeating.has(effect.code) ||
    (effect.code === 'ROLE_DELETED' && action.effects.some(({ code }) => code === accessLost))
  );
}

/** The rows of their actions have the same. */
const repeating: ReadonlySet<string> = new Set(['SCOPE_REMOVED', 'STREAM_DELETED']);

function effectRow(effect: Effect, from: Row, kinds: readonly KnownKind[], shortOf: ShortName): Row {
  const { kind, key, noun, name } = isAbout(effect, from) ? from : itemName(effect, kinds);
  const { code, severity, source } = effect;
  const { details, annotation } = traitsOf(severity)(code);
  return new Row({
    section: sectionOf(effect),
    kind,
    key,
    noun,
    name,
    what: effectWhat(effect, shortOf),
    place: source === undefined ? from.place : placeOf(source),
    source: source ?? from.source,
    origin: from.origin,
    details,
    annotation,
  });
}

/** The same for every effect with this severity and code. */
const traitsOf = memoized((severity: Effect['severity']) =>
  memoized(
    (code: Effect['code']): Pick<Row, 'details' | 'annotation'> => ({
      details: () => [{ label: 'effect', text: code }],
      annotation: severity === 'note' ? null : { level: severity, code, says: 'what' },
    }),
  ),
);

function isAbout(effect: Effect, { kind, key }: Pick<Row, 'kind' | 'key'>): boolean {
  return effect.kind === kind && effect.key === key;
}

/** `loses refund:orders of orders.example; assigned to 3 users`, from the data of the effect. */
function effectWhat(effect: Effect, shortOf: ShortName): string {
  const { code, message, api, permissions } = effect;
  const verb = code === accessLost ? 'loses' : code === accessGained ? 'gains' : null;
  if (verb === null || api === undefined || permissions === undefined) return withHolders(cutSentence(message), effect);
  const parts = permissions.map((name) => ({ name, of: shortOf(api) }));
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
    isGrouped(section) ? { ...section, rows: grouped(section.rows, smallestGroup) } : section,
  );
  return { ...view, sections };
}

/** Sections whose rows begin with a verb of their item: `falls back to default`. */
export function isConsequence({ name }: Pick<ViewSection, 'name'>): boolean {
  return name === 'critical' || name === 'lost' || name === 'gained' || name === 'effects';
}

function grouped(rows: readonly Row[], smallest: number): Row[] {
  return sameChanges(rows).flatMap((all) => (all.length < smallest ? all : groupRow(all)));
}

/** Groups in the order in which they begin. What is a group already stays one. */
function sameChanges(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  // Their texts distinguish most rows, and few of the same text are not the same change.
  const byText = new Map<Row | string, Row[][]>();
  for (const row of rows) {
    const text = row.count > 1 ? row : sharedText(row);
    const candidates = byText.get(text) ?? [];
    const same = candidates.find(([first = row]) => isSameChange(first, row));
    if (same !== undefined) same.push(row);
    else {
      const group = [row];
      groups.push(group);
      byText.set(text, [...candidates, group]);
    }
  }
  return groups;
}

/** What rows of the same change state. */
function sharedText({ verb, what, sentence, texts }: Row): string {
  const stated = verb === null ? withoutNow(what) : what;
  if (sentence === null && texts.length === 0) return stated;
  return JSON.stringify([stated, sentence, ...texts.flatMap(({ label, before, after }) => [label, before, after])]);
}

/** Effects end with what applies now, which may be another thing for each item. */
const withoutNow = memoized((what: string) => what.replace(/ \(now: .*\)$/, ''), 1_000);

/** For rows that state the same. */
function isSameChange(one: Row, other: Row): boolean {
  return (
    one.section === other.section &&
    one.sign === other.sign &&
    one.verb === other.verb &&
    one.kind === other.kind &&
    one.origin === other.origin &&
    one.annotation?.level === other.annotation?.level &&
    one.annotation?.code === other.annotation?.code &&
    !one.source === !other.source &&
    !one.sentence === !other.sentence &&
    !one.texts.length === !other.texts.length
  );
}

/** `40 items  each loses refund:orders`: the first row with the names of all. */
function groupRow(rows: readonly Row[]): Row[] {
  return rows.slice(0, 1).map((first) => {
    const { section, source, verb, details } = first;
    const files = new Set(rows.map((row) => row.source?.file));
    const isSame = verb !== null || rows.every((row) => row.what === first.what);
    const what = isSame ? first.what : withoutNow(first.what);
    return {
      ...first,
      name: '',
      names: rows.map(({ name }) => name),
      count: rows.length,
      what: isConsequence({ name: section }) ? `each ${what}` : what,
      place: source === null ? first.place : files.size === 1 ? source.file : '',
      details: verb === null ? details : () => [],
    };
  });
}
