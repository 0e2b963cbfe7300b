/** Clients, what they may get tokens for, where their users log in, and the protection of logins: items that name each other. */

import type { ApiLevel } from '../../src/model/operation.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import type { MeantApplications, MeantClient, MeantConnection, MeantGrant } from './meaning.ts';
import type { Random } from './random.ts';

type Live = Pick<Seed, 'clients' | 'client_grants' | 'connections' | 'attack_protection'>;

interface Scope {
  readonly resource_server_identifier: string;
  readonly permission_name: string;
}

interface ApisOfSeed {
  /** Identifiers; null if the files and the tenant have no APIs. */
  readonly meant: readonly string[] | null;
  /** Scopes that the tenant has. */
  readonly there: readonly Scope[];
  /** Scopes that the run adds. */
  readonly added: readonly Scope[];
}

export interface ApplicationsScenario {
  readonly live: Live;
  readonly meant: MeantApplications;
  readonly written: object;
  /** The name and the id of a client that the files want and nobody deletes. */
  readonly anchor: { readonly name: string; readonly id: string } | null;
}

/** Other clients leave it alone. */
export const anchorId = 'app0';

export const providerSecret = 'planted provider secret/+"';

/** Null in about half of the seeds, and where only the documented operations are used. */
export function makeApplications(random: Random, api: ApiLevel, apis: ApisOfSeed): ApplicationsScenario | null {
  if (api !== 'full' || !random.chance(0.6)) return null;
  const clients = makeClients(random.branch('clients'));
  const grants = makeGrants(random.branch('grants'), apis, clients);
  const connections = makeConnections(random.branch('connections'), clients);
  const protection = makeProtection(random.branch('protection'));
  const { anchor } = clients;
  return {
    live: {
      clients: clients.live,
      client_grants: grants.live,
      connections: connections.live,
      attack_protection: protection.live,
    } as Live,
    meant: {
      clients: clients.meant,
      grants: grants.meant,
      connections: connections.meant,
      protection: protection.meant,
    },
    written: {
      clients: clients.written,
      ...(grants.written.length > 0 && { client_grants: grants.written }),
      ...(connections.written.length > 0 && { connections: connections.written }),
      ...(Object.keys(protection.meant).length > 0 && { attack_protection: protection.meant }),
    },
    anchor,
  };
}

interface SeededClient {
  readonly client_id: string;
  readonly name: string;
  readonly description: string;
  readonly callbacks: readonly string[];
  readonly client_secret: string;
}

/** In no output, whatever is read. */
export const clientSecret = 'planted client secret/+"';

const callbacks = ['https://a.example/back', 'https://b.example/back', 'http://localhost:3000/back'];

function makeClients(random: Random) {
  const live: SeededClient[] = [];
  const meant: MeantClient[] = [];
  const written: object[] = [];
  // So many that one connection gets more than a request can name.
  const count = random.chance(0.08) ? random.int(52, 70) : random.int(1, 6);
  const fates = ['same', 'same', 'changed', 'changed', 'new', 'absent', 'undeclared', 'twins'] as const;
  for (let index = 0; index < count; index += 1) {
    const fate = count > 50 ? random.pick(['same', 'same', 'same', 'new'] as const) : random.pick(fates);
    const name = `App ${index}`;
    const fields = makeFields(random);
    const client = (id: string) => ({ client_id: id, name, ...fields, client_secret: clientSecret });
    if (fate !== 'new') live.push(client(`app${index}`));
    if (fate === 'twins') live.push(client(`twin${index}`));
    if (fate === 'undeclared' || fate === 'twins') continue;
    if (fate === 'absent') {
      meant.push({ name, isAbsent: true, fields: {} });
      written.push({ name, absent: true });
      continue;
    }
    const wanted = fate === 'changed' ? makeFields(random) : fields;
    meant.push({ name, isAbsent: false, fields: wanted });
    written.push({ name, ...wanted });
  }
  const first = live.find(({ client_id }) => client_id === anchorId);
  const isWanted = meant.some(({ name, isAbsent }) => name === first?.name && !isAbsent);
  return { live, meant, written, anchor: first && isWanted ? { name: first.name, id: anchorId } : null };
}

type Clients = ReturnType<typeof makeClients>;

function makeFields(random: Random) {
  return { description: random.pick(['', 'Sells', 'Counts']), callbacks: random.some(callbacks, 0.5) };
}

/** Names of the clients that are to be there. */
function presentIn({ meant }: Clients): string[] {
  return meant.filter(({ isAbsent }) => !isAbsent).map(({ name }) => name);
}

function idIn({ live }: Clients, name: string): string | undefined {
  return live.find((client) => client.name === name)?.client_id;
}

function makeGrants(random: Random, { meant: identifiers, there, added }: ApisOfSeed, clients: Clients) {
  const live: object[] = [];
  const meant: MeantGrant[] = [];
  const written: object[] = [];
  if (identifiers === null) return { live, meant, written };
  const grant = (client_id: string, audience: string, scope: readonly string[]) =>
    live.push({ id: `cgr_${live.length}${random.int(1000, 9999)}`, client_id, audience, scope });
  const scopesOf = (all: readonly Scope[], audience: string) =>
    all.filter((one) => one.resource_server_identifier === audience).map((one) => one.permission_name);
  // Those of clients that the files do not want stay, or go with them.
  for (const { client_id, name } of clients.live)
    if (!presentIn(clients).includes(name) && random.chance(0.5)) grant(client_id, identifiers[0] ?? '', ['p0']);
  for (const client of random.some(presentIn(clients), clients.meant.length > 50 ? 0.1 : 0.6))
    for (const audience of random.some(identifiers, 0.6)) {
      const known = scopesOf(there, audience).slice(0, 4);
      const held = random.some(known, 0.6);
      const id = idIn(clients, client);
      const isLive = id !== undefined && random.chance(0.7);
      if (isLive) grant(id, audience, held);
      const fate = random.pick(['same', 'changed', 'changed', 'absent', 'undeclared'] as const);
      if (fate === 'undeclared') continue;
      if (fate === 'absent') {
        meant.push({ client, audience, scopes: null });
        written.push({ client, audience, absent: true });
        continue;
      }
      const wanted = fate === 'same' ? held : random.some([...known, ...scopesOf(added, audience)], 0.6);
      meant.push({ client, audience, scopes: wanted });
      written.push({ client, audience, scope: wanted });
    }
  return { live, meant, written };
}

function makeConnections(random: Random, clients: Clients) {
  const live: object[] = [];
  const meant: MeantConnection[] = [];
  const written: object[] = [];
  const names = presentIn(clients);
  for (let index = 0; index < random.int(0, 3); index += 1) {
    const name = `con-${index}`;
    const strategy = random.pick(['auth0', 'oidc']);
    const options = makeOptions(random, strategy);
    const others = clients.live.filter((client) => !names.includes(client.name)).map(({ client_id }) => client_id);
    const known = names.flatMap((client) => idIn(clients, client) ?? []);
    const enabled = [...random.some(known, names.length > 50 ? 0.1 : 0.5), ...random.some(others, 0.3)];
    const isLive = random.chance(0.8);
    if (isLive) live.push({ id: `con_${index}`, name, strategy, ...options.live(), enabled_clients: ids(enabled) });
    const fate = random.pick(['same', 'changed', 'changed', 'changed', 'undeclared'] as const);
    if (fate === 'undeclared') continue;
    const wanted = fate === 'same' ? options : makeOptions(random, strategy);
    const wantedClients = random.chance(0.2) ? null : random.some(names, names.length > 50 ? 0.95 : 0.5);
    meant.push({ name, options: wanted.meant, enabled: wantedClients });
    written.push({
      ...{ name, strategy, options: wanted.written },
      ...(wantedClients !== null && { enabled_clients: wantedClients }),
    });
  }
  return { live, meant, written };
}

function ids(clients: readonly string[]) {
  return clients.map((client_id) => ({ client_id }));
}

/** A PATCH replaces the options, so what the files do not declare has to go with it. */
function makeOptions(random: Random, strategy: string) {
  if (strategy === 'auth0') {
    const meant = { disable_signup: random.chance(0.5), brute_force_protection: random.chance(0.5) };
    return { meant, written: meant, live: () => ({ options: { ...meant, import_mode: false } }) };
  }
  const meant = { client_id: random.pick(['ours', 'theirs']), discovery_url: 'https://login.example/.well-known/x' };
  const secret = random.chance(0.5) ? { client_secret: '${env:TENANT_VAR_PROVIDER_SECRET}' } : {};
  return {
    ...{ meant, written: { ...meant, ...secret } },
    live: () => ({ options: { ...meant, client_secret: providerSecret, type: 'front_channel' } }),
  };
}

function makeProtection(random: Random) {
  const bruteForce = () => ({
    enabled: random.chance(0.7),
    max_attempts: random.int(3, 6),
    shields: random.some(['block', 'user_notification'], 0.5),
    allowlist: random.some(['203.0.113.7', '198.51.100.0/24'], 0.5),
  });
  const throttling = () => ({
    enabled: random.chance(0.7),
    shields: random.some(['block', 'admin_notification'], 0.5),
  });
  const meant = {
    ...(random.chance(0.4) && { brute_force_protection: bruteForce() }),
    ...(random.chance(0.4) && { suspicious_ip_throttling: throttling() }),
  };
  return { live: { brute_force_protection: bruteForce() }, meant };
}
