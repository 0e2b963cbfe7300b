import { changedTo, type WhyLockedOut } from '../../items/effects/own-items.ts';
import { memberOf } from '../../values/json-pointer.ts';

/** How a client gets tokens for itself. */
const needed = 'client_credentials';

/** What this tool cannot do: ask for tokens of an organization or of another party, or prove that it has a key. */
const locking = { is_first_party: false, organization_usage: 'require', require_proof_of_possession: true };

export const whyLockedOut: WhyLockedOut<object> = (action, live) => {
  if (action.action === 'delete') return 'it is deleted';
  const to = (path: string) => changedTo(action, live, path);
  const types = to('grant_types');
  if (types !== undefined && !(Array.isArray(types) && types.includes(needed)))
    return `its grant_types do not have ${needed}`;
  if (to('token_endpoint_auth_method') !== undefined) return 'its token_endpoint_auth_method changes';
  const found = Object.entries(locking).find(([name, value]) => to(name) === value);
  if (found !== undefined) return `its ${found[0]} becomes ${found[1]}`;
  if ((to('default_organization') ?? null) !== null) return 'its tokens are for its default_organization';
  if (isLower(to('token_quota.client_credentials'), memberOf(memberOf(live, 'token_quota'), needed)))
    return 'its token_quota gets lower';
  return action.request.secrets?.some(({ pointer }) => pointer === '/client_secret')
    ? 'its client_secret changes'
    : null;
};

function isLower(after: unknown, before: unknown): boolean {
  if (memberOf(after, 'enforce') !== true) return false;
  const limitOf = (quota: unknown, name: string) => Number(memberOf(quota, name) ?? Number.POSITIVE_INFINITY);
  const now = memberOf(before, 'enforce') === true ? before : {};
  return ['per_day', 'per_hour'].some((name) => limitOf(after, name) < limitOf(now, name));
}
