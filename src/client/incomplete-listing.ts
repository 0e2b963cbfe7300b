import type { Unreadable } from '../model/live-state.ts';
import type { ListOperation } from '../model/operation.ts';

export function incompleteListing(operation: ListOperation, why: string): { readonly ok: false; readonly why: Unreadable } {
  return { ok: false, why: { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message: `${operation.id}: ${why}` } };
}
