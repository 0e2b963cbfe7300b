/** The place of a member of a list, which is a set: the place of the list, and the member as canonical JSON. */
export function memberPath(list: string, json: string): string {
  return `${list}/${json}`;
}
