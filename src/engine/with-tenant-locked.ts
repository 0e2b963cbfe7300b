import { canonicalBaseUrl } from '../contract/formats.ts';
import { problem } from '../diagnostics/problem.ts';
import { folderStore } from '../journal/folder-store.ts';
import { JournalTrouble } from '../journal/journal-trouble.ts';
import { type FoundLock, missedHeartbeats } from '../journal/lock-holder.ts';
import { type ApplyState, openApplyState } from '../journal/open-apply-state.ts';
import type { ApplyOptions } from './options.ts';
import { type Invalid, invalid, type Locked } from './results.ts';

/** Locks the tenant while `use` runs. */
export async function withTenantLocked<Result>(
  { breakLock, clock, stateFolder, tenant, toolVersion }: ApplyOptions,
  mask: (text: string) => string,
  use: (state: ApplyState) => Promise<Result>,
): Promise<Result | Locked | Invalid> {
  const baseUrl = canonicalBaseUrl(tenant.baseUrl);
  const options = {
    store: folderStore(stateFolder, baseUrl),
    baseUrl,
    toolVersion,
    started: new Date(clock.now()).toISOString(),
    mask,
    ...(breakLock !== undefined && { breakLock }),
  };
  const state = await openApplyState(options).catch(refusedState);
  if ('status' in state) return state;
  if ('lock' in state) return locked(state.lock);
  try {
    return await use(state);
  } finally {
    state.release();
  }
}

/** A folder that others may write is a matter of the environment; anything else is a failure. */
function refusedState(error: unknown): Invalid {
  if (error instanceof JournalTrouble && error.diagnostic.code === 'STATE_SHARED') return invalid([error.diagnostic]);
  throw error;
}

function locked({ holder, name, silentMs }: FoundLock): Locked {
  const isKnown = holder !== null && holder !== 'unknown';
  const who = isKnown
    ? `process ${holder.pid} on ${holder.host}, since ${holder.since}, last heartbeat ${seconds(silentMs)} ago`
    : 'a process that its lock does not name';
  const message = `Another apply of this tenant is running: ${who}. Nothing was sent.`;
  const expiry = isKnown
    ? ` (without a heartbeat, its lock expires after ${seconds(missedHeartbeats * holder.heartbeat_ms)})`
    : '';
  const hint = `wait until it ends${expiry}; if it no longer runs, add --break-lock ${name}`;
  return { status: 'locked', diagnostics: [problem('APPLY_LOCKED', message, hint)] };
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 1000))} s`;
}
