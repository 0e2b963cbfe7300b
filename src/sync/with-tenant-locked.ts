import { canonicalBaseUrl } from '../contract/formats.ts';
import { problem } from '../diagnostics/problem.ts';
import { type ApplyState, type Locked as HeldLock, openApplyState } from '../journal/open-apply-state.ts';
import type { ApplyOptions } from './options.ts';
import type { Locked } from './results.ts';

/** Locks the tenant while `use` runs. */
export async function withTenantLocked<Result>(
  { clock, stateFolder, tenant, toolVersion }: ApplyOptions,
  use: (state: ApplyState) => Promise<Result>,
): Promise<Result | Locked> {
  const state = await openApplyState({
    folder: stateFolder,
    baseUrl: canonicalBaseUrl(tenant.baseUrl),
    toolVersion,
    started: new Date(clock.now()).toISOString(),
  });
  if ('lock' in state) return locked(state);
  try {
    return await use(state);
  } finally {
    state.release();
  }
}

function locked({ lock, lockedBy }: HeldLock): Locked {
  const who =
    lockedBy === null
      ? 'a process that its lock does not name'
      : `process ${lockedBy.pid} on ${lockedBy.host}, since ${lockedBy.since}`;
  const message = `Another apply of this tenant is running: ${who}. Nothing was sent.`;
  const hint = `wait until it ends; if the process no longer exists, remove ${lock}`;
  return { status: 'locked', diagnostics: [problem('APPLY_LOCKED', message, hint)] };
}
