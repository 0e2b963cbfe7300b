/** What was read when the plan was made is believed until the end. */
import type * as original from '../../../src/apply/fresh-knowledge.ts';

export * from '../../../src/apply/fresh-knowledge.ts';

export const openFreshKnowledge: typeof original.openFreshKnowledge = () => ({
  before: () => null,
  isRecent: () => true,
  expire: () => {},
  learn: () => {},
  ended: () => null,
  adopted: new Map(),
});
