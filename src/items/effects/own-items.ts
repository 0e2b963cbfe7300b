import type { Decision, LockedOut } from '../../model/kind.ts';
import { clientOfToken, noAccess, type OwnAccess, type OwnClient } from '../../model/own-client.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { KindDescription } from '../../model/resource.ts';
import { isRecord } from '../../values/is-record.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { isBelow } from './field-changes.ts';

/**
 * The clients of this tool that an item is about, all of them where it is about an API for which they get tokens; null for an
 * item that is about neither.
 */
export function ownClientsOf(
  { own }: Pick<KindDescription, 'own'>,
  { clients, apis, mayHaveOthers = false }: OwnAccess = noAccess,
  item: object | null,
): readonly OwnClient[] | null {
  if (own === undefined || item === null) return null;
  const { client: field, api } = own;
  const identifier = api === undefined ? '' : String(memberOf(item, api));
  const isOwn = apis.includes(identifier) || (mayHaveOthers && identifier.endsWith('/api/v2/'));
  if (api !== undefined && !isOwn) return null;
  // A token may not show whose it is.
  if (field === undefined) return clients.length > 0 ? clients : [{ id: '', name: clientOfToken }];
  const client = clients.find(({ id }) => id === memberOf(item, field));
  return client === undefined ? null : [client];
}

/** Why clients get no token after an action on an item of theirs, or none with the scopes that a plan needs; null if they do. */
export type WhyLockedOut<Live> = (action: Action, live: Live, scopes: () => readonly string[]) => string | null;

export function lockedOutBy<Live extends object>(
  description: Pick<KindDescription, 'own'>,
  own: OwnAccess | undefined,
  liveOf: (action: Action) => Live | null,
  why: WhyLockedOut<Live>,
): NonNullable<Decision['lockedOut']> {
  return (actions, scopes) =>
    actions.flatMap((action): LockedOut[] => {
      const live = liveOf(action);
      const clients = ownClientsOf(description, own, live) ?? [];
      const reason = live === null || clients.length === 0 ? null : why(action, live, scopes);
      return reason === null ? [] : clients.map((client) => ({ client, why: reason, causes: [action] }));
    });
}

/**
 * What an item has at a path once an action has changed it there, with what the files leave out as it is; undefined where the
 * action does not change it.
 *
 *   live { quota: { hour: 9 } }, declared { quota: { day: 5 } }, which differs   ->   quota: { hour: 9, day: 5 }
 */
export function changedTo({ after, changes = [] }: Action, live: object, path: string): unknown {
  if (!changes.some(({ field }) => isBelow(field, path) || isBelow(path, field))) return undefined;
  const names = path.split('.');
  return merged(names.reduce<unknown>(memberOf, after), names.reduce<unknown>(memberOf, live));
}

function merged(declared: unknown, live: unknown): unknown {
  if (declared === undefined) return live;
  return isRecord(declared) && isRecord(live) ? { ...live, ...declared } : declared;
}
