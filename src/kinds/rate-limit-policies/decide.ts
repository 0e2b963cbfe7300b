import { buildPath } from '../../contract/path.ts';
import { decideListed, type ListedKind } from '../../differ/decide-listed.ts';
import type { DecideInput, Decision } from '../../model/kind.ts';
import { deleteRateLimitPolicy } from './operations.ts';
import type { DeclaredPolicy, LivePolicy } from './types.generated.ts';

/** Policies are matched by the triple that the service keeps unique, and compared by their configuration. */
const policies: ListedKind<DeclaredPolicy, LivePolicy> = {
  kind: 'rate_limit_policies',
  keyOf: policyKey,
  idOf: (live) => live.id,
  protectedAs: (live) => live.consumer_selector,
  desiredForm: ({ configuration }) => ({ configuration }),
  liveForm: ({ configuration }) => ({ configuration }),
  corrections: {
    undeclared: ({ id }) => ({ operation: deleteRateLimitPolicy.id, method: 'DELETE', path: buildPath(deleteRateLimitPolicy, { id }) }),
  },
};

export function policyKey(policy: Pick<DeclaredPolicy, 'resource' | 'consumer' | 'consumer_selector'>): string {
  return `${policy.resource}/${policy.consumer}/${policy.consumer_selector}`;
}

export function decide(input: DecideInput<DeclaredPolicy, LivePolicy>): Decision {
  return decideListed(policies, input);
}
