// Generated from schemas/resource-servers.schema.json by npm run generate.

import type { Absent, Unmanaged } from '../../model/item.generated.ts';

/**
 * Exactly ${env:NAME}: an environment variable that contains the secret. It is read only when the secret is sent.
 */
export type SecretReference = string;
/**
 * Identifier of the API, the audience of its tokens. It cannot change.
 */
export type Identifier = string;
export type Name = string;
export type SigningAlgorithm = 'HS256' | 'RS256' | 'RS512' | 'PS256';
/**
 * Whether applications can get refresh tokens.
 */
export type AllowOfflineAccess = boolean;
export type AllowOnlineAccess = boolean;
export type AllowOnlineAccessWithEphemeralSessions = boolean;
/**
 * Seconds.
 */
export type TokenLifetime = number;
/**
 * Seconds, for tokens of browsers. At most the token lifetime.
 */
export type TokenLifetimeForWeb = number;
/**
 * Seconds.
 */
export type TokenLifetimeForAnonymousAccessTokens = number | null;
export type TokenDialect = 'access_token' | 'access_token_authz' | 'rfc9068_profile' | 'rfc9068_profile_authz';
/**
 * Whether own applications get tokens without asking the user.
 */
export type SkipConsentForVerifiableFirstPartyClients = boolean;
/**
 * Whether tokens have only the scopes that roles give to the user.
 */
export type EnforcePolicies = boolean;
export type TokenEncryption = {
  format: 'compact-nested-jwe';
  encryption_key: EncryptionKey;
} | null;
export type ConsentPolicy = 'transactional-authorization-with-mfa' | null;
export type AuthorizationDetails = unknown[] | null;
export type ProofOfPossession = {
  mechanism: 'mtls' | 'dpop';
  required: boolean;
  required_for?: 'public_clients' | 'all_clients';
} | null;
export type AuthorizationPolicy = {
  policy_id: string;
} | null;
/**
 * All permissions of the API. Those that are not listed are removed.
 *
 * @maxItems 1000
 */
export type Scopes = Scope[];
export type LiveTokenEncryption = {
  format?: string;
  encryption_key?: LiveEncryptionKey;
  [k: string]: unknown;
} | null;
export type LiveProofOfPossession = {
  mechanism?: string;
  required?: boolean;
  required_for?: string;
  [k: string]: unknown;
} | null;
export type LiveAuthorizationPolicy = {
  policy_id?: string;
  [k: string]: unknown;
} | null;
export type APIPage = APIPageWithTotals | LiveAPI[];
/**
 * Section of the embedded tenant's seed.
 */
export type SeededAPIs = SeededAPI[];
/**
 * APIs (resource servers), with the permissions that they define.
 */
export type ResourceServersSection = DeclaredAPI[];

export interface EncryptionKey {
  name?: string;
  alg: 'RSA-OAEP-256' | 'RSA-OAEP-384' | 'RSA-OAEP-512';
  kid?: string;
  /**
   * The public key. It is never returned, so change the name of the key with it.
   */
  pem: string;
}
/**
 * Which tokens need a client grant.
 */
export interface SubjectTypeAuthorization {
  user?: User;
  client?: Client;
  anonymous_user?: AnonymousUser;
}
export interface User {
  policy?: 'allow_all' | 'deny_all' | 'require_client_grant';
}
export interface Client {
  policy?: 'deny_all' | 'require_client_grant';
}
export interface AnonymousUser {
  policy?: 'deny_all' | 'require_client_grant';
}
export interface Scope {
  /**
   * Name of the permission, as roles and tokens have it.
   */
  value: string;
  /**
   * What the permission allows. Without this key, the API keeps the description it has.
   */
  description?: string;
}
/**
 * A declared API, identified by identifier.
 */
export interface DeclaredAPI {
  identifier: Identifier;
  name?: Name;
  signing_alg?: SigningAlgorithm;
  signing_secret?: SecretReference;
  allow_offline_access?: AllowOfflineAccess;
  allow_online_access?: AllowOnlineAccess;
  allow_online_access_with_ephemeral_sessions?: AllowOnlineAccessWithEphemeralSessions;
  token_lifetime?: TokenLifetime;
  token_lifetime_for_web?: TokenLifetimeForWeb;
  token_lifetime_for_anonymous_access_tokens?: TokenLifetimeForAnonymousAccessTokens;
  token_dialect?: TokenDialect;
  skip_consent_for_verifiable_first_party_clients?: SkipConsentForVerifiableFirstPartyClients;
  enforce_policies?: EnforcePolicies;
  token_encryption?: TokenEncryption;
  consent_policy?: ConsentPolicy;
  authorization_details?: AuthorizationDetails;
  proof_of_possession?: ProofOfPossession;
  subject_type_authorization?: SubjectTypeAuthorization;
  authorization_policy?: AuthorizationPolicy;
  scopes?: Scopes;
  absent?: Absent;
  unmanaged?: Unmanaged;
}
export interface CreateAPIBody {
  identifier: Identifier;
  name?: Name;
  signing_alg?: SigningAlgorithm;
  signing_secret?: string;
  allow_offline_access?: AllowOfflineAccess;
  allow_online_access?: AllowOnlineAccess;
  allow_online_access_with_ephemeral_sessions?: AllowOnlineAccessWithEphemeralSessions;
  token_lifetime?: TokenLifetime;
  token_lifetime_for_anonymous_access_tokens?: TokenLifetimeForAnonymousAccessTokens;
  token_dialect?: TokenDialect;
  skip_consent_for_verifiable_first_party_clients?: SkipConsentForVerifiableFirstPartyClients;
  enforce_policies?: EnforcePolicies;
  token_encryption?: TokenEncryption;
  consent_policy?: ConsentPolicy;
  authorization_details?: AuthorizationDetails;
  proof_of_possession?: ProofOfPossession;
  subject_type_authorization?: SubjectTypeAuthorization;
  authorization_policy?: AuthorizationPolicy;
  scopes?: Scopes;
}
export interface UpdateAPIBody {
  name?: Name;
  signing_alg?: SigningAlgorithm;
  signing_secret?: string;
  allow_offline_access?: AllowOfflineAccess;
  allow_online_access?: AllowOnlineAccess;
  allow_online_access_with_ephemeral_sessions?: AllowOnlineAccessWithEphemeralSessions;
  token_lifetime?: TokenLifetime;
  token_lifetime_for_web?: TokenLifetimeForWeb;
  token_lifetime_for_anonymous_access_tokens?: TokenLifetimeForAnonymousAccessTokens;
  token_dialect?: TokenDialect;
  skip_consent_for_verifiable_first_party_clients?: SkipConsentForVerifiableFirstPartyClients;
  enforce_policies?: EnforcePolicies;
  token_encryption?: TokenEncryption;
  consent_policy?: ConsentPolicy;
  authorization_details?: AuthorizationDetails;
  proof_of_possession?: ProofOfPossession;
  subject_type_authorization?: SubjectTypeAuthorization;
  authorization_policy?: AuthorizationPolicy;
  scopes?: Scopes;
}
export interface LiveEncryptionKey {
  name?: string;
  alg?: string;
  kid?: string;
  thumbprint_sha256?: unknown;
  [k: string]: unknown;
}
export interface LiveSubjectTypeAuthorization {
  user?: LiveUser;
  client?: LiveClient;
  anonymous_user?: LiveAnonymousUser;
  [k: string]: unknown;
}
export interface LiveUser {
  policy?: string;
  [k: string]: unknown;
}
export interface LiveClient {
  policy?: string;
  [k: string]: unknown;
}
export interface LiveAnonymousUser {
  policy?: string;
  [k: string]: unknown;
}
/**
 * API as the service returns it; other fields are tolerated.
 */
export interface LiveAPI {
  id: string;
  identifier?: string;
  is_system?: boolean;
  name?: string;
  signing_alg?: string;
  signing_secret?: string;
  allow_offline_access?: AllowOfflineAccess;
  allow_online_access?: AllowOnlineAccess;
  allow_online_access_with_ephemeral_sessions?: AllowOnlineAccessWithEphemeralSessions;
  token_lifetime?: number;
  token_lifetime_for_web?: number;
  token_lifetime_for_anonymous_access_tokens?: number | null;
  token_dialect?: string;
  skip_consent_for_verifiable_first_party_clients?: SkipConsentForVerifiableFirstPartyClients;
  enforce_policies?: EnforcePolicies;
  token_encryption?: LiveTokenEncryption;
  consent_policy?: string | null;
  authorization_details?: AuthorizationDetails;
  proof_of_possession?: LiveProofOfPossession;
  subject_type_authorization?: LiveSubjectTypeAuthorization;
  authorization_policy?: LiveAuthorizationPolicy;
  client_id?: string | null;
  scopes?: LiveScope[];
  [k: string]: unknown;
}
export interface LiveScope {
  value: string;
  description?: string | null;
  [k: string]: unknown;
}
export interface APIPageWithTotals {
  resource_servers: LiveAPI[];
  start: number;
  limit: number;
  total: number;
  [k: string]: unknown;
}
export interface APIQuery {
  /**
   * @maxItems 10
   */
  identifiers?: string[];
  include_totals?: 'true' | 'false';
  include_fields?: 'true' | 'false';
  page?: number;
  per_page?: number;
}
export interface APIParams {
  id: string;
}
export interface SeededAPI {
  id?: string;
  identifier?: string;
  is_system?: boolean;
  name?: string;
  signing_alg?: string;
  signing_secret?: string;
  allow_offline_access?: AllowOfflineAccess;
  allow_online_access?: AllowOnlineAccess;
  allow_online_access_with_ephemeral_sessions?: AllowOnlineAccessWithEphemeralSessions;
  token_lifetime?: number;
  token_lifetime_for_web?: number;
  token_lifetime_for_anonymous_access_tokens?: number | null;
  token_dialect?: string;
  skip_consent_for_verifiable_first_party_clients?: SkipConsentForVerifiableFirstPartyClients;
  enforce_policies?: EnforcePolicies;
  token_encryption?: LiveTokenEncryption;
  consent_policy?: string | null;
  authorization_details?: AuthorizationDetails;
  proof_of_possession?: LiveProofOfPossession;
  subject_type_authorization?: LiveSubjectTypeAuthorization;
  authorization_policy?: LiveAuthorizationPolicy;
  client_id?: string | null;
  scopes?: LiveScope1[];
  [k: string]: unknown;
}
export interface LiveScope1 {
  value: string;
  description?: string | null;
  [k: string]: unknown;
}
