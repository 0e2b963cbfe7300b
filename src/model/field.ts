/** The declared fields of an item or of an object in it, in the order of their schema. */
export type Fields = Readonly<Record<string, Field>>;

/**
 * What a schema says about a declared field, with its marks (CONTRIBUTING.md, "Add a kind").
 *
 * - `default` fills a part of the identity; `pull` leaves such a value out. An absent field is never compared.
 * - `secret`: a reference to a secret, which is sent and never returned
 * - `list`: in a `set`, neither order nor repetition matters; in a list by `key`, one field identifies an element
 * - `patch`: whether an update merges an object with the live one, or replaces it
 * - `values`: the only ones that this version knows
 * - `suggestions`: texts that are known, beside any other one
 * - `fields` are those of an object; one with a `tag` has those of the form that the tag names
 */
export interface Field {
  readonly required?: true;
  readonly identity?: true;
  readonly secret?: true;
  readonly summary?: true;
  readonly default?: string;
  readonly values?: readonly unknown[];
  readonly suggestions?: readonly string[];
  readonly list?: 'set' | 'ordered' | 'key';
  readonly key?: string;
  readonly items?: Field;
  readonly patch?: 'merge' | 'replace';
  readonly fields?: Fields;
  readonly tag?: string;
  readonly forms?: Readonly<Record<string, Fields>>;
}
