import type { Effect } from '../../model/plan.generated.ts';
import { shortUrl } from '../../values/short-url.ts';
import { cutSentence } from '../cut-text.ts';
import { quantity } from '../wording.ts';
import { statedText, statement } from './part-lists.ts';
import type { Row } from './plan-view.ts';

/** Effects about access have sections of their own. */
export const accessLost = 'ACCESS_LOST';
export const accessGained = 'ACCESS_GAINED';

/** `3 users have this role` */
export function usersText(users: number): string {
  return users === 0 ? 'no user has this role' : `${quantity(users, 'user')} ${users === 1 ? 'has' : 'have'} this role`;
}

/** `loses refund:orders of orders.example; 3 users have this role`: in lists, from the data of the effect. */
export function effectWhat({ code, message, api, permissions, users }: Effect): Pick<Row, 'what' | 'long'> {
  const verb = code === accessLost ? 'loses' : code === accessGained ? 'gains' : null;
  if (verb === null || api === undefined || permissions === undefined)
    return { what: cutSentence(message), long: null };
  const parts = permissions.map((name) => ({ name, of: shortUrl(api) }));
  return statedText([statement(verb, parts)], users === undefined ? [] : [usersText(users)]);
}
