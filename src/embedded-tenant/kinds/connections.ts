import { createHash } from 'node:crypto';
import { shape } from '../../contract/shape.ts';
import type { RouteResponse } from '../../model/tenant-resource.ts';
import { description } from '../../service/connections/description.generated.ts';
import { validateSeed } from '../../service/connections/seed-validators.generated.ts';
import { isRecord } from '../../values/is-record.ts';
import { parsedUrl } from '../../values/parsed-url.ts';
import type { Context, SetBehavior, Write } from '../items/behavior.ts';
import { lettersAndDigits } from '../items/ids.ts';
import { type Item, itemsOf } from '../items/item-store.ts';
import { listAt, objectAt, omit, pick, withoutNulls } from '../items/item-values.ts';
import { servedList } from '../items/serve-list.ts';
import { badBody, refused } from '../refused.ts';

const missing = refused(404, 'inexistent_connection', 'The connection does not exist');

/** Options that a PATCH without them leaves (public facts 10.3). */
const lasting = [
  'authentication_methods',
  'passkey_options',
  'scope',
  'oidc_metadata',
  'schema_version',
  'attribute_map',
  'connection_settings',
];

/** Strategies whose connections have a display name, the name unless it is set, and a button (public facts 10.2). */
const enterprise = ['oidc', 'okta', 'waad', 'google-apps'];

const enabledClients: SetBehavior = {
  list: (connection) => listAt(connection, 'enabled_clients'),
  // That a client does not exist is a public fact (10.6); that nothing is changed then is assumed.
  refuseAdd(body, { stores }) {
    const clients = itemsOf(stores, 'clients');
    const isUnknown = changesOf(body).some(({ client_id }) => clients.find(String(client_id)) === undefined);
    return isUnknown ? refused(404, 'inexistent_client', 'The client does not exist') : null;
  },
  add: withClients,
  remove: withClients,
};

export const connectionsTenant = servedList(
  description,
  {
    newId: (context) => `con_${lettersAndDigits(context, 16)}`,
    missing,
    refuse: (write) => refuseName(write) ?? refuseOptions(write),
    create: ({ body }) => newConnection(body),
    update: (item, { body }) => changed(item, body),
    show,
    // Accepted: until it is gone, its name is taken (public facts 10.5).
    slowDelete: { body: (now) => ({ deleted_at: now.toISOString() }), responses: 3 },
    sets: { enabled_clients: enabledClients },
  },
  shape<readonly Item[]>('connections.schema.json#/$defs/seed', validateSeed),
);

/** What a create fills in (public facts 10.2 to 10.4). */
function newConnection({ options, enabled_clients, ...body }: Item): Item {
  const { name, strategy } = body;
  const named = { display_name: name, show_as_button: false };
  const ids = Array.isArray(enabled_clients) ? enabled_clients : [];
  return {
    is_domain_connection: false,
    realms: [name],
    authentication: { active: true },
    connected_accounts: { active: false },
    ...(enterprise.includes(String(strategy)) && named),
    ...body,
    options: { ...filledOptions[String(strategy)], ...(isRecord(options) && withDiscovery(options)) },
    enabled_clients: ids.map((client_id) => ({ client_id })),
    writes: 1,
  };
}

const filledOptions: Readonly<Record<string, Item>> = {
  auth0: {
    mfa: { active: true, return_enroll_settings: true },
    strategy_version: 2,
    passwordPolicy: 'good',
    brute_force_protection: true,
    passkey_options: { challenge_ui: 'both', progressive_enrollment_enabled: true, local_enrollment_enabled: true },
    authentication_methods: {
      password: { enabled: true, api_behavior: 'required', signup_behavior: 'allow' },
      passkey: { enabled: false },
    },
  },
  oidc: {
    schema_version: 'oidc-V4',
    type: 'front_channel',
    attribute_map: { mapping_mode: 'bind_all' },
    connection_settings: { pkce: 'auto' },
  },
};

/** What an update keeps, replaces and resets (public facts 10.2, 10.3); that it replaces `metadata` is assumed. */
function changed(connection: Item, { options, ...body }: Item): Item {
  const { name, display_name, writes } = connection;
  return {
    ...withoutNulls({ ...connection, ...(display_name !== undefined && { display_name: name }), ...body }),
    ...(isRecord(options) && {
      options: { ...pick(objectAt(connection, 'options'), lasting), ...withDiscovery(options) },
    }),
    writes: Number(writes ?? 0) + 1,
  };
}

/** A null stays, except for an endpoint: it is read from the discovery document, which is invented here. */
function withDiscovery(options: Item): Item {
  const { discovery_url: url } = options;
  const parsed = typeof url === 'string' ? parsedUrl(url) : null;
  if (parsed === null) return options;
  const { origin } = parsed;
  const found = {
    issuer: `${origin}/`,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/userinfo`,
    jwks_uri: `${origin}/jwks.json`,
  };
  const unset = Object.entries(found).filter(([endpoint]) => options[endpoint] === null);
  return { ...options, ...Object.fromEntries(unset), oidc_metadata: found };
}

/**
 * Values of `configuration` are returned as ciphertext, which differs after every write. Some responses leave out what a password
 * does, which means its defaults (public facts 10.3).
 */
function show(connection: Item, { store }: Context): Item {
  const { writes, enabled_clients, ...shown } = connection;
  const options = objectAt(connection, 'options');
  const [configuration, methods] = [objectAt(options, 'configuration'), objectAt(options, 'authentication_methods')];
  const password = objectAt(methods, 'password');
  const isShort = store.responses % 2 === 0 && hasDefaults(password);
  return {
    ...shown,
    ...(isRecord(connection['options']) && {
      options: {
        ...options,
        ...('configuration' in options && { configuration: encrypted(configuration, writes) }),
        ...(isShort && { authentication_methods: { ...methods, password: omit(password, passwordBehavior) } }),
      },
    }),
    ...(enabled_clients !== undefined && { enabled_clients: clientIds(connection) }),
  };
}

const passwordBehavior = ['api_behavior', 'signup_behavior'];

function hasDefaults({ api_behavior, signup_behavior }: Item): boolean {
  return api_behavior === 'required' && signup_behavior === 'allow';
}

function encrypted(configuration: Item, writes: unknown): Item {
  const cipher = (value: unknown) =>
    createHash('sha256')
      .update(JSON.stringify([value, writes]))
      .digest('hex');
  return Object.fromEntries(Object.entries(configuration).map(([name, value]) => [name, `2.0$${cipher(value)}`]));
}

/** That a name, or a realm, is taken (public facts 10.6). */
function refuseName({ item, body, store }: Write): RouteResponse | null {
  // Newer tenants refuse it, with this message.
  if (item !== null && 'enabled_clients' in body)
    return badBody("'Additional properties not allowed: enabled_clients'");
  const others = store.all.filter((connection) => connection['id'] !== item?.['id']);
  const same = item === null ? others.find((connection) => connection['name'] === body['name']) : undefined;
  if (same !== undefined)
    return {
      status: 409,
      message: store.isLeaving(String(same['id']))
        ? 'A connection with the same name is being deleted, try again later'
        : 'A connection with the same name already exists',
    };
  const realms = [body['realms'] ?? (item === null ? body['name'] : [])].flat();
  const isTaken = others.some(({ name, realms: taken = [name] }) =>
    [taken].flat().some((realm) => realms.includes(realm)),
  );
  const message = 'There is already another connection with some realms from "realms" parameter';
  return isTaken ? { status: 409, message } : null;
}

/** Public facts 10.3, 10.6. */
function refuseOptions({ item, body }: Write): RouteResponse | null {
  const options = objectAt(body, 'options');
  const attributes = objectAt(options, 'attributes');
  if ('attributes' in options) {
    const excluded = ['requires_username', 'validation'].find((name) => name in options);
    if (excluded !== undefined) return invalid(`Cannot set both options.attributes and options.${excluded}`);
    const isActive = (name: string) => objectAt(objectAt(attributes, name), 'identifier')['active'] === true;
    if (!Object.keys(attributes).some(isActive)) return invalid('attributes must contain one active identifier');
    const before = objectAt(objectAt(objectAt(item ?? {}, 'options'), 'attributes'), 'email');
    const isUnique = ({ unique = true }: Item) => unique;
    if (Object.keys(before).length > 0 && isUnique(before) !== isUnique(objectAt(attributes, 'email')))
      return invalid('cannot patch unique property on email attribute');
  }
  const { precedence } = options;
  return Array.isArray(precedence) && precedence.length === 0 ? invalid('precedence must not be empty') : null;
}

function invalid(message: string): RouteResponse {
  return refused(400, 'invalid_body', message);
}

/** A change: clients that it does not name stay (public facts 10.5). */
function withClients(connection: Item, body: unknown): Item {
  const changes = changesOf(body);
  const named = changes.map(({ client_id }) => client_id);
  const before = clientIds(connection);
  const added = changes.filter(({ client_id, status }) => status === true && !before.includes(client_id));
  const kept = before.filter(
    (id) => !named.includes(id) || changes.some((one) => one['client_id'] === id && one['status'] === true),
  );
  const enabled_clients = [...kept, ...added.map(({ client_id }) => client_id)].map((client_id) => ({ client_id }));
  return { ...connection, enabled_clients };
}

function changesOf(body: unknown): readonly Item[] {
  return Array.isArray(body) ? body.filter(isRecord) : [];
}

function clientIds(connection: Item): readonly unknown[] {
  return listAt(connection, 'enabled_clients').map(({ client_id }) => client_id);
}
