/** A known limit on requests: a token bucket of `burst`, refilled at `perSecond`. */
export interface Quota {
  /** Group of endpoints that it applies to; `tenant` counts every request. */
  readonly group: string;
  readonly perSecond: number;
  readonly burst: number;
}

export const tenantQuota = 'tenant';

/** The requests and the time that an apply takes. */
export interface Forecast {
  /** An apply reads as the plan did, reads again what is too old before it is written, and verifies at the end. */
  readonly reads: number;
  /** One for each action. */
  readonly writes: number;
  /** Time because of the quota, in addition to the response times of the service; null if no quota is known. */
  readonly seconds: number | null;
  /** The quota that determines the time; null if no request has to wait. */
  readonly bottleneck: Quota | null;
}
