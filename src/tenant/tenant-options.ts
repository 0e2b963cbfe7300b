import type { Clock } from '../model/clock.ts';
import type { ApiLevel } from '../model/operation.ts';
import type { TenantPart } from '../model/tenant-resource.ts';
import type { TenantKeys } from './auth/create-tenant-keys.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import type { Rate } from './http/token-bucket.ts';
import type { JournalEntry } from './request-log.ts';

export interface TenantOptions {
  readonly parts: readonly TenantPart[];
  /** The operations that are answered; others do not exist (404 or 405). Default: full. */
  readonly api?: ApiLevel;
  /** Outside data: checked against seed.schema.json. Default: an empty tenant without clients. */
  readonly seed?: unknown;
  /** Every change is in this file before it is answered; when it exists it wins over the seed. */
  readonly stateFile?: string;
  /** Milliseconds that every answer waits. */
  readonly latencyMs?: number;
  /** Default: no limit, and no rate limit headers. */
  readonly rate?: Rate;
  readonly faults?: readonly FaultRule[];
  readonly clock: Clock;
  /** Default: a fresh pair, which takes a good part of a second. */
  readonly keys?: TenantKeys;
  /** Seconds. Default: 86400. */
  readonly tokenLifetime?: number;
  /** Told after every answer. */
  readonly onRequest?: (entry: JournalEntry) => void;
}
