// Generated from schemas/event-streams.schema.json by npm run generate.

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
 * An address that starts with https:// (public facts 4.3).
 */
export type WebhookEndpoint = string;
/**
 * Text without a colon, at most 128 characters (public facts 4.3).
 */
export type BasicUsername = string;
/**
 * The name of an HTTP header: letters, digits and !#$%&'*+-.^_`|~ (public facts 4.3).
 */
export type HeaderKey = string;
/**
 * Exactly ${env:NAME}: the secret is read from the environment when it is sent, and from nowhere else.
 */
export type SecretReference = string;
/**
 * How a webhook proves who sends it (public facts 4.3).
 */
export type DeclaredWebhookAuthorization = DeclaredBasic | DeclaredBearer | DeclaredCustomHeader;
/**
 * Where events go: exactly one of three forms (public facts 4.3).
 */
export type DeclaredDestination = DeclaredWebhookDestination | EventbridgeDestination | ActionDestination;
/**
 * Sent, never returned (public facts 4.3).
 */
export type Secret = string;
export type WebhookAuthorization = Basic | Bearer | CustomHeader;
/**
 * Section of the embedded tenant's seed.
 */
export type SeededEventStreams = LiveEventStream[];
/**
 * Event streams as declared in files.
 */
export type EventStreamsSection = DeclaredEventStream[];

/**
 * An event type is any text, because types are added over time (public facts 4.3).
 */
export interface Subscription {
  event_type: string;
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
 * A stream as files declare it (public facts 4.3).
 */
export interface DeclaredEventStream {
  name: StreamName;
  status?: StreamStatus;
  subscriptions: Subscriptions;
  destination: DeclaredDestination;
}
export interface DeclaredWebhookDestination {
  type: 'webhook';
  configuration: DeclaredWebhook;
}
export interface DeclaredWebhook {
  webhook_endpoint: WebhookEndpoint;
  webhook_authorization?: DeclaredWebhookAuthorization;
}
/**
 * Public facts 4.3. That a secret may be left out is assumed: the published schema has no secrets, and the service takes them.
 */
export interface WebhookDestination {
  type: 'webhook';
  configuration: Webhook;
}
export interface Webhook {
  webhook_endpoint: WebhookEndpoint;
  webhook_authorization: WebhookAuthorization;
}
export interface Basic {
  method: 'basic';
  username: BasicUsername;
  password?: Secret;
}
export interface Bearer {
  method: 'bearer';
  token?: Secret;
}
export interface CustomHeader {
  method: 'custom_header';
  header_key: HeaderKey;
  header_value?: Secret;
}
/**
 * Public facts 4.3.
 */
export interface CreateEventStreamBody {
  name: StreamName;
  status?: StreamStatus;
  subscriptions: Subscriptions;
  destination: WebhookDestination | EventbridgeDestination | ActionDestination;
}
/**
 * Public facts 4.4: what is left out is kept; an eventbridge destination cannot be sent.
 */
export interface PatchEventStreamBody {
  name?: StreamName;
  status?: StreamStatus;
  subscriptions?: Subscriptions;
  destination?: WebhookDestination | ActionDestination;
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
 * One page of a listing; the key is camelCase (service specification 2.3).
 */
export interface EventStreamPage {
  eventStreams: LiveEventStream[];
  next?: string;
  [k: string]: unknown;
}
/**
 * Service specification 4.5.
 */
export interface ListEventStreamsQuery {
  from?: string;
  take?: number;
}
/**
 * Public facts 4.3.
 */
export interface EventStreamParams {
  id: string;
}
