/**
 * One limit on requests. Times are milliseconds on the monotonic clock, or times of the service where a field is
 * documented so.
 */
export interface Limit {
  /** How long the next request has to wait: 0 to send now, infinite if it depends on a response. */
  wait(now: number): number;
  /** A request is sent; returns its number in this limit. */
  send(now: number): number;
  /** A request that will be sent soon takes its part of the limit. */
  reserve(now: number): void;
  /** It is sent now; returns its number. */
  sendReserved(now: number): number;
  /** It is not sent. */
  cancelReserved(): void;
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

export type Mode = 'unknown' | 'window' | 'bucket';

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
  refused: number;
  /** Only refusals show what is left. */
  blind: boolean;
  /** The newest refusal, and how many requests had been granted by then. */
  lastRefused: { readonly sentAt: number; readonly granted: number } | null;
}

/**
 * What the limiter does beyond reading headers and waiting for resets. Each of these can be switched off, so that
 * `npm run bench:quota -- --ablate` can measure what it is good for; docs/quota.md has the table.
 */
export const heuristics = {
  earlyProbe: 'a used-up limit of unknown kind sends one request before its reset',
  movedReset: 'a reset that moves before it is reached means a bucket',
  risingRemaining: 'tokens that come back before the reset mean a bucket',
  measuredRate: "a bucket's rate is measured from what responses show",
  rateIncrease: 'a bucket that is full although requests waited refills faster',
  rateDecrease: 'a bucket that refuses refills slower',
  lowestEstimate: 'the lowest estimate of the last half second is the level of a bucket',
  cushion: 'tokens are reserved after refusals by a bucket',
  openingMargin: 'a window is entered 20 ms after its reset',
  openingTrial: 'half of a window may be in flight until the first response from it',
  hiddenLimit: 'a limit that no response has shown for 3 s does not delay requests',
  distrust: 'after three refusals with quota left by the headers, only refusals count',
  blindMode: 'without headers on successes, the limiter counts by itself',
  blindRate: "without headers, a bucket's rate is what was granted between two refusals",
  blindGrowth: "without headers, a bucket's rate grows until the next refusal",
  windowLength: "without headers, a window's length is the time between two resets",
  starvation: 'after 30 s without a request, one is sent regardless of the estimate',
  firstRequest: 'the first request of a run is sent alone',
  concurrency: 'the number of requests in flight follows the response times',
  singleProbe: 'after a refusal one request is sent alone',
  halving: 'a refusal without headers halves the requests in flight',
  backoff: 'the wait after refusals in a row doubles',
  distrustReset: 'from the third refusal in a row on, the wait grows regardless of the headers',
} as const;

export type Heuristic = keyof typeof heuristics;

/** True for the heuristics that are on. */
export type Features = Readonly<Record<Heuristic, boolean>>;

export function featuresWithout(...off: readonly Heuristic[]): Features {
  const names = Object.keys(heuristics) as Heuristic[];
  return Object.fromEntries(names.map((name) => [name, !off.includes(name)])) as Features;
}
