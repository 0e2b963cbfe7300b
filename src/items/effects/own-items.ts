import type { Decision, LockedOut } from '../../model/kind.ts';
import { noAccess, type OwnAccess, type OwnClient } from '../../model/own-client.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { KindDescription } from '../../model/resource.ts';
import { memberOf } from '../../values/json-pointer.ts';

/**
 * An item that is about a client of this tool, or about an API for which it gets tokens; null for another one. `client` is
 * null where it is about the API alone.
 */
export function ownItem(
  { own }: Pick<KindDescription, 'own'>,
  { clients, apis }: OwnAccess = noAccess,
  item: object | null,
): { readonly client: OwnClient | null } | null {
  if (own === undefined || item === null) return null;
  const { client: field, api } = own;
  if (api !== undefined && !apis.includes(String(memberOf(item, api)))) return null;
  const client = field === undefined ? null : clients.find(({ id }) => id === memberOf(item, field));
  return client === undefined ? null : { client };
}

/** Why a client gets no token after an action on an item of it, or none with the scopes that a plan needs; null if it does. */
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
      const client = ownItem(description, own, live)?.client ?? null;
      const reason = live === null || client === null ? null : why(action, live, scopes);
      return client === null || reason === null ? [] : [{ client, why: reason, causes: [action] }];
    });
}
