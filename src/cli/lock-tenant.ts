import { type ApplyState, openApplyState } from '../journal/open-apply-state.ts';
import type { CommandContext } from './command.ts';
import type { Environment } from './environment.ts';
import { exitCode } from './exit-codes.ts';
import { type Fault, fault } from './fault.ts';
import { stateFolder } from './state-folder.ts';
import { version } from './version.ts';

/** Keeps other applies of the tenant out while `use` runs, whatever becomes of it. */
export async function withTenantLocked<Result>(
  { io, arguments: { stateDir } }: CommandContext,
  { baseUrl }: Environment,
  use: (state: ApplyState) => Promise<Result>,
): Promise<Result> {
  const started = new Date(io.clock.now()).toISOString();
  const state = await openApplyState({
    folder: stateFolder(io, stateDir),
    baseUrl,
    toolVersion: version(),
    started,
  });
  if ('lock' in state) throw lockedFault(state);
  try {
    return await use(state);
  } finally {
    state.release();
  }
}

function lockedFault({ lock, lockedBy }: Exclude<Awaited<ReturnType<typeof openApplyState>>, ApplyState>): Fault {
  const who =
    lockedBy === null
      ? 'a process that its lock does not name'
      : `process ${lockedBy.pid} on ${lockedBy.host}, since ${lockedBy.since}`;
  return fault(
    exitCode.refused,
    'APPLY_LOCKED',
    `Another apply of this tenant is running: ${who}. Nothing was sent.`,
    `wait until it has ended; if that process is gone, remove ${lock}`,
  );
}
