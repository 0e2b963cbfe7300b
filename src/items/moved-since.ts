// An item that an action changes, as its request reads it immediately before it sends parts of it back.
import { itemState, shownItem } from '../differ/draft.ts';
import type { Fields } from '../model/field.ts';
import type { ItemRead, MovedItem } from '../model/kind.ts';
import type { Action } from '../model/plan.generated.ts';
import type { KindDescription } from '../model/resource.ts';
import { memberOf, pointerPath } from '../values/json-pointer.ts';
import { listOf } from '../values/list-of.ts';
import { comparableLive, inSetOrder } from './comparable.ts';
import { inOrder, withSets } from './members.ts';
import { openProjection, unknownIn } from './project.ts';
import { type Body, updated } from './updated.ts';

/** What others have changed since an action was planned; null if its request still does what the plan shows. */
export function openMovedSince(
  description: KindDescription,
  compared: Fields,
): (action: Action, read: ItemRead) => MovedItem | null {
  const fields = withSets(description);
  const project = openProjection(description);
  const ordered = inSetOrder(fields);
  const identified = {
    idOf: (item: object) => String(memberOf(item, description.id) ?? ''),
    liveForm: comparableLive(compared),
  };
  return (action, { value, odd }) => {
    const { item, others } = project?.(value) ?? { item: value, others: [] };
    const lost = lostBy(fields, action, item, [...others, ...unknownIn(odd)]);
    if (lost.length === 0 && itemState(identified, action.key, item) === action.precondition) return null;
    const names = listOf(lost.map((pointer) => pointerPath(pointer).join('.')));
    return { before: shownItem(ordered(item)), notes: lost.length === 0 ? [] : [`would lose ${names}`] };
  };
}

/** What the item has by now, and the request neither sends back nor replaces by a declared secret. */
function lostBy(
  fields: Fields,
  { after, changes = [], request: { live = [], secrets = [] } }: Action,
  item: object,
  others: readonly string[],
): string[] {
  const [sentBack, undeclared, lacking]: [string[], string[], string[]] = [[], [], []];
  const changed = [
    ...changes.map(({ field }) => field.split('.')),
    ...secrets.map(({ pointer }) => pointerPath(pointer).slice(0, 1)),
  ];
  const rest = { resolve: (name: string) => name, sentBack, undeclared, lacking };
  updated({ changed, others, readsAgain: true, rotates: false, ...rest }, fields, {
    declared: inOrder(fields, after ?? {}),
    live: item as Body,
  });
  const covered = new Set([...live, ...secrets.map(({ pointer }) => pointer)]);
  return [...sentBack, ...undeclared].filter((pointer) => !covered.has(pointer));
}
