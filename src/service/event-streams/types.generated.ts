// Generated from schemas/event-streams.schema.json by npm run generate.

import type { Absent, RenamedFrom, Unmanaged } from '../../model/item.generated.ts';

/**
 * Exactly ${env:NAME}: an environment variable that contains the secret. It is read only when the secret is sent.
 */
export type SecretReference = string;
/**
 * Name of the stream, 1 to 128 characters. It identifies the stream: another name is another stream.
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
export type Destination = WebhookDestination | EventbridgeDestination | ActionDestination;
/**
 * How the service authenticates at the webhook: basic, bearer or custom_header (public facts 4.3).
 */
export type WebhookAuthorization =
  BasicWebhookAuthorization | BearerWebhookAuthorization | CustomHeaderWebhookAuthorization;
export type SentDestination =
  | {
      type: 'webhook';
      configuration: {
        webhook_endpoint: string;
        webhook_authorization:
          | {
              method: 'basic';
              username: string;
              password?: string;
            }
          | {
              method: 'bearer';
              token?: string;
            }
          | {
              method: 'custom_header';
              header_key: string;
              header_value?: string;
            };
      };
    }
  | {
      type: 'eventbridge';
      configuration: {
        aws_account_id: string;
        aws_region: string;
      };
    }
  | {
      type: 'action';
      configuration: {
        action_id: string;
      };
    };
export type UpdatedDestination =
  | {
      type: 'webhook';
      configuration: {
        webhook_endpoint: string;
        webhook_authorization:
          | {
              method: 'basic';
              username: string;
              password?: string;
            }
          | {
              method: 'bearer';
              token?: string;
            }
          | {
              method: 'custom_header';
              header_key: string;
              header_value?: string;
            };
      };
    }
  | {
      type: 'action';
      configuration: {
        action_id: string;
      };
    };
/**
 * Section of the embedded tenant's seed.
 */
export type SeededEventStreams = LiveStream[];
/**
 * Event streams. Live streams that are not listed are deleted, unless undeclared keeps them; [] declares none.
 */
export type EventStreamsSection = DeclaredStream[];

/**
 * An event type, such as user.created. Any text is accepted, because types are added over time (public facts 4.3).
 */
export interface Subscription {
  /**
   * The event to deliver, such as user.created.
   */
  event_type: string;
}
export interface WebhookDestination {
  /**
   * An HTTPS endpoint.
   */
  type: 'webhook';
  configuration: Webhook;
}
/**
 * The endpoint, and how the service authenticates there.
 */
export interface Webhook {
  /**
   * An address that starts with https://, with a host and without credentials; every other character is escaped, as in %C3%A9 (public facts 4.3).
   */
  webhook_endpoint: string;
  webhook_authorization?: WebhookAuthorization;
}
export interface BasicWebhookAuthorization {
  /**
   * HTTP basic authentication.
   */
  method: 'basic';
  /**
   * Text without a colon, at most 128 characters (public facts 4.3).
   */
  username: string;
  password?: SecretReference;
}
export interface BearerWebhookAuthorization {
  /**
   * A bearer token in the Authorization header.
   */
  method: 'bearer';
  token?: SecretReference;
}
export interface CustomHeaderWebhookAuthorization {
  /**
   * A header of your own.
   */
  method: 'custom_header';
  /**
   * The name of an HTTP header: letters, digits and !#$%&'*+-.^_`|~ (public facts 4.3).
   */
  header_key: string;
  header_value?: SecretReference;
}
export interface EventbridgeDestination {
  /**
   * AWS EventBridge.
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
export interface ActionDestination {
  /**
   * An action of the tenant.
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
/**
 * A declared stream, identified by name.
 */
export interface DeclaredStream {
  name: StreamName;
  status?: StreamStatus;
  subscriptions?: Subscriptions;
  destination?: Destination;
  renamed_from?: RenamedFrom;
  absent?: Absent;
  unmanaged?: Unmanaged;
}
export interface CreateStreamBody {
  name?: StreamName;
  status?: StreamStatus;
  subscriptions?: Subscriptions;
  destination: SentDestination;
}
export interface UpdateStreamBody {
  name?: StreamName;
  status?: StreamStatus;
  subscriptions?: Subscriptions;
  destination?: UpdatedDestination;
}
export interface LiveDestination {
  type: string;
  configuration?: LiveWebhook;
  [k: string]: unknown;
}
export interface LiveWebhook {
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
 * Stream as the service returns it; other fields are tolerated.
 */
export interface LiveStream {
  id: string;
  name?: string;
  status?: string;
  subscriptions?: LiveSubscription[];
  destination?: LiveDestination;
  created_at?: string | null;
  updated_at?: string | null;
  [k: string]: unknown;
}
export interface LiveSubscription {
  event_type: string;
  [k: string]: unknown;
}
export interface StreamPage {
  eventStreams: LiveStream[];
  next?: string;
  [k: string]: unknown;
}
export interface StreamQuery {
  take?: number;
  from?: string;
}
export interface StreamParams {
  id: string;
}
