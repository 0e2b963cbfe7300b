// Complete bodies of the described kinds, as the types of the package have them: the embedded tenant accepts each, and
// returns what was sent.
import { type Management, type ManagementClient, ManagementError } from 'auth0';
import { expect, test } from 'vitest';
import { knownScopes } from '../../src/contract/known-words.ts';
import { testClient } from '../support/start-tenant.ts';
import { connectAuth0 } from './auth0-connect.ts';
import { database, orders, seed, shop } from './auth0-seed.ts';

/** What the description of clients ignores, and what excludes other fields. */
type LeftOut =
  | 'anonymous_sessions'
  | 'async_approval_notification_channels'
  | 'b2b_integration_configuration'
  | 'client_authentication_methods'
  | 'compliance_level'
  | 'encryption_key'
  | 'express_configuration'
  | 'fedcm_login'
  | 'identity_assertion_authorization_grant'
  | 'my_organization_configuration'
  | 'oidc_backchannel_logout'
  | 'par_request_expiry'
  | 'redirection_policy'
  | 'signed_request_object'
  | 'third_party_security_mode'
  | 'token_exchange'
  | 'token_vault_privileged_access';

const clientFields: Required<Omit<Management.UpdateClientRequestContent, LeftOut>> = {
  name: 'Shop of today',
  description: 'Sells',
  client_secret: 'a-secret-that-is-long-enough-for-a-client',
  logo_uri: 'https://shop.example/logo.png',
  callbacks: ['https://shop.example/callback'],
  oidc_logout: {
    backchannel_logout_urls: ['https://shop.example/logout'],
    backchannel_logout_initiators: { mode: 'custom', selected_initiators: ['rp-logout', 'idp-logout'] },
  },
  session_transfer: {
    can_create_session_transfer_token: true,
    enforce_cascade_revocation: true,
    allowed_authentication_methods: ['cookie'],
    enforce_device_binding: 'ip',
    allow_refresh_token: true,
    enforce_online_refresh_tokens: true,
  },
  allowed_origins: ['https://shop.example'],
  web_origins: ['https://shop.example'],
  grant_types: ['authorization_code', 'refresh_token'],
  client_aliases: ['urn:shop'],
  allowed_clients: ['test-client'],
  allowed_logout_urls: ['https://shop.example/bye'],
  jwt_configuration: { lifetime_in_seconds: 3600, alg: 'RS256' },
  sso: true,
  cross_origin_authentication: true,
  cross_origin_loc: 'https://shop.example/cross',
  sso_disabled: false,
  custom_login_page_on: false,
  token_endpoint_auth_method: 'client_secret_post',
  is_token_endpoint_ip_header_trusted: true,
  app_type: 'regular_web',
  is_first_party: true,
  oidc_conformant: true,
  custom_login_page: '<p>Hello</p>',
  custom_login_page_preview: '<p>Preview</p>',
  token_quota: { client_credentials: { enforce: true, per_day: 100, per_hour: 10 } },
  form_template: '<p>Form</p>',
  addons: { samlp: { audience: 'urn:shop', recipient: 'https://shop.example/saml' } },
  client_metadata: { team: 'web' },
  mobile: { ios: { team_id: 'A1B2C3D4E5', app_bundle_identifier: 'com.shop' } },
  initiate_login_uri: 'https://shop.example/login',
  native_social_login: { apple: { enabled: true }, facebook: { enabled: false }, google: { enabled: false } },
  refresh_token: {
    rotation_type: 'rotating',
    expiration_type: 'expiring',
    leeway: 5,
    token_lifetime: 3600,
    infinite_token_lifetime: false,
    idle_token_lifetime: 600,
    infinite_idle_token_lifetime: false,
    policies: [{ audience: orders.identifier, scope: ['read:orders'] }],
  },
  default_organization: { organization_id: 'org_aBcD1234aBcD1234', flows: ['client_credentials'] },
  organization_usage: 'require',
  organization_require_behavior: 'pre_login_prompt',
  organization_discovery_methods: ['email'],
  require_pushed_authorization_requests: true,
  require_proof_of_possession: false,
  skip_non_verifiable_callback_uri_confirmation_prompt: false,
};

const databaseOptions: Management.ConnectionOptionsAuth0 = {
  authentication_methods: { password: { enabled: true }, passkey: { enabled: false } },
  brute_force_protection: true,
  configuration: { url: 'https://users.example/' },
  customScripts: { login: 'function login() {}', get_user: 'function getByEmail() {}' },
  disable_self_service_change_password: true,
  disable_signup: true,
  enable_script_context: true,
  enabledDatabaseCustomization: true,
  import_mode: false,
  mfa: { active: true, return_enroll_settings: false },
  non_persistent_attrs: ['ethnicity'],
  passkey_options: { challenge_ui: 'both', progressive_enrollment_enabled: true, local_enrollment_enabled: false },
  passwordPolicy: 'excellent',
  password_complexity_options: { min_length: 12 },
  password_dictionary: { enable: true, dictionary: ['shop'] },
  password_history: { enable: true, size: 5 },
  password_no_personal_info: { enable: true },
  precedence: ['email', 'username'],
  realm_fallback: true,
  requires_username: true,
  upstream_params: { screen_name: { alias: 'login_hint' } },
  validation: { username: { min: 3, max: 20 } },
};

const providerOptions: Management.ConnectionOptionsOidc = {
  client_id: 'at-provider',
  client_secret: 'a-secret-of-the-provider',
  issuer: 'https://idp.example/',
  authorization_endpoint: 'https://idp.example/authorize',
  token_endpoint: 'https://idp.example/token',
  userinfo_endpoint: 'https://idp.example/userinfo',
  jwks_uri: 'https://idp.example/jwks.json',
  type: 'back_channel',
  scope: 'openid email',
  attribute_map: {
    mapping_mode: 'use_map',
    attributes: { name: '${context.tokenset.name}' },
    userinfo_scope: 'openid',
  },
  connection_settings: { pkce: 'S256' },
  token_endpoint_auth_method: 'client_secret_post',
  send_back_channel_nonce: true,
  set_user_root_attributes: 'on_first_login',
  domain_aliases: ['shop.example'],
  icon_url: 'https://idp.example/icon.png',
};

const connectionFields: Required<
  Omit<
    Management.UpdateConnectionRequestContent,
    'options' | 'enabled_clients' | 'cross_app_access_requesting_app' | 'cross_app_access_resource_app'
  >
> = {
  display_name: 'Partner Ltd',
  is_domain_connection: true,
  show_as_button: true,
  realms: ['partners'],
  metadata: { team: 'web' },
  authentication: { active: false },
  connected_accounts: { active: true },
};

const everyone = { ...testClient, scopes: [...knownScopes] };

/** Sets have another order in each response. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inOrder(one)]));
}

async function connect(): Promise<ManagementClient> {
  const clients = [...(seed.clients as object[]).filter((one) => !('scopes' in one)), everyone];
  return (await connectAuth0({ tenant: { seed: { ...seed, clients } as never } })).client;
}

test('every described field of an application, and null for those that can have none', async () => {
  const client = await connect();
  const fields = inOrder(clientFields) as object;
  expect(inOrder(await client.clients.update(shop.client_id, clientFields))).toMatchObject(fields);
  expect(inOrder(await client.clients.get(shop.client_id))).toMatchObject(fields);
  const { client_secret: _secret, ...others } = clientFields;
  const creatable = { ...others, client_aliases: ['urn:another'] };
  const { client_id = '' } = await client.clients.create(creatable as Management.CreateClientRequestContent);
  expect(inOrder(await client.clients.get(client_id))).toMatchObject(inOrder(creatable) as object);
  const cleared = {
    cross_origin_loc: null,
    default_organization: null,
    organization_discovery_methods: null,
    refresh_token: null,
    session_transfer: null,
    token_quota: null,
  };
  await client.clients.update(shop.client_id, cleared);
  const shown = await client.clients.get(shop.client_id);
  expect(Object.keys(cleared).filter((name) => (shown[name as keyof typeof shown] ?? null) !== null)).toEqual([]);
});

test('every field of a grant', async () => {
  const client = await connect();
  const fields: Required<
    Omit<Management.UpdateClientGrantRequestContent, 'allow_all_scopes' | 'authorization_details_types'>
  > = {
    scope: ['read:orders', 'write:orders'],
    organization_usage: 'require',
    allow_any_organization: true,
  };
  expect(await client.clientGrants.update('cgr_1', fields)).toMatchObject(fields);
  const created: Management.CreateClientGrantRequestContent = {
    scope: ['read:orders'],
    organization_usage: 'require',
    allow_any_organization: true,
    client_id: shop.client_id,
    audience: orders.identifier,
    subject_type: 'user',
  };
  const { id = '' } = await client.clientGrants.create(created);
  expect(await client.clientGrants.get(id)).toMatchObject(created);
  await client.clientGrants.update('cgr_1', { allow_all_scopes: true });
  expect(await client.clientGrants.get('cgr_1')).toMatchObject({ allow_all_scopes: true });
});

test('the options of a database, whose configuration is returned as something else', async () => {
  const client = await connect();
  const { configuration: _, ...readable } = databaseOptions;
  const updated = await client.connections.update(database.id, { options: databaseOptions });
  expect(updated.options).toMatchObject(readable);
  expect((await client.connections.get(database.id)).options?.['configuration']).not.toEqual(
    databaseOptions.configuration,
  );
});

test('the options and fields of a connection to a provider', async () => {
  const client = await connect();
  const created = await client.connections.create({ name: 'partner', strategy: 'oidc', options: providerOptions });
  expect(created.options).toMatchObject(providerOptions);
  const updated = await client.connections.update(created.id ?? '', { ...connectionFields, options: providerOptions });
  expect(updated).toMatchObject({ ...connectionFields, options: providerOptions });
});

test('clients are enabled and disabled, in one change', async () => {
  const client = await connect();
  const { clients } = client.connections;
  await clients.update(database.id, [
    { client_id: shop.client_id, status: false },
    { client_id: 'test-client', status: true },
  ]);
  expect((await clients.get(database.id)).data).toEqual([{ client_id: 'test-client' }]);
});

test('a connection that is deleted is shown for a while, and then gone', async () => {
  const client = await connect();
  await client.connections.delete(database.id);
  const statusOf = () =>
    client.connections.get(database.id).then(
      () => 200,
      (error: unknown) => (error instanceof ManagementError ? error.statusCode : 0),
    );
  const seen: (number | undefined)[] = [];
  while (seen.at(-1) !== 404 && seen.length < 9) seen.push(await statusOf());
  expect([seen[0], seen.at(-1)]).toEqual([200, 404]);
  await client.connections.delete(database.id);
});

test('every setting of attack protection', async () => {
  const { attackProtection } = await connect();
  const ruleOf = { max_attempts: 50, rate: 864_000 };
  const bruteForce: Required<Management.UpdateBruteForceSettingsRequestContent> = {
    enabled: false,
    shields: ['block'],
    allowlist: ['203.0.113.7'],
    mode: 'count_per_identifier',
    max_attempts: 5,
  };
  const suspicious: Required<Management.UpdateSuspiciousIpThrottlingSettingsRequestContent> = {
    enabled: true,
    shields: ['admin_notification'],
    allowlist: ['203.0.113.0/24'],
    stage: { 'pre-login': ruleOf, 'pre-user-registration': ruleOf, 'pre-custom-token-exchange': ruleOf },
  };
  const breached: Required<Management.UpdateBreachedPasswordDetectionSettingsRequestContent> = {
    enabled: true,
    shields: ['block', 'user_notification'],
    admin_notification_frequency: ['daily'],
    method: 'enhanced',
    stage: { 'pre-user-registration': { shields: ['block'] }, 'pre-change-password': { shields: ['block'] } },
  };
  const bots: Required<Management.UpdateBotDetectionSettingsRequestContent> = {
    bot_detection_level: 'high',
    challenge_password_policy: 'always',
    challenge_passwordless_policy: 'when_risky',
    challenge_password_reset_policy: 'never',
    allowlist: ['203.0.113.7'],
    monitoring_mode_enabled: true,
  };
  const secret = 'planted';
  const captcha: Management.UpdateAttackProtectionCaptchaRequestContent = {
    active_provider_id: 'hcaptcha',
    arkose: { site_key: 'a', secret, client_subdomain: 'client', verify_subdomain: 'verify', fail_open: true },
    auth_challenge: { fail_open: true },
    hcaptcha: { site_key: 'h', secret },
    friendly_captcha: { site_key: 'f', secret },
    recaptcha_v2: { site_key: 'r', secret },
    recaptcha_enterprise: { site_key: 'e', api_key: secret, project_id: 'p' },
  };
  expect(await attackProtection.bruteForceProtection.update(bruteForce)).toEqual(bruteForce);
  expect(await attackProtection.suspiciousIpThrottling.update(suspicious)).toEqual(suspicious);
  expect(inOrder(await attackProtection.breachedPasswordDetection.update(breached))).toEqual(inOrder(breached));
  expect(await attackProtection.botDetection.update(bots)).toEqual(bots);
  const shown = await attackProtection.captcha.update(captcha);
  expect(shown).toMatchObject({ active_provider_id: 'hcaptcha', hcaptcha: { site_key: 'h' } });
  expect(JSON.stringify([shown, await attackProtection.captcha.get()])).not.toContain(secret);
  expect(await attackProtection.phoneProviderProtection.patch({ type: 'exponential' })).toEqual({
    type: 'exponential',
  });
});
