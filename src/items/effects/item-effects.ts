import type { Fields } from '../../model/field.ts';
import type { Decision } from '../../model/kind.ts';
import type { Names } from '../../model/names.ts';
import type { OwnAccess } from '../../model/own-client.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { KindDescription } from '../../model/resource.ts';
import { hasField, withSets } from '../members.ts';
import { withNames } from '../references.ts';
import { accessEffects, accessSets, idOfItem } from './access.ts';
import { addressEffects } from './address.ts';
import {
  type FieldChange,
  fieldChanges,
  type ItemEffect,
  isBelow,
  isMarked,
  nameOf,
  type Values,
} from './field-changes.ts';
import { loginEffects } from './login.ts';
import { ownClientsOf } from './own-items.ts';
import { scriptEffects } from './script.ts';

/** What actions on items lead to, by the classes that the description marks; null if it marks none. */
export function openEffects(
  description: Pick<KindDescription, 'name' | 'noun' | 'fields' | 'resources' | 'operations' | 'destroys' | 'own'>,
  ofAction: EffectHook = () => [],
): EffectsOn | null {
  const { name: kind, destroys } = description;
  const fields = withSets(description);
  const isSilent = !Object.values(fields).some((field) => hasField(field, isMarked));
  if (isSilent && destroys === undefined && accessSets(description).length === 0) return null;
  return ({ liveOf, names, own }) =>
    () =>
    (action) => {
      const live = liveOf(action);
      const named = live === null || names === undefined ? live : withNames(fields, live, names);
      const changes = fieldEffects(fields, action, named as Values | null);
      const isOwn = ownClientsOf(description, own, live) !== null;
      const ofItem = [...destroyed(action, destroys), ...(isOwn ? changes.map(ofOwn) : changes)];
      const about = { kind, key: action.key };
      const ofHook = ofAction(action).map((effect) => {
        const id = idOfItem(description, action);
        return { ...effect, ...about, ...(id !== null && { id }) };
      });
      return [...ofHook, ...ofItem.map((effect) => ({ ...effect, ...about })), ...accessEffects(description, action)];
    };
}

/** What a kind says of an action itself. */
export type EffectHook = (action: Action) => readonly ItemEffect[];

function destroyed({ action }: Action, destroys: string | undefined): ItemEffect[] {
  if (action !== 'delete' || destroys === undefined) return [];
  return [{ code: 'ITEM_DESTROYED', severity: 'critical', message: `is deleted for good, with ${destroys}` }];
}

/** What actions are about. A plan may have masked values of it. */
interface EffectsInput {
  liveOf(action: Action): object | null;
  readonly names?: Names | undefined;
  readonly own?: OwnAccess | undefined;
}

export type EffectsOn = (input: EffectsInput) => NonNullable<Decision['effectsOf']>;

/** A weaker login of a client of this tool, or of an API that it uses. */
function ofOwn(effect: ItemEffect): ItemEffect {
  const isLogin = effect.code === 'LOGIN_WEAKER' || effect.code === 'LOGIN_CHANGED';
  return isLogin ? { ...effect, severity: 'critical', message: `${effect.message}; this tool uses it` } : effect;
}

/** A new item weakens nothing, and sends what it has to hosts that did not get it. */
function fieldEffects(fields: Fields, action: Action, live: Values | null): ItemEffect[] {
  const { before, after } = action;
  const isNew = action.action === 'create';
  if (after === null || (before === null && !isNew)) return [];
  const changes = fieldChanges(fields, live ?? {}, after).filter(isNew ? () => true : isIn(action));
  return [
    ...(isNew ? [] : changes.flatMap(loginEffects)),
    ...addressEffects(fields, live, changes),
    ...scriptEffects(fields, live, changes),
  ];
}

/** Some of what the files declare may not be corrected, or have another spelling only. */
function isIn({ changes = [] }: Action): (change: FieldChange) => boolean {
  return (change) => {
    const name = nameOf(change);
    return changes.some(({ field }) => isBelow(field, name) || isBelow(name, field));
  };
}
