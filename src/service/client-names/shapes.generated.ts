// Generated from schemas/client-names.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactClient } from './exact-validators.generated.ts';
import { tolerantClient } from './tolerant-validators.generated.ts';
import type { ClientParams, GetClientQuery, LiveClient } from './types.generated.ts';
import { validateClient, validateParams, validateQuery } from './validators.generated.ts';

export const shapes = {
  params: shape<ClientParams>('client-names.schema.json#/$defs/params', validateParams),
  query: shape<GetClientQuery>('client-names.schema.json#/$defs/query', validateQuery),
  client: readShape<LiveClient>('client-names.schema.json#/$defs/client', validateClient, { exact: exactClient, tolerant: tolerantClient }),
};
