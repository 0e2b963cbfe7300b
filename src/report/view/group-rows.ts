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
    details: [],
    annotation: null,
  };
}
