// Generated from schemas/clients.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { ClientPage, ClientParams, ClientQuery, CreateClientBody, LiveClient, UpdateClientBody } from './types.generated.ts';
import { validateCreateBody, validateListQuery, validateLive, validatePage, validateParams, validateUpdateBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('clients.schema.json', validateSection),
  createBody: shape<CreateClientBody>('clients.schema.json#/$defs/create_body', validateCreateBody),
  updateBody: shape<UpdateClientBody>('clients.schema.json#/$defs/update_body', validateUpdateBody),
  live: readShape<LiveClient>('clients.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<ClientPage>('clients.schema.json#/$defs/page', validatePage),
  listQuery: shape<ClientQuery>('clients.schema.json#/$defs/list_query', validateListQuery),
  params: shape<ClientParams>('clients.schema.json#/$defs/params', validateParams),
};
