// Generated from schemas/client-grants.schema.json by npm run generate.

import type { Absent, Unmanaged } from '../../model/item.generated.ts';

/**
 * The name of the application, as in the section clients; its id where several applications have the name.
 */
export type Client =
  | string
  | {
      /**
       * Its id, where several have the name.
       */
      id: string;
    };
/**
 * The identifier of the API.
 */
export type API = string;
/**
 * Whose tokens these are. An application can have one grant of each type for an API.
 */
export type SubjectType = 'client' | 'user' | 'anonymous_user';
/**
 * The application gets every scope of the API, also later ones. The grant has no scopes of its own then.
 */
export type AllowAllScopes = boolean | null;
/**
 * Whether tokens of the application can be limited to an organization.
 */
export type OrganizationUsage = 'deny' | 'allow' | 'require' | null;
/**
 * Tokens can be for each organization of the tenant, not only for those that have the grant.
 */
export type AllowAnyOrganization = boolean | null;
/**
 * Types of rich authorization requests. The API must have them.
 */
export type AuthorizationDetailsTypes = string[] | null;
/**
 * The scopes of the API that the application may get. The API must have them.
 */
export type Scopes = Scope[] | null;
export type Scope = string;
/**
 * Section of the embedded tenant's seed.
 */
export type SeededClientGrants = LiveGrant[];
/**
 * Which application may get tokens for which API, and with which scopes.
 */
export type ClientGrantsSection = DeclaredGrant[];

/**
 * A declared grant, identified by client, audience and subject_type.
 */
export interface DeclaredGrant {
  client: Client;
  audience: API;
  subject_type?: SubjectType;
  allow_all_scopes?: AllowAllScopes;
  organization_usage?: OrganizationUsage;
  allow_any_organization?: AllowAnyOrganization;
  authorization_details_types?: AuthorizationDetailsTypes;
  scope?: Scopes;
  absent?: Absent;
  unmanaged?: Unmanaged;
}
export interface CreateGrantBody {
  client_id?: string;
  audience: API;
  subject_type?: SubjectType;
  allow_all_scopes?: AllowAllScopes;
  organization_usage?: OrganizationUsage;
  allow_any_organization?: AllowAnyOrganization;
  authorization_details_types?: AuthorizationDetailsTypes;
  default_for?: string;
  scope?: string[];
}
export interface UpdateGrantBody {
  allow_all_scopes?: AllowAllScopes;
  organization_usage?: OrganizationUsage;
  allow_any_organization?: AllowAnyOrganization;
  authorization_details_types?: AuthorizationDetailsTypes;
  scope?: Scopes;
}
/**
 * Grant as the service returns it; other fields are tolerated.
 */
export interface LiveGrant {
  id: string;
  client_id?: string;
  audience?: string;
  subject_type?: string | null;
  allow_all_scopes?: AllowAllScopes;
  organization_usage?: string | null;
  allow_any_organization?: AllowAnyOrganization;
  authorization_details_types?: string[] | null;
  is_system?: boolean | null;
  default_for?: string | null;
  scope?: string[] | null;
  [k: string]: unknown;
}
export interface GrantPage {
  client_grants: LiveGrant[];
  next?: string;
  [k: string]: unknown;
}
export interface GrantQuery {
  audience?: API;
  client_id?: string;
  allow_any_organization?: 'true' | 'false';
  subject_type?: 'client' | 'user' | 'anonymous_user';
  default_for?: string;
  include_totals?: 'true' | 'false';
  take?: number;
  from?: string;
}
export interface GrantParams {
  id: string;
}
