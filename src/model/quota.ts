/** A known limit on requests: a token bucket of `burst`, refilled at `perSecond`. */
export interface Quota {
  /** Group of endpoints that it applies to; `tenant` counts every request. */
  readonly group: string;
  readonly perSecond: number;
  readonly burst: number;
}

export const tenantQuota = 'tenant';

/** What an apply takes. */
export interface Forecast {
  /** Requests of an apply: it reads as the plan did, and then sends one request for each action. */
  readonly reads: number;
  readonly writes: number;
  /** Time because of the quota, in addition to the response times of the service; null if no quota is known. */
  readonly seconds: number | null;
  /** The quota that takes longest; null when none makes anybody wait. */
  readonly bottleneck: Quota | null;
}
