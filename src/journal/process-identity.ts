import { readFileSync } from 'node:fs';

/**
 * When a process began, in clock ticks since its machine did, where the system tells (Linux): a number that is given to another
 * process comes with another beginning. Null where it does not tell.
 */
export function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may hold spaces and brackets; the 22nd is the beginning.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** Whether a process of this machine is there; also when it belongs to somebody else. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
