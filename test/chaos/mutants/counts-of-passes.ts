/** Two passes over a list that changed meanwhile agree if they have as many items. */
import * as original from '../../../src/snapshot/passes.ts';

export * from '../../../src/snapshot/passes.ts';

export const readUntilCertain: typeof original.readUntilCertain = ({ pass, ...passes }) => {
  const counts = new Set<number>();
  const counted = async () => {
    const { changed, ...read } = { changed: undefined, ...(await pass()) };
    if (!read.ok || changed === undefined || counts.has(read.items.length)) return read;
    counts.add(read.items.length);
    return { ...read, changed };
  };
  return original.readUntilCertain({ ...passes, pass: counted });
};
