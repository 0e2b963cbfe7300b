import type { Action } from './plan.generated.ts';

/** Identifies an action in a plan. Code never parses an id; it uses these fields. */
export interface ActionIdentity {
  readonly kind: string;
  /** The item. */
  readonly key: string;
  /** The part of the item, where an item takes several actions. */
  readonly part?: string;
}

/**
 * The id of an action: unique in a plan, for people and for references.
 *
 *   { kind: 'roles', key: 'Support' }                              roles/Support
 *   { kind: 'roles', key: 'Support', part: 'add' }                 roles/Support#add
 *   { kind: 'roles', key: 'Support#add' }                          roles/Support%23add
 *
 * Where a set takes several requests, the part names the first element of the request: a number would be that of another one
 * once the first request has been carried out.
 */
export function actionId({ kind, key, part }: ActionIdentity): string {
  const change = part === undefined ? '' : `#${escapeKey(part)}`;
  // One text: a template keeps its parts beside it until it is read, and a plan has 100,000.
  return [kind, '/', escapeKey(key), change].join('');
}

/**
 * What an action does to a set of an item; actions of one set, with other elements, are alike.
 *
 *   add enabled_clients Web shop    add enabled_clients
 *   add                             add
 */
export function changeOf(part: string | undefined): string | undefined {
  return part?.split(' ', 2).join(' ');
}

const special = /[%#{}]/g;

/** Braces enclose references to actions (see apply/result-references.ts), and a number sign separates the part. */
function escapeKey(key: string): string {
  if (key.search(special) < 0) return key;
  return key.replaceAll(special, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

export interface Item {
  readonly kind: string;
  readonly key: string;
}

/** A unique text per item, for maps: kinds have no slash. */
export function itemId({ kind, key }: Item): string {
  return `${kind}/${key}`;
}

/** An item without the id and the times that its tenant gave it, so that it can be compared with that of another one. */
export function asOnAnyTenant(item: Action['before']): Action['before'] {
  const { id: _id, created_at: _created, updated_at: _updated, ...rest } = item ?? {};
  return item && rest;
}

/**
 * `{result:ACTION_ID:FIELD}` refers to what an action creates, in the path or the body of an action that needs it: for
 * example, the id of a role that does not exist yet. Ids of actions have no braces.
 */
export function resultReference(id: string, field: string): string {
  return `{result:${id}:${field}}`;
}

/** Every reference in a text; its groups are the id and the field. */
export const referencePattern = /\{result:([^{}]+):([a-z_]+)\}/g;
