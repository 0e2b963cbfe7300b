import { itemRows, numbered, published } from '../../contract/operation-rows.ts';
import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type * as types from './types.generated.ts';

const encodings: readonly Encoding[] = ['application/json', 'application/x-www-form-urlencoded'];
const lifetimes = ['', '_for_web', '_for_anonymous_access_tokens'].map((suffix) => `/token_lifetime${suffix}`);
const rows = itemRows({
  id: 'resource_server',
  name: 'resource_servers',
  path: '/resource-servers',
  one: 'an API',
  many: 'APIs (resource servers)',
  lifecycle: 'not shown',
  params: shapes.params,
});

export const listResourceServers: ListOperation<types.ListResourceServersQuery, types.LiveResourceServer> = {
  ...rows.list,
  query: { ...shapes.listQuery, integers: ['page', 'per_page'], lists: ['identifiers'] },
  filters: ['identifiers'],
  response: shapes.page,
  item: shapes.live,
  paging: { ...numbered, items: 'resource_servers', identity: ['id'] },
  basis: published(
    '2b.1',
    'order',
    'include_fields, which changes nothing',
    'unknown identifiers, which select nothing',
  ),
};

export const getResourceServer: GetOperation<types.ResourceServerParams, types.LiveResourceServer> = {
  ...rows.get,
  summary: 'Read an API, by its id or its identifier',
  response: shapes.live,
  basis: published('2b.1'),
};

export const updateResourceServer: Operation<
  types.ResourceServerParams,
  never,
  types.PatchResourceServerBody,
  types.LiveResourceServer
> = {
  ...rows.update,
  summary: 'Update an API; scopes replaces all its permissions',
  body: { ...shapes.patchBody, encodings, integers: lifetimes },
  response: shapes.live,
  basis: published(
    '2b.1',
    '404',
    'the same scope twice',
    'what roles keep of a removed scope',
    'keys of a form-encoded body',
  ),
};

export const operations: readonly Operation[] = [listResourceServers, getResourceServer, updateResourceServer];
