import { canonicalBaseUrl } from '../contract/formats.ts';
import { problem } from '../diagnostics/problem.ts';
import { folderStore } from '../journal/folder-store.ts';
import { JournalTrouble } from '../journal/journal-trouble.ts';
import { type FoundLock, missedHeartbeats } from '../journal/lock-holder.ts';
import { type ApplyState, type ApplyStateStore, openApplyState } from '../journal/open-apply-state.ts';
import type { ApplyOptions } from './options.ts';
import { type Invalid, invalid, type Locked } from './results.ts';

/** Locks the tenant while `use` runs. */
export async function withTenantLocked<Result>(
  { clock, stateFolder, stateUrl, tenant, toolVersion }: ApplyOptions,
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

function locked({ holder, path, silentMs, backend }: FoundLock): Locked {
  const known = holder === 'unknown' ? null : holder;
  const process = known && `process ${known.pid} on ${known.host}, since ${known.since}`;
  const expiry = known && missedHeartbeats * known.heartbeat_ms;
  const [by, hint] =
    path !== undefined
      ? [
          process ? `${process}, last heartbeat ${seconds(silentMs)} ago` : 'a process that its lock does not name',
          `wait until it ends${expiry ? ` (without a heartbeat, its lock expires after ${seconds(expiry)})` : ''}; if it no longer runs, delete ${path}`,
        ]
      : [
          `${process ?? 'a process without a name'}, session ${backend} of the database`,
          'wait until it ends; if its process or connection is lost, the server releases the lock within 40 s',
        ];
  const message = `Another apply of this tenant is running: ${by}. Nothing was sent.`;
  return { status: 'locked', diagnostics: [problem('APPLY_LOCKED', message, hint)] };
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 1000))} s`;
}
