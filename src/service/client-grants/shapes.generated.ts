// Generated from schemas/client-grants.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { CreateGrantBody, GrantPage, GrantParams, GrantQuery, LiveGrant, UpdateGrantBody } from './types.generated.ts';
import { validateCreateBody, validateListQuery, validateLive, validatePage, validateParams, validateUpdateBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('client-grants.schema.json', validateSection),
  createBody: shape<CreateGrantBody>('client-grants.schema.json#/$defs/create_body', validateCreateBody),
  updateBody: shape<UpdateGrantBody>('client-grants.schema.json#/$defs/update_body', validateUpdateBody),
  live: readShape<LiveGrant>('client-grants.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<GrantPage>('client-grants.schema.json#/$defs/page', validatePage),
  listQuery: shape<GrantQuery>('client-grants.schema.json#/$defs/list_query', validateListQuery),
  params: shape<GrantParams>('client-grants.schema.json#/$defs/params', validateParams),
};
