/** A known limit on requests: a token bucket of `burst`, refilled at `perSecond`. */
export interface Quota {
  /** Group of endpoints that it applies to; `tenant` counts every request. */
  readonly group: string;
  readonly perSecond: number;
  readonly burst: number;
}

export const tenantQuota = 'tenant';
