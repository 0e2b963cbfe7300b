import type { LockKeeper } from '../../src/journal/lock.ts';

/** A lock that is never lost. */
export const takenLock: LockKeeper = { verify: async () => {}, lost: () => null };
