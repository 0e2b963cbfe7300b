import { canonicalBaseUrl } from '../contract/formats.ts';
import { problem } from '../diagnostics/problem.ts';
import { folderStore } from '../journal/folder-store.ts';
import { JournalTrouble } from '../journal/journal-trouble.ts';
import { type FoundLock, type LockHolder, missedHeartbeats } from '../journal/lock-holder.ts';
import { type ApplyState, type ApplyStateStore, openApplyState } from '../journal/open-apply-state.ts';
import type { ApplyOptions } from './options.ts';
import { type Invalid, invalid, type Locked } from './results.ts';

/** Locks the tenant while `use` runs. */
export async function withTenantLocked<Result>(
  { breakLock, clock, stateFolder, stateUrl, tenant, toolVersion }: ApplyOptions,
  mask: (text: string) => string,
  use: (state: ApplyState) => Promise<Result>,
): Promise<Result | Locked | Invalid> {
  const baseUrl = canonicalBaseUrl(tenant.baseUrl);
  const options = {
    store: await stateStore(stateUrl, stateFolder),
    baseUrl,
    toolVersion,
    started: new Date(clock.now()).toISOString(),
    mask,
    breakLock,
  };
  const state = await openApplyState(options).catch(refusedState);
  if ('status' in state) return state;
  if ('lock' in state) return locked(state.lock);
  try {
    return await use(state);
  } finally {
    await state.release();
  }
}

/** The database of a URL, or without one a folder. */
export async function stateStore(url: string | undefined, folder = ''): Promise<ApplyStateStore> {
  return url === undefined ? folderStore(folder) : (await import('../database/database-store.ts')).databaseStore(url);
}

/** A place for the state that must not be used is a matter of the environment; anything else is a failure. */
function refusedState(error: unknown): Invalid {
  if (error instanceof JournalTrouble && error.isInvalid) return invalid([error.diagnostic]);
  throw error;
}

function locked(found: FoundLock): Locked {
  const { by, hint } = found.backend === undefined ? lockInFolder(found) : lockInDatabase(found);
  const message = `Another apply of this tenant is running: ${by}. Nothing was sent.`;
  return { status: 'locked', diagnostics: [problem('APPLY_LOCKED', message, hint)] };
}

function lockInFolder({ holder, name, silentMs }: FoundLock) {
  const isKnown = holder !== null && holder !== 'unknown';
  const by = isKnown
    ? `${holderText(holder)}, last heartbeat ${seconds(silentMs)} ago`
    : 'a process that its lock does not name';
  const expiry = isKnown
    ? ` (without a heartbeat, its lock expires after ${seconds(missedHeartbeats * holder.heartbeat_ms)})`
    : '';
  return { by, hint: `wait until it ends${expiry}; if it no longer runs, add --break-lock ${name}` };
}

function lockInDatabase({ holder, backend }: FoundLock) {
  const isKnown = holder !== null && holder !== 'unknown';
  const by = `${isKnown ? holderText(holder) : 'a process without a name'}, session ${backend} of the database`;
  const hint =
    'wait until it ends; if its process or connection is lost, the server releases the lock within 40 s. --break-lock does not work with a database';
  return { by, hint };
}

function holderText({ pid, host, since }: LockHolder): string {
  return `process ${pid} on ${host}, since ${since}`;
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 1000))} s`;
}
