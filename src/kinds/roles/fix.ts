import type { Action } from '../../model/plan.generated.ts';
import type { PermissionPair } from '../../service/roles/types.generated.ts';
import { pairsOf, pairText } from './permission-pair.ts';

const listedAtMost = 20;

/**
 * One request has many pairs, and the error message of the service names one problem. This finds the pairs that have
 * it:
 *
 *   The resource server does not exist: 'https://x/'
 *   -> read:orders of https://x/ : this API does not exist on the tenant; create it or correct resource_server_identifier. …
 *
 * This message is a public fact (2.4). The one for an unknown permission is not, so any message counts that names a
 * permission and states in some words that it is missing.
 */
export function fix(action: Action, message: string): string | null {
  if (action.action !== 'add') return null;
  const pairs = pairsOf(action);
  const ofApi = pairs.filter((pair) => names(message, pair.resource_server_identifier));
  if (/resource server does not exist/i.test(message)) return sentences(ofApi, apiAdvice);
  if (!/not exist|not found|unknown|invalid|no such/i.test(message)) return null;
  const ofPermission = pairs.filter((pair) => names(message, pair.permission_name));
  const ofBoth = ofPermission.filter((pair) => ofApi.includes(pair));
  return sentences(ofBoth.length > 0 ? ofBoth : ofPermission, permissionAdvice);
}

const apiAdvice = 'this API does not exist on the tenant; create it or correct resource_server_identifier';
const permissionAdvice = 'the API does not define this permission; add it to the API or correct permission_name';

/** Matches a name in quotes or as a separate word, not as a part of a longer name. */
function names(message: string, name: string): boolean {
  if (message.includes(`'${name}'`) || message.includes(`"${name}"`)) return true;
  return message.split(/\s+/).some((word) => word === name || word.replace(/[.,:;]$/, '') === name);
}

function sentences(pairs: readonly PermissionPair[], advice: string): string | null {
  if (pairs.length === 0) return null;
  // The space before the colon keeps it out of the address.
  const rest = pairs.length - listedAtMost;
  const listed = pairs.slice(0, listedAtMost).map((pair) => `${pairText(pair)} : ${advice}`);
  return [...listed, ...(rest > 0 ? [`The same applies to ${rest} more ${rest === 1 ? 'pair' : 'pairs'}`] : [])].join(
    '. ',
  );
}
