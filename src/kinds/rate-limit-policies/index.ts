import { isHttpsUri } from '../../contract/formats.ts';
import { listedKind } from '../../marks/listed-kind.ts';
import type { ResourceKind } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { fields } from '../../service/rate-limit-policies/fields.generated.ts';
import { getClient, operations } from '../../service/rate-limit-policies/operations.ts';
import type { LivePolicy, Policy } from '../../service/rate-limit-policies/types.generated.ts';
import { effectsOn } from './effects.ts';
import { lockedOut, ownClients } from './own-clients.ts';
import { configurationSummary, fallbackLinks } from './precedence.ts';
import { reading } from './read.ts';

/** Policies are matched by the triple that the service keeps unique, and compared by their configuration. */
const policies = listedKind<Policy, LivePolicy>({
  name: 'rate_limit_policies',
  title: 'Rate limit policies',
  undeclared: 'delete',
  fields,
  operations,
  protectedAs: (policy) => (policy as Policy).consumer_selector,
  isSame: (field, live, declared) => field === 'configuration.redirect_uri' && isSameUri(live, declared),
  summaryOf: ({ configuration }) => ({ summary: configurationSummary(configuration) }),
});

/** A service may return a URI in another spelling than it was sent in. */
function isSameUri(live: unknown, declared: unknown): boolean {
  return typeof live === 'string' && typeof declared === 'string' && normalUri(live) === normalUri(declared);
}

/**
 * The normal form of an https URI: two URIs with one normal form are equivalent by RFC 3986, section 6. The parser of Node
 * normalizes scheme, host, port and dot segments. Then the digits of escapes are in upper case (6.2.2.1), and escapes of
 * unreserved characters are decoded (6.2.2.2).
 *
 *     HTTPS://Acme.example:443/%7eslow/../busy    https://acme.example/busy
 *     https://acme.example/busy/                  another URI: the slash stays
 *
 * A text of another form is returned as it is.
 */
export function normalUri(text: string): string {
  if (!isHttpsUri(text)) return text;
  return new URL(text).href.replaceAll(/%[0-9a-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : triplet.toUpperCase();
  });
}

/** What the keys of most policies begin with: the only values that the service knows (service specification 2.1). */
const usualStart = `${fields['resource']?.default}/${fields['consumer']?.default}/`;

export const rateLimitPolicies: ResourceKind<Policy, LivePolicy> = {
  ...policies,
  noun: { one: 'rate limit policy', many: 'rate limit policies' },
  label: 'policy',
  shortKey: (key) =>
    key.startsWith(usualStart) && key.length > usualStart.length ? key.slice(usualStart.length) : key,
  keyHint: 'resource/consumer/consumer_selector',
  operations: [...policies.operations, getClient],
  clientOf: ({ consumer_selector: selector }) => /^client_id:(.*)$/s.exec(selector)?.[1] ?? null,
  getClient,
  reading,
  decide(input) {
    const decision = policies.decide(input);
    if (decision.actions.length === 0) return decision;
    const clients = (actions: readonly Action[]) => ownClients(input.live, actions, input.own ?? []);
    return {
      ...decision,
      ...fallbackLinks(decision.actions),
      lockedOut: (actions) => lockedOut(clients(actions)),
      effectsOf: effectsOn(input, clients),
    };
  },
};
