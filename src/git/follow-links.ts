/** Longer chains of links are cycles. */
const mostLinks = 40;

export interface Step {
  /** Names from the root, without links except for the last one. */
  readonly path: readonly string[];
  /** What comes after it. */
  readonly left: readonly string[];
}

/**
 * Resolves a path step by step. Each step is a path; it receives the text of the link there, or null if it is none.
 * Returns the path without links.
 */
export function* followLinks(
  from: readonly string[],
  written: string,
): Generator<Step, readonly string[] | 'outside' | 'cycle', string | null> {
  let left: readonly string[] = written.split('/');
  let at = from;
  for (let followed = 0; left.length > 0; ) {
    const [name = '', ...rest] = left;
    left = rest;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (at.length === 0) return 'outside';
      at = at.slice(0, -1);
      continue;
    }
    const path = [...at, name];
    const target = yield { path, left };
    if (target === null) {
      at = path;
      continue;
    }
    followed += 1;
    if (followed > mostLinks) return 'cycle';
    if (target.startsWith('/') || /^[A-Za-z]:/.test(target)) return 'outside';
    left = [...target.split('/'), ...left];
  }
  return at;
}
