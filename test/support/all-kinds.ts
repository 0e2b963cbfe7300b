import { allKinds } from '../../src/kinds/index.ts';

/** The kinds of this package, loaded. */
export const kinds = await allKinds();
