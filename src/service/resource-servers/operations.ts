import { readShape, shape } from '../../contract/shape.ts';
import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import type {
  ListResourceServersQuery,
  LiveResourceServer,
  PatchResourceServerBody,
  ResourceServerParams,
} from './types.generated.ts';
import {
  validateListQuery,
  validateLive,
  validatePage,
  validateParams,
  validatePatchBody,
} from './validators.generated.ts';

const schema = 'resource-servers.schema.json#/$defs';
const server = readShape<LiveResourceServer>(`${schema}/live`, validateLive, {
  exact: exactLive,
  tolerant: tolerantLive,
});
const params = shape<ResourceServerParams>(`${schema}/params`, validateParams);
const encodings: readonly Encoding[] = ['application/json', 'application/x-www-form-urlencoded'];

export const listResourceServers: ListOperation<ListResourceServersQuery, LiveResourceServer> = {
  id: 'list_resource_servers',
  api: 'full',
  method: 'GET',
  path: '/resource-servers',
  summary: 'List APIs (resource servers)',
  scope: 'read:resource_servers',
  lifecycle: 'not shown',
  query: {
    ...shape<ListResourceServersQuery>(`${schema}/list_query`, validateListQuery),
    integers: ['page', 'per_page'],
  },
  response: shape<unknown>(`${schema}/page`, validatePage),
  item: server,
  paging: { style: 'page', items: 'resource_servers', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'public', section: '2b.1', assumed: ['order'] },
};

export const getResourceServer: GetOperation<ResourceServerParams, LiveResourceServer> = {
  id: 'get_resource_server',
  api: 'full',
  method: 'GET',
  path: '/resource-servers/{id}',
  summary: 'Read an API, by its id or its identifier',
  scope: 'read:resource_servers',
  lifecycle: 'not shown',
  params,
  response: server,
  success: 200,
  basis: { source: 'public', section: '2b.1', assumed: [] },
};

export const updateResourceServer: Operation<ResourceServerParams, never, PatchResourceServerBody, LiveResourceServer> =
  {
    id: 'update_resource_server',
    api: 'full',
    method: 'PATCH',
    path: '/resource-servers/{id}',
    summary: 'Update an API; scopes replaces all its permissions',
    scope: 'update:resource_servers',
    lifecycle: 'not shown',
    params,
    body: {
      ...shape<PatchResourceServerBody>(`${schema}/patch_body`, validatePatchBody),
      encodings,
      integers: ['/token_lifetime', '/token_lifetime_for_web'],
    },
    response: server,
    success: 200,
    basis: {
      source: 'public',
      section: '2b.1',
      assumed: ['404', 'the same scope twice', 'what roles keep of a removed scope', 'keys of a form-encoded body'],
    },
  };

export const operations: readonly Operation[] = [listResourceServers, getResourceServer, updateResourceServer];
