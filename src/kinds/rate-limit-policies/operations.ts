import { shape } from '../../contract/shape.ts';
import type { ListOperation, Operation } from '../../model/operation.ts';
import type { DeletePolicyParams, ListPoliciesQuery, LivePolicy } from './types.generated.ts';
import { validateDeleteParams, validateListQuery, validatePage } from './validators.generated.ts';

const schema = 'rate-limit-policies.schema.json#/$defs';

export const listRateLimitPolicies: ListOperation<ListPoliciesQuery, LivePolicy> = {
  id: 'list_rate_limit_policies',
  api: 'documented',
  method: 'GET',
  path: '/rate-limit-policies',
  summary: 'List rate limit policies',
  scope: 'read:rate_limit_policies',
  lifecycle: 'early access',
  query: { ...shape<ListPoliciesQuery>(`${schema}/list_query`, validateListQuery), integers: ['take'] },
  answer: shape<unknown>(`${schema}/page`, validatePage),
  paging: { style: 'cursor', items: 'rate_limit_policies', maxTake: 100, defaultTake: 50 },
  success: 200,
  basis: { section: '4.1', assumed: [] },
};

export const deleteRateLimitPolicy: Operation<DeletePolicyParams> = {
  id: 'delete_rate_limit_policy',
  api: 'documented',
  method: 'DELETE',
  path: '/rate-limit-policies/{id}',
  summary: 'Delete a rate limit policy',
  scope: 'delete:rate_limit_policies',
  lifecycle: 'not shown',
  params: shape<DeletePolicyParams>(`${schema}/delete_params`, validateDeleteParams),
  success: 204,
  goneStatus: 404,
  basis: { section: '4.2', assumed: ['scope', 'success status', 'error answers'] },
};

export const operations: readonly Operation[] = [listRateLimitPolicies, deleteRateLimitPolicy];
