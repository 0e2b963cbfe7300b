// Generated from schemas/event-streams.schema.json by npm run generate.

import type { Absent, RenamedFrom, Unmanaged } from '../../model/item.generated.ts';

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
 * An address that starts with https://, with a host and without credentials; every other character is escaped, as in %C3%A9 (public facts 4.3).
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
 * Exactly ${env:NAME}: an environment variable that contains the secret. It is read only when the secret is sent.
 */
export type SecretReference = string;
/**
 * How the service authenticates at the webhook: basic, bearer or custom_header (public facts 4.3).
 */
export type DeclaredWebhookAuthorization = DeclaredBasic | DeclaredBearer | DeclaredCustomHeader;
/**
 * Where events are sent: a webhook, eventbridge or action (public facts 4.3).
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
 * Event streams. Live streams that are not listed are deleted, unless undeclared keeps them; [] declares none.
 */
export type EventStreamsSection = DeclaredEventStream[];

/**
 * An event type, such as user.created. Any text is accepted, because types are added over time (public facts 4.3).
 */
export interface Subscription {
  /**
   * The event to deliver, such as user.created.
   */
  event_type: string;
}
/**
 * An AWS EventBridge destination (public facts 4.3). The service adds aws_partner_event_source, which must not be sent.
 */
export interface EventbridgeDestination {
  /**
   * An AWS EventBridge destination.
   */
  type: 'eventbridge';
  configuration: Eventbridge;
}
/**
 * The AWS account and region that receive the events.
 */
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
  /**
   * An action destination.
   */
  type: 'action';
  configuration: ActionTarget;
}
/**
 * The action that receives the events.
 */
export interface ActionTarget {
  /**
   * Id of the action.
   */
  action_id: string;
}
export interface DeclaredBasic {
  /**
   * HTTP basic authentication.
   */
  method: 'basic';
  username: BasicUsername;
  password?: SecretReference;
}
export interface DeclaredBearer {
  /**
   * A bearer token in the Authorization header.
   */
  method: 'bearer';
  token?: SecretReference;
}
export interface DeclaredCustomHeader {
  /**
   * A header of your own.
   */
  method: 'custom_header';
  header_key: HeaderKey;
  header_value?: SecretReference;
}
/**
 * A declared event stream (public facts 4.3).
 */
export interface DeclaredEventStream {
  name: StreamName;
  renamed_from?: RenamedFrom;
  status?: StreamStatus;
  subscriptions?: Subscriptions;
  destination?: DeclaredDestination;
  absent?: Absent;
  unmanaged?: Unmanaged;
}
export interface DeclaredWebhookDestination {
  /**
   * An HTTPS endpoint.
   */
  type: 'webhook';
  configuration: DeclaredWebhook;
}
/**
 * The endpoint, and how the service authenticates there.
 */
export interface DeclaredWebhook {
  webhook_endpoint: WebhookEndpoint;
  webhook_authorization?: DeclaredWebhookAuthorization;
}
/**
 * A webhook destination (public facts 4.3). The published schema has no secrets, but the service accepts them; that they are optional is assumed.
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
 * The body that creates a stream (public facts 4.3).
 */
export interface CreateEventStreamBody {
  name?: StreamName;
  status?: StreamStatus;
  subscriptions?: Subscriptions;
  destination: WebhookDestination | EventbridgeDestination | ActionDestination;
}
/**
 * Fields to change; absent ones are kept. An eventbridge destination cannot be sent (public facts 4.4).
 */
export interface PatchEventStreamBody {
  name?: StreamName;
  status?: StreamStatus;
  subscriptions?: Subscriptions;
  destination?: WebhookDestination | ActionDestination;
}
/**
 * An event stream as the service returns it; other fields are tolerated (service specification 2.3, public facts 4.3). A stream need not have a name or subscriptions.
 */
export interface LiveEventStream {
  id: string;
  status?: string;
  name?: string;
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
 * One page of event streams; the key is in camelCase (service specification 2.3).
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
