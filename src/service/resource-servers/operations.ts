import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type {
  ListResourceServersQuery,
  LiveResourceServer,
  PatchResourceServerBody,
  ResourceServerParams,
} from './types.generated.ts';

const encodings: readonly Encoding[] = ['application/json', 'application/x-www-form-urlencoded'];
const full = { api: 'full', lifecycle: 'not shown' } as const;

export const listResourceServers: ListOperation<ListResourceServersQuery, LiveResourceServer> = {
  id: 'list_resource_servers',
  ...full,
  method: 'GET',
  path: '/resource-servers',
  summary: 'List APIs (resource servers)',
  scope: 'read:resource_servers',
  query: {
    ...shapes.listQuery,
    integers: ['page', 'per_page'],
  },
  response: shapes.page,
  item: shapes.live,
  paging: { style: 'page', items: 'resource_servers', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'public', section: '2b.1', assumed: ['order'] },
};

export const getResourceServer: GetOperation<ResourceServerParams, LiveResourceServer> = {
  id: 'get_resource_server',
  ...full,
  method: 'GET',
  path: '/resource-servers/{id}',
  summary: 'Read an API, by its id or its identifier',
  scope: 'read:resource_servers',
  params: shapes.params,
  response: shapes.live,
  success: 200,
  basis: { source: 'public', section: '2b.1', assumed: [] },
};

export const updateResourceServer: Operation<ResourceServerParams, never, PatchResourceServerBody, LiveResourceServer> =
  {
    id: 'update_resource_server',
    ...full,
    method: 'PATCH',
    path: '/resource-servers/{id}',
    summary: 'Update an API; scopes replaces all its permissions',
    scope: 'update:resource_servers',
    params: shapes.params,
    body: {
      ...shapes.patchBody,
      encodings,
      integers: ['/token_lifetime', '/token_lifetime_for_web'],
    },
    response: shapes.live,
    success: 200,
    basis: {
      source: 'public',
      section: '2b.1',
      assumed: ['404', 'the same scope twice', 'what roles keep of a removed scope', 'keys of a form-encoded body'],
    },
  };

export const operations: readonly Operation[] = [listResourceServers, getResourceServer, updateResourceServer];
