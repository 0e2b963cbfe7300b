import { byCursor, itemRows, notOnTenant, published, specified } from '../../contract/operation-rows.ts';
import type { Encoding, GetOperation, ItemOperations, ItemParams } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type { LiveEventStream } from './types.generated.ts';

/** The public facts show no other encoding for these bodies. */
const encodings: readonly Encoding[] = ['application/json'];
const rows = itemRows({
  id: 'event_stream',
  name: 'event_streams',
  path: '/event-streams',
  one: 'an event stream',
  many: 'event streams',
  lifecycle: 'generally available',
  params: shapes.streamParams,
});

const get: GetOperation<ItemParams, LiveEventStream> = { ...rows.get, response: shapes.live, basis: published('4.1') };

export const operations: Required<ItemOperations<LiveEventStream>> = {
  list: {
    ...rows.list,
    lacking: [...notOnTenant, { status: 404, confirmedBy: get }],
    api: 'documented',
    lifecycle: 'not shown',
    query: { ...shapes.listQuery, integers: ['take'] },
    response: shapes.page,
    item: shapes.live,
    paging: { ...byCursor, items: 'eventStreams', identity: ['id'] },
    basis: specified('4.5', 'scope', 'success status', 'error responses'),
  },
  create: {
    ...rows.create,
    body: { ...shapes.createBody, encodings },
    response: shapes.live,
    basis: published('4.1', 'body of a conflict', 'a webhook without its secret is accepted'),
  },
  get,
  update: {
    ...rows.update,
    body: { ...shapes.patchBody, encodings },
    response: shapes.live,
    basis: published(
      '4.1',
      'a destination without its secret keeps the stored one',
      'a destination is replaced completely',
      'another type or another action is refused',
      'responses for a missing stream and for a name in use',
    ),
  },
  delete: { ...rows.delete, basis: published('4.1') },
};
