import { canonicalJson } from './canonical-json.ts';
import { isRecord } from './is-record.ts';
import { once } from './memoized.ts';

/** Loaded with the first fingerprint: a command that makes none, such as `validate`, starts 5 ms sooner. */
const crypto = once(() => process.getBuiltinModule('node:crypto'));

/**
 * `sha256:` and 64 hexadecimal digits over the canonical JSON of a value: equal for equal values, regardless of the order
 * of keys.
 */
export function fingerprint(value: unknown): string {
  // One text, like the id of an action.
  return ['sha256:', crypto().hash('sha256', canonicalJson(value))].join('');
}

/** The first hexadecimal digits of a fingerprint. */
export function digitsOf(fingerprint: string, count: number): string {
  return fingerprint.slice('sha256:'.length, 'sha256:'.length + count);
}

/** The fingerprint of a text that is added in pieces and never kept in memory as a single string. */
export function startFingerprint() {
  const sum = crypto().createHash('sha256');
  let pending = '';
  // Few large updates of a hash are much faster than many small ones.
  const add = (text: string): void => {
    pending += text;
    if (pending.length < 16_384) return;
    sum.update(pending);
    pending = '';
  };
  const addEach = <Item>(
    [start, end]: readonly [string, string],
    items: Iterable<Item>,
    addItem: (item: Item) => void,
  ) => {
    let separator = start;
    for (const item of items) {
      add(separator);
      addItem(item);
      separator = ',';
    }
    add(separator === start ? start + end : end);
  };
  const addJson = (value: unknown): void => {
    if (Array.isArray(value)) addEach(['[', ']'], value, addJson);
    else if (isRecord(value)) addEach(['{', '}'], membersOf(value), addMember);
    else add(canonicalJson(value));
  };
  const addMember = ([name, child]: readonly [string, unknown]) => {
    add(`${canonicalJson(name)}:`);
    addJson(child);
  };
  return {
    add,
    /** Adds a value in pieces, because its lists can be long. */
    addJson,
    /** Adds a list; `textOf` returns the text of an item. */
    addList<Item>(items: Iterable<Item>, textOf: (item: Item) => string): void {
      addEach(['[', ']'], items, (item) => add(textOf(item)));
    },
    end: () => `sha256:${sum.update(pending).digest('hex')}`,
  };
}

function membersOf(value: object): [string, unknown][] {
  const members = Object.entries(value).filter(([, child]) => child !== undefined);
  return members.sort(([one], [other]) => (one < other ? -1 : 1));
}
