// Generated from schemas/seed.schema.json by npm run generate.

/**
 * Clients to which the embedded tenant issues tokens.
 */
export type SeededClients = SeededClient[];
/**
 * The APIs that exist on the embedded tenant, with their permissions. Without this list every API and every permission exists.
 */
export type SeededResourceServers = SeededResourceServer[];
/**
 * What the embedded tenant starts with.
 */
export type SeededEventStreams = LiveEventStream[];
/**
 * At most 26 characters (service specification 2.1).
 */
export type PolicyId = string;
/**
 * The rate-limited API (service specification 2.1).
 */
export type Resource = 'oauth_authentication_api';
/**
 * Whose requests the policy counts (service specification 2.1).
 */
export type Consumer = 'client';
/**
 * client_id:<client id or CIMD URI>, cimd_clients, third_party_clients or default; at most 255 characters (service specification 2.1).
 */
export type ConsumerSelector = string;
/**
 * What happens when the limit is exceeded: allow, block or log with a limit, or redirect with a limit and an address (service specification 2.1).
 */
export type Configuration = Allow | BlockOrLog | Redirect;
/**
 * Requests per second, 0 to 10000 (service specification 2.1).
 */
export type Limit = number;
/**
 * What the embedded tenant starts with.
 */
export type SeededPolicies = LivePolicy[];
/**
 * Id of a role, a segment of a path.
 */
export type RoleId = string;
/**
 * Default: tenant.
 */
export type RoleType = 'tenant' | 'organization';
/**
 * What the embedded tenant starts with.
 */
export type SeededRoles = SeededRole[];

/**
 * What the embedded tenant starts with, and what it keeps in its state file.
 */
export interface Seed {
  clients?: SeededClients;
  resource_servers?: SeededResourceServers;
  event_streams?: SeededEventStreams;
  prompts?: SeededPrompts;
  rate_limit_policies?: SeededPolicies;
  roles?: SeededRoles;
}
export interface SeededClient {
  client_id: string;
  client_secret: string;
  scopes: string[];
  /**
   * A client that is not global is answered 401 (service specification 7). Default: true.
   */
  global?: boolean;
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
/**
 * An event stream as the service returns it; other fields are tolerated (service specification 2.3, public facts 4.3).
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
 * What the embedded tenant starts with: prompt, partials.
 */
export interface SeededPrompts {
  [k: string]: {
    partials: Partials;
  };
}
/**
 * Partials of a prompt: screen, insertion point, text (public facts 3.2).
 */
export interface Partials {
  [k: string]: {
    [k: string]: string;
  };
}
/**
 * A policy as the service returns it; other fields are refused (service specification 2.1).
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
 * A permission and the API (resource server) that defines it (service specification 2.4).
 */
export interface PermissionPair {
  resource_server_identifier: string;
  permission_name: string;
}
