import { groupBy } from '../../values/group-by.ts';
import type { PlanView, Row, ViewSection } from './plan-view.ts';

/** Up to this number of rows, every one is written. */
const mostSingleRows = 50;
/** The same change on fewer items stays as it is. */
const smallestGroup = 3;

/**
 * The view with one row for the same change on many items, if it is long. A group is where its first item is, and names
 * all of them.
 */
export function groupRows(view: PlanView, isGrouped: (section: ViewSection) => boolean = isAny): PlanView {
  const rows = view.sections.reduce((sum, section) => sum + (section.isFullOnly ? 0 : section.rows.length), 0);
  return rows <= mostSingleRows
    ? view
    : {
        ...view,
        sections: view.sections.map((section) =>
          section.isFullOnly || !isGrouped(section) ? section : grouped(section),
        ),
      };
}

function isAny(): boolean {
  return true;
}

/** Sections whose rows begin with a verb of their item: `falls back to default`. */
export function isConsequence({ name }: ViewSection): boolean {
  return name === 'critical' || name === 'lost' || name === 'gained' || name === 'effects';
}

function grouped(section: ViewSection): ViewSection {
  const textOf = sameChangeOf();
  // Effects share rows already.
  const groups = [...groupBy(section.rows, (row) => (row.count > 1 ? row : textOf(row))).values()];
  return {
    ...section,
    rows: groups.flatMap((rows) =>
      rows.length < smallestGroup ? rows : [isConsequence(section) ? ofEach(groupRow(rows)) : groupRow(rows)],
    ),
  };
}

/** A text that rows of the same change share; made once for rows that are alike, of which there can be 100,000. */
function sameChangeOf(): (row: Row) => string {
  const known = new Map<string, { readonly row: Row; readonly text: string }>();
  return (row) => {
    const last = known.get(row.what);
    if (last !== undefined && isAlike(row, last.row)) return last.text;
    const text = sameChange(row);
    known.set(row.what, { row, text });
    return text;
  };
}

function isAlike(one: Row, other: Row): boolean {
  return (
    one.what === other.what &&
    one.verb === other.verb &&
    one.kind === other.kind &&
    one.sign === other.sign &&
    one.sentence === other.sentence &&
    one.origin === other.origin &&
    one.isLoss === other.isLoss &&
    (one.source === null) === (other.source === null) &&
    one.texts.length + other.texts.length === 0
  );
}

/** Effects end with what applies now, which may be another thing for each item. */
const nowPart = / \(now: .*\)$/;

export function withoutNow(what: string): string {
  return what.replace(nowPart, '');
}

function sameChange({ sign, verb, kind, what, sentence, origin, texts, isLoss, source }: Row): string {
  const changed = texts.map(({ label, before, after }) => [label, before, after]);
  const stated = verb === null ? withoutNow(what) : what;
  return JSON.stringify([sign, kind, stated, sentence, origin, changed, isLoss, source === null]);
}

/** `40 items  each loses refund:orders` */
export function ofEach(row: Row): Row {
  const { what, long } = row;
  return { ...row, what: `each ${what}`, long: long && { ...long, brief: `each ${long.brief}` } };
}

export function groupRow(rows: readonly Row[]): Row {
  const [first] = rows;
  if (first === undefined) throw new RangeError('a group without rows');
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
    details: [],
    annotation: null,
  };
}
