import type { Source } from '../../model/diagnostic.ts';
import type { FormatContext } from '../document.ts';
import type { Row } from '../view/plan-view.ts';
import { repositoryPath } from '../wording.ts';
import { type Content, html } from './markup.ts';

/** A location in the files, as a link where the forge shows them. */
export type PlaceOf = (text: string, source: Source | null) => Content;

export function openPlaces({ folder, filesUrl = null }: Pick<FormatContext, 'folder' | 'filesUrl'>): PlaceOf {
  return (text, source) => {
    const path = source === null ? '' : repositoryPath(source.file, folder);
    // A lone surrogate has no address, and neither has a file that is not in the repository.
    if (source === null || filesUrl === null || /^\/|(^|\/)\.\.?(\/|$)|\p{Cs}/u.test(path)) return text;
    const address = `${filesUrl}/${path.split('/').map(encodeURIComponent).join('/')}#L${source.line}`;
    return html`<a href="${address}" rel="noreferrer">${text}</a>`;
  };
}

/** Rows about effects, rules and refusals link to the row of the change that they are about. */
export interface ItemLinks {
  /** What others link to; null if none does. */
  readonly idOf: (row: Row) => string | null;
  readonly linked: (kind: string, name: string) => Content;
}

/** `prefix` begins the ids, which are unique in the page. */
export function openItemLinks(rows: readonly Row[], prefix: string): ItemLinks {
  const itemOf = (kind: string, name: string) => `${kind} ${name}`;
  const others = rows.filter(({ verb }) => verb === null);
  const wanted = new Set(others.flatMap(({ kind, name, names }) => [name, ...names].map((one) => itemOf(kind, one))));
  const targets = new Map<string, Row>();
  const ids = new Map<Row, string>();
  for (const row of rows) {
    const item = itemOf(row.kind, row.name);
    if (row.verb === null || !wanted.has(item) || targets.has(item)) continue;
    targets.set(item, row);
    ids.set(row, `${prefix}item-${ids.size + 1}`);
  }
  const idOf = (row: Row | undefined) => (row && ids.get(row)) ?? null;
  return {
    idOf,
    linked: (kind, name) => {
      const id = idOf(targets.get(itemOf(kind, name)));
      return id === null ? name : html`<a href="#${id}">${name}</a>`;
    },
  };
}
