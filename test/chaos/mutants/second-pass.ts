/** One reading of a list decides, however many pages it has. */
import type * as original from '../../../src/engine/decide-stably.ts';

export * from '../../../src/engine/decide-stably.ts';

export const decideStably: typeof original.decideStably = async ({ read, decideOn }) => decideOn(await read());
