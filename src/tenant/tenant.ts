import type { Seed } from '../model/seed.generated.ts';
import type { Breakage } from './faults/inject-fault.ts';
import type { JournalEntry } from './request-log.ts';

/** `breakage`: the connection is to be broken; the response then only says what would have been answered. */
export interface TenantReply {
  readonly response: Response;
  readonly breakage: Breakage | null;
}

export interface Tenant {
  readonly origin: string;
  /** Ends in /api/v2. */
  readonly baseUrl: string;
  /** Answers without a socket. Rejects like fetch does when a fault breaks the connection. */
  fetch(request: Request): Promise<Response>;
  answer(request: Request): Promise<TenantReply>;
  readonly journal: readonly JournalEntry[];
  /** The state in the form of the seed, as a copy. */
  snapshot(): Seed;
  /** Changes the state behind the API's back; a TenantSetupError when the result is no valid seed. */
  change(mutate: (state: Seed) => void): Promise<void>;
  /** Resolves when every change is stored. */
  settled(): Promise<void>;
}
