import { shape } from '../../contract/shape.ts';
import { description } from '../../service/rate-limit-policies/description.generated.ts';
import { validateSeed } from '../../service/rate-limit-policies/seed-validators.generated.ts';
import type { Item } from '../items/item-store.ts';
import { hasSame } from '../items/item-values.ts';
import { servedList } from '../items/serve-list.ts';
import { refused } from '../refused.ts';

const missing = { status: 404, message: 'The rate limit policy does not exist.' };

// The message is assumed; that the triple is unique is a public fact (1.4).
const conflict = refused(
  409,
  'rate_limit_policy_conflict',
  'A rate limit policy with the same resource, consumer and consumer_selector already exists.',
);

export const rateLimitPoliciesTenant = servedList(
  description,
  {
    newId: ({ newId }) => newId('rlp', 7),
    missing,
    missingDelete: missing,
    refuse: ({ item, body, store }) =>
      item === null && store.all.some(hasSame(body, ['resource', 'consumer', 'consumer_selector'])) ? conflict : null,
    create: ({ body, now }) => ({ ...body, created_at: timeText(now()), updated_at: timeText(now()) }),
    update: (item, { body, now }) => ({ ...item, ...body, updated_at: timeText(now()) }),
  },
  shape<readonly Item[]>('rate-limit-policies.schema.json#/$defs/seed', validateSeed),
);

/** RFC 3339 with up to six digits of a second, trailing zeros dropped (public facts 1.3). */
function timeText(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}
