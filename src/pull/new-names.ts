import type { NewNames } from '../model/pull.ts';
import { readablePrefix } from '../secrets/credential-variables.ts';

/** Names of variables that the files do not use yet. The same calls in the same order give the same names. */
export function openNames(used: readonly string[]): NewNames {
  // Some systems ignore the case of names.
  const taken = new Set(used.map((name) => name.toUpperCase()));
  return {
    secret(...words) {
      const plain = words.map((word) =>
        word
          .toUpperCase()
          .replaceAll(/[^A-Z0-9]+/g, '_')
          .replaceAll(/^_+|_+$/g, ''),
      );
      const name = `${readablePrefix}${plain.filter((word) => word !== '').join('_')}`;
      let unused = name;
      for (let count = 2; taken.has(unused); count += 1) unused = `${name}_${count}`;
      taken.add(unused);
      return `\${env:${unused}}`;
    },
  };
}
