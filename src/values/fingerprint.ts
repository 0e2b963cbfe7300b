import { canonicalJson } from './canonical-json.ts';

/** Loaded with the first fingerprint: a command that makes none, such as `validate`, starts 5 ms sooner. */
const crypto = () => process.getBuiltinModule('node:crypto');

/**
 * `sha256:` and 64 hexadecimal digits over the canonical JSON of a value: equal for equal values, regardless of the order
 * of keys.
 */
export function fingerprint(value: unknown): string {
  return `sha256:${crypto().hash('sha256', canonicalJson(value))}`;
}

/** The first hexadecimal digits of a fingerprint. */
export function digitsOf(fingerprint: string, count = 64): string {
  return fingerprint.slice('sha256:'.length, 'sha256:'.length + count);
}

/** The fingerprint of a text that is added in pieces and never kept in memory as a single string. */
export function startFingerprint() {
  const sum = crypto().createHash('sha256');
  let pending = '';
  // Few large updates of a hash are much faster than many small ones.
  const add = (text: string): void => {
    pending += text;
    if (pending.length < 65_536) return;
    sum.update(pending);
    pending = '';
  };
  return {
    add,
    /** Adds a list; `textOf` returns the text of an item. */
    addList<Item>(items: Iterable<Item>, textOf: (item: Item) => string): void {
      let separator = '[';
      for (const item of items) {
        add(separator + textOf(item));
        separator = ',';
      }
      add(separator === '[' ? '[]' : ']');
    },
    end: () => `sha256:${sum.update(pending).digest('hex')}`,
  };
}
