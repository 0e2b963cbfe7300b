import { byCursor, itemRows, published, specified } from '../../contract/operation-rows.ts';
import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
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

export const listRateLimitPolicies: ListOperation<types.ListPoliciesQuery, types.LivePolicy> = {
  ...rows.list,
  api: 'documented',
  query: { ...shapes.listQuery, integers: ['take'] },
  response: shapes.page,
  item: shapes.live,
  paging: { ...byCursor, items: 'rate_limit_policies', identity: ['id'] },
  basis: specified('4.1'),
};

export const createRateLimitPolicy: Operation<never, never, types.Policy, types.LivePolicy> = {
  ...rows.create,
  body: { ...shapes.policy, encodings, integers },
  response: shapes.live,
  basis: published('1.1', 'message of a conflict'),
};

export const getRateLimitPolicy: GetOperation<types.PolicyParams, types.LivePolicy> = {
  ...rows.get,
  response: shapes.live,
  basis: published('1.1', 'message of a 404'),
};

export const updateRateLimitPolicy: Operation<types.PolicyParams, never, types.PatchPolicyBody, types.LivePolicy> = {
  ...rows.update,
  body: { ...shapes.patchBody, encodings, integers },
  response: shapes.live,
  basis: published('1.1', 'message of a 404'),
};

export const deleteRateLimitPolicy: Operation<types.PolicyParams> = {
  ...rows.delete,
  api: 'documented',
  lifecycle: 'not shown',
  goneStatus: 404,
  basis: specified('4.2', 'scope', 'success status', 'error responses'),
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

export const operations = {
  list: listRateLimitPolicies,
  create: createRateLimitPolicy,
  get: getRateLimitPolicy,
  update: updateRateLimitPolicy,
  delete: deleteRateLimitPolicy,
};
