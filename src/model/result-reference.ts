/**
 * `{result:ACTION_ID:FIELD}` stands for what an action returns, in the path or the body of one that needs it: the id of a role
 * that does not exist yet, for example. Ids of actions hold no braces.
 */
export function resultReference(id: string, field: string): string {
  return `{result:${id}:${field}}`;
}

/** Every reference in a text; its groups are the id and the field. */
export const referencePattern = /\{result:([^{}]+):([a-z_]+)\}/g;
