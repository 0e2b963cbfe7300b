/** Whatever changes a list while it is read is taken for what this run writes, and nothing is read again because of it. */
import * as original from '../../../src/snapshot/passes.ts';

export * from '../../../src/snapshot/passes.ts';

export const readUntilCertain: typeof original.readUntilCertain = ({ pass, ...passes }) => {
  const fitting = async () => {
    const { changed: _changed, ...read } = { changed: undefined, ...(await pass()) };
    return read;
  };
  return original.readUntilCertain({ ...passes, pass: fitting });
};
