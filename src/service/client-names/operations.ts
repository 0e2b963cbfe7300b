import { published } from '../../contract/operation-rows.ts';
import type { GetOperation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type * as types from './types.generated.ts';

/** Shows the name of a client that a policy is about. */
export const getClient: GetOperation<types.ClientParams, types.LiveClient, types.GetClientQuery> = {
  id: 'get_client',
  api: 'full',
  lifecycle: 'not shown',
  method: 'GET',
  path: '/clients/{id}',
  summary: 'Get a client',
  scope: 'read:clients',
  success: 200,
  params: shapes.params,
  query: { ...shapes.query, integers: [] },
  response: shapes.client,
  basis: published('1.6', 'unknown names in fields, which select nothing', 'other fields of a client'),
};
