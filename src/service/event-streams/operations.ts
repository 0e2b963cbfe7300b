import { readShape, shape } from '../../contract/shape.ts';
import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import type {
  CreateEventStreamBody,
  EventStreamParams,
  ListEventStreamsQuery,
  LiveEventStream,
  PatchEventStreamBody,
} from './types.generated.ts';
import {
  validateCreateBody,
  validateListQuery,
  validateLive,
  validatePage,
  validatePatchBody,
  validateStreamParams,
} from './validators.generated.ts';

const schema = 'event-streams.schema.json#/$defs';
const stream = readShape<LiveEventStream>(`${schema}/live`, validateLive, { exact: exactLive, tolerant: tolerantLive });
const params = shape<EventStreamParams>(`${schema}/stream_params`, validateStreamParams);
/** The public facts show no other encoding for these bodies. */
const encodings: readonly Encoding[] = ['application/json'];

export const listEventStreams: ListOperation<ListEventStreamsQuery, LiveEventStream> = {
  id: 'list_event_streams',
  api: 'documented',
  method: 'GET',
  path: '/event-streams',
  summary: 'List event streams',
  scope: 'read:event_streams',
  lifecycle: 'not shown',
  query: { ...shape<ListEventStreamsQuery>(`${schema}/list_query`, validateListQuery), integers: ['take'] },
  response: shape<unknown>(`${schema}/page`, validatePage),
  item: stream,
  paging: { style: 'cursor', items: 'eventStreams', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'documented', section: '4.5', assumed: ['scope', 'success status', 'error responses'] },
};

export const createEventStream: Operation<never, never, CreateEventStreamBody, LiveEventStream> = {
  id: 'create_event_stream',
  api: 'full',
  method: 'POST',
  path: '/event-streams',
  summary: 'Create an event stream',
  scope: 'create:event_streams',
  lifecycle: 'generally available',
  body: { ...shape<CreateEventStreamBody>(`${schema}/create_body`, validateCreateBody), encodings },
  response: stream,
  success: 201,
  basis: {
    source: 'public',
    section: '4.1',
    assumed: ['body of a conflict', 'a webhook without its secret is accepted'],
  },
};

export const getEventStream: GetOperation<EventStreamParams, LiveEventStream> = {
  id: 'get_event_stream',
  api: 'full',
  method: 'GET',
  path: '/event-streams/{id}',
  summary: 'Get an event stream',
  scope: 'read:event_streams',
  lifecycle: 'generally available',
  params,
  response: stream,
  success: 200,
  basis: { source: 'public', section: '4.1', assumed: [] },
};

export const updateEventStream: Operation<EventStreamParams, never, PatchEventStreamBody, LiveEventStream> = {
  id: 'update_event_stream',
  api: 'full',
  method: 'PATCH',
  path: '/event-streams/{id}',
  summary: 'Update an event stream',
  scope: 'update:event_streams',
  lifecycle: 'generally available',
  params,
  body: { ...shape<PatchEventStreamBody>(`${schema}/patch_body`, validatePatchBody), encodings },
  response: stream,
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
  api: 'full',
  method: 'DELETE',
  path: '/event-streams/{id}',
  summary: 'Delete an event stream',
  scope: 'delete:event_streams',
  lifecycle: 'generally available',
  params,
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
