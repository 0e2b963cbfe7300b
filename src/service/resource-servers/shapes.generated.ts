// Generated from schemas/resource-servers.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import type { ListResourceServersQuery, LiveResourceServer, PatchResourceServerBody, ResourceServerPage, ResourceServerParams } from './types.generated.ts';
import { validateListQuery, validateLive, validatePage, validateParams, validatePatchBody } from './validators.generated.ts';

export const shapes = {
  live: readShape<LiveResourceServer>('resource-servers.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  listQuery: shape<ListResourceServersQuery>('resource-servers.schema.json#/$defs/list_query', validateListQuery),
  page: shape<ResourceServerPage>('resource-servers.schema.json#/$defs/page', validatePage),
  params: shape<ResourceServerParams>('resource-servers.schema.json#/$defs/params', validateParams),
  patchBody: shape<PatchResourceServerBody>('resource-servers.schema.json#/$defs/patch_body', validatePatchBody),
};
