import type { Fields } from './field.ts';

/**
 * How an item that several layers declare becomes one: the fields of the object at a path of it, whose members are merged one
 * by one; null if the later layer's value replaces the earlier one. Two objects of one form have the same fields.
 *
 *   []                of every item                        its fields
 *   [options]         { strategy: auth0, options: { … } }  those of this strategy
 *   [scopes]          a list, a set or a map               null
 */
export type Layering = (path: readonly string[], item: unknown) => Fields | null;

const unknownFields: Fields = {};

/** Objects are merged down to a depth, whatever their members are. */
export function layeredTo(depth: number): Layering {
  return (path) => (path.length < depth ? unknownFields : null);
}
