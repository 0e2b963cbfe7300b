import type { Clock } from '../model/clock.ts';
import { groupBy } from '../values/group-by.ts';
import { type ActionRecord, type ItemRecord, isGrant, isOpen } from './records.ts';

export interface ReadingsOptions {
  readonly recordsOf: (kind: string) => readonly ActionRecord[];
  /** Whether one listing of the kind takes no more requests than reading the items of these actions one by one. */
  readonly isListed: (kind: string, about: readonly ActionRecord[]) => boolean;
  /** Whether the listing shows everything about an item; otherwise each takes requests of its own beside it. */
  readonly isWhole: (kind: string) => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  /**
   * Reads the items of these actions, or a complete list with them; with nothing that was read before `since`. False if the
   * list cannot be read and is not read any more: the items have to be read one by one.
   */
  readonly read: (about: readonly ActionRecord[], since: number, what: 'items' | 'list') => Promise<boolean>;
}

/** Reads the items of these actions, in readings that began at `since` or later. Rejects like `read`. */
export type Readings = (wanted: readonly ActionRecord[], since: number) => Promise<void>;

/** More items than this, of a kind that is read item by item, are planned in one go. */
const mostSingle = 16;

/**
 * What is read again, with as few requests as possible: a listing serves all who wait for any item of a kind, and one
 * item is read once for all its actions.
 */
export function openReadings({ recordsOf, isListed, isWhole, clock, read }: ReadingsOptions): Readings {
  const inFlight = new Map<string, { readonly began: number; readonly done: Promise<boolean> }>();

  /** One reading of a name at a time. */
  const once = async (name: string, since: number, start: () => Promise<boolean>): Promise<boolean> => {
    for (let running = inFlight.get(name); running !== undefined; running = inFlight.get(name)) {
      if (running.began >= since) return running.done;
      await running.done.catch(() => false);
    }
    const done = start().finally(() => inFlight.delete(name));
    inFlight.set(name, { began: clock.monotonic(), done });
    return done;
  };
  const readKind = async (kind: string, wanted: ReadonlySet<ActionRecord>, since: number): Promise<unknown> => {
    const items = new Set([...wanted].map(({ of }) => of));
    // Others who wait for a reading of the kind join this one, and removals need to see the grants that they rely on.
    const isPending = recordsOf(kind).some(isOpen);
    const isAsked = (one: ActionRecord) => wanted.has(one) || isOpen(one) || (isPending && isGrant(one));
    // A reading shows everything that was given, so it counts what others have changed of it since.
    const covered = (records: readonly ActionRecord[]) => records.filter((one) => isAsked(one) || isGrant(one));
    const what = isListed(kind, recordsOf(kind).filter(isAsked)) ? 'list' : 'items';
    if (what === 'list' && isWhole(kind)) {
      const isRead = await once(kind, since, () => read(covered(recordsOf(kind)), since, what));
      return isRead || readKind(kind, wanted, since);
    }
    const readThese = async (records: readonly ActionRecord[]) =>
      (await read(covered(records), since, what)) || read(covered(records), since, 'items');
    if (items.size > mostSingle) return readThese([...items].flatMap(({ actions }) => actions));
    const readItem = ({ id, actions }: ItemRecord) => once(id, since, () => readThese(actions));
    return Promise.all([...items].map(readItem));
  };
  return async (wanted, since) => {
    const byKind = groupBy(wanted, ({ action }) => action.kind);
    await Promise.all([...byKind].map(([kind, ofKind]) => readKind(kind, new Set(ofKind), since)));
  };
}
