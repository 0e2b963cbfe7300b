/** Clients, grants, connections and the protection of logins: what they hold, and what the files let them lose. */
import type { Action } from '../../../src/model/plan.generated.ts';
import type { Seed } from '../../../src/model/seed.generated.ts';
import { memberOf } from '../../../src/values/json-pointer.ts';
import type { Effect, Item } from '../effects.ts';
import type { MeantApplications } from '../meaning.ts';

type Values = Readonly<Record<string, unknown>>;

/** Clients but the one of the tool, which has no name. */
export function clientsOf({ clients = [] }: Seed): Item[] {
  return (clients as readonly Values[]).flatMap((client) =>
    client['name'] === undefined ? [] : [{ ...client, id: String(client['client_id']) }],
  );
}

export function grantsOf({ client_grants: grants = [] }: Seed): Item[] {
  return grants as readonly object[] as Item[];
}

/** Without what the tenant counts. */
export function connectionsOf({ connections = [] }: Seed): Item[] {
  return (connections as readonly Values[]).map(({ writes: _writes, ...shown }) => shown as unknown as Item);
}

export function protectionsOf({ attack_protection: protection = {} }: Seed): Item[] {
  return Object.entries(protection as Record<string, object>).map(([name, fields]) => ({
    ...{ ...fields, name },
    id: name.replaceAll('_', '-'),
  }));
}

/** Scopes of a grant, ids of the clients of a connection. */
export function heldBy(kind: Action['kind'], item: object): readonly string[] {
  if (kind === 'client_grants') return (memberOf(item, 'scope') ?? []) as string[];
  return kind === 'connections' ? clientsIn(memberOf(item, 'enabled_clients')) : [];
}

/** Ids in a list of clients. */
export function clientsIn(list: unknown): string[] {
  return ((list ?? []) as readonly Values[]).map(({ client_id }) => String(client_id));
}

/** What the service takes away with a client: its grants, and its place in connections. */
export function goesWithClient(effect: Effect, { kind, action, request }: Action): boolean {
  if (kind !== 'clients' || action !== 'delete') return false;
  const id = decodeURIComponent(request.path.split('/')[2] ?? '');
  if (effect.kind === 'client_grants') return effect.change === 'deleted' && memberOf(effect.item, 'client_id') === id;
  return effect.kind === 'connections' && effect.gained.length === 0 && effect.lost.every((lost) => lost === id);
}

/** Why the files do not want an item to be deleted; null if they do. `state`: before that. */
export function whyKept({ kind, item }: Effect, meant: MeantApplications, state: Seed): string | null {
  const nameOf = new Map(clientsOf(state).map(({ id, name }) => [id, name]));
  if (kind === 'clients')
    return meant.clients.some(({ name, isAbsent }) => isAbsent && name === item?.name)
      ? null
      : 'it is not declared absent';
  if (kind !== 'client_grants') return 'none is declared absent';
  const grant = meantGrant(meant, item as Item, nameOf);
  return grant?.scopes === null ? null : 'it is not declared absent';
}

function meantGrant({ grants }: MeantApplications, item: Item, nameOf: ReadonlyMap<string, string | undefined>) {
  const client = nameOf.get(String(memberOf(item, 'client_id')));
  return grants.find((one) => one.client === client && one.audience === memberOf(item, 'audience'));
}

/** What an item lost although the files do not take it away. `state`: before that. */
export function wrongLosses({ kind, item, lost }: Effect, meant: MeantApplications, state: Seed): string[] {
  const nameOf = new Map(clientsOf(state).map(({ id, name }) => [id, name]));
  if (kind === 'client_grants') {
    const scopes = meantGrant(meant, item as Item, nameOf)?.scopes;
    return lost.filter((scope) => scopes == null || scopes.includes(scope));
  }
  if (kind !== 'connections') return [];
  const enabled = meant.connections.find(({ name }) => name === item?.name)?.enabled ?? null;
  return lost.filter((id) => enabled === null || enabled.includes(nameOf.get(id) ?? ''));
}

/** Whether a connection has the clients that a request adds, or none of those that it removes. */
export function hasClients({ action, request }: Action, state: Seed): boolean {
  const connection = connectionsOf(state).find(({ id }) => request.path.split('/').includes(id));
  if (connection === undefined) return false;
  const enabled = heldBy('connections', connection);
  return clientsIn(request.body).every((id) => enabled.includes(id) === (action === 'add'));
}

const kinds: ReadonlySet<string> = new Set(['clients', 'client_grants', 'connections', 'attack_protection']);

export function isApplication({ kind }: Pick<Action, 'kind'>): boolean {
  return kinds.has(kind);
}

/** Whether what a plan shows of an item is as it is: plans have names, lists in an order of their own, and no secrets. */
export function isAsShown(before: unknown, item: unknown): boolean {
  if (Array.isArray(before))
    return JSON.stringify(before.toSorted()) === JSON.stringify((item as string[])?.toSorted());
  if (typeof before !== 'object' || before === null) return before === item;
  if (typeof item !== 'object' || item === null) return false;
  return Object.entries(before)
    .filter(([name]) => name !== 'client' && name !== 'enabled_clients')
    .every(([name, value]) => isEmpty(value, memberOf(item, name)) || isAsShown(value, memberOf(item, name)));
}

/** A plan shows what an absent field means. */
function isEmpty(value: unknown, found: unknown): boolean {
  return found === undefined && (value === false || value === '' || value === 'client' || isNothing(value));
}

function isNothing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Where clients and what names them are not as the files want them. */
export function unreachedApplications(meant: MeantApplications, state: Seed) {
  const [clients, connections] = [clientsOf(state), connectionsOf(state)];
  const idsOf = (name: string) => clients.filter((client) => client.name === name).map(({ id }) => id);
  const wrongClients = meant.clients.flatMap(({ name, isAbsent, fields }) => {
    const found = clients.filter((client) => client.name === name);
    const what = isAbsent ? found.length === 0 : found.length === 1 && isAsShown(fields, found[0]);
    return what ? [] : [{ place: `clients/${name}`, what: 'is not as declared' }];
  });
  const wrongGrants = meant.grants.flatMap(({ client, audience, scopes }) => {
    const found = grantsOf(state).filter(
      (one) => memberOf(one, 'audience') === audience && idsOf(client).includes(String(memberOf(one, 'client_id'))),
    );
    const isRight = scopes === null ? found.length === 0 : found.length === 1 && isAsShown({ scope: scopes }, found[0]);
    return isRight ? [] : [{ place: `client_grants/${client}/${audience}/client`, what: 'is not as declared' }];
  });
  const wrongConnections = meant.connections.flatMap(({ name, options, enabled }) => {
    const [found] = connections.filter((one) => one.name === name);
    const has = found === undefined ? [] : heldBy('connections', found).toSorted();
    const isRight = found !== undefined && isAsShown({ options }, found);
    const isEnabled = enabled === null || JSON.stringify(enabled.flatMap(idsOf).toSorted()) === JSON.stringify(has);
    return isRight && isEnabled ? [] : [{ place: `connections/${name}`, what: 'is not as declared' }];
  });
  const wrongProtection = Object.entries(meant.protection).flatMap(([part, fields]) =>
    isAsShown(fields, memberOf(state.attack_protection, part))
      ? []
      : [{ place: `attack_protection/${part}`, what: 'is not as declared' }],
  );
  return [...wrongClients, ...wrongGrants, ...wrongConnections, ...wrongProtection];
}
