// Generated from schemas/resource-servers.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { APIPage, APIParams, APIQuery, CreateAPIBody, LiveAPI, UpdateAPIBody } from './types.generated.ts';
import { validateCreateBody, validateListQuery, validateLive, validatePage, validateParams, validateUpdateBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('resource-servers.schema.json', validateSection),
  createBody: shape<CreateAPIBody>('resource-servers.schema.json#/$defs/create_body', validateCreateBody),
  updateBody: shape<UpdateAPIBody>('resource-servers.schema.json#/$defs/update_body', validateUpdateBody),
  live: readShape<LiveAPI>('resource-servers.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<APIPage>('resource-servers.schema.json#/$defs/page', validatePage),
  listQuery: shape<APIQuery>('resource-servers.schema.json#/$defs/list_query', validateListQuery),
  params: shape<APIParams>('resource-servers.schema.json#/$defs/params', validateParams),
};
