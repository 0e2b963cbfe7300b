// Generated from schemas/event-streams.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import type { CreateEventStreamBody, EventStreamPage, EventStreamParams, ListEventStreamsQuery, LiveEventStream, PatchEventStreamBody } from './types.generated.ts';
import { validateCreateBody, validateListQuery, validateLive, validatePage, validatePatchBody, validateStreamParams } from './validators.generated.ts';

export const shapes = {
  createBody: shape<CreateEventStreamBody>('event-streams.schema.json#/$defs/create_body', validateCreateBody),
  patchBody: shape<PatchEventStreamBody>('event-streams.schema.json#/$defs/patch_body', validatePatchBody),
  live: readShape<LiveEventStream>('event-streams.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<EventStreamPage>('event-streams.schema.json#/$defs/page', validatePage),
  listQuery: shape<ListEventStreamsQuery>('event-streams.schema.json#/$defs/list_query', validateListQuery),
  streamParams: shape<EventStreamParams>('event-streams.schema.json#/$defs/stream_params', validateStreamParams),
};
