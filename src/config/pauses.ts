import { setImmediate } from 'node:timers/promises';

const longestMs = 50;

/**
 * Lets the process handle signals during long work on files. Loops ask `due` often, because it is cheap, and then
 * await `take`.
 */
export interface Pauses {
  due(): boolean;
  /** Rejects if the run was asked to stop. */
  take(): Promise<void>;
}

export function openPauses(signal?: AbortSignal): Pauses {
  let last = performance.now();
  return {
    due: () => performance.now() - last > longestMs,
    async take() {
      await setImmediate();
      signal?.throwIfAborted();
      last = performance.now();
    },
  };
}
