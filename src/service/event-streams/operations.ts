import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type {
  CreateEventStreamBody,
  EventStreamParams,
  ListEventStreamsQuery,
  LiveEventStream,
  PatchEventStreamBody,
} from './types.generated.ts';

/** The public facts show no other encoding for these bodies. */
const encodings: readonly Encoding[] = ['application/json'];
const full = { api: 'full', lifecycle: 'generally available' } as const;

export const listEventStreams: ListOperation<ListEventStreamsQuery, LiveEventStream> = {
  id: 'list_event_streams',
  api: 'documented',
  method: 'GET',
  path: '/event-streams',
  summary: 'List event streams',
  scope: 'read:event_streams',
  lifecycle: 'not shown',
  query: { ...shapes.listQuery, integers: ['take'] },
  response: shapes.page,
  item: shapes.live,
  paging: { style: 'cursor', items: 'eventStreams', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'documented', section: '4.5', assumed: ['scope', 'success status', 'error responses'] },
};

export const createEventStream: Operation<never, never, CreateEventStreamBody, LiveEventStream> = {
  id: 'create_event_stream',
  ...full,
  method: 'POST',
  path: '/event-streams',
  summary: 'Create an event stream',
  scope: 'create:event_streams',
  body: { ...shapes.createBody, encodings },
  response: shapes.live,
  success: 201,
  basis: {
    source: 'public',
    section: '4.1',
    assumed: ['body of a conflict', 'a webhook without its secret is accepted'],
  },
};

export const getEventStream: GetOperation<EventStreamParams, LiveEventStream> = {
  id: 'get_event_stream',
  ...full,
  method: 'GET',
  path: '/event-streams/{id}',
  summary: 'Get an event stream',
  scope: 'read:event_streams',
  params: shapes.streamParams,
  response: shapes.live,
  success: 200,
  basis: { source: 'public', section: '4.1', assumed: [] },
};

export const updateEventStream: Operation<EventStreamParams, never, PatchEventStreamBody, LiveEventStream> = {
  id: 'update_event_stream',
  ...full,
  method: 'PATCH',
  path: '/event-streams/{id}',
  summary: 'Update an event stream',
  scope: 'update:event_streams',
  params: shapes.streamParams,
  body: { ...shapes.patchBody, encodings },
  response: shapes.live,
  success: 200,
  basis: {
    source: 'public',
    section: '4.1',
    assumed: [
      'a destination without its secret keeps the stored one',
      'a destination is replaced completely',
      'another type or another action is refused',
      'responses for a missing stream and for a name in use',
    ],
  },
};

export const deleteEventStream: Operation<EventStreamParams> = {
  id: 'delete_event_stream',
  ...full,
  method: 'DELETE',
  path: '/event-streams/{id}',
  summary: 'Delete an event stream',
  scope: 'delete:event_streams',
  params: shapes.streamParams,
  success: 204,
  basis: { source: 'public', section: '4.1', assumed: [] },
};

export const operations = {
  list: listEventStreams,
  create: createEventStream,
  get: getEventStream,
  update: updateEventStream,
  delete: deleteEventStream,
};
