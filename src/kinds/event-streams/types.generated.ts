// Generated from schemas/event-streams.schema.json by npm run generate.

/**
 * What the embedded tenant starts with.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "seed".
 */
export type SeededEventStreams = LiveEventStream[];
/**
 * Event streams as declared in files.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "section".
 */
export type EventStreamsSection = DeclaredEventStream[];

/**
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "subscription".
 */
export interface DeclaredSubscription {
  event_type: string;
}
/**
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "declared".
 */
export interface DeclaredEventStream {
  name: string;
  /**
   * Event types; the order does not matter.
   */
  subscriptions: DeclaredSubscription[];
  destination: DeclaredDestination;
}
export interface DeclaredDestination {
  /**
   * webhook is the form that the service specification shows (2.3).
   */
  type: 'webhook';
  configuration: DeclaredWebhook;
}
export interface DeclaredWebhook {
  webhook_endpoint: string;
  webhook_authorization?: DeclaredWebhookAuthorization;
}
export interface DeclaredWebhookAuthorization {
  /**
   * basic is the method that the service specification shows (2.3).
   */
  method: 'basic';
  username?: string;
}
/**
 * An event stream as the service returns it (service specification 2.3); further fields are tolerated.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "live".
 */
export interface LiveEventStream {
  id: string;
  name: string;
  subscriptions?: {
    event_type: string;
    [k: string]: unknown;
  }[];
  destination?: {
    type: string;
    configuration?: {
      webhook_endpoint?: string;
      webhook_authorization?: {
        method?: string;
        username?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
    [k: string]: unknown;
  };
  created_at?: string;
  updated_at?: string;
  [k: string]: unknown;
}
/**
 * One page of a listing; the key is camelCase (service specification 2.3).
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "page".
 */
export interface EventStreamPage {
  eventStreams: LiveEventStream[];
  next?: string;
  [k: string]: unknown;
}
/**
 * Service specification 4.5.
 *
 * This interface was referenced by `Definitions`'s JSON-Schema
 * via the `definition` "list_query".
 */
export interface ListEventStreamsQuery {
  from?: string;
  take?: number;
}
