// Generated from schemas/seed.schema.json by npm run generate.

/**
 * Section of the embedded tenant's seed: clients to which it issues tokens.
 */
export type SeededClients = SeededClient[];
/**
 * Section of the embedded tenant's seed.
 */
export type SeededEventStreams = LiveEventStream[];
/**
 * At most 26 characters (service specification 2.1).
 */
export type PolicyId = string;
/**
 * The protected API (service specification 2.1).
 */
export type Resource = 'oauth_authentication_api';
/**
 * Whom the policy counts (service specification 2.1).
 */
export type Consumer = 'client';
/**
 * client_id:<client id or CIMD URI>, cimd_clients, third_party_clients or default; at most 255 characters (service specification 2.1).
 */
export type ConsumerSelector = string;
/**
 * What happens when the limit is exceeded: exactly one of three forms (service specification 2.1).
 */
export type Configuration = Allow | BlockOrLog | Redirect;
/**
 * Requests per second, 0 to 10000 (service specification 2.1).
 */
export type Limit = number;
/**
 * Section of the embedded tenant's seed.
 */
export type SeededPolicies = LivePolicy[];
/**
 * Section of the embedded tenant's seed. Without this section, every API and every permission exists.
 */
export type SeededResourceServers = SeededResourceServer[];
/**
 * Id of a role, a segment of a path.
 */
export type RoleId = string;
/**
 * Default: tenant.
 */
export type RoleType = 'tenant' | 'organization';
/**
 * Section of the embedded tenant's seed.
 */
export type SeededRoles = SeededRole[];

/**
 * State of the embedded tenant: its seed and its state file. Every section is optional.
 */
export interface Seed {
  clients?: SeededClients;
  event_streams?: SeededEventStreams;
  prompts?: SeededPrompts;
  rate_limit_policies?: SeededPolicies;
  resource_servers?: SeededResourceServers;
  roles?: SeededRoles;
}
export interface SeededClient {
  client_id: string;
  client_secret: string;
  /**
   * Scopes that its tokens carry.
   */
  scopes: string[];
  /**
   * If false, every request with a token of this client returns 401 (service specification 7). Default: true.
   */
  global?: boolean;
}
/**
 * An event stream as the service returns it (service specification 2.3, public facts 4.3); further fields are tolerated.
 */
export interface LiveEventStream {
  id: string;
  status?: string;
  name: string;
  subscriptions?: {event_type: string}[];
  created_at?: string;
  updated_at?: string;
  destination?: LiveDestination;
  [k: string]: unknown;
}
export interface LiveDestination {
  type: string;
  configuration?: LiveDestinationConfiguration;
  [k: string]: unknown;
}
export interface LiveDestinationConfiguration {
  webhook_endpoint?: string;
  webhook_authorization?: LiveWebhookAuthorization;
  aws_account_id?: string;
  aws_region?: string;
  aws_partner_event_source?: string;
  action_id?: string;
  [k: string]: unknown;
}
export interface LiveWebhookAuthorization {
  method?: string;
  username?: string;
  header_key?: string;
  [k: string]: unknown;
}
/**
 * Section of the embedded tenant's seed: the partials of each prompt.
 */
export interface SeededPrompts {
  [k: string]: {
    partials: Partials;
  };
}
/**
 * What a prompt holds: screen, insertion point, text (public facts 3.2).
 */
export interface Partials {
  [k: string]: {
    [k: string]: string;
  };
}
/**
 * A policy as the service returns it; no other field may appear (service specification 2.1).
 */
export interface LivePolicy {
  id: PolicyId;
  resource: Resource;
  consumer: Consumer;
  consumer_selector: ConsumerSelector;
  configuration: Configuration;
  created_at?: string;
  updated_at?: string;
}
export interface Allow {
  action: 'allow';
}
export interface BlockOrLog {
  action: 'block' | 'log';
  limit: Limit;
}
export interface Redirect {
  action: 'redirect';
  limit: Limit;
  redirect_uri: string;
}
export interface SeededResourceServer {
  identifier: string;
  name?: string;
  scopes: SeededScope[];
}
export interface SeededScope {
  value: string;
  description?: string;
}
export interface SeededRole {
  id: RoleId;
  name: string;
  description?: string;
  type?: RoleType;
  /**
   * The organization of an organization role.
   */
  owner_id?: string;
  permissions?: PermissionPair[];
}
/**
 * A permission of a resource server (service specification 2.4).
 */
export interface PermissionPair {
  resource_server_identifier: string;
  permission_name: string;
}
