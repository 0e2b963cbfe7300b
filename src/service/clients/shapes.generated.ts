// Generated from schemas/clients.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactCredentialsLive, exactLive } from './exact-validators.generated.ts';
import { tolerantCredentialsLive, tolerantLive } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { AddClientCredentialsBody, ClientCredentialsPage, ClientCredentialsParams, ClientCredentialsQuery, ClientPage, ClientParams, ClientQuery, CreateClientBody, LiveClient, LiveClientCredentials, UpdateClientBody, UpdateClientCredentialsBody } from './types.generated.ts';
import { validateCreateBody, validateCredentialsAddBody, validateCredentialsListQuery, validateCredentialsLive, validateCredentialsPage, validateCredentialsParams, validateCredentialsUpdateBody, validateListQuery, validateLive, validatePage, validateParams, validateUpdateBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('clients.schema.json', validateSection),
  credentialsUpdateBody: shape<UpdateClientCredentialsBody>('clients.schema.json#/$defs/credentials_update_body', validateCredentialsUpdateBody),
  credentialsAddBody: shape<AddClientCredentialsBody>('clients.schema.json#/$defs/credentials_add_body', validateCredentialsAddBody),
  credentialsLive: readShape<LiveClientCredentials>('clients.schema.json#/$defs/credentials_live', validateCredentialsLive, { exact: exactCredentialsLive, tolerant: tolerantCredentialsLive }),
  credentialsPage: shape<ClientCredentialsPage>('clients.schema.json#/$defs/credentials_page', validateCredentialsPage),
  credentialsListQuery: shape<ClientCredentialsQuery>('clients.schema.json#/$defs/credentials_list_query', validateCredentialsListQuery),
  credentialsParams: shape<ClientCredentialsParams>('clients.schema.json#/$defs/credentials_params', validateCredentialsParams),
  createBody: shape<CreateClientBody>('clients.schema.json#/$defs/create_body', validateCreateBody),
  updateBody: shape<UpdateClientBody>('clients.schema.json#/$defs/update_body', validateUpdateBody),
  live: readShape<LiveClient>('clients.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<ClientPage>('clients.schema.json#/$defs/page', validatePage),
  listQuery: shape<ClientQuery>('clients.schema.json#/$defs/list_query', validateListQuery),
  params: shape<ClientParams>('clients.schema.json#/$defs/params', validateParams),
};
