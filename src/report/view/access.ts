import type { Effect } from '../../model/plan.generated.ts';
import { shortUrl } from '../../values/short-url.ts';
import { cutSentence } from '../cut-text.ts';
import { quantity } from '../wording.ts';
import { statedText, statement } from './part-lists.ts';
import type { Row } from './plan-view.ts';

/** Effects about access have sections of their own. */
export const accessLost = 'ACCESS_LOST';
export const accessGained = 'ACCESS_GAINED';

/** `assigned to 3 users and 1 group`, `groups not counted: needs …`: who has the item, where it was counted. */
export function holdersOf({ users, groups, more_groups = false, not_counted = [] }: Effect): readonly string[] {
  const named = [
    ...(users === undefined ? [] : [countText(users, 'user')]),
    ...(groups === undefined ? [] : [`${more_groups ? 'at least ' : ''}${countText(groups, 'group')}`]),
  ];
  return [...(named.length === 0 ? [] : [`assigned to ${named.join(' and ')}`]), ...not_counted.map(cutSentence)];
}

function countText(count: number, noun: string): string {
  return count === 0 ? `no ${noun}` : quantity(count, noun);
}

export function withHolders(text: string, effect: Effect): string {
  return [text, ...holdersOf(effect)].join('; ');
}

/** `loses refund:orders of orders.example; assigned to 3 users`: in lists, from the data of the effect. */
export function effectWhat(effect: Effect): Pick<Row, 'what' | 'long'> {
  const { code, message, api, permissions } = effect;
  const verb = code === accessLost ? 'loses' : code === accessGained ? 'gains' : null;
  if (verb === null || api === undefined || permissions === undefined)
    return { what: withHolders(cutSentence(message), effect), long: null };
  const parts = permissions.map((name) => ({ name, of: shortUrl(api) }));
  return statedText([statement(verb, parts)], holdersOf(effect));
}
