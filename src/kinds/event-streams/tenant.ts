/**
 * `from` is the id from which to start the selection (service specification 4.5), so `next` is the id of the first stream of the
 * next page. Streams are ordered by id: the place stays valid when that stream is deleted before the next page is asked for.
 */
import type { TenantPart, TenantRoute } from '../../model/tenant-part.ts';
import { listEventStreams } from './operations.ts';
import type { ListEventStreamsQuery, LiveEventStream } from './types.generated.ts';

export const eventStreamsTenant: TenantPart<readonly LiveEventStream[]> = {
  section: 'event_streams',
  open(section = [], tools) {
    const streams = tools.order(section);

    const list: TenantRoute<never, ListEventStreamsQuery, never> = {
      operation: listEventStreams,
      answer({ query }) {
        const start = query.from === undefined ? null : { at: query.from };
        const page = streams.page(start, query.take ?? listEventStreams.paging.defaultTake, () => true);
        const next = page.following === null ? {} : { next: page.following.id };
        return { status: 200, body: { eventStreams: page.items, ...next } };
      },
    };

    return { routes: [list], snapshot: () => streams.all };
  },
};
