import { X509Certificate } from 'node:crypto';
import { shape } from '../../contract/shape.ts';
import type { RouteResponse } from '../../model/tenant-resource.ts';
import { getClient } from '../../service/client-names/operations.ts';
import { description } from '../../service/clients/description.generated.ts';
import { validateSeed } from '../../service/clients/seed-validators.generated.ts';
import { isRecord } from '../../values/is-record.ts';
import { tried } from '../../values/tried.ts';
import type { Context, ElementBehavior, Write } from '../items/behavior.ts';
import { lettersAndDigits } from '../items/ids.ts';
import { type Item, itemsOf } from '../items/item-store.ts';
import { listAt, objectAt, omit, omitBelow, withoutNulls } from '../items/item-values.ts';
import { servedList } from '../items/serve-list.ts';
import { refused } from '../refused.ts';

/** What only the token endpoint of the embedded tenant knows. */
const notReturned = ['public_keys', 'is_refused', 'credentials'];

const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code';

/** In these, a PATCH keeps what it leaves out (public facts 7.4). What it does in other objects is not public. */
const mergedObjects = [
  'jwt_configuration',
  'client_metadata',
  'mobile',
  'native_social_login',
  'session_transfer',
  'signed_request_object',
];

/** Public facts 7.6. No response has a key. What the service does with one in use that is to be deleted is not public. */
const credentials: ElementBehavior = {
  field: 'credentials',
  list: (client) => listAt(client, 'credentials').map((one) => omit(one, ['pem', 'parse_expiry_from_cert'])),
  add: newCredential,
  update: (one, body, { now }) => withoutNulls({ ...one, ...body, updated_at: now().toISOString() }),
  refuseRemove: (client, element) =>
    element !== undefined && credentialsOf(client).includes(element['id'])
      ? { status: 400, message: 'The credential is in use' }
      : null,
};

export const clientsTenant = servedList(
  // A client is read with `fields` as well (public facts 1.6).
  { ...description, operations: { ...description.operations, get: getClient } },
  {
    newId: (context) => lettersAndDigits(context, 32),
    missing: refused(404, 'inexistent_client', 'The client does not exist'),
    refuse(write) {
      const after = changed(write.item ?? {}, write.body);
      return refuseSecret(write) ?? refuseAlias(write) ?? refuseCombination(after) ?? refuseCredentials(after);
    },
    create: ({ body, ...context }) => newClient(changed({}, body), context),
    update: (item, { body }) => changed(item, body),
    show: (client, { scopes }) => ({
      name: client['client_id'],
      callback_url_template: false,
      ...withTwins(omit(shownTo(scopes, client), notReturned)),
    }),
    showCreated: ({ signing_keys }) => ({ signing_keys, encrypted: true }),
    deleted({ client_id }, { stores }) {
      const [grants, connections] = [itemsOf(stores, 'client_grants'), itemsOf(stores, 'connections')];
      for (const grant of [...grants.all]) if (grant['client_id'] === client_id) grants.remove(String(grant['id']));
      for (const connection of connections.all) {
        const enabled_clients = listAt(connection, 'enabled_clients').filter((one) => one['client_id'] !== client_id);
        if ('enabled_clients' in connection) connections.put({ ...connection, enabled_clients });
      }
    },
    sets: { credentials },
    filters: {
      is_global: ({ global = false }, value) => String(global) === value,
      is_first_party: ({ is_first_party = true }, value) => String(is_first_party) === value,
      app_type: ({ app_type }, types) => String(types).split(',').includes(String(app_type)),
    },
  },
  shape<readonly Item[]>('clients.schema.json#/$defs/seed', validateSeed),
);

/** Public facts 7.6: a certificate may say when the credential expires. */
function newCredential(body: Item, context: Context): Item {
  const { pem, parse_expiry_from_cert: isParsed } = body;
  const certificate = isParsed === true ? tried(() => new X509Certificate(String(pem))) : null;
  const now = context.now().toISOString();
  return {
    ...(body['credential_type'] === 'public_key' && { kid: lettersAndDigits(context, 43), alg: 'RS256' }),
    ...(certificate && { expires_at: new Date(certificate.validTo).toISOString() }),
    ...body,
    ...{ id: `cred_${lettersAndDigits(context, 22)}`, created_at: now, updated_at: now },
  };
}

/** The ids of the credentials that a client uses. */
export function credentialsOf(client: Item, methods: readonly string[] = keyMethods): unknown[] {
  const own = methods.map((method) => objectAt(objectAt(client, 'client_authentication_methods'), method));
  const requests = methods === keyMethods ? [objectAt(client, 'signed_request_object')] : [];
  return [...own, ...requests].flatMap((one) => listAt(one, 'credentials').map(({ id }) => id));
}

const keyMethods = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'];

/** Public facts 7.6; the texts are not public. */
function refuseCredentials(client: Item): RouteResponse | null {
  const ids = new Set(listAt(client, 'credentials').map(({ id }) => id));
  const { client_authentication_methods: methods, token_endpoint_auth_method: method } = client;
  if (methods !== undefined && method !== undefined)
    return { status: 400, message: 'token_endpoint_auth_method and client_authentication_methods exclude each other' };
  return credentialsOf(client).every((id) => ids.has(id))
    ? null
    : { status: 400, message: 'The credential does not exist' };
}

/** What a create fills in (public facts 7.3). */
function newClient(client: Item, context: Context): Item {
  const { token_endpoint_auth_method: method, app_type, is_first_party = true } = client;
  const jwt_configuration = isRecord(client['jwt_configuration']) ? client['jwt_configuration'] : undefined;
  const isPost = method === 'client_secret_post';
  const lifetimes = isPost
    ? { token_lifetime: 31_557_600, idle_token_lifetime: 2_592_000 }
    : { token_lifetime: 2_592_000, idle_token_lifetime: 1_296_000 };
  return {
    ...(is_first_party === false && { client_id: `tpc_${lettersAndDigits(context, 22)}` }),
    is_first_party,
    custom_login_page_on: true,
    oidc_conformant: false,
    is_token_endpoint_ip_header_trusted: false,
    sso_disabled: false,
    cross_origin_authentication: false,
    grant_types: grantTypes(app_type, method),
    client_secret: lettersAndDigits(context, 40),
    signing_keys: [{ cert: `cert ${lettersAndDigits(context, 20)}`, key: `key ${lettersAndDigits(context, 20)}` }],
    ...client,
    jwt_configuration: { secret_encoded: false, ...(jwt_configuration ?? { lifetime_in_seconds: 36_000 }) },
    refresh_token: {
      rotation_type: 'non-rotating',
      expiration_type: 'non-expiring',
      leeway: 0,
      infinite_token_lifetime: true,
      infinite_idle_token_lifetime: true,
      ...lifetimes,
      ...objectAt(client, 'refresh_token'),
    },
  };
}

/** Every client that can have a secret may get tokens for itself. */
function grantTypes(type: unknown, method: unknown): readonly string[] {
  if (type === 'resource_server') return [];
  if (type === 'express_configuration') return ['authorization_code', 'client_credentials'];
  return ['authorization_code', 'implicit', 'refresh_token', ...(method === 'none' ? [] : ['client_credentials'])];
}

/** Fields that are left out are kept, and null removes one (public facts 7.4); what null does to others is not public. */
function changed(client: Item, { oidc_backchannel_logout: logout, ...body }: Item): Item {
  const sent = logout === undefined ? body : { ...body, oidc_logout: logout };
  const parts = mergedObjects
    .filter((name) => isRecord(sent[name]))
    .map((name) => [name, withoutNulls({ ...objectAt(client, name), ...objectAt(sent, name) })] as const);
  const { session_transfer, oidc_logout, ...rest } = withoutNulls({ ...client, ...sent, ...Object.fromEntries(parts) });
  return {
    ...(rest['initiate_login_uri'] === '' ? omit(rest, ['initiate_login_uri']) : rest),
    ...(isRecord(session_transfer) && { session_transfer: { ...newSessionTransfer, ...session_transfer } }),
    ...(isRecord(oidc_logout) && Object.keys(oidc_logout).length > 0 && { oidc_logout }),
  };
}

/** Filled in once a part of it is set (public facts 7.3). */
const newSessionTransfer = {
  can_create_session_transfer_token: false,
  allow_refresh_token: false,
  enforce_cascade_revocation: true,
  enforce_online_refresh_tokens: true,
  allowed_authentication_methods: [],
  enforce_device_binding: 'ip',
};

/** Secrets need a scope of their own, also to be read (public facts 7.1). */
function refuseSecret({ body, scopes }: Write): RouteResponse | null {
  const isAllowed = body['client_secret'] === undefined || scopes.has('update:client_keys');
  return isAllowed
    ? null
    : refused(403, 'insufficient_scope', 'Insufficient scope, expected any of: update:client_keys');
}

function shownTo(scopes: ReadonlySet<string>, client: Item): Item {
  const isAllowed = scopes.has('read:client_keys') || scopes.has('read:client_credentials');
  if (!isAllowed)
    return omit(client, ['client_secret', 'client_authentication_methods', 'encryption_key', 'signing_keys']);
  const { signing_keys: keys, client_authentication_methods: methods } = client;
  return {
    ...omit(client, methods === undefined ? [] : ['client_secret']),
    ...(keys !== undefined && { signing_keys: omitBelow(keys, ['key']) }),
  };
}

/** Public facts 7.4. */
function withTwins(client: Item): Item {
  const { oidc_logout, cross_origin_authentication: origin } = client;
  return {
    ...client,
    ...(oidc_logout !== undefined && { oidc_backchannel_logout: oidc_logout }),
    ...(origin !== undefined && { cross_origin_auth: origin }),
  };
}

function refuseAlias({ item, body, store }: Write): RouteResponse | null {
  const { client_aliases: aliases = [] } = body;
  const others = store.all.filter((client) => client['client_id'] !== item?.['client_id']);
  const isTaken = others.some(({ client_aliases: taken = [] }) =>
    [taken].flat().some((alias) => [aliases].flat().includes(alias)),
  );
  return isTaken ? { status: 409, message: 'Another client exists with the same alias.' } : null;
}

/** Of the client as it would be (public facts 7.5). */
function refuseCombination(client: Item): RouteResponse | null {
  const { grant_types, token_endpoint_auth_method: method, is_first_party } = client;
  const types = [grant_types].flat();
  if (types.includes('client_credentials') && method === 'none')
    return { status: 400, message: 'Invalid grant types: client_credentials' };
  if (types.includes(deviceCode) && method !== 'none')
    return {
      status: 400,
      message: `Application must have Token Endpoint Authentication Method set to "none" when ${deviceCode} is enabled`,
    };
  if (client['is_token_endpoint_ip_header_trusted'] === true && (method ?? 'none') === 'none')
    return {
      status: 400,
      message:
        'The flag is_token_endpoint_ip_header_trusted can only be set true on clients that require authentication',
    };
  const hasOrganizations =
    client['organization_usage'] !== undefined || client['organization_require_behavior'] !== undefined;
  if (is_first_party === false && hasOrganizations)
    return {
      status: 403,
      message: 'Properties organization_usage and organization_require_behavior must be unset for third party clients.',
    };
  return null;
}
