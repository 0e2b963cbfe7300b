import type { Encoding, GetOperation, ListOperation, Operation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type { ListPoliciesQuery, LivePolicy, PatchPolicyBody, Policy, PolicyParams } from './types.generated.ts';

const encodings: readonly Encoding[] = ['application/json', 'application/x-www-form-urlencoded'];
const integers = ['/configuration/limit'];
const full = { api: 'full', lifecycle: 'early access' } as const;

export const listRateLimitPolicies: ListOperation<ListPoliciesQuery, LivePolicy> = {
  id: 'list_rate_limit_policies',
  api: 'documented',
  method: 'GET',
  path: '/rate-limit-policies',
  summary: 'List rate limit policies',
  scope: 'read:rate_limit_policies',
  lifecycle: 'early access',
  query: { ...shapes.listQuery, integers: ['take'] },
  response: shapes.page,
  item: shapes.live,
  paging: { style: 'cursor', items: 'rate_limit_policies', identity: ['id'], maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { source: 'documented', section: '4.1', assumed: [] },
};

export const createRateLimitPolicy: Operation<never, never, Policy, LivePolicy> = {
  id: 'create_rate_limit_policy',
  ...full,
  method: 'POST',
  path: '/rate-limit-policies',
  summary: 'Create a rate limit policy',
  scope: 'create:rate_limit_policies',
  body: { ...shapes.policy, encodings, integers },
  response: shapes.live,
  success: 201,
  basis: { source: 'public', section: '1.1', assumed: ['message of a conflict'] },
};

export const getRateLimitPolicy: GetOperation<PolicyParams, LivePolicy> = {
  id: 'get_rate_limit_policy',
  ...full,
  method: 'GET',
  path: '/rate-limit-policies/{id}',
  summary: 'Get a rate limit policy',
  scope: 'read:rate_limit_policies',
  params: shapes.policyParams,
  response: shapes.live,
  success: 200,
  basis: { source: 'public', section: '1.1', assumed: ['message of a 404'] },
};

export const updateRateLimitPolicy: Operation<PolicyParams, never, PatchPolicyBody, LivePolicy> = {
  id: 'update_rate_limit_policy',
  ...full,
  method: 'PATCH',
  path: '/rate-limit-policies/{id}',
  summary: 'Update a rate limit policy',
  scope: 'update:rate_limit_policies',
  params: shapes.policyParams,
  body: { ...shapes.patchBody, encodings, integers },
  response: shapes.live,
  success: 200,
  basis: { source: 'public', section: '1.1', assumed: ['message of a 404'] },
};

export const deleteRateLimitPolicy: Operation<PolicyParams> = {
  id: 'delete_rate_limit_policy',
  api: 'documented',
  method: 'DELETE',
  path: '/rate-limit-policies/{id}',
  summary: 'Delete a rate limit policy',
  scope: 'delete:rate_limit_policies',
  lifecycle: 'not shown',
  params: shapes.policyParams,
  success: 204,
  goneStatus: 404,
  basis: { source: 'documented', section: '4.2', assumed: ['scope', 'success status', 'error responses'] },
};

export const operations = {
  list: listRateLimitPolicies,
  create: createRateLimitPolicy,
  get: getRateLimitPolicy,
  update: updateRateLimitPolicy,
  delete: deleteRateLimitPolicy,
};
