import type { DesiredItem, DesiredSection } from './kind.ts';
import type { LiveState, Reader } from './reader.ts';

/**
 * How `pull` writes live items of a kind into files. A kind without these rules is left out by `pull`, with a warning.
 *
 * A written item is what people write, in the short forms of the schema and with plain values: variables replaced by
 * their values, references to files by the texts of the files, and secrets as the text `${env:NAME}`. So a rule only
 * compares values and builds values. `pull` derives the smallest edit from the two, and leaves what is equal as it is
 * written: references, comments, quotes.
 *
 * - `form`: whether the section is a list of items, or a mapping from keys to items
 * - `readUndeclared`: every live item that the section does not declare, each of which files could declare; for kinds
 *   whose `reading` reads declared items only. It must not turn a failure into an empty list.
 * - `keyOf`: the key of a live item, as declared, or as `declare` would declare it; null if it is not on the tenant
 * - `declare`: a new item, in the shortest form that a plan finds in sync
 * - `adopt`: the item as declared, changed so that a plan finds it in sync: in the same form, with the same fields, in
 *   their order; values that a plan takes for equal stay. It also adopts the name of the live item.
 * - `renames`: of declared items that are not on the tenant, those that are there under another name; by key
 * - `secrets`: JSON pointers below a written item to its references to secrets
 * - `files`: texts that a new item, or a new part of one, has in files of their own, with a path for each
 * - `partName`: the name of an element of a list below a written item, so that a change of one of its fields is one; by
 *   default elements are compared as they are
 * - `protectAs`: the name under `protect` that keeps a live item; by default its key
 */
export interface PullRules<Written = unknown, Live = unknown> {
  readonly form: 'list' | 'mapping';
  readUndeclared?(reader: Reader, desired: DesiredSection): Promise<LiveState<Live>>;
  keyOf(live: Live): string | null;
  declare(live: Live, names: NewNames): Pulled<Written>;
  adopt(written: Written, live: Live, names: NewNames): Pulled<Written>;
  renames?(missing: readonly DesiredItem[], undeclared: readonly Live[]): ReadonlyMap<string, Live>;
  secrets?(written: Written): readonly string[];
  files?(written: Written, key: string): readonly NewFile[];
  partName?(part: unknown): string | undefined;
  protectAs?(live: Live): string;
}

/**
 * A written item, or the reason why files cannot express the live one. `policy` has one sentence for each rule of the
 * item that the tenant violates. Such rules, for example `absent_permissions`, are kept, so a plan still has an action.
 */
export type Pulled<Written> =
  | { readonly written: Written; readonly policy?: readonly string[] }
  | { readonly inexpressible: string };

export interface NewNames {
  /** `${env:TENANT_VAR_…}`, named after the words and used nowhere else. People have to set the variable. */
  secret(...words: readonly string[]): string;
}

/** A text for a file of its own. */
export interface NewFile {
  /** JSON pointer from the item to the text. */
  readonly pointer: string;
  /** `partials/login/login-form-content-start.liquid`, relative to the file that declares the item. */
  readonly path: string;
}
