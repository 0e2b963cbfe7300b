import type { ResourceKind } from '../../model/kind.ts';
import { operations } from '../../resources/rate-limit-policies/operations.ts';
import type {
  DeclaredPolicy,
  LivePolicy,
  RateLimitPoliciesSection,
} from '../../resources/rate-limit-policies/types.generated.ts';
import { decide, policyKey } from './decide.ts';
import { describe } from './describe.ts';
import { readBack, reading } from './read.ts';

export const rateLimitPolicies: ResourceKind<DeclaredPolicy, LivePolicy> = {
  name: 'rate_limit_policies',
  title: 'Rate limit policies',
  noun: { one: 'rate limit policy', many: 'rate limit policies' },
  keyHint: 'resource/consumer/consumer_selector',
  operations,
  entries: (section) =>
    (section as RateLimitPoliciesSection).map((policy, index) => ({
      key: policyKey(policy),
      pointer: `/${index}`,
      keyPointer: `/${index}/consumer_selector`,
    })),
  reading,
  decide,
  describe,
  readBack,
};
