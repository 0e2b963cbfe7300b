import { changedTo, type WhyLockedOut } from '../../items/effects/own-items.ts';
import { memberOf } from '../../values/json-pointer.ts';

/** Shorter, a token may expire before its first request. */
const shortest = 60;

export const whyLockedOut: WhyLockedOut<{ readonly identifier?: string }> = (action, live) => {
  const name = `its API ${live.identifier}`;
  if (action.action === 'delete') return `${name} is deleted`;
  const to = (path: string) => changedTo(action, live, path);
  if (to('subject_type_authorization.client.policy') === 'deny_all') return `${name} gives no tokens to clients`;
  const proof = to('proof_of_possession');
  if (memberOf(proof, 'required') === true && memberOf(proof, 'required_for') !== 'public_clients')
    return `${name} takes only tokens that are bound to a key`;
  const lifetime = to('token_lifetime');
  if (typeof lifetime === 'number' && lifetime < shortest && !(Number(memberOf(live, 'token_lifetime')) < lifetime))
    return `${name} gives tokens for less than a minute`;
  if ((to('authorization_policy') ?? null) !== null)
    return `${name} lets an authorization_policy decide who gets tokens`;
  return null;
};
