import { shape } from '../../contract/shape.ts';
import { type ItemStore, only, storedItems } from '../../contract/stored-items.ts';
import type { TenantRoute } from '../../model/tenant-resource.ts';
import { getClient } from '../../service/client-names/operations.ts';
import type { ClientParams, GetClientQuery } from '../../service/client-names/types.generated.ts';
import { fields, operations } from '../../service/rate-limit-policies/description.generated.ts';
import { validateSeed } from '../../service/rate-limit-policies/seed-validators.generated.ts';
import type { LivePolicy, SeededRateLimitPolicies } from '../../service/rate-limit-policies/types.generated.ts';
import { refused } from '../refused.ts';
import { clientStore } from './client-store.ts';

const policies = storedItems<LivePolicy>({
  section: 'rate_limit_policies',
  seed: shape<SeededRateLimitPolicies>('rate-limit-policies.schema.json#/$defs/seed', validateSeed),
  fields,
  operations,
  id: { prefix: 'rlp', version: 7 },
  missing: { status: 404, message: 'The rate limit policy does not exist.' },
  // The message is assumed; that the triple is unique is a public fact (1.4).
  conflict: refused(
    409,
    'rate_limit_policy_conflict',
    'A rate limit policy with the same resource, consumer and consumer_selector already exists.',
  ),
  timeText,
});

/** With `fields`, those alone, or all others with `include_fields=false` (public facts 1.6). */
const client: TenantRoute<ItemStore<LivePolicy>, ClientParams, GetClientQuery> = {
  operation: getClient,
  respond({ params: { id }, query: { fields, include_fields = 'true' } }, { stores }) {
    const found = stores.get(clientStore).all.find(({ client_id }) => client_id === id);
    if (found === undefined) return refused(404, 'inexistent_client', 'The client does not exist');
    const isShown = (name: string) =>
      fields === undefined || fields.split(',').includes(name) === (include_fields === 'true');
    return { status: 200, body: only({ client_id: id, name: found.name ?? id }, isShown) };
  },
};

export const rateLimitPoliciesTenant = { ...policies, routes: [...policies.routes, client] };

/** RFC 3339 with up to six digits of a second, trailing zeros dropped (public facts 1.3). */
function timeText(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}
