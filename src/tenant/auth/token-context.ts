import type { Clock } from '../../model/clock.ts';
import type { TenantState } from '../state/open-state.ts';
import type { TenantKeys } from './create-tenant-keys.ts';
import type { TenantOrigins } from './tenant-origins.ts';

/** What issuing and checking a token need. */
export interface TokenContext {
  readonly keys: TenantKeys;
  readonly origins: TenantOrigins;
  readonly clock: Clock;
  readonly state: TenantState;
  /** Seconds. */
  readonly tokenLifetime: number;
}
