import { type Exchange, sentLate } from './transport/exchange.ts';

export type OwnChanges = ReturnType<typeof openOwnChanges>;

/**
 * The writes of this run, as far as they change lists that it reads. While the pages of a list are read, none of them is in
 * flight: whatever moves between two pages then was moved by others, or by a write that the service carries out late.
 *
 *   GET /roles?page=0, GET /roles?page=1       one pass
 *   POST /roles, PATCH and DELETE /roles/{id}  before it or after it
 *   POST /roles/{id}/permissions               at any time
 */
export function openOwnChanges(signal: AbortSignal) {
  /** Passes that are read, and writes in flight, by the path of the list. */
  const reading = new Map<string, number>();
  const writing = new Map<string, number>();
  /** Called when anything has ended. */
  let waiting: (() => void)[] = [];
  const ids = new Set<string>();
  const wakeAll = () => {
    const all = waiting;
    waiting = [];
    for (const wake of all) wake();
  };
  signal.addEventListener('abort', wakeAll, { once: true });
  const until = async (isDue: () => boolean): Promise<void> => {
    while (!isDue() && !signal.aborted) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const during = async <Result>(counts: Map<string, number>, path: string, work: () => Promise<Result>) => {
    counts.set(path, (counts.get(path) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (counts.get(path) ?? 1) - 1;
      if (left > 0) counts.set(path, left);
      else counts.delete(path);
      wakeAll();
    }
  };
  const isPaused = (path: string): boolean => listsOf(path).some((list) => reading.has(list));
  return {
    /** Runs a pass of the list at `path`, once no write of it is in flight. */
    whilePaused: <Result>(path: string, pass: () => Promise<Result>): Promise<Result> =>
      during(reading, path, async () => {
        if (writing.size > 0) await until(() => !writing.has(path));
        return pass();
      }),
    /** Whether a list that a write to `path` changes is read now. */
    isPaused,
    whenResumed: (path: string): Promise<void> => until(() => !isPaused(path)),
    /** Sends a write, unless a list that it changes is read. */
    async send(path: string, send: () => Promise<Exchange>): Promise<Exchange> {
      if (isPaused(path)) return sentLate;
      const [list, parent] = listsOf(path);
      return during(writing, list, () => during(writing, parent, send));
    },
    /** Ids of items that this run has created, changed or deleted, or has tried to. */
    ids: ids as ReadonlySet<string>,
    note: (id: string): void => void ids.add(id),
  };
}

/** The list that has the path of a create, or that of an item: `/roles/rol_1` changes `/roles`. */
function listsOf(path: string): readonly [string, string] {
  return [path, path.slice(0, path.lastIndexOf('/'))];
}
