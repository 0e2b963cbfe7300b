// Generated from schemas/rate-limit-policies.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactLive } from './exact-validators.generated.ts';
import { tolerantLive } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { CreatePolicyBody, LivePolicy, PolicyPage, PolicyParams, PolicyQuery, UpdatePolicyBody } from './types.generated.ts';
import { validateCreateBody, validateListQuery, validateLive, validatePage, validateParams, validateUpdateBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('rate-limit-policies.schema.json', validateSection),
  createBody: shape<CreatePolicyBody>('rate-limit-policies.schema.json#/$defs/create_body', validateCreateBody),
  updateBody: shape<UpdatePolicyBody>('rate-limit-policies.schema.json#/$defs/update_body', validateUpdateBody),
  live: readShape<LivePolicy>('rate-limit-policies.schema.json#/$defs/live', validateLive, { exact: exactLive, tolerant: tolerantLive }),
  page: shape<PolicyPage>('rate-limit-policies.schema.json#/$defs/page', validatePage),
  listQuery: shape<PolicyQuery>('rate-limit-policies.schema.json#/$defs/list_query', validateListQuery),
  params: shape<PolicyParams>('rate-limit-policies.schema.json#/$defs/params', validateParams),
};
