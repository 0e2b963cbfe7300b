import type { ResourceKind } from '../../model/kind.ts';
import { operations } from '../../service/rate-limit-policies/operations.ts';
import type {
  LivePolicy,
  Policy,
  RateLimitPoliciesSection,
} from '../../service/rate-limit-policies/types.generated.ts';
import { canonical, policyIdentity, shortKey } from './canonical.ts';
import { decide } from './decide.ts';
import { describe } from './describe.ts';
import { policyKey } from './policy-key.ts';
import { pull } from './pull.ts';
import { readBack, reading } from './read.ts';

export const rateLimitPolicies: ResourceKind<Policy, LivePolicy> = {
  name: 'rate_limit_policies',
  title: 'Rate limit policies',
  noun: { one: 'rate limit policy', many: 'rate limit policies' },
  label: 'policy',
  shortKey,
  keyHint: 'resource/consumer/consumer_selector',
  undeclared: 'delete',
  operations,
  identity: ['resource', 'consumer', 'consumer_selector'],
  entries: (section) =>
    (section as RateLimitPoliciesSection).map((policy, index) => ({
      key: policyKey(policyIdentity(policy)),
      pointer: `/${index}`,
      keyPointer: `/${index}/consumer_selector`,
    })),
  canonical,
  clientOf: ({ consumer_selector: selector }) => /^client_id:(.*)$/s.exec(selector)?.[1] ?? null,
  reading,
  decide,
  describe,
  pull,
  readBack,
};
