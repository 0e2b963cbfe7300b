import type { Fields } from '../../model/field.ts';
import type { Decision } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { KindDescription } from '../../model/resource.ts';
import { hasField, withSets } from '../members.ts';
import { accessEffects, accessSets } from './access.ts';
import { type FieldChange, fieldChanges, type ItemEffect, isMarked, nameOf, type Values } from './field-changes.ts';
import { loginEffects } from './login.ts';

/** What actions on items lead to, by the classes that the description marks; null if it marks none. */
export function openEffects(
  description: Pick<KindDescription, 'name' | 'noun' | 'fields' | 'resources' | 'destroys'>,
): EffectsOn | null {
  const { name: kind, destroys } = description;
  const fields = withSets(description);
  const isSilent = !Object.values(fields).some((field) => hasField(field, isMarked));
  if (isSilent && destroys === undefined && accessSets(description).length === 0) return null;
  return (liveOf) => () => (action) => {
    const ofItem = [...destroyed(action, destroys), ...effectsOf(fields, action, liveOf)];
    return [...ofItem.map((effect) => ({ ...effect, kind, key: action.key })), ...accessEffects(description, action)];
  };
}

function destroyed({ action }: Action, destroys: string | undefined): ItemEffect[] {
  if (action !== 'delete' || destroys === undefined) return [];
  return [{ code: 'ITEM_DESTROYED', severity: 'critical', message: `is deleted for good, with ${destroys}` }];
}

/** `liveOf`: the item that an action is about. That of a plan may have masked values. */
export type EffectsOn = (liveOf: (action: Action) => object | null) => NonNullable<Decision['effectsOf']>;

function effectsOf(fields: Fields, action: Action, liveOf: (action: Action) => object | null): ItemEffect[] {
  const { before, after } = action;
  if (action.action !== 'update' || before === null) return [];
  const changes = fieldChanges(fields, (liveOf(action) ?? before) as Values, after ?? {});
  return changes.filter(isIn(action)).flatMap(loginEffects);
}

/** Some of what the files declare may not be corrected, or have another spelling only. */
function isIn({ changes = [] }: Action): (change: FieldChange) => boolean {
  const isBelow = (one: string, other: string) => `${one}.`.startsWith(`${other}.`);
  return (change) => {
    const name = nameOf(change);
    return changes.some(({ field }) => isBelow(field, name) || isBelow(name, field));
  };
}
