/** The declared fields of an item or of an object in it, in the order of their schema. */
export type Fields = Readonly<Record<string, Field>>;

/**
 * What a schema says about a declared field, with its marks (CONTRIBUTING.md, "Add a kind").
 *
 * - `default` fills a part of the identity; `pull` leaves such a value out. An absent field is never compared.
 * - `secret`: a reference to a secret, which is sent and never returned
 * - `key`: the field that identifies an element of a list, whose order does not matter then
 * - `values`: the only ones that this version knows
 * - `suggestions`: texts that are known, beside any other one
 * - `fields` are those of an object; one with a `tag` has those of the form that the tag names
 */
export interface Field {
  readonly required?: true;
  readonly identity?: true;
  readonly secret?: true;
  readonly default?: string;
  readonly values?: readonly unknown[];
  readonly suggestions?: readonly string[];
  readonly key?: string;
  readonly items?: Field;
  readonly fields?: Fields;
  readonly tag?: string;
  readonly forms?: Readonly<Record<string, Fields>>;
}
