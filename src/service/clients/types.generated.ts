// Generated from schemas/clients.schema.json by npm run generate.

import type { Absent, RenamedFrom, Unmanaged } from '../../model/item.generated.ts';

/**
 * Name of the credential. One that has no name of its own on the tenant is called by its id.
 */
export type Name = string;
export type Type = 'public_key' | 'cert_subject_dn' | 'x509_cert';
/**
 * The public key or the certificate. No response has it. It is sent only when the credential is created.
 */
export type Key =
  | string
  | {
      /**
       * A file with the text. The path is relative to this YAML file, and must be inside the folder of the tenant.
       */
      file: string;
    };
/**
 * The name in the certificate.
 */
export type Subject = string;
export type Algorithm = 'RS256' | 'RS384' | 'PS256';
/**
 * Whether the credential expires when its certificate does.
 */
export type ParseExpiryFromCert = boolean;
/**
 * When it expires.
 */
export type ExpiresAt = string | null;
/**
 * The id of the key in assertions. The service makes one.
 */
export type KeyId = string;
export type ClientCredentialsPage = LiveClientCredentials[];
/**
 * Exactly ${env:NAME}: an environment variable that contains the secret. It is read only when the secret is sent.
 */
export type SecretReference = string;
/**
 * Name of the application. Several can have the same one.
 */
export type Name1 = string;
export type Description = string | null;
/**
 * What kind of application it is. The types beside the first eight are those of single products.
 */
export type Type1 =
  | 'native'
  | 'spa'
  | 'regular_web'
  | 'non_interactive'
  | 'resource_server'
  | 'express_configuration'
  | 'rms'
  | 'box'
  | 'cloudbees'
  | 'concur'
  | 'dropbox'
  | 'mscrm'
  | 'echosign'
  | 'egnyte'
  | 'newrelic'
  | 'office365'
  | 'salesforce'
  | 'sentry'
  | 'sharepoint'
  | 'slack'
  | 'springcm'
  | 'zendesk'
  | 'zoom'
  | 'sso_integration'
  | 'oag';
/**
 * Whether it is one of the tenant's owner. Others ask users for consent.
 */
export type FirstParty = boolean;
/**
 * The URL of the logo.
 */
export type Logo = string | null;
/**
 * Where users, and the codes or tokens of their logins, may go after a login.
 */
export type CallbackURLs = string[] | null;
/**
 * Where users may go after a logout.
 */
export type LogoutURLs = string[] | null;
/**
 * Origins that may renew a login without showing a page.
 */
export type WebOrigins = string[] | null;
/**
 * Other origins that may call the service from a browser.
 */
export type AllowedOrigins = string[] | null;
/**
 * The page of the application that begins a login.
 */
export type LoginURI = string | null;
/**
 * The fallback page for browsers that block third-party cookies.
 */
export type CrossOriginVerificationPage = string | null;
/**
 * Whether users confirm a callback URL that cannot be verified. Without this key, the setting of the tenant applies.
 */
export type SkipConfirmation = boolean | null;
/**
 * The ways in which it can get tokens.
 */
export type GrantTypes = string[];
/**
 * How the application proves who it is.
 */
export type AuthenticationMethod = 'none' | 'client_secret_post' | 'client_secret_basic' | null;
/**
 * The application proves who it is by a key, in place of a secret. One of the three methods. The service clears token_endpoint_auth_method then.
 */
export type AuthenticationByKey = {
  private_key_jwt?: PrivateKeyJWT;
  tls_client_auth?: CertificateOfACA;
  self_signed_tls_client_auth?: CertificateOfItsOwn;
} | null;
export type SignedRequests = {
  /**
   * Whether authorization requests must be signed.
   */
  required?: boolean;
  /**
   * Names of its credentials, the complete list.
   *
   * @minItems 1
   */
  credentials?: Credential3[];
} | null;
/**
 * Whether the service believes the IP address of the user that the application sends. It must have a secret.
 */
export type TrustTheIPHeader = boolean;
/**
 * Strict OpenID Connect. Otherwise, some legacy features work.
 */
export type OIDCConformant = boolean;
export type RequirePushedAuthorizationRequests = boolean | null;
export type RequireProofOfPossession = boolean | null;
/**
 * Audiences or realms of SAML and WS-Federation. Each is unique in the tenant.
 */
export type ClientAliases = string[] | null;
/**
 * Ids of clients and APIs that may delegate to it.
 */
export type AllowedClients = string[] | null;
/**
 * Whether a login form on another origin may send passwords.
 */
export type CrossOriginAuthentication = boolean;
export type RefreshTokens = {
  rotation_type: 'rotating' | 'non-rotating';
  expiration_type: 'expiring' | 'non-expiring';
  /**
   * Seconds in which an old refresh token still works.
   */
  leeway?: number;
  /**
   * Seconds.
   */
  token_lifetime?: number;
  /**
   * Seconds without use.
   */
  idle_token_lifetime?: number;
  infinite_token_lifetime?: boolean;
  infinite_idle_token_lifetime?: boolean;
  /**
   * APIs for which a refresh token also gets access tokens.
   *
   * @minItems 1
   */
  policies?: Policy[] | null;
} | null;
export type SessionTransferFromNativeApplications = {
  can_create_session_transfer_token?: boolean;
  enforce_cascade_revocation?: boolean;
  allowed_authentication_methods?: ('cookie' | 'query')[] | null;
  enforce_device_binding?: 'ip' | 'asn' | 'none';
  allow_refresh_token?: boolean;
  enforce_online_refresh_tokens?: boolean;
  delegation?: Delegation;
} | null;
export type Delegation = {
  allow_delegated_access?: boolean;
  enforce_device_binding?: 'ip';
} | null;
export type SessionMetadata = {
  include?: boolean;
} | null;
export type SSO = boolean;
export type SSODisabled = boolean;
/**
 * The most tokens by client credentials.
 */
export type TokenQuota = {
  client_credentials: ClientCredentials;
} | null;
/**
 * Whether users log in to an organization.
 */
export type OrganizationUsage = 'deny' | 'allow' | 'require' | null;
/**
 * What a login without an organization shows. It needs oidc_conformant.
 */
export type OrganizationRequireBehavior = 'no_prompt' | 'pre_login_prompt' | 'post_login_prompt' | null;
/**
 * How users find their organization.
 *
 * @minItems 1
 */
export type OrganizationDiscoveryMethods = ('email' | 'organization_name')[] | null;
/**
 * The organization of tokens by client credentials.
 */
export type DefaultOrganization = {
  organization_id: string;
  flows: 'client_credentials'[];
} | null;
export type CustomLoginPageIsUsed = boolean;
export type CustomLoginPage =
  | string
  | {
      /**
       * A file with the text. The path is relative to this YAML file, and must be inside the folder of the tenant.
       */
      file: string;
    }
  | null;
export type CustomLoginPagePreview =
  | string
  | {
      /**
       * A file with the text. The path is relative to this YAML file, and must be inside the folder of the tenant.
       */
      file: string;
    }
  | null;
/**
 * The form of WS-Federation.
 */
export type FormTemplate =
  | string
  | {
      /**
       * A file with the text. The path is relative to this YAML file, and must be inside the folder of the tenant.
       */
      file: string;
    }
  | null;
export type NativeSocialLogin = {
  apple?: Apple;
  facebook?: Facebook;
  google?: Google;
} | null;
export type Apple = {
  enabled?: boolean;
} | null;
export type Facebook = {
  enabled?: boolean;
} | null;
export type Google = {
  enabled?: boolean;
} | null;
/**
 * Logins for other protocols and products.
 */
export type Addons = {
  samlp?: SAML;
  wsfed?: unknown;
} | null;
/**
 * A declared client, identified by name or id.
 */
export type DeclaredClient = Declared & Declared1;
export type Declared = {
  [k: string]: unknown;
};
export type SentSignedRequestObject = {
  required?: boolean;
} | null;
export type SentAddons = {
  samlp?: {
    audience?: string;
    recipient?: string;
    destination?: string;
    issuer?: string;
    mappings?: unknown;
    createUpnClaim?: boolean;
    mapIdentities?: boolean;
    mapUnknownClaimsAsIs?: boolean;
    passthroughClaimsWithNoMapping?: boolean;
    signatureAlgorithm?: string;
    digestAlgorithm?: string;
    signResponse?: boolean;
    lifetimeInSeconds?: number;
    nameIdentifierFormat?: string;
    nameIdentifierProbes?: string[];
    authnContextClassRef?: string;
  };
  wsfed?: unknown;
  aws?: unknown;
  azure_blob?: unknown;
  azure_sb?: unknown;
  box?: unknown;
  cloudbees?: unknown;
  concur?: unknown;
  dropbox?: unknown;
  echosign?: unknown;
  egnyte?: unknown;
  firebase?: unknown;
  layer?: unknown;
  mscrm?: unknown;
  newrelic?: unknown;
  oag?: unknown;
  office365?: unknown;
  rms?: unknown;
  salesforce?: unknown;
  salesforce_api?: unknown;
  salesforce_sandbox_api?: unknown;
  sap_api?: unknown;
  sentry?: unknown;
  sharepoint?: unknown;
  slack?: unknown;
  springcm?: unknown;
  sso_integration?: unknown;
  wams?: unknown;
  zendesk?: unknown;
  zoom?: unknown;
} | null;
export type UpdatedClientAuthenticationMethods = {
  private_key_jwt?: {
    /**
     * @minItems 1
     */
    credentials: {
      id: string;
    }[];
  };
  tls_client_auth?: {
    /**
     * @minItems 1
     */
    credentials: {
      id: string;
    }[];
  };
  self_signed_tls_client_auth?: {
    /**
     * @minItems 1
     */
    credentials: {
      id: string;
    }[];
  };
} | null;
export type UpdatedSignedRequestObject = {
  required?: boolean;
  /**
   * @minItems 1
   */
  credentials?: {
    id: string;
  }[];
} | null;
export type LiveAuthenticationByKey = {
  private_key_jwt?: LivePrivateKeyJWT;
  tls_client_auth?: LiveCertificateOfACA;
  self_signed_tls_client_auth?: LiveCertificateOfItsOwn;
  [k: string]: unknown;
} | null;
export type LiveSignedRequests = {
  required?: boolean;
  credentials?: LiveCredential3[];
  [k: string]: unknown;
} | null;
export type LiveRefreshTokens = {
  rotation_type?: string;
  expiration_type?: string;
  leeway?: number;
  token_lifetime?: number;
  idle_token_lifetime?: number;
  infinite_token_lifetime?: boolean;
  infinite_idle_token_lifetime?: boolean;
  policies?: LivePolicy[] | null;
  [k: string]: unknown;
} | null;
export type LiveSessionTransferFromNativeApplications = {
  can_create_session_transfer_token?: boolean;
  enforce_cascade_revocation?: boolean;
  allowed_authentication_methods?: string[] | null;
  enforce_device_binding?: string;
  allow_refresh_token?: boolean;
  enforce_online_refresh_tokens?: boolean;
  delegation?: LiveDelegation;
  [k: string]: unknown;
} | null;
export type LiveDelegation = {
  allow_delegated_access?: boolean;
  enforce_device_binding?: string;
  [k: string]: unknown;
} | null;
export type LiveBackChannelLogout = {
  backchannel_logout_urls?: string[];
  backchannel_logout_initiators?: LiveInitiators;
  backchannel_logout_session_metadata?: LiveSessionMetadata;
  [k: string]: unknown;
} | null;
export type LiveSessionMetadata = {
  include?: boolean;
  [k: string]: unknown;
} | null;
export type LiveTokenQuota = {
  client_credentials?: LiveClientCredentials1;
  [k: string]: unknown;
} | null;
export type LiveDefaultOrganization = {
  organization_id?: string;
  flows?: string[];
  [k: string]: unknown;
} | null;
export type LiveNativeSocialLogin = {
  apple?: LiveApple;
  facebook?: LiveFacebook;
  google?: LiveGoogle;
  [k: string]: unknown;
} | null;
export type LiveApple = {
  enabled?: boolean | null;
  [k: string]: unknown;
} | null;
export type LiveFacebook = {
  enabled?: boolean | null;
  [k: string]: unknown;
} | null;
export type LiveGoogle = {
  enabled?: boolean | null;
  [k: string]: unknown;
} | null;
export type LiveAddons = {
  samlp?: LiveSAML;
  wsfed?: unknown;
  aws?: unknown;
  azure_blob?: unknown;
  azure_sb?: unknown;
  box?: unknown;
  cloudbees?: unknown;
  concur?: unknown;
  dropbox?: unknown;
  echosign?: unknown;
  egnyte?: unknown;
  firebase?: unknown;
  layer?: unknown;
  mscrm?: unknown;
  newrelic?: unknown;
  oag?: unknown;
  office365?: unknown;
  rms?: unknown;
  salesforce?: unknown;
  salesforce_api?: unknown;
  salesforce_sandbox_api?: unknown;
  sap_api?: unknown;
  sentry?: unknown;
  sharepoint?: unknown;
  slack?: unknown;
  springcm?: unknown;
  sso_integration?: unknown;
  wams?: unknown;
  zendesk?: unknown;
  zoom?: unknown;
  [k: string]: unknown;
} | null;
export type ClientPage = ClientPageWithTotals | LiveClient[];
export type CompleteClient = LiveClient & {
  credentials?: LiveClientCredentials[];
  [k: string]: unknown;
};
/**
 * Section of the embedded tenant's seed.
 */
export type SeededClients = CompleteClient[];
/**
 * Applications. They log users in, or get tokens for themselves.
 */
export type ClientsSection = DeclaredClient[];

export interface UpdateClientCredentialsBody {
  expires_at?: ExpiresAt;
}
export interface AddClientCredentialsBody {
  name?: Name;
  credential_type: Type;
  pem?: string;
  subject_dn?: Subject;
  alg?: Algorithm;
  parse_expiry_from_cert?: ParseExpiryFromCert;
  expires_at?: string;
  kid?: KeyId;
}
/**
 * Client credentials as the service returns it; other fields are tolerated.
 */
export interface LiveClientCredentials {
  id: string;
  name?: string;
  credential_type?: string;
  subject_dn?: Subject;
  alg?: string;
  expires_at?: string | null;
  kid?: KeyId;
  thumbprint_sha256?: string | null;
  created_at?: string | null;
  updated_at?: string | null;
  [k: string]: unknown;
}
export interface ClientCredentialsQuery {}
export interface ClientCredentialsParams {
  id: string;
  element: string;
}
export interface PrivateKeyJWT {
  /**
   * Names of its credentials, the complete list.
   *
   * @minItems 1
   */
  credentials: Credential[];
}
export interface Credential {
  name: string;
}
export interface CertificateOfACA {
  /**
   * Names of its credentials, the complete list.
   *
   * @minItems 1
   */
  credentials: Credential1[];
}
export interface Credential1 {
  name: string;
}
export interface CertificateOfItsOwn {
  /**
   * Names of its credentials, the complete list.
   *
   * @minItems 1
   */
  credentials: Credential2[];
}
export interface Credential2 {
  name: string;
}
export interface Credential3 {
  name: string;
}
export interface IDTokens {
  alg?: 'HS256' | 'RS256' | 'RS512' | 'PS256';
  /**
   * Seconds.
   */
  lifetime_in_seconds?: number;
  /**
   * Whether the secret is encoded in base 64. It cannot change.
   */
  secret_encoded?: boolean;
}
export interface Policy {
  audience: string;
  scope: string[];
}
export interface BackChannelLogout {
  /**
   * @maxItems 1
   */
  backchannel_logout_urls?: string[];
  backchannel_logout_initiators?: Initiators;
  backchannel_logout_session_metadata?: SessionMetadata;
}
export interface Initiators {
  mode?: 'custom' | 'all';
  selected_initiators?: (
    | 'rp-logout'
    | 'idp-logout'
    | 'password-changed'
    | 'session-expired'
    | 'session-revoked'
    | 'account-deleted'
    | 'email-identifier-changed'
    | 'mfa-phone-unenrolled'
    | 'account-deactivated'
  )[];
}
export interface ClientCredentials {
  enforce?: boolean;
  per_day?: number;
  per_hour?: number;
}
/**
 * Values that Actions and the application can read. Up to 10 keys.
 */
export interface ClientMetadata {
  [k: string]: string;
}
export interface Mobile {
  android?: Android;
  ios?: IOS;
}
export interface Android {
  app_package_name?: string;
  sha256_cert_fingerprints?: string[];
}
export interface IOS {
  team_id?: string;
  app_bundle_identifier?: string;
}
/**
 * The service as a SAML identity provider.
 */
export interface SAML {
  audience?: string;
  recipient?: string;
  destination?: string;
  issuer?: string;
  /**
   * Names of SAML attributes for fields of the profile.
   */
  mappings?: {
    [k: string]: unknown;
  };
  createUpnClaim?: boolean;
  mapIdentities?: boolean;
  mapUnknownClaimsAsIs?: boolean;
  passthroughClaimsWithNoMapping?: boolean;
  signatureAlgorithm?: string;
  digestAlgorithm?: string;
  signResponse?: boolean;
  /**
   * Seconds.
   */
  lifetimeInSeconds?: number;
  nameIdentifierFormat?: string;
  /**
   * Fields of the profile. The first one that exists is the name identifier.
   */
  nameIdentifierProbes?: string[];
  authnContextClassRef?: string;
}
export interface Declared1 {
  /**
   * The id of the client, where others have its name. The name is then a field like others.
   */
  id?: string;
  name?: Name1;
  description?: Description;
  app_type?: Type1;
  is_first_party?: FirstParty;
  client_secret?: SecretReference;
  logo_uri?: Logo;
  callbacks?: CallbackURLs;
  allowed_logout_urls?: LogoutURLs;
  web_origins?: WebOrigins;
  allowed_origins?: AllowedOrigins;
  initiate_login_uri?: LoginURI;
  cross_origin_loc?: CrossOriginVerificationPage;
  skip_non_verifiable_callback_uri_confirmation_prompt?: SkipConfirmation;
  grant_types?: GrantTypes;
  token_endpoint_auth_method?: AuthenticationMethod;
  client_authentication_methods?: AuthenticationByKey;
  signed_request_object?: SignedRequests;
  is_token_endpoint_ip_header_trusted?: TrustTheIPHeader;
  oidc_conformant?: OIDCConformant;
  require_pushed_authorization_requests?: RequirePushedAuthorizationRequests;
  require_proof_of_possession?: RequireProofOfPossession;
  client_aliases?: ClientAliases;
  allowed_clients?: AllowedClients;
  cross_origin_authentication?: CrossOriginAuthentication;
  jwt_configuration?: IDTokens;
  refresh_token?: RefreshTokens;
  session_transfer?: SessionTransferFromNativeApplications;
  oidc_logout?: BackChannelLogout;
  sso?: SSO;
  sso_disabled?: SSODisabled;
  token_quota?: TokenQuota;
  organization_usage?: OrganizationUsage;
  organization_require_behavior?: OrganizationRequireBehavior;
  organization_discovery_methods?: OrganizationDiscoveryMethods;
  default_organization?: DefaultOrganization;
  custom_login_page_on?: CustomLoginPageIsUsed;
  custom_login_page?: CustomLoginPage;
  custom_login_page_preview?: CustomLoginPagePreview;
  form_template?: FormTemplate;
  client_metadata?: ClientMetadata;
  mobile?: Mobile;
  native_social_login?: NativeSocialLogin;
  addons?: Addons;
  /**
   * The keys and certificates of the application, the complete list. A new key needs a new name: no response has the key.
   */
  credentials?: {
    name: Name;
    credential_type?: Type;
    pem?: Key;
    subject_dn?: Subject;
    alg?: Algorithm;
    parse_expiry_from_cert?: ParseExpiryFromCert;
    expires_at?: ExpiresAt;
    kid?: KeyId;
  }[];
  renamed_from?: RenamedFrom;
  absent?: Absent;
  unmanaged?: Unmanaged;
}
export interface SentJwtConfiguration {
  alg?: 'HS256' | 'RS256' | 'RS512' | 'PS256';
  lifetime_in_seconds?: number;
  secret_encoded?: boolean;
  scopes?: unknown;
}
export interface SentTokenQuota {
  client_credentials: {
    enforce?: boolean;
    per_day?: number;
    per_hour?: number;
  };
}
export interface SentNativeSocialLogin {
  apple?: {
    enabled?: boolean;
  };
  facebook?: {
    enabled?: boolean;
  };
  google?: {
    enabled?: boolean;
  };
}
export interface CreateClientBody {
  name: Name1;
  description?: Description;
  app_type?: Type1;
  is_first_party?: FirstParty;
  logo_uri?: Logo;
  callbacks?: CallbackURLs;
  allowed_logout_urls?: LogoutURLs;
  web_origins?: WebOrigins;
  allowed_origins?: AllowedOrigins;
  initiate_login_uri?: LoginURI;
  cross_origin_loc?: string;
  skip_non_verifiable_callback_uri_confirmation_prompt?: boolean;
  grant_types?: GrantTypes;
  token_endpoint_auth_method?: 'none' | 'client_secret_post' | 'client_secret_basic';
  signed_request_object?: SentSignedRequestObject;
  is_token_endpoint_ip_header_trusted?: TrustTheIPHeader;
  oidc_conformant?: OIDCConformant;
  require_pushed_authorization_requests?: RequirePushedAuthorizationRequests;
  require_proof_of_possession?: RequireProofOfPossession;
  client_aliases?: ClientAliases;
  allowed_clients?: AllowedClients;
  cross_origin_authentication?: CrossOriginAuthentication;
  jwt_configuration?: SentJwtConfiguration;
  refresh_token?: RefreshTokens;
  session_transfer?: SessionTransferFromNativeApplications;
  oidc_logout?: BackChannelLogout;
  sso?: SSO;
  sso_disabled?: SSODisabled;
  token_quota?: SentTokenQuota;
  organization_usage?: OrganizationUsage;
  organization_require_behavior?: OrganizationRequireBehavior;
  /**
   * @minItems 1
   */
  organization_discovery_methods?: ('email' | 'organization_name')[];
  default_organization?: DefaultOrganization;
  custom_login_page_on?: CustomLoginPageIsUsed;
  custom_login_page?: string | null;
  custom_login_page_preview?: string | null;
  form_template?: string | null;
  client_metadata?: ClientMetadata;
  mobile?: Mobile;
  native_social_login?: SentNativeSocialLogin;
  addons?: SentAddons;
  token_vault_privileged_access?: unknown;
  express_configuration?: unknown;
  my_organization_configuration?: unknown;
  resource_server_identifier?: string;
  third_party_security_mode?: string;
  anonymous_sessions?: unknown;
  async_approval_notification_channels?: unknown;
  b2b_integration_configuration?: unknown;
  compliance_level?: string | null;
  encryption_key?: unknown;
  fedcm_login?: unknown;
  identity_assertion_authorization_grant?: unknown;
  par_request_expiry?: number | null;
  redirection_policy?: string;
  token_exchange?: unknown;
  oidc_backchannel_logout?: unknown;
}
export interface UpdatedJwtConfiguration {
  alg?: 'HS256' | 'RS256' | 'RS512' | 'PS256';
  lifetime_in_seconds?: number;
  scopes?: unknown;
}
export interface UpdateClientBody {
  name?: Name1;
  description?: Description;
  app_type?: Type1;
  is_first_party?: FirstParty;
  client_secret?: string;
  logo_uri?: Logo;
  callbacks?: CallbackURLs;
  allowed_logout_urls?: LogoutURLs;
  web_origins?: WebOrigins;
  allowed_origins?: AllowedOrigins;
  initiate_login_uri?: LoginURI;
  cross_origin_loc?: CrossOriginVerificationPage;
  skip_non_verifiable_callback_uri_confirmation_prompt?: SkipConfirmation;
  grant_types?: GrantTypes;
  token_endpoint_auth_method?: AuthenticationMethod;
  client_authentication_methods?: UpdatedClientAuthenticationMethods;
  signed_request_object?: UpdatedSignedRequestObject;
  is_token_endpoint_ip_header_trusted?: TrustTheIPHeader;
  oidc_conformant?: OIDCConformant;
  require_pushed_authorization_requests?: RequirePushedAuthorizationRequests;
  require_proof_of_possession?: RequireProofOfPossession;
  client_aliases?: ClientAliases;
  allowed_clients?: AllowedClients;
  cross_origin_authentication?: CrossOriginAuthentication;
  jwt_configuration?: UpdatedJwtConfiguration;
  refresh_token?: RefreshTokens;
  session_transfer?: SessionTransferFromNativeApplications;
  oidc_logout?: BackChannelLogout;
  sso?: SSO;
  sso_disabled?: SSODisabled;
  token_quota?: TokenQuota;
  organization_usage?: OrganizationUsage;
  organization_require_behavior?: OrganizationRequireBehavior;
  organization_discovery_methods?: OrganizationDiscoveryMethods;
  default_organization?: DefaultOrganization;
  custom_login_page_on?: CustomLoginPageIsUsed;
  custom_login_page?: string | null;
  custom_login_page_preview?: string | null;
  form_template?: string | null;
  client_metadata?: {
    [k: string]: string | null;
  };
  mobile?: Mobile;
  native_social_login?: NativeSocialLogin;
  addons?: SentAddons;
  token_vault_privileged_access?: unknown;
  express_configuration?: unknown;
  my_organization_configuration?: unknown;
  third_party_security_mode?: string;
  anonymous_sessions?: unknown;
  async_approval_notification_channels?: unknown;
  b2b_integration_configuration?: unknown;
  compliance_level?: string | null;
  encryption_key?: unknown;
  fedcm_login?: unknown;
  identity_assertion_authorization_grant?: unknown;
  par_request_expiry?: number | null;
  redirection_policy?: string;
  token_exchange?: unknown;
  oidc_backchannel_logout?: unknown;
}
export interface LivePrivateKeyJWT {
  credentials?: LiveCredential[];
  [k: string]: unknown;
}
export interface LiveCredential {
  id: string;
  [k: string]: unknown;
}
export interface LiveCertificateOfACA {
  credentials?: LiveCredential1[];
  [k: string]: unknown;
}
export interface LiveCredential1 {
  id: string;
  [k: string]: unknown;
}
export interface LiveCertificateOfItsOwn {
  credentials?: LiveCredential2[];
  [k: string]: unknown;
}
export interface LiveCredential2 {
  id: string;
  [k: string]: unknown;
}
export interface LiveCredential3 {
  id: string;
  [k: string]: unknown;
}
export interface LiveIDTokens {
  alg?: string;
  lifetime_in_seconds?: number;
  secret_encoded?: boolean;
  scopes?: unknown;
  [k: string]: unknown;
}
export interface LivePolicy {
  audience: string;
  scope?: string[];
  [k: string]: unknown;
}
export interface LiveInitiators {
  mode?: string;
  selected_initiators?: string[];
  [k: string]: unknown;
}
export interface LiveClientCredentials1 {
  enforce?: boolean;
  per_day?: number;
  per_hour?: number;
  [k: string]: unknown;
}
export interface LiveMobile {
  android?: LiveAndroid;
  ios?: LiveIOS;
  [k: string]: unknown;
}
export interface LiveAndroid {
  app_package_name?: string;
  sha256_cert_fingerprints?: string[];
  [k: string]: unknown;
}
export interface LiveIOS {
  team_id?: string;
  app_bundle_identifier?: string;
  [k: string]: unknown;
}
export interface LiveSAML {
  audience?: string;
  recipient?: string;
  destination?: string;
  issuer?: string;
  mappings?: unknown;
  createUpnClaim?: boolean;
  mapIdentities?: boolean;
  mapUnknownClaimsAsIs?: boolean;
  passthroughClaimsWithNoMapping?: boolean;
  signatureAlgorithm?: string;
  digestAlgorithm?: string;
  signResponse?: boolean;
  lifetimeInSeconds?: number;
  nameIdentifierFormat?: string;
  nameIdentifierProbes?: string[];
  authnContextClassRef?: string;
  [k: string]: unknown;
}
/**
 * Client as the service returns it; other fields are tolerated.
 */
export interface LiveClient {
  client_id: string;
  name?: string;
  description?: string | null;
  app_type?: string;
  is_first_party?: FirstParty;
  client_secret?: string;
  logo_uri?: Logo;
  callbacks?: CallbackURLs;
  allowed_logout_urls?: LogoutURLs;
  web_origins?: WebOrigins;
  allowed_origins?: AllowedOrigins;
  initiate_login_uri?: LoginURI;
  cross_origin_loc?: CrossOriginVerificationPage;
  skip_non_verifiable_callback_uri_confirmation_prompt?: SkipConfirmation;
  grant_types?: GrantTypes;
  token_endpoint_auth_method?: string | null;
  client_authentication_methods?: LiveAuthenticationByKey;
  signed_request_object?: LiveSignedRequests;
  is_token_endpoint_ip_header_trusted?: TrustTheIPHeader;
  oidc_conformant?: OIDCConformant;
  require_pushed_authorization_requests?: RequirePushedAuthorizationRequests;
  require_proof_of_possession?: RequireProofOfPossession;
  client_aliases?: ClientAliases;
  allowed_clients?: AllowedClients;
  cross_origin_authentication?: CrossOriginAuthentication;
  jwt_configuration?: LiveIDTokens;
  refresh_token?: LiveRefreshTokens;
  session_transfer?: LiveSessionTransferFromNativeApplications;
  oidc_logout?: LiveBackChannelLogout;
  sso?: SSO;
  sso_disabled?: SSODisabled;
  token_quota?: LiveTokenQuota;
  organization_usage?: string | null;
  organization_require_behavior?: string | null;
  organization_discovery_methods?: string[] | null;
  default_organization?: LiveDefaultOrganization;
  custom_login_page_on?: CustomLoginPageIsUsed;
  custom_login_page?: string | null;
  custom_login_page_preview?: string | null;
  form_template?: string | null;
  client_metadata?: {
    [k: string]: string;
  };
  mobile?: LiveMobile;
  native_social_login?: LiveNativeSocialLogin;
  addons?: LiveAddons;
  tenant?: string | null;
  signing_keys?: unknown;
  created_at?: string | null;
  updated_at?: string | null;
  external_metadata_created_by?: string | null;
  external_client_id?: string | null;
  jwks_uri?: string | null;
  token_vault_privileged_access?: unknown;
  express_configuration?: unknown;
  my_organization_configuration?: unknown;
  resource_server_identifier?: string | null;
  third_party_security_mode?: string | null;
  anonymous_sessions?: unknown;
  async_approval_notification_channels?: unknown;
  b2b_integration_configuration?: unknown;
  compliance_level?: string | null;
  encryption_key?: unknown;
  fedcm_login?: unknown;
  identity_assertion_authorization_grant?: unknown;
  par_request_expiry?: number | null;
  redirection_policy?: string | null;
  token_exchange?: unknown;
  global?: boolean | null;
  external_metadata_type?: string | null;
  oidc_backchannel_logout?: unknown;
  cross_origin_auth?: unknown;
  callback_url_template?: unknown;
  owners?: unknown;
  encrypted?: unknown;
  [k: string]: unknown;
}
export interface ClientPageWithTotals {
  clients: LiveClient[];
  start: number;
  limit: number;
  total: number;
  [k: string]: unknown;
}
export interface ClientQuery {
  is_global?: 'true' | 'false';
  is_first_party?: 'true' | 'false';
  app_type?: Type1;
  external_client_id?: string;
  include_totals?: 'true' | 'false';
  include_fields?: 'true' | 'false';
  page?: number;
  per_page?: number;
}
export interface ClientParams {
  id: string;
}
