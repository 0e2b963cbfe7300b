import type { Source } from '../../model/diagnostic.ts';
import type { FormatContext } from '../document.ts';
import type { Row } from '../view/plan-view.ts';
import { type Content, html } from './markup.ts';

/** A location in the files, as a link where the forge shows them. */
export type PlaceOf = (text: string, source: Source | null) => Content;

export function openPlaces({ filesUrl = null }: Pick<FormatContext, 'filesUrl'>): PlaceOf {
  return (text, source) => {
    const path = source?.file ?? '';
    // A lone surrogate has no address, and neither has a file that is not in the repository.
    if (source === null || filesUrl === null || /^(\/|$)|(^|\/)\.\.?(\/|$)|\p{Cs}/u.test(path)) return text;
    const address = `${filesUrl}/${path.split('/').map(encodeURIComponent).join('/')}#L${source.line}`;
    return html`<a href="${address}" rel="noreferrer">${text}</a>`;
  };
}

/** Rows about effects, rules and refusals link to the row of the change that they are about. */
export interface ItemLinks {
  /** The id of a row that others link to. */
  readonly ids: ReadonlyMap<Row, string>;
  /** A name of an item, in a row. */
  readonly linked: (row: Row, name: string) => Content;
}

/** `prefix` begins the ids, which are unique in the page. */
export function openItemLinks(rows: readonly Row[], prefix: string): ItemLinks {
  const itemOf = ({ kind }: Row, name: string) => `${kind} ${name}`;
  const others = rows.filter(({ verb }) => verb === null);
  const named = new Set(others.flatMap((row) => [row.name, ...row.names].map((name) => itemOf(row, name))));
  const ids = new Map<Row, string>();
  const idOfItem = new Map<string, string>();
  for (const row of rows) {
    const item = itemOf(row, row.name);
    if (row.verb === null || !named.has(item) || idOfItem.has(item)) continue;
    idOfItem.set(item, `${prefix}item-${ids.size + 1}`);
    ids.set(row, `${prefix}item-${ids.size + 1}`);
  }
  const linked = (row: Row, name: string) => {
    const id = row.verb === null ? idOfItem.get(itemOf(row, name)) : undefined;
    return id === undefined ? name : html`<a href="#${id}">${name}</a>`;
  };
  return { ids, linked };
}
