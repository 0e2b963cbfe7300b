import type { ResourceKind } from '../../model/kind.ts';
import { decide, policyKey } from './decide.ts';
import { describe } from './describe.ts';
import { operations } from './operations.ts';
import { readBack, reading } from './read.ts';
import type { DeclaredPolicy, LivePolicy, RateLimitPoliciesSection } from './types.generated.ts';

export const rateLimitPolicies: ResourceKind<DeclaredPolicy, LivePolicy> = {
  name: 'rate_limit_policies',
  section: 'rate_limit_policies',
  title: 'Rate limit policies',
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
