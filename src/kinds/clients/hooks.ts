import { changedTo, type WhyLockedOut } from '../../items/effects/own-items.ts';
import type { RequestRules } from '../../items/requests.ts';
import type { FieldChange } from '../../model/plan.generated.ts';
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
  const keys = action.changes?.find(({ field }) => /^(client_authentication_methods|credentials)\b/.test(field));
  if (keys !== undefined && !isMore(keys)) return `its ${keys.field} changes`;
  const found = Object.entries(locking).find(([name, value]) => to(name) === value);
  if (found !== undefined) return `its ${found[0]} becomes ${found[1]}`;
  if ((to('default_organization') ?? null) !== null) return 'its tokens are for its default_organization';
  if (isLower(to('token_quota.client_credentials'), memberOf(memberOf(live, 'token_quota'), needed)))
    return 'its token_quota gets lower';
  return action.request.secrets?.some(({ pointer }) => pointer === '/client_secret')
    ? 'its client_secret changes'
    : null;
};

/** Another key beside those that it may use is no loss. */
function isMore({ before, after }: FieldChange): boolean {
  return (
    Array.isArray(before) && before.length > 0 && Array.isArray(after) && before.every((name) => after.includes(name))
  );
}

/** A client proves who it is in one way: a request that sets one clears the other. */
export const prepare: NonNullable<RequestRules<object>['prepare']> = (body, live) => {
  const ways = ['client_authentication_methods', 'token_endpoint_auth_method'];
  const isIn = (item: unknown) => (name: string) => (memberOf(item, name) ?? null) !== null;
  const cleared = ways.some(isIn(body)) ? ways.filter((name) => !(name in body) && isIn(live)(name)) : [];
  const nulls = Object.fromEntries(cleared.map((name) => [name, null]));
  return { body: { ...body, ...nulls }, notes: cleared.map((name) => `clears ${name}`) };
};

function isLower(after: unknown, before: unknown): boolean {
  if (memberOf(after, 'enforce') !== true) return false;
  const limitOf = (quota: unknown, name: string) => Number(memberOf(quota, name) ?? Number.POSITIVE_INFINITY);
  const now = memberOf(before, 'enforce') === true ? before : {};
  return ['per_day', 'per_hour'].some((name) => limitOf(after, name) < limitOf(now, name));
}
