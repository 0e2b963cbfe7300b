import type { LiveState } from '../model/live-state.ts';
import type { Listing } from '../model/reader.ts';

/** A listing as what is known of a kind. */
export function liveState<Item>(listing: Listing<Item>, filtered: boolean): LiveState<Item> {
  return listing.ok
    ? { readable: true, items: listing.items, filtered, ...(listing.pages !== undefined && { pages: listing.pages }) }
    : listing.why;
}
