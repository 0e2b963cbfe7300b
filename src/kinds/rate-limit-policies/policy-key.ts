import type { Policy } from '../../service/rate-limit-policies/types.generated.ts';

export function policyKey(policy: Pick<Policy, 'resource' | 'consumer' | 'consumer_selector'>): string {
  return `${policy.resource}/${policy.consumer}/${policy.consumer_selector}`;
}
