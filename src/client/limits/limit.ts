/**
 * One limit on requests. Times are milliseconds on the monotonic clock, or times of the service where a field is
 * documented so.
 */
export interface Limit {
  /** How long the next request has to wait: 0 to send now, infinite if it depends on a response. */
  wait(now: number): number;
  /** A request takes its part of the limit, to be sent now or once something is read. It delays no response. */
  take(now: number): void;
  /** It is sent; returns its number in this limit. */
  send(now: number): number;
  /** It is not sent. */
  giveBack(): void;
  /**
   * A response without this limit's headers; `granted` is false when there was no response, or when another limit
   * refused it.
   */
  returned(request: NumberedRequest, at: number, date: number | null, granted: boolean): void;
  /** `random` from 0 to 1. */
  refused(request: NumberedRequest, observation: Observation, random: number): void;
  /** The service's time until which it refuses, by its own header; null when there is none. */
  refusedUntil(): number | null;
  /** When the current row of refusals began; null without one. */
  refusedSince(): number | null;
}

export interface NumberedRequest {
  /** 0 for one that was in flight before the limit was known. */
  readonly ordinal: number;
  readonly sentAt: number;
}

/** What the headers of one response showed. */
export interface Observation {
  readonly at: number;
  readonly remaining: number;
  /** On the service's clock; null when it is not plausible. */
  readonly resetAt: number | null;
  /** On the service's clock. */
  readonly date: number | null;
}

/** What a limit's window and bucket count by. */
export interface Counts {
  sent: number;
  inFlight: number;
  /** Taken, and not sent yet. */
  reserved: number;
  refused: number;
  /** Only refusals show what is left. */
  blind: boolean;
  /** The newest refusal, and how many requests had been granted by then. */
  lastRefused: { readonly sentAt: number; readonly granted: number } | null;
}

/** A request and what its response showed. */
export type Sighting = NumberedRequest & Observation;
