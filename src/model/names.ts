import type { KindName } from './kind.ts';
import type { Unreadable } from './reader.ts';

/**
 * Names of items in the files, and ids of items of the tenant. `id:ID` stands for `{ id: ID }`, which files have where several
 * items share a name.
 */
export interface Names {
  /** What a name in the files is on the tenant. */
  find(to: KindName, name: string): Named;
  /** The name in the files of the item with this id; `id:ID` where it has no name that is unique. */
  nameOf(to: KindName, id: string): string;
  /** The live item with this id; undefined where there is none, or it was not read. */
  itemOf(to: KindName, id: string): object | undefined;
}

/**
 * - `new`: the action of this id creates it; `reference` stands for its id in a request
 * - `going`: the files declare it absent, or their section deletes it
 * - `unknown`: neither on the tenant nor declared
 */
export type Named =
  | { readonly is: 'live'; readonly id: string }
  | { readonly is: 'new'; readonly action: string; readonly reference: string }
  | { readonly is: 'going'; readonly id: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'unread'; readonly why: Unreadable };
