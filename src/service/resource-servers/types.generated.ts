// Generated from schemas/resource-servers.schema.json by npm run generate.

import type { Count, Flag, PageNumber, PageSize } from '../roles/types.generated.ts';
import type { Unmanaged } from '../../model/item.generated.ts';

/**
 * Identifier of an API; it cannot change.
 */
export type APIIdentifier = string;
/**
 * Id of an API, a segment of a path.
 */
export type ResourceServerId = string;
/**
 * All permissions of the API. Permissions that are not listed are removed.
 *
 * @maxItems 1000
 */
export type Scopes = DeclaredScope[];
/**
 * One page of APIs: an object with totals or an array, depending on the query (public facts 2b.2).
 */
export type ResourceServerPage = ResourceServerPageWithTotals | LiveResourceServer[];
/**
 * Name of an API, without < and >.
 */
export type APIName = string;
export type SigningAlgorithm = 'HS256' | 'RS256' | 'RS512' | 'PS256';
export type TokenDialect = 'access_token' | 'access_token_authz' | 'rfc9068_profile' | 'rfc9068_profile_authz';
/**
 * Section of the embedded tenant's seed. Without this section, every API and every permission exists, and APIs cannot be listed.
 */
export type SeededResourceServers = SeededResourceServer[];
/**
 * APIs (resource servers) and the permissions that they define. APIs that are not listed are left alone and reported; no API is created or deleted.
 */
export type ResourceServersSection = DeclaredResourceServer[];

/**
 * A permission of an API.
 */
export interface DeclaredScope {
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
 * An API that exists on the tenant, with its permissions.
 */
export interface DeclaredResourceServer {
  identifier: APIIdentifier;
  scopes?: Scopes;
  unmanaged?: Unmanaged;
}
/**
 * An API in a response. Other fields are tolerated (public facts 2b.3); signing_secret is not named here, so it is never read.
 */
export interface LiveResourceServer {
  id: ResourceServerId;
  identifier: string;
  name?: string | null;
  /**
   * True for an API of the service itself; absent otherwise.
   */
  is_system?: boolean | null;
  /**
   * Absent and [] are equivalent.
   */
  scopes?: LiveScope[];
  allow_offline_access?: boolean;
  enforce_policies?: boolean;
  signing_alg?: string;
  skip_consent_for_verifiable_first_party_clients?: boolean;
  subject_type_authorization?: {
    [k: string]: unknown;
  };
  token_dialect?: string;
  token_lifetime?: number;
  token_lifetime_for_web?: number;
  [k: string]: unknown;
}
export interface LiveScope {
  value: string;
  description?: string | null;
  [k: string]: unknown;
}
/**
 * Public facts 2b.2.
 */
export interface ListResourceServersQuery {
  page?: PageNumber;
  per_page?: PageSize;
  include_totals?: Flag;
  include_fields?: Flag;
  /**
   * May be repeated.
   *
   * @maxItems 10
   */
  identifiers?: string[];
}
export interface ResourceServerPageWithTotals {
  resource_servers: LiveResourceServer[];
  start: Count;
  limit: Count;
  total: Count;
  [k: string]: unknown;
}
/**
 * The id or the identifier, URL-encoded (public facts 2b.2).
 */
export interface ResourceServerParams {
  id: string;
}
/**
 * Fields that are left out are kept; scopes replaces all permissions (public facts 2b.4).
 */
export interface PatchResourceServerBody {
  name?: APIName;
  scopes?: Scopes;
  signing_alg?: SigningAlgorithm;
  /**
   * Secret of symmetric algorithms.
   */
  signing_secret?: string;
  skip_consent_for_verifiable_first_party_clients?: boolean;
  allow_offline_access?: boolean;
  allow_online_access?: boolean;
  allow_online_access_with_ephemeral_sessions?: boolean;
  token_lifetime?: number;
  token_lifetime_for_web?: number;
  token_lifetime_for_anonymous_access_tokens?: number | null;
  token_dialect?: TokenDialect;
  enforce_policies?: boolean;
  token_encryption?: {
    [k: string]: unknown;
  } | null;
  consent_policy?: string | null;
  authorization_details?: unknown[] | null;
  proof_of_possession?: {
    [k: string]: unknown;
  } | null;
  subject_type_authorization?: {
    [k: string]: unknown;
  };
  authorization_policy?: {
    [k: string]: unknown;
  } | null;
}
export interface SeededResourceServer {
  /**
   * 24 hexadecimal digits. Default: made from the identifier.
   */
  id?: string;
  identifier: APIIdentifier;
  name?: APIName;
  /**
   * An API of the service itself: its permissions cannot be changed.
   */
  is_system?: true;
  scopes?: Scopes;
  signing_alg?: SigningAlgorithm;
  /**
   * A service may return it in clear.
   */
  signing_secret?: string;
  skip_consent_for_verifiable_first_party_clients?: boolean;
  allow_offline_access?: boolean;
  allow_online_access?: boolean;
  allow_online_access_with_ephemeral_sessions?: boolean;
  token_lifetime?: number;
  token_lifetime_for_web?: number;
  token_lifetime_for_anonymous_access_tokens?: number | null;
  token_dialect?: TokenDialect;
  enforce_policies?: boolean;
  token_encryption?: {
    [k: string]: unknown;
  } | null;
  consent_policy?: string | null;
  authorization_details?: unknown[] | null;
  proof_of_possession?: {
    [k: string]: unknown;
  } | null;
  subject_type_authorization?: {
    [k: string]: unknown;
  };
  authorization_policy?: {
    [k: string]: unknown;
  } | null;
}
