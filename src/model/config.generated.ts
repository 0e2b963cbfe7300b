// Generated from schemas/config.schema.json by npm run generate.

/**
 * The kinds of resources.
 */
export type KindName = 'event_streams' | 'prompts' | 'rate_limit_policies' | 'roles';
/**
 * 1 to 128 characters (public facts 4.3).
 */
export type StreamName = string;
/**
 * Whether events are delivered (public facts 4.3).
 */
export type StreamStatus = 'enabled' | 'disabled';
/**
 * Event types, at least one (public facts 4.3); a set, so the order does not matter.
 *
 * @minItems 1
 */
export type Subscriptions = Subscription[];
/**
 * Where events go: exactly one of three forms (public facts 4.3).
 */
export type DeclaredDestination = DeclaredWebhookDestination | EventbridgeDestination | ActionDestination;
/**
 * An address that starts with https:// (public facts 4.3).
 */
export type WebhookEndpoint = string;
/**
 * How a webhook proves who sends it (public facts 4.3).
 */
export type DeclaredWebhookAuthorization = DeclaredBasic | DeclaredBearer | DeclaredCustomHeader;
/**
 * Text without a colon, at most 128 characters (public facts 4.3).
 */
export type BasicUsername = string;
/**
 * Exactly ${env:NAME}: the secret is read from the environment when it is sent, and from nowhere else.
 */
export type SecretReference = string;
/**
 * The name of an HTTP header: letters, digits and !#$%&'*+-.^_`|~ (public facts 4.3).
 */
export type HeaderKey = string;
/**
 * Event streams as declared in files.
 */
export type EventStreamsSection = DeclaredEventStream[];
/**
 * Name of the prompt (service specification 4.4); confirmation is of the public facts alone (3.2), and a tenant may not have it.
 *
 * This interface was referenced by `PromptsSection`'s JSON-Schema
 * via the `definition` "prompt".
 */
export type Prompt =
  | 'login'
  | 'login-id'
  | 'login-password'
  | 'login-passwordless'
  | 'signup'
  | 'signup-id'
  | 'signup-password'
  | 'customized-consent'
  | 'passkeys'
  | 'confirmation';
/**
 * The template text, inline or from a file below the tenant's folder.
 *
 * This interface was referenced by `PromptsSection`'s JSON-Schema
 * via the `definition` "text".
 */
export type PartialText =
  | string
  | {
      file: string;
    };
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
 * Rate limit policies as declared in files.
 */
export type RateLimitPoliciesSection = DeclaredPolicy[];
/**
 * Named by id, or by name where roles can be listed.
 */
export type DeclaredRole = {
  [k: string]: unknown;
} & {
  id?: RoleId;
  name?: string;
  /**
   * The whole set that the role shall hold.
   */
  permissions?: PermissionPair[];
  /**
   * Pairs that the role must not hold.
   */
  absent_permissions?: PermissionPair[];
};
/**
 * Id of a role, a segment of a path.
 */
export type RoleId = string;
/**
 * Roles and the permissions that they shall or must not hold.
 */
export type RolesSection = DeclaredRole[];

/**
 * One file of a tenant folder. An absent key is unmanaged, a present one is the whole truth.
 */
export interface ConfigFile {
  tenant?: TenantHeader;
  event_streams?: EventStreamsSection;
  prompts?: PromptsSection;
  rate_limit_policies?: RateLimitPoliciesSection;
  roles?: RolesSection;
}
/**
 * The tenant that a folder belongs to, and the rules for changing it.
 */
export interface TenantHeader {
  /**
   * What people call the tenant. Default: the host of the base URL.
   */
  name?: string;
  /**
   * An assertion: must equal TENANT_SYNC_BASE_URL. Ends in /api/v2.
   */
  base_url?: string;
  /**
   * The operations that may be used. documented: the five that the service specification shows; full, the default: everything in docs/operations.md.
   */
  api?: 'documented' | 'full';
  guards?: GuardLimits;
  /**
   * Per kind: consumer selectors, role keys, prompt names or stream names that are never deleted; * as wildcard.
   */
  protect?: {
    [k: string]: string[];
  };
  /**
   * Kinds whose undeclared live items are reported and never deleted.
   */
  keep_undeclared?: KindName[];
}
/**
 * The larger of the two limits is the limit, for each kind.
 */
export interface GuardLimits {
  /**
   * Percent of the live items of a kind. Default: 30.
   */
  max_delete_percent?: number;
  /**
   * Items of a kind. Default: 3.
   */
  max_delete_count?: number;
}
/**
 * A stream as files declare it (public facts 4.3).
 */
export interface DeclaredEventStream {
  name: StreamName;
  status?: StreamStatus;
  subscriptions: Subscriptions;
  destination: DeclaredDestination;
}
/**
 * An event type is any text, because types are added over time (public facts 4.3).
 */
export interface Subscription {
  event_type: string;
}
export interface DeclaredWebhookDestination {
  type: 'webhook';
  configuration: DeclaredWebhook;
}
export interface DeclaredWebhook {
  webhook_endpoint: WebhookEndpoint;
  webhook_authorization?: DeclaredWebhookAuthorization;
}
export interface DeclaredBasic {
  method: 'basic';
  username: BasicUsername;
  password?: SecretReference;
}
export interface DeclaredBearer {
  method: 'bearer';
  token?: SecretReference;
}
export interface DeclaredCustomHeader {
  method: 'custom_header';
  header_key: HeaderKey;
  header_value?: SecretReference;
}
/**
 * Public facts 4.3; the server adds aws_partner_event_source, which must not be sent.
 */
export interface EventbridgeDestination {
  type: 'eventbridge';
  configuration: Eventbridge;
}
export interface Eventbridge {
  /**
   * 12 digits, as text (public facts 4.3).
   */
  aws_account_id: string;
  /**
   * A region such as us-east-1 (public facts 4.3).
   */
  aws_region: string;
}
/**
 * Public facts 4.3.
 */
export interface ActionDestination {
  type: 'action';
  configuration: ActionTarget;
}
export interface ActionTarget {
  action_id: string;
}
/**
 * Prompts and their template partials.
 */
export interface PromptsSection {
  [k: string]: DeclaredPrompt;
}
/**
 * This interface was referenced by `PromptsSection`'s JSON-Schema
 * via the `definition` "declared".
 */
export interface DeclaredPrompt {
  /**
   * Screen, insertion point, text: the whole object that the prompt shall hold.
   */
  partials?: {
    [k: string]: {
      [k: string]: PartialText;
    };
  };
}
/**
 * What a prompt holds: screen, insertion point, text (public facts 3.2).
 *
 * This interface was referenced by `PromptsSection`'s JSON-Schema
 * via the `definition` "partials".
 */
export interface Partials {
  [k: string]: {
    [k: string]: string;
  };
}
/**
 * Screen, insertion point, text: replaces what the prompt holds (public facts 3.3; service specification 2.5 does not show keys and values).
 *
 * This interface was referenced by `PromptsSection`'s JSON-Schema
 * via the `definition` "set_body".
 */
export interface SetPartialsBody {
  [k: string]: {
    [k: string]: string;
  };
}
/**
 * Service specification 4.4.
 *
 * This interface was referenced by `PromptsSection`'s JSON-Schema
 * via the `definition` "prompt_params".
 */
export interface PromptParams {
  prompt: Prompt;
}
/**
 * Section of the embedded tenant's seed: the partials of each prompt.
 *
 * This interface was referenced by `PromptsSection`'s JSON-Schema
 * via the `definition` "seed".
 */
export interface SeededPrompts {
  [k: string]: {
    partials: Partials;
  };
}
/**
 * A policy as files declare it, and the body that creates it (public facts 1.3).
 */
export interface DeclaredPolicy {
  resource: Resource;
  consumer: Consumer;
  consumer_selector: ConsumerSelector;
  configuration: Configuration;
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
/**
 * A permission of a resource server (service specification 2.4).
 */
export interface PermissionPair {
  resource_server_identifier: string;
  permission_name: string;
}
