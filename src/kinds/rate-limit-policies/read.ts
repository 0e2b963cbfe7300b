import { liveState } from '../../contract/live-state.ts';
import type { LiveState } from '../../model/live-state.ts';
import type { Reader } from '../../model/reader.ts';
import { listRateLimitPolicies } from './operations.ts';
import type { ListPoliciesQuery, LivePolicy } from './types.generated.ts';

/** Every policy; or, given one whole key, only those of that identity, by the listing's own filters (service specification 4.1). */
export async function read(reader: Reader, only: string | null): Promise<LiveState<LivePolicy>> {
  const filters = only === null ? null : filtersOf(only);
  return liveState(await reader.list(listRateLimitPolicies, filters ?? {}), filters !== null);
}

/** A key that cannot be a policy's is no filter, and so is answered from the whole list. */
function filtersOf(key: string): ListPoliciesQuery | null {
  const [resource, consumer, ...selector] = key.split('/');
  const query = { resource, consumer, consumer_selector: selector.join('/') };
  return listRateLimitPolicies.query?.validate(query) ? query : null;
}
