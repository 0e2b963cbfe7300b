import type { KindName } from './plan.generated.ts';

/** The declared fields of an item or of an object in it, in the order of their schema. */
export type Fields = Readonly<Record<string, Field>>;

/**
 * What is known of a declared field, with its marks (docs/internals/descriptions.md).
 *
 * - `none`: absent, null and this value are the same; in an identity, it fills what is absent
 * - `list`: in a `set`, neither order nor repetition matters; in a list by `key`, one field identifies an element
 * - `values`: the only ones that this version knows; `suggestions`: texts that are known, beside any other one
 * - `fields` are those of an object; one with `forms` has those of the form that a field names
 */
export interface Field {
  readonly required?: true;
  readonly identity?: true;
  /** The name of the field on the service, where files have another one. */
  readonly wire?: string;
  /** Which of create (C), update (U) and response (R) has the field; default: all. */
  readonly sides?: string;
  /** Returned never, as it is, or as something else. Files have a reference to the environment. */
  readonly secret?: 'hidden' | 'clear' | 'changed';
  readonly summary?: true;
  readonly none?: unknown;
  /** Whether files can say that it is not set. */
  readonly nullable?: true;
  /** What is sent for a declared null; default: null. */
  readonly clear?: unknown;
  /** The name under which a declared null is sent, where it is not that of the field. */
  readonly clearAs?: string;
  /** Another name of the same value in responses: not in the files, not compared, not sent. */
  readonly twin?: string;
  /** What the service fills in on create; `$name` is the value of the field `name`. */
  readonly filled?: unknown;
  readonly values?: readonly unknown[];
  readonly suggestions?: readonly string[];
  readonly list?: 'set' | 'ordered' | 'key';
  readonly key?: string;
  readonly items?: Field;
  /** What an update without the field does to it; default: what the object around it says, or it is kept. */
  readonly omitted?: 'kept' | 'lost' | 'refused';
  /** An update replaces the object: everything below that it leaves out is lost. */
  readonly replace?: true;
  /** Fields that must be in a request that gives it one of these values. */
  readonly with?: Readonly<Record<string, readonly string[]>>;
  /** Fields beside it that an update which changes this one does not send back. */
  readonly without?: readonly string[];
  readonly fields?: Fields;
  readonly forms?: Forms;
  /** The values of a map. */
  readonly map?: Field;
  /** Compared as it is; what is in it is not described. */
  readonly json?: true;
  readonly ref?: Reference;
  /** The field names an element of this set of the item: by its key in the files, by its id on the service. */
  readonly element?: string;
  /** The extension of a file of its own into which pull writes it. */
  readonly file?: string;
  readonly login?: Login;
  /** `codes`: it gets the codes or tokens of logins. */
  readonly address?: true | 'codes';
  readonly script?: true;
}

/** Fields of an object by the value of a field in it, or of a field `beside` it. */
export interface Forms {
  readonly by: string;
  readonly beside?: true;
  readonly of: Readonly<Record<string, Fields>>;
}

/** The field names an item of another kind, by its name in the files. */
export interface Reference {
  readonly to: KindName;
  /** The field that the service has; default: the id of the item. */
  readonly by?: string;
  /** What the service does with this item when the other one is deleted. */
  readonly gone?: 'deleted' | 'dropped' | 'refused';
  /** Set by an update after the create, because the two items refer to each other. */
  readonly late?: true;
  /**
   * Only some values of the field name an item: files write its name in the field `field` instead, and the service has
   * `prefix` before its id. An item has the name of this field and a colon before the name.
   *
   *   files { client: Web }   item { consumer_selector: client:Web }   service { consumer_selector: client_id:c1 }
   */
  readonly as?: { readonly field: string; readonly prefix: string };
}

/** The direction in which logins get weaker; a list has values from weak to strong. */
export interface Login {
  readonly weaker?: boolean | 'higher' | 'lower' | 'more' | 'fewer';
  readonly order?: readonly unknown[];
}
