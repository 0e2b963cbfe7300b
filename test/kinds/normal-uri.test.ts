import { describe, expect, test } from 'vitest';
import { rateLimitPolicies } from '../../src/kinds/rate-limit-policies/index.ts';
import type { CreatePolicyBody as Policy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

const equivalent = [
  ['HTTPS://acme.example/busy', 'https://acme.example/busy'],
  ['https://ACME.Example/busy', 'https://acme.example/busy'],
  ['https://acme.example:443/busy', 'https://acme.example/busy'],
  ['https://acme.example:/busy', 'https://acme.example/busy'],
  ['https://acme.example', 'https://acme.example/'],
  ['https://acme.example?x', 'https://acme.example/?x'],
  ['https://acme.example/a/./b/../busy', 'https://acme.example/a/busy'],
  ['https://acme.example/a/..', 'https://acme.example/'],
  ['https://acme.example/a/b/.', 'https://acme.example/a/b/'],
  ['https://[2001:DB8::1]:443/', 'https://[2001:db8::1]/'],
] as const;

const different = [
  ['https://acme.example/busy/', 'https://acme.example/busy'],
  ['https://acme.example/Busy', 'https://acme.example/busy'],
  ['https://acme.example/a//b', 'https://acme.example/a/b'],
  ['https://acme.example/a%2Fb', 'https://acme.example/a/b'],
  ['https://acme.example/?', 'https://acme.example/'],
  ['https://acme.example/#', 'https://acme.example/'],
  ['https://acme.example/?X', 'https://acme.example/?x'],
  ['https://acme.example:8443/', 'https://acme.example/'],
  ['https://acme.example:80/', 'https://acme.example/'],
  ['https://acme.example./', 'https://acme.example/'],
  ['https://acme.example/%2525', 'https://acme.example/%25'],
  ['https://acme.example/%7Ebusy', 'https://acme.example/~busy'],
] as const;

describe('redirect_uri', () => {
  const decided = (declared: string, live: string) => {
    const triple = { resource: 'oauth_authentication_api', consumer: 'client', consumer_selector: 'default' } as const;
    const redirect = (uri: string) => ({ action: 'redirect', limit: 5, redirect_uri: uri }) as const;
    const policy: Policy = { ...triple, configuration: redirect(declared) };
    return rateLimitPolicies.decide({
      desired: desiredSection([['oauth_authentication_api/client/default', policy]]),
      live: { readable: true, items: [buildLivePolicy({ configuration: redirect(live) })], filtered: false },
      keep: keepNothing,
      api: 'full',
      rotate: new Set(),
    });
  };

  test.each(equivalent)('declared %s and live %s are no difference', (declared, live) => {
    expect(decided(declared, live).actions).toEqual([]);
    expect(decided(live, declared).actions).toEqual([]);
  });

  test.each(different)('declared %s and live %s are a difference', (declared, live) => {
    expect(decided(declared, live).actions).toHaveLength(1);
  });

  test('a difference shows and sends both URIs as they are written', () => {
    const [action] = decided('HTTPS://acme.example/a', 'HTTPS://acme.example/b').actions;
    expect(action?.changes).toEqual([
      { field: 'configuration.redirect_uri', before: 'HTTPS://acme.example/b', after: 'HTTPS://acme.example/a' },
    ]);
    expect(action?.request.body).toMatchObject({ configuration: { redirect_uri: 'HTTPS://acme.example/a' } });
  });
});
