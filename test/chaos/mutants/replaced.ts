/** A response shows that what is taken away was replaced. */
import type * as original from '../../../src/apply/proofs.ts';

export * from '../../../src/apply/proofs.ts';

export const openProofs: typeof original.openProofs = () => ({
  isRecent: () => true,
  missing: () => [],
  since: () => Number.NEGATIVE_INFINITY,
  whyNot: () => null,
  used: () => {},
  outdated: () => new Set(),
  forget: () => {},
});
