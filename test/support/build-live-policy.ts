import type { LivePolicy } from '../../src/service/rate-limit-policies/types.generated.ts';

/** The only place in the tests that lists the fields of a live rate limit policy. Its id follows from its selector. */
export function buildLivePolicy(parts: Partial<LivePolicy> = {}): LivePolicy {
  const { consumer_selector = 'default' } = parts;
  return {
    id: `rlp_${consumer_selector.replaceAll(/[^A-Za-z0-9]/g, '_')}`.slice(0, 26),
    resource: 'oauth_authentication_api',
    consumer: 'client',
    consumer_selector,
    configuration: { action: 'block', limit: 100 },
    ...parts,
  };
}
