// Generated from schemas/event-streams.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { CreateStreamBody, LiveStream, StreamPage, StreamParams, StreamQuery, UpdateStreamBody } from './types.generated.ts';
import { validateCreateBody, validateListQuery, validateLive, validatePage, validateParams, validateUpdateBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('event-streams.schema.json', validateSection),
  createBody: shape<CreateStreamBody>('event-streams.schema.json#/$defs/create_body', validateCreateBody),
  updateBody: shape<UpdateStreamBody>('event-streams.schema.json#/$defs/update_body', validateUpdateBody),
  live: readShape<LiveStream>('event-streams.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<StreamPage>('event-streams.schema.json#/$defs/page', validatePage),
  listQuery: shape<StreamQuery>('event-streams.schema.json#/$defs/list_query', validateListQuery),
  params: shape<StreamParams>('event-streams.schema.json#/$defs/params', validateParams),
};
