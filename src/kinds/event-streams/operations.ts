import { shape } from '../../contract/shape.ts';
import type { ListOperation, Operation } from '../../model/operation.ts';
import type { ListEventStreamsQuery, LiveEventStream } from './types.generated.ts';
import { validateListQuery, validatePage } from './validators.generated.ts';

const schema = 'event-streams.schema.json#/$defs';

export const listEventStreams: ListOperation<ListEventStreamsQuery, LiveEventStream> = {
  id: 'list_event_streams',
  api: 'documented',
  method: 'GET',
  path: '/event-streams',
  summary: 'List event streams',
  scope: 'read:event_streams',
  lifecycle: 'not shown',
  query: { ...shape<ListEventStreamsQuery>(`${schema}/list_query`, validateListQuery), integers: ['take'] },
  answer: shape<unknown>(`${schema}/page`, validatePage),
  paging: { style: 'cursor', items: 'eventStreams', maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { section: '4.5', assumed: ['scope', 'success status', 'error answers'] },
};

export const operations: readonly Operation[] = [listEventStreams];
