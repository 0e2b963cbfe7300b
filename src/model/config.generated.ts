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
 * Event types, at least one; the order does not matter (public facts 4.3).
 *
 * @minItems 1
 */
export type Subscriptions = Subscription[];
/**
 * Where events are sent: a webhook, eventbridge or action (public facts 4.3).
 */
export type DeclaredDestination = DeclaredWebhookDestination | EventbridgeDestination | ActionDestination;
/**
 * An address that starts with https:// (public facts 4.3).
 */
export type WebhookEndpoint = string;
/**
 * How the service authenticates at the webhook: basic, bearer or custom_header (public facts 4.3).
 */
export type DeclaredWebhookAuthorization = DeclaredBasic | DeclaredBearer | DeclaredCustomHeader;
/**
 * Text without a colon, at most 128 characters (public facts 4.3).
 */
export type BasicUsername = string;
/**
 * Exactly ${env:NAME}: an environment variable that contains the secret. It is read only when the secret is sent.
 */
export type SecretReference = string;
/**
 * The name of an HTTP header: letters, digits and !#$%&'*+-.^_`|~ (public facts 4.3).
 */
export type HeaderKey = string;
/**
 * Event streams. Live streams that are not listed are deleted; [] declares none.
 */
export type EventStreamsSection = DeclaredEventStream[];
/**
 * Name of a prompt (service specification 4.4). confirmation is known from public facts only (3.2); a tenant may not have it.
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
 * The template: text, or { file: PATH } for a file in the folder of the tenant.
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
 * Rate limit policies. Live policies that are not listed are deleted; [] declares none.
 */
export type RateLimitPoliciesSection = DeclaredPolicy[];
/**
 * A role, identified by id, or by name if the tenant can list roles (api: full).
 */
export type DeclaredRole = {
  [k: string]: unknown;
} & {
  id?: RoleId;
  name?: string;
  /**
   * The complete set of permissions of the role. Without this key, the role keeps its permissions.
   */
  permissions?: PermissionPair[];
  /**
   * Permissions that the role must not have.
   */
  absent_permissions?: PermissionPair[];
};
/**
 * Id of a role, a segment of a path.
 */
export type RoleId = string;
/**
 * Roles and their permissions. Roles that are not listed are left alone.
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
 * The tenant that the folder belongs to, and rules for changing it.
 */
export interface TenantHeader {
  /**
   * Name of the tenant in plans and reports. Default: the host of the base URL.
   */
  name?: string;
  /**
   * An assertion: must equal TENANT_SYNC_BASE_URL. Ends in /api/v2.
   */
  base_url?: string;
  /**
   * Operations that may be used. full (default): all operations. documented: only the five operations of the service specification.
   */
  api?: 'documented' | 'full';
  guards?: GuardLimits;
  /**
   * Items that are never deleted, per kind: consumer selectors, role names or ids, prompt names or stream names. * is a wildcard.
   */
  protect?: {
    [k: string]: string[];
  };
  /**
   * Kinds whose undeclared live items are reported instead of deleted.
   */
  keep_undeclared?: KindName[];
}
/**
 * Limits for deletions, per kind. The larger of the two applies. A plan above the limit is refused until it is approved.
 */
export interface GuardLimits {
  /**
   * Percentage of the live items of a kind that a plan may delete. Default: 30.
   */
  max_delete_percent?: number;
  /**
   * Number of items of a kind that a plan may delete. Default: 3.
   */
  max_delete_count?: number;
}
/**
 * A declared event stream (public facts 4.3).
 */
export interface DeclaredEventStream {
  name: StreamName;
  status?: StreamStatus;
  subscriptions: Subscriptions;
  destination: DeclaredDestination;
}
/**
 * An event type, such as user.created. Any text is accepted, because types are added over time (public facts 4.3).
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
 * An AWS EventBridge destination (public facts 4.3). The service adds aws_partner_event_source, which must not be sent.
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
 * An action that receives the events (public facts 4.3).
 */
export interface ActionDestination {
  type: 'action';
  configuration: ActionTarget;
}
export interface ActionTarget {
  action_id: string;
}
/**
 * Prompts and their partials. Prompts that are not listed are left alone.
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
   * All partials of the prompt: screen, insertion point, text. Live partials that are not listed are removed.
   */
  partials?: {
    [k: string]: {
      [k: string]: PartialText;
    };
  };
}
/**
 * Partials of a prompt: screen, insertion point, text (public facts 3.2).
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
 * Screen, insertion point, text; replaces all partials of the prompt (public facts 3.3; service specification 2.5 does not show keys and values).
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
 * What the embedded tenant starts with: prompt, partials.
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
 * A declared policy, and the body that creates it (public facts 1.3).
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
 * A permission and the API (resource server) that defines it (service specification 2.4).
 */
export interface PermissionPair {
  resource_server_identifier: string;
  permission_name: string;
}
