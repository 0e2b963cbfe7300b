import { plannedRequest } from '../../contract/planned-request.ts';
import { decideListed, type ListedKind } from '../../differ/decide-listed.ts';
import type { DecideInput, Decision } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import {
  createRateLimitPolicy,
  deleteRateLimitPolicy,
  updateRateLimitPolicy,
} from '../../service/rate-limit-policies/operations.ts';
import type { LivePolicy, Policy } from '../../service/rate-limit-policies/types.generated.ts';
import { effectsOn } from './effects.ts';
import { fallbackLinks } from './fallback-links.ts';
import { normalUri } from './normal-uri.ts';
import { lockedOut, ownClients } from './own-clients.ts';
import { policyKey } from './policy-key.ts';

/** Policies are matched by the triple that the service keeps unique, and compared by their configuration. */
const policies: ListedKind<Policy, LivePolicy> = {
  kind: 'rate_limit_policies',
  identity: ['resource', 'consumer', 'consumer_selector'],
  keyOf: policyKey,
  idOf: (live) => live.id,
  protectedAs: ({ consumer_selector: selector }) => selector,
  desiredForm: ({ configuration }) => ({ configuration }),
  liveForm: ({ configuration }) => ({ configuration }),
  isSame: (field, live, declared) => field === 'configuration.redirect_uri' && isSameUri(live, declared),
  corrections: {
    missing: {
      operation: createRateLimitPolicy,
      correct: (body) => ({ request: plannedRequest(createRateLimitPolicy, { body }) }),
    },
    // Only the configuration can be changed, and it is replaced completely (public facts 1.3).
    different: {
      operation: updateRateLimitPolicy,
      correct: ({ live: { id }, desired: { configuration } }) => ({
        request: plannedRequest(updateRateLimitPolicy, { params: { id }, body: { configuration } }),
      }),
    },
    undeclared: {
      operation: deleteRateLimitPolicy,
      correct: ({ id }) => ({ request: plannedRequest(deleteRateLimitPolicy, { params: { id } }) }),
    },
  },
};

/** A service may return a URI in another spelling than it was sent in. */
export function isSameUri(live: unknown, declared: unknown): boolean {
  return typeof live === 'string' && typeof declared === 'string' && normalUri(live) === normalUri(declared);
}

export function decide(input: DecideInput<Policy, LivePolicy>): Decision {
  const decision = decideListed(policies, input);
  if (decision.actions.length === 0) return decision;
  const clients = (actions: readonly Action[]) => ownClients(input.live, actions, input.own ?? []);
  return {
    ...decision,
    ...fallbackLinks(decision.actions),
    lockedOut: (actions) => lockedOut(clients(actions)),
    effectsOf: effectsOn(input.live, clients),
  };
}
