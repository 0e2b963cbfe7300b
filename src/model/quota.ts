/** What is known of a limit on requests: a bucket of `burst`, refilled at `perSecond`. */
export interface Quota {
  /** Endpoint group that it holds for; `tenant` counts every request. */
  readonly group: string;
  readonly perSecond: number;
  readonly burst: number;
}

export const tenantQuota = 'tenant';
