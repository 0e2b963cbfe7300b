// Generated from schemas/rate-limit-policies.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactClient, exactLive } from './exact-validators.generated.ts';
import { tolerantClient, tolerantLive } from './tolerant-validators.generated.ts';
import type { ClientParams, GetClientQuery, ListPoliciesQuery, LiveClient, LivePolicy, PatchPolicyBody, Policy, PolicyPage, PolicyParams } from './types.generated.ts';
import { validateClient, validateClientParams, validateClientQuery, validateListQuery, validateLive, validatePage, validatePatchBody, validatePolicy, validatePolicyParams } from './validators.generated.ts';

export const shapes = {
  policy: shape<Policy>('rate-limit-policies.schema.json#/$defs/policy', validatePolicy),
  patchBody: shape<PatchPolicyBody>('rate-limit-policies.schema.json#/$defs/patch_body', validatePatchBody),
  live: readShape<LivePolicy>('rate-limit-policies.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<PolicyPage>('rate-limit-policies.schema.json#/$defs/page', validatePage),
  listQuery: shape<ListPoliciesQuery>('rate-limit-policies.schema.json#/$defs/list_query', validateListQuery),
  policyParams: shape<PolicyParams>('rate-limit-policies.schema.json#/$defs/policy_params', validatePolicyParams),
  clientParams: shape<ClientParams>('rate-limit-policies.schema.json#/$defs/client_params', validateClientParams),
  clientQuery: shape<GetClientQuery>('rate-limit-policies.schema.json#/$defs/client_query', validateClientQuery),
  client: readShape<LiveClient>('rate-limit-policies.schema.json#/$defs/client', validateClient, { exact: exactClient, tolerant: tolerantClient }),
};
