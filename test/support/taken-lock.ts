import type { TakenLock } from '../../src/journal/lock.ts';

/** A lock that is never lost. */
export const takenLock: TakenLock = { verify: async () => {}, lost: () => null };
