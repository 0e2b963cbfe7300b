import { formats } from './formats.ts';

/**
 * The scope catalogue of the service specification, section 5, as data. `<verb>:<resource>`.
 * Rows keep the grouping of the source; refresh_tokens, sessions, branding and rules_configs are r, u, d there twice.
 */
const verbs = { c: 'create', r: 'read', u: 'update', d: 'delete' } as const;

const catalogue: readonly (readonly [string, string])[] = [
  [
    'actions agents authentication_methods client_credentials client_grants clients connection_profiles connections custom_domains custom_signing_keys directory_provisionings email_provider encryption_keys event_streams experimentation flows flows_vault_connections forms hooks log_streams network_acls organization_connections organization_discovery_domains organizations phone_providers phone_templates rate_limit_policies resource_servers roles rules scim_config self_service_profiles token_exchange_profiles user_attribute_profiles users vdcs_templates organization_clients',
    'crud',
  ],
  ['anomaly_blocks current_user device_credentials flows_executions grants groups guardian_enrollments', 'rd'],
  ['refresh_tokens sessions branding rules_configs', 'rud'],
  [
    'attack_protection client_keys event_deliveries guardian_factors mfa_policies prompts self_service_profile_custom_texts tenant_settings',
    'ru',
  ],
  ['connections_keys email_templates signing_keys', 'cru'],
  [
    'group_roles organization_client_grants organization_group_roles organization_invitations organization_member_roles organization_members role_members scim_token',
    'crd',
  ],
  ['current_user_device_credentials sso_access_tickets', 'cd'],
  [
    'client_summary events group_members logs logs_users organization_groups organization_member_effective_roles organization_member_role_source_groups organizations_summary stats user_effective_permissions user_effective_roles user_idp_tokens user_permission_source_roles user_role_source_groups',
    'r',
  ],
  ['client_token_vault_privileged_access current_user_identities current_user_metadata users_app_metadata', 'u'],
  ['guardian_enrollment_tickets user_tickets network_acl_keys', 'c'],
];

/** Every scope that the client credentials flow can grant. */
export const knownScopes: ReadonlySet<string> = new Set(
  catalogue.flatMap(([resources, letters]) =>
    resources
      .split(' ')
      .flatMap((resource) => [...letters].map((letter) => `${verbs[letter as keyof typeof verbs]}:${resource}`)),
  ),
);

const codes =
  'access_denied invalid_client invalid_grant invalid_request invalid_scope invalid_target server_error temporarily_unavailable unauthorized_client unsupported_grant_type Bearer custom_domain_conflict inexistent_client inexistent_resource_server insufficient_entitlement insufficient_scope invalid_body invalid_paging invalid_uri too_many_requests';

/** Error codes: of OAuth 2.0 (RFC 6749, 4.1.2.1 and 5.2; RFC 8707, 2), then of the API (public facts 6.1). */
export const errorCodes: readonly unknown[] = codes.split(' ');

/** What a message may name whatever was sent. */
export const knownWords = [codes, ...knownScopes, ...Object.keys(formats)].join(' ');
