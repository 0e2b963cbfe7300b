export type OwnChanges = ReturnType<typeof openOwnChanges>;

/** The time in which a list is read. */
export interface ListTurn {
  /** Begins once no write that changes the list is in flight. */
  begin(): Promise<void>;
  /** Begins now, if no such write was in flight since the turn was opened; false otherwise. */
  beginUnchanged(): boolean;
  isBegun(): boolean;
  end(): void;
}

/**
 * What this run does to the lists that it reads. While the pages of a list are read, no write of this run that changes it is
 * in flight: whatever moves between two pages then was moved by others, or by a write that the service carries out late. A
 * list of one page is one response, and waits for nobody.
 *
 *   GET /roles?page=0, GET /roles?page=1       one turn
 *   POST /roles, PATCH and DELETE /roles/{id}  before it or after it
 *   POST /roles/{id}/permissions               at any time
 */
export function openOwnChanges(signal: AbortSignal) {
  const lists = new Map<string, { turns: number; writes: number; begun: number }>();
  const listAt = (path: string) => {
    const list = lists.get(path) ?? { turns: 0, writes: 0, begun: 0 };
    lists.set(path, list);
    return list;
  };
  /** The list that has the path of a create, or that of an item: `/roles/rol_1` changes `/roles`. */
  const listsOf = (path: string) => [path, path.slice(0, path.lastIndexOf('/'))].map(listAt);
  const ids = new Set<string>();

  /** Called when anything has ended. */
  let waiting: (() => void)[] = [];
  const wakeAll = () => {
    const all = waiting;
    waiting = [];
    for (const wake of all) wake();
  };
  signal.addEventListener('abort', wakeAll, { once: true });
  const until = async (isDue: () => boolean): Promise<void> => {
    while (!isDue() && !signal.aborted) await new Promise<void>((resolve) => waiting.push(resolve));
  };

  return {
    /** A turn of the list at `path`, opened before its first page is requested. */
    openTurn(path: string): ListTurn {
      const list = listAt(path);
      const { begun } = list;
      const wasIdle = list.writes === 0;
      let isBegun = false;
      const begin = () => {
        isBegun = true;
        list.turns += 1;
      };
      return {
        begin: () => {
          begin();
          return until(() => list.writes === 0);
        },
        beginUnchanged: () => {
          const isUnchanged = wasIdle && list.begun === begun;
          if (isUnchanged) begin();
          return isUnchanged;
        },
        isBegun: () => isBegun,
        end: () => {
          if (isBegun) list.turns -= 1;
          isBegun = false;
          wakeAll();
        },
      };
    },
    /** Begins a write, and returns the function to call when it has ended; null while a list that it changes is read. */
    beginWrite(path: string): (() => void) | null {
      const changed = listsOf(path);
      if (changed.some(({ turns }) => turns > 0)) return null;
      for (const list of changed) {
        list.writes += 1;
        list.begun += 1;
      }
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        for (const list of changed) list.writes -= 1;
        wakeAll();
      };
    },
    /** Resolves when no list is read any more that a write to this path changes. */
    whenRead: (path: string): Promise<void> => until(() => listsOf(path).every(({ turns }) => turns === 0)),
    /** Ids of items that this run has created, changed or deleted, or has tried to. */
    ids: ids as ReadonlySet<string>,
    note: (id: string): void => void ids.add(id),
  };
}
