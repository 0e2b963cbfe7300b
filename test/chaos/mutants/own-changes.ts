/** What this run writes moves lists as if others had done it. */
import * as original from '../../../src/snapshot/agreement.ts';

export * from '../../../src/snapshot/agreement.ts';

export const haveSameOthers: typeof original.haveSameOthers = (one, other, operation) =>
  original.haveSameOthers(one, other, operation, new Set());
