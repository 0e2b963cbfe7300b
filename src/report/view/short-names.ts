import type { KnownKind } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { type ShortName, shortUrl } from '../../values/short-url.ts';
import { type Documents, isViewed, planOf } from '../document.ts';

/**
 * The short form of the identifiers of APIs, where nothing else in the report has it or is called so.
 *
 *   https://shop.example/                           ->  shop.example
 *   https://shop.example/ beside shop.example       ->  https://shop.example/
 */
export function shortNames(documents: Documents, kinds: readonly KnownKind[]): ShortName {
  const plans = documents.filter(isViewed).map(planOf);
  const names = new Set(plans.flatMap(({ actions }) => actions.flatMap((action) => ownersIn(action, kinds))));
  if (names.size > 0)
    for (const { actions, findings } of plans) for (const { key } of [...actions, ...findings]) names.add(key);
  const byShort = groupBy(names, shortUrl);
  return (name) => {
    const short = shortUrl(name);
    const [only, ...others] = byShort.get(short) ?? [];
    return only === name && others.length === 0 ? short : name;
  };
}

/** What the effects of an action and its parts name. */
function ownersIn(action: Action, kinds: readonly KnownKind[]): string[] {
  const ofEffects = action.effects.flatMap(({ api }) => api ?? []);
  if (action.action !== 'add' && action.action !== 'remove') return ofEffects;
  const kind = kinds.find(({ name }) => name === action.kind);
  const lists = kind?.describe?.(action).parts ?? [];
  return [...ofEffects, ...lists.flatMap(({ parts }) => parts.flatMap((part) => part.of ?? []))];
}
