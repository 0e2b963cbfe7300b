import { hasDiagnostic } from '../diagnostics/problem.ts';
import type { Listener, SyncEvent } from './events.ts';
import type { ReadOptions } from './options.ts';
import type { Failed, Stopped } from './results.ts';

/**
 * Runs a use case between its first and its last event. Errors of the service, the network and the journal become a
 * result. Any other error is a bug and is rethrown.
 */
export async function runOf<Result extends { readonly status: string }>(
  command: Extract<SyncEvent, { readonly type: 'run_started' }>['command'],
  { onEvent = () => {}, signal }: Pick<ReadOptions, 'onEvent' | 'signal'>,
  work: (emit: Listener) => Promise<Result>,
): Promise<Result | Failed | Stopped> {
  onEvent({ type: 'run_started', command });
  const result = await work(onEvent).catch((error: unknown): Failed | Stopped => {
    if (signal?.aborted) return { status: 'stopped' };
    if (hasDiagnostic(error)) return { status: 'failed', diagnostics: [error.diagnostic] };
    throw error;
  });
  try {
    onEvent({ type: 'run_ended', status: result.status });
    return result;
  } catch (cause) {
    // What an apply has done is not lost because a listener throws at its end.
    if ('bug' in result) return Object.assign({}, result, { complete: false, bug: result.bug ?? { cause } });
    throw cause;
  }
}
