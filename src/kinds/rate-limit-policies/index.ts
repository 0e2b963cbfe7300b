import { isHttpsUri } from '../../contract/formats.ts';
import { describedKind } from '../../items/described-kind.ts';
import type { ResourceKind } from '../../model/kind.ts';
import { noAccess } from '../../model/own-client.ts';
import type { Action } from '../../model/plan.generated.ts';
import { getClient } from '../../service/client-names/operations.ts';
import { description, fields } from '../../service/rate-limit-policies/description.generated.ts';
import type { LivePolicy, CreatePolicyBody as Policy } from '../../service/rate-limit-policies/types.generated.ts';
import { literalsOf } from '../../values/selector.ts';
import { effectsOn } from './effects.ts';
import { lockedOut, ownClients } from './own-clients.ts';
import { configurationSummary, fallbackLinks } from './precedence.ts';
import { reading } from './read.ts';
import { openServiceKeys, withKey } from './service-keys.ts';

/** Policies are matched by the triple that the service keeps unique, and compared by their configuration. */
const policies = describedKind<Policy, LivePolicy>(description, {
  protectedAs: (policy) => (policy as Policy).consumer_selector,
  isSame: (field, live, declared) => field === 'configuration.redirect_uri' && isSameUri(live, declared),
  summaryOf: ({ configuration }) => ({ summary: configurationSummary(configuration) }),
});

/**
 * A service may return a URI in another spelling than it was sent in: the parser of Node normalizes scheme, host, port and
 * dot segments.
 */
function isSameUri(live: unknown, declared: unknown): boolean {
  const hrefOf = (uri: unknown) => (isHttpsUri(String(uri)) ? new URL(String(uri)).href : uri);
  return hrefOf(live) === hrefOf(declared);
}

/** What the keys of most policies begin with: the only values that the service knows (service specification 2.1). */
const usualStart = `${fields['resource']?.none}/${fields['consumer']?.none}/`;

const clientStart = 'client_id:';

/** `Web shop (client_id:5Fj1)` is how reports name the policy of a client. A selector has no slash before its colon. */
function completeKey(name: string): string {
  const key = / \((client_id:.*)\)$/.exec(name)?.[1] ?? name;
  return /^[^:]*\//.test(key) || usualStart.startsWith(literalsOf(key)[0] ?? '') ? key : usualStart + key;
}

export const rateLimitPolicies: ResourceKind<Policy, LivePolicy> = {
  ...policies,
  completeKey,
  operations: [...policies.operations, getClient],
  clientOf: ({ consumer_selector: selector }) =>
    selector.startsWith(clientStart) ? selector.slice(clientStart.length) : null,
  getClient,
  reading,
  decide(input) {
    const decision = policies.decide(input);
    if (decision.actions.length === 0) return decision;
    const keyOf = openServiceKeys(input.names);
    const onService = (action: Action) => withKey(action, keyOf(action.key));
    const clients = (actions: readonly Action[]) =>
      ownClients(input.live, actions, (input.own ?? noAccess).clients, ({ key }) => keyOf(key));
    const { links = [] } = fallbackLinks(decision.actions.map(onService));
    return {
      ...decision,
      ...(links.length > 0 && { links: [...(decision.links ?? []), ...links] }),
      lockedOut: (actions) => lockedOut(clients(actions)),
      effectsOf: effectsOn(input, clients, onService),
    };
  },
};
