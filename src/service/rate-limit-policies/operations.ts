import { byCursor, itemRows, notOnTenant, published, specified } from '../../contract/operation-rows.ts';
import type { Encoding, GetOperation, ItemOperations, ItemParams } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type * as types from './types.generated.ts';

const encodings: readonly Encoding[] = ['application/json', 'application/x-www-form-urlencoded'];
const integers = ['/configuration/limit'];
const rows = itemRows({
  id: 'rate_limit_policy',
  name: 'rate_limit_policies',
  path: '/rate-limit-policies',
  one: 'a rate limit policy',
  many: 'rate limit policies',
  lifecycle: 'early access',
  params: shapes.policyParams,
});

const get: GetOperation<ItemParams, types.LivePolicy> = {
  ...rows.get,
  response: shapes.live,
  basis: published('1.1', 'message of a 404'),
};

export const operations: Required<ItemOperations<types.LivePolicy>> = {
  list: {
    ...rows.list,
    lacking: [...notOnTenant, { status: 404, confirmedBy: get }],
    api: 'documented',
    query: { ...shapes.listQuery, integers: ['take'] },
    response: shapes.page,
    item: shapes.live,
    paging: { ...byCursor, items: 'rate_limit_policies', identity: ['id'] },
    basis: specified('4.1'),
  },
  create: {
    ...rows.create,
    body: { ...shapes.policy, encodings, integers },
    response: shapes.live,
    basis: published('1.1', 'message of a conflict'),
  },
  get,
  update: {
    ...rows.update,
    body: { ...shapes.patchBody, encodings, integers },
    response: shapes.live,
    basis: published('1.1', 'message of a 404'),
  },
  delete: {
    ...rows.delete,
    api: 'documented',
    lifecycle: 'not shown',
    goneStatus: 404,
    basis: specified('4.2', 'scope', 'success status', 'error responses'),
  },
};

/** Shows the name of a client that a policy is about. */
export const getClient: GetOperation<types.ClientParams, types.LiveClient, types.GetClientQuery> = {
  ...rows.get,
  id: 'get_client',
  lifecycle: 'not shown',
  path: '/clients/{id}',
  summary: 'Get a client',
  scope: 'read:clients',
  params: shapes.clientParams,
  query: { ...shapes.clientQuery, integers: [] },
  response: shapes.client,
  basis: published('1.6', 'unknown names in fields, which select nothing', 'other fields of a client'),
};
