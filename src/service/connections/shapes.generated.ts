// Generated from schemas/connections.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactEnabledClientsLive, exactLive } from './exact-validators.generated.ts';
import { tolerantEnabledClientsLive, tolerantLive } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { AddConnectionEnabledClientsBody, ConnectionEnabledClientsPage, ConnectionEnabledClientsQuery, ConnectionPage, ConnectionParams, ConnectionQuery, CreateConnectionBody, LiveConnection, LiveConnectionEnabledClients, RemoveConnectionEnabledClientsBody, UpdateConnectionBody } from './types.generated.ts';
import { validateCreateBody, validateEnabledClientsAddBody, validateEnabledClientsListQuery, validateEnabledClientsLive, validateEnabledClientsPage, validateEnabledClientsRemoveBody, validateListQuery, validateLive, validatePage, validateParams, validateUpdateBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('connections.schema.json', validateSection),
  enabledClientsAddBody: shape<AddConnectionEnabledClientsBody>('connections.schema.json#/$defs/enabled_clients_add_body', validateEnabledClientsAddBody),
  enabledClientsRemoveBody: shape<RemoveConnectionEnabledClientsBody>('connections.schema.json#/$defs/enabled_clients_remove_body', validateEnabledClientsRemoveBody),
  enabledClientsLive: readShape<LiveConnectionEnabledClients>('connections.schema.json#/$defs/enabled_clients_live', validateEnabledClientsLive, { exact: exactEnabledClientsLive, tolerant: tolerantEnabledClientsLive }),
  enabledClientsPage: shape<ConnectionEnabledClientsPage>('connections.schema.json#/$defs/enabled_clients_page', validateEnabledClientsPage),
  enabledClientsListQuery: shape<ConnectionEnabledClientsQuery>('connections.schema.json#/$defs/enabled_clients_list_query', validateEnabledClientsListQuery),
  createBody: shape<CreateConnectionBody>('connections.schema.json#/$defs/create_body', validateCreateBody),
  updateBody: shape<UpdateConnectionBody>('connections.schema.json#/$defs/update_body', validateUpdateBody),
  live: readShape<LiveConnection>('connections.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<ConnectionPage>('connections.schema.json#/$defs/page', validatePage),
  listQuery: shape<ConnectionQuery>('connections.schema.json#/$defs/list_query', validateListQuery),
  params: shape<ConnectionParams>('connections.schema.json#/$defs/params', validateParams),
};
