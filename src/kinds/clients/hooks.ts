import type { WhyLockedOut } from '../../items/effects/own-items.ts';
import { memberOf } from '../../values/json-pointer.ts';

/** How a client gets tokens for itself: nothing else of it matters to this tool. */
const needed = 'client_credentials';

export const whyLockedOut: WhyLockedOut<object> = ({ action, after, changes = [], request }) => {
  if (action === 'delete') return 'it is deleted';
  const isChanged = (name: string) => changes.some(({ field }) => field === name);
  const types = memberOf(after ?? {}, 'grant_types');
  if (isChanged('grant_types') && !(Array.isArray(types) && types.includes(needed)))
    return `its grant_types do not have ${needed}`;
  if (isChanged('token_endpoint_auth_method')) return 'its token_endpoint_auth_method changes';
  return request.secrets?.some(({ pointer }) => pointer === '/client_secret') ? 'its client_secret changes' : null;
};
